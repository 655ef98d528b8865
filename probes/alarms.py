# ruff: noqa: E501  (an expression is one line)
"""Lines that look like the end of a job or a fault of a machine, in whatever words: for texts that say nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from ..engine.language.counts import FAULTS, NO_FAULTS, NOTHING
from ..engine.patterns import lazy_pattern
from .readings import out_of_range
from .text import clean

_LONGEST = 2000
_ENDS = (
    r"\bfatal\b|^\s*Traceback \(most|\bsegfault\b|segmentation (?:fault|violation)|core dumped|\bdumped core\b|\bpanic(?:ked)?\b(?!=)"
    r"|\bSIG(?:SEGV|ABRT|KILL|BUS|FPE|ILL|TERM)\b|\bsignal[ :=(]{1,3}(?:4|6|7|8|9|11)\b|\bBUG(?: at|:) |\bCall Trace:|\bOops: "
    r"|\bWARNING: CPU: |\buse-after-free\b|\bunderflow\b|\boverflow(?:s|ed)?\b"
    r"|\bexit(?:ed)?[ _]?(?:with )?(?:code|status)?[ :=(]{1,4}-?[1-9]\d{0,2}\b|\breturn ?code[ :=]{1,3}-\d"
    r"|\b(?:was|got|been) killed\b|\bkill(?:ed|ing)\b|\baborted?\b|\baborting\b|\bprocess terminated\b|\bbad termination\b"
    r"|\bcrash(?:ed|es)?\b|\bjust (?:stops?|stopped|dies|died|ends?|ended)\b|\b(?:is|are|marked|declared) dead\b|\bdied\b"
    r"|\b(?:disappear(?:s|ed)|vanish(?:es|ed))\b|\bis down\b|\bdefinitely down\b|\blink(?: is)? down\b|\binactive \(dead\)"
    r"|\bexited with non-?zero\b|\bnon-?zero (?:exit|status)|\babnormally\b|\babnormal (?:exit|end|termination)|\bProcess received signal\b"
    r"|\bStack dump\b|^\s*KeyboardInterrupt\b|\bterminated normally, but\b|\bterminate called\b|\bpure virtual method\b|^goroutine \d{1,9} \["
    r"|\bLast State:\s{1,12}Terminated\b|\b(?:force|forcibly|abruptly|prematurely|unexpectedly) (?:terminat|clos|stopp|end|exit)ed\b|\b(?:terminat|clos|stopp|end|exit|quit)(?:ed|s) (?:unexpectedly|prematurely|early|abruptly)\b"
    r"|\bdeath signal\b|\boom_reaper\b|\bg(?:ave|iving) up\b|\b(?:adapter|controller|device|card|drive|disk|link|node|gpu)s? (?:was |has been |is )?(?:removed|ejected|offlined|rebooted)\b|\battempting to re(?:claim|cover|connect|start|set)\b|\b(?:has|is|was|got) (?:been )?(?:disconnected|revoked|evicted|preempted|expelled)\b|\bdisconnected from\b|^(?:Killed|Hangup|Terminated)$"
)
"""A program, a process or a part has ended."""
_STUCK = (
    r"|\btim(?:ed[ -]?out|eout)\b(?![ \t]{0,3}[=:(]|[\w+-])|\bblocked (?:for more than|on)\b|\b(?:D state|state D)\b"
    r"|\bhangs?\b|\bhung\b|\bdeadlock|\block-?up\b|\b(?:un|not )respon(?:d|sive)\w{0,4}\b|\bno progress\b|\bstall(?:s|ed)\b|\bstuck\b"
    r"|(?:^|\s)D[a-zA-Z<+]{0,4}\s.{0,80}\b(?:nvidia|amd|rocm|xpu)-smi\b|\bheartbeats? (?:lost|missed)\b|\bstays? at 0 ?%"
    r"|\bdid(?:n't| not) (?:stop|start|finish|complete|respond|return|come|join|exit|register|converge)\b|\b(?:stays?|access|is|are|was|thread|process|queue) blocked\b|\bhogging\b|\bdiverged?\b|\bunaligned\b|\bleak(?:ed|ing|s)?\b|\boverruns?\b|\bmust (?:be )?(?:evict|kill|reset|replace|restart|reboot|abort)\w{0,4}\b|\bnot (?:yet )?done with\b|\bstarv(?:ed|ing|ation)\b|\bhogged\b|\btoo (?:long|quickly|slow|slowly|late|often|hot|old|many|few|small)\b|\binterrupt took \d{5,}|\bstale\b"
)
"""Something does not go on."""
_BROKEN = (
    r"|\bXid\b|\bhardware error\b|\buncorrect|\b(?:GPU|device|adapter|controller|engine|bus|function|link|PF|firmware)\b.{0,40}\breset\b"
    r"|\breset\b.{0,40}\b(?:GPU|device|failed|begin)\b|\b(?:page|general protection|memory access) fault\b|\bERR!|\bresetting (?:the )?(?:wave|GPU|device|engine|adapter|controller)|\b(?:trying|tries) (?:to )?re(?:set|cover|connect|start)\b"
    r"|\b(?:fell off|fallen off|lost from)\b|\blost\b(?!\+)|\blink flap|\bphysical_state disabled\b"
    r"|\b(?:pending|failure|blacklist|retirement|degraded)\b[^:\n]{0,30}:\s{0,3}Yes\b|\bpending retirement\b"
    r"|\b(?:(?:degrad|downgrad|throttl|overheat|corrupt)(?:ed|ing|ion)?|inconsisten(?:t|cy|cies))\b|\bcompromised\b"
    r"|(?<![a-z])slowdown\b.{0,40}\bactive\b|\blink \d{1,3}\W{1,4}(?:disabled|down|inactive|off)\b|\bthrottle.{0,20}\bHW\b|\b(?:above|below) (?:the )?(?:threshold|limit|critical)|\bexceeded\b"
    r"|\bhigh temperature\b|\bgoing (?:high|low)\b|\bthrottling\b|\bcard not present\b|\bnot (?:ready|healthy|synchroni[sz]ed)\b"
    r"|\bunhealthy\b|\bunstable\b|\bmismatch(?:ed|es)?\b|\bincompatib\w{2,5}|\bdisagrees?\b|\bunknown symbol\b|\bduplicate address"
    r"|\b(?:jump|loss|fault|leak|loop|conflict|collision|tamper\w{0,5}|misconfigur\w{0,6}) (?:was |were )?detected\b|\bcritical (?:temperature|error|condition|state|level|failure|alarm)\b|\breached (?:its |the )?(?:low|limit|max\w{0,4}|threshold|critical|high)\b|\bfrom Active to\b|\binvalid\b|\bmissing\b(?! heartbeats \d)"
    r"|\b(?:more|less|fewer|higher|lower|larger|greater|newer|older|smaller)\b[^.\n]{0,50}\bthan\b[^.\n]{0,40}\b(?:available|allowed|expected|supported|configured|limit|capacity|required)\b"
    r"|\b(?:was|were|has|have|had) (?:not|never) (?:been )?(?!(?:need|requir|us|enabl|defin|specifi|provid|configur|includ|affect|chang|recommend|guarante|limit|request|modifi)ed\b)[a-z]{2,12}(?:ed|en)\b"
    r"|^\s{0,8}(?:\d{1,4}[smhd]\S{0,8}\s{1,12})?Warning\s{1,12}(?-i:[A-Z][a-z]+[A-Z]?\w{0,30})\s{1,12}(?:\d{1,4}[smhd]|\(|<)|\bNodeHas(?:Insufficient\w{3,8}|(?:Disk|Memory|PID)Pressure)\b"
    r"|\bwrong\b|\b(?:broken|wedged|faulty|unrecoverable|nonfunctional|non-functional|inaccessible|unreadable|malformed|truncated|exhausted|starved|leaked|poison(?:ed)?|frozen|halted|insufficient|forbidden|unauthori[sz]ed|unexpected(?:ly)?|misaligned|unplugged|quarantined|rejected|reject|refus(?:ed|es|ing)|crippled|unsupported)\b"
    r"|\bplease (?:replace|reboot|restart|unmount|contact|repair|reseat|rectify|power[ -]cycle|reset|free up)\b|\b(?:is|are|was|were|went|gone|now|marked|taken) offline\b|<(?:warn|err|error|crit|alert|emerg)>|\bexpired\b|\bunknown authority\b|\bself-signed\b|\buntrusted\b"
    r"|\bno space left\b|\bout of (?:space|inodes|memory|resources|range)\b|\b(?:memory|disk|pid|io) pressure\b|\bSchedulingDisabled\b|[ \t]\d{1,3}/\d{1,3}[ \t]{1,12}(?:Terminating\b|(?:ContainerCreating|PodInitializing|Init:\d{1,2}/\d{1,2})[ \t]{1,12}\d{1,6}[ \t(][^\n]{0,30}?(?:\d{2,4}m|\d{1,4}[hd]))"
    r"|\bNVRM: (?:GPU ?\d|_\w{1,80}:|\w{0,80}_(?:IMPL|KERNEL|[A-Z]{2}\d{3}\w{0,3}):)|\b\w{0,40}(?:error|reset|fatal|health)\w{0,20}:\d{1,5}:\(pid \d|\bERR [0-9A-F]{4}:"
    r"|\[[ \d]\d\] [A-Z][A-Za-z]{2,12}\s{1,30}\(First\)|\bWarning: (?:GPU|node|device|host|rank)\b|\bservice: (?:inactive|stopped|disabled|dead)\b"
    r"|\b(?:SERR|PERR)\b|\bcritical interrupt\b|\bEDAC\b.{0,60}\bUE\b|\bbad (?:page|block|sector|ram|memory|superblock|option|magic|address|file descriptor|gateway|request|certificate|cable|checksum|state|register)\w{0,3}\b"
    r"|\bIFUNC symbol\b|\binvalid opcode\b|\berror cqe\b|\bNV_ERR_\w|\bevent 0x\w{1,4} received\b"
    r"|\bread-only file ?system\b|\bremounting filesystem read-only\b|\bfree\(\): invalid\b|\binvalid (?:pointer|size)\b|\bdouble free\b"
    r"|\bstack smashing\b|\b(?:file handle|caps) stale\b|\btable full\b|\bdropping\b|\bsyn flooding\b|\bsocket closed\b"
    r"|\bcontainment event\b|\binsufficient power\b|\bover ?temperature\b.{0,20}\b(?:critical|asserted|warning)\b"
    r"|(?:\bphysical|\bphys|\bport|\blink)[ _]state(?:[ \t]{0,20}[:=][ \t]{0,3}| changed to | is |[ \t]?->[ \t]?)(?:\d: ?)?(?:polling|init\w{0,7}|down|disabled|sleep|link ?error ?recovery)\b"
    r"|\binvalid __(?:global|shared|local)__ (?:read|write|atomic)\b|\bversion magic '[^']{1,200}' should be\b"
)
"""A part of the machine, a file or a link is not what it should be."""
_REFUSED = (
    r"|\bconnection (?:refused|reset|timed out|closed by|was lost|lost)|\bbroken pipe\b|\bpermission denied\b|\bdenied\b|\bun(?:able|reachable)\b"
    r"|\billegal\b|\bhost is down\b|\bnot connected\b|\berror(?:[:!]| \d| code| occurred)|\bNo such (?:device|file)\b"
    r"|\b(?:can't|cannot|could ?n[o']t|could not) \w|\bdoes not support\b|\bno components were able\b|\bhas NOT been destroyed\b"
    r"|\bin use by \d{1,6} clients?\b|\bnot set in \d{3,} msec\b|\bover .{0,30}\bthreshold for irq\b|\bdebug notification\b|\bissue detected\b"
    r"|\breturned -[1-9]\d{0,3}\b|\bState=\S{0,40}(?:DOWN|DRAIN|FAIL)|(?:does not|doesn't) have\b.{0,40}\bbuilt in"
    r"|\bno (?:[a-z]{1,12} )?(?:GPUs?|HCAs?|devices?|adapters?) (?:was |were |is |are )?(?:found|discovered|detected|recogni[sz]ed|visible|available|present|left)\b|\bnone of the .{1,40}\bdevices? w(?:as|ere)\b"
    r"|\bname or service not known\b|\bname resolution\b|\bbut only \d{1,6} of them\b|\bHTTP/[12](?:\.\d)?\"? 5\d\d\b"
    r"|\b(?:argument|parameter|handle|context) is invalid\b"
    r"|[ \t](?:infinite|(?:\d{1,3}-)?\d{1,2}:\d\d:\d\d)[ \t]{1,8}\d{1,6}[ \t]{1,8}(?:down|drain\w{0,3}|drng|fail\w{0,2})\b"
    r"|[ \t]\d{1,3}/\d{1,3}[ \t]{1,12}(?:Pending|Error|Unknown)[ \t]{1,12}\d"
)
"""Something was asked for and not given."""
_REASONS = (
    r"|(?-i:\b[A-Za-z]{0,24}(?:BackOff|Unhealthy|Evicted|NotReady|NotAvail|OOMKilled|ImagePull|StatusUnknown|Unreachable)\b"
    r"|\bErr[A-Z][A-Za-z]{3,20}\b|\b[A-Z][A-Z_]{2,40}FAIL(?:ED|URE)?\b|\bOUT_OF_ME\w{0,5}\b|\bNXDOMAIN\b|\bUCX {1,2}(?:ERROR|WARN)\b|\bUnavailableNodes\b|\b[a-z]{2,12}\.(?:com|ai)/[a-z][\w.-]{1,20}:\s{1,20}0\s*$)"
    r"|掉卡|卡掉|卡住|卡死|崩溃|被杀|报错|死锁|无响应|没反应|没有反应|超时|异常|过热|降频|丢包|断开|失败|损坏|泄漏|泄露|错误|闪退|宕机|死机|黑屏|乱码|掉线|断连|不见了|找不着"
    r"|(?:显存|内存|空间|磁盘|功率|供电|带宽|权限|资源)(?:严重|已经|又)?(?:不足|不够|满)|(?:断|挂|死|满|坏|崩|掉|炸|卡|丢|停|爆|错|乱|没|中断|重启|关机|退出|罢工)了"
    r"|[连装跑起写开用打进找认登看搜动传载算收读出停退通训]不(?:上|了|到|起来|进|开|动|出|下|通|掉|完|来)|不(?:动|通|响应|稳定|一致|工作|识别|匹配|兼容|收敛|可用|显示|认)(?!性)"
    r"|(?:太|过|特别|非常|很|极|越来越|异常)(?:高|低|慢|热|烫|卡|大|差)|(?:只|仅)(?:有|剩|认出?|识别|看到|检测到|能看到|显示)|(?:突然|自动|莫名\w{0,4}?|无故|频繁|反复)(?:重启|关机|退出|断|停|掉|挂|报)|(?:一直|始终|永远|老)(?:是|为|显示)\s?0|(?:变成|出现|全是|都是)\s?(?:nan|inf|零|0|感叹号)"
)
"""As schedulers write reasons, and in Chinese."""
_BAD = lazy_pattern("(?i)" + _ENDS + _STUCK + _BROKEN + _REFUSED + _REASONS)
_HARMLESS = lazy_pattern(
    "(?i)" + NO_FAULTS + r"|\b" + FAULTS + r"\b\W{0,3}(?:rate\W{0,3})?" + NOTHING + r"|\berror(?:_|s_|-)\w"
    r"|\b(?:uncorrect\w{0,10}|hardware) errors?\W{0,40}0\b(?!x)"
    r"|\bSIGTERM\b.{0,30}\bhandler\b|\bsignal handlers? (?:installed|registered|set)\b[^\n]{0,80}|\bexit(?:ed)?[ _](?:with )?(?:code|status)[ :=(]{1,4}0\b|\bnot active\b|\bno link down\b"
    r"|\b(?:slowdown|throttl\w{0,4})\b[^:\n]{0,40}:\s{0,3}(?:not active|no|none|0)\b|\blost\+found\b|\btimeouts?[= ]\d|\bwith (?:an? )?\d[\w. ]{0,12} timeout\b|\b(?:val|train\w{0,4}|test|mean|squared|absolute|relative|max|rms) error\b|\bon timeout\b"
    r"|\bcan(?:no|')t be (?:undone|negative)\b|\bdropping (?:privileges|root|last|duplicates?)\b|\bstale (?:cache|lock|bot|branch)\w{0,3}"
    r"|\bcrash ?(?:recovery )?(?:kernel|handler)\b|\bNormal\s{1,12}Killing\b|\b(?:unreachable|not-ready)(?::\w{2,20})? op=Exists\b|\btimeout (?:is |was )?(?:set|value|defaults)\b|\breset status\b|\breset (?:required|recommended)[ :]{1,4}no\b|\bunexpected keys: \[\]|\bbranch(?:es)? \S{1,80}|\bno \w{2,10} pressure\b|\bdisconnected by user\b"
    r"|https?://\S{1,400}|\bcould not collect\b|\breturn stack overflow\b|\brealtime timeout\b|\bvulnerability [A-Za-z][^\n]{0,200}|[<>]?\b[A-Za-z][A-Za-z0-9]{1,14}[-+](?=\s|$)|\b(?:can|may|might|could) (?:result in|lead to|cause)\b[^.\n]{0,80}"
    r"|\bspeed [\d.]{1,5} ?GT/s \(downgraded\)|\bCrosslinkRes: unsupported|\boutput truncated\b|\bif you(?:'re| are)\b[^.\n]{0,300}"
)
"""What says that all is well, or nothing at all: it is taken out of a line before anything is looked for in it."""
_CHATTER = ("NCCL INFO", "ommand line: ")
_PASSED_UP = lazy_pattern(r"\.(?:cc|h|cu):\d{1,5} -> [1-6]\s*$")
"""The result that a function of NCCL hands on: all but 0 (well) and 7 (in progress) is a failure, and it is chatter by its level."""


def alarms(data: bytes, line: int) -> Iterator[tuple[int, str]]:
    """The lines that look bad, with their numbers. A job that dies says so at its end: this is for ends of texts."""
    for number, piece in enumerate(data.split(b"\n"), line):
        text = clean(piece[:_LONGEST])
        if any(words in text for words in _CHATTER):
            is_bad = bool(_PASSED_UP.search(text))
        else:
            is_bad = bool(_BAD.search(_HARMLESS.sub(" ", text))) or out_of_range(text)
        if is_bad:
            yield number, text
