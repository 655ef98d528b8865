# ruff: noqa: E501  (an expression is one line; other alphabets)
"""How people introduce a line that they did not see here: unseen, supposed, of somebody else, out of an old file.

A line of words introduces what comes if a colon ends it, or if it lacks what it speaks of: "If your log contains".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..patterns import lazy_pattern
from .cues import Words

_SEEN = r"(?:see|saw|seen|get|got|have|had|find|found|hit|encounter(?:ed)?|observed?|print(?:ed)?|log(?:ged)?|show(?:n|ed)?(?: up)?|appear(?:ed)?|occur(?:red)?|contain(?:ed)?|turn(?:ed)? up|in (?:our|the|any|my)|on (?:our|this|any)|part of|present|ours)"
_SOUGHT = r"(?!.{0,24}\b(?:solution|reason|cause|way|fix|answer|why|out|time|idea|clue)\b)"
UNSEEN = Words(
    rf"(?<![Yy]ou )\b(?:do|does|did|have|has|had|is|are|was|were)(?: not|n't) (?:\w{{1,10}} ){{0,2}}{_SEEN}\b{_SOUGHT}",
    r"\bnever (?:saw|seen|got|get|had|hit|appeared|showed|occurred|happened|printed|logged)\b",
    r"\b(?:no (?:est[aá]|aparece|figura|consta)(?![a-z])|(?:steht|erscheint|ist) nicht|nicht (?:im|in)|n'est pas (?:dans|en)|ne figure pas|n[aã]o (?:est[aá]|aparece|consta))(?![a-z])",
    r"\bnot (?:seen|present|observed|logged|printed|in (?:our|the|any|my))\b",
    r"\b(?:none of (?:the|these|those|them|our|us)|nothing like|(?:absent|missing) from|ruled out|no (?:such|sign|trace|hits?|occurrences?)\b)",
    rf"\bno (?:node|machine|server|host|gpu|card|rank|job|one|log|system)s? (?:\w{{1,10}} ){{0,3}}?(?:{_SEEN}|shows?|prints?|logs?|has|gets?|sees?|reports?)\b",
    r"\bthere (?:is|was|are|were) no\s{0,4}$",
    r"(?<![:,?;])(?<!\bor) (?:no|without|neither|nor|never)\s{0,4}$",
    r"\b(?:nothing|none|no (?:match(?:es)?|results?|lines?|entr(?:y|ies)|hits?)) (?:for|like|such as|matching)\s{0,2}[:：]?\s{0,4}$",
    r"\b(?:at no (?:point|time)|nowhere|in no case|not once|never once|never) (?:did|do|does|have|has|was|were)\b",
    chinese=r"没有?(?:看到|见到|出现过?|发现|下面|如下|以下|这)|(?:里|中)(?:并|都)?没有|未(?:见|出现|发现)|не наход|нет в|этой строки нет|にはありません|ログにない|로그에 없",
)
"""A denial of having seen something; "it does not work" and "we do not know why" are none."""
UNSEEN_BACK = lazy_pattern(
    r"^\W{0,4}(?:no|0|zero) (?:results?|match(?:es)?|hits?|occurrences?)(?: (?:were |was )?(?:found|returned))?[\s.!]{0,4}$"
    r"|^\W{0,4}(?:no|none of (?:the|our)) (?:node|machine|server|host|gpu|card|rank|job|one|log)s? (?:\w{1,10} ){0,2}(?:shows?|showed|prints?|printed|has|had|gets?|got|sees?|saw|seen|logs?|logged|reports?) (?:this|that|it|these|them)[\s.!]{0,4}$|^\W{0,4}(?:we|i) (?:do|does|did)(?: not|n['’]t) (?:have|see|get|find) (?:this|that|it|these|them|such|any of (?:these|those))(?: (?:lines?|message|entry|output|one))?(?: (?:here|at all|anywhere|in (?:our|the|any|my) \w{1,12}))?[\s.!]{0,4}$|^\W{0,4}(?:我们|这边|本机)?(?:日志里|这里)?没有(?:看到|见到|出现)?(?:这|该|此)(?:一?行|条|个)?\w{0,4}[\s。！]{0,4}$",
    re.IGNORECASE,
)
"""The same of the line above."""
READ_OF = lazy_pattern(
    r"^\W{0,4}(?:(?:i|we) (?:have |had )?(?:just )?(?:read|heard|learned|found out|saw|found) (?:about |of )?(?:it|this|that|these)|(?:it|this|that) (?:is|was|comes|came) (?:just |only )?) ?(?:in|on|at|from) (?:an?|the|some|another|this) (?:\w{1,12} )?(?:blog|forum|article|paper|post|book|video|talk|tweet|news\w{0,6}|chat|thread|web ?site|web ?page|internet|web|docs?|documentation|manual|wiki|slides?)\b(?!(?:[ -]\w{1,16}){0,2}[ -](?:servers?|services?|logs?|jobs?|runs?|pods?|containers?|nodes?|hosts?|process(?:es)?|workers?|build|backend|ui|api)\b)|^\W{0,4}(?:我|我们)?(?:是)?(?:在)?(?:网上|论坛|博客|文章|文档|群里)(?:里|上)?(?:看到|读到|听说|见)",
    re.IGNORECASE,
)
"""Where somebody has read the line above."""
FAILS = Words(
    r"\b(?:not|n't|cannot|unable to) (?:\w{1,10} ){0,1}(?:know|find|understand|work|start|run|finish|help|use|solve|fix|figure|load|launch|train|proceed|connect|boot|init\w{0,8}|complete|respond|go|make|build|install)\b",
    r"n't (?:\w{1,10} ){0,1}(?:know|find|understand|work|start|run|finish|help|use|solve|fix|figure|load|launch|train|proceed|connect|boot|init\w{0,8}|complete|respond|go|make|build|install)\b",
    chinese=r"(?:无法|不能|不知道|没法|启动不了|跑不起来)",
)
"""A denial that is a complaint: it does not work, nobody knows why."""
SUPPOSED = Words(
    r"^\W{0,4}(?:and |then |or )?(?:if|should|in case|whenever) (?:it|this|that|your|dmesg|the (?:logs?|output|kernel|console|file|system)|you (?:see|get|find|encounter|notice))\b",
    r"^\W{0,4}should (?:you|one|they|anyone|anybody|someone|somebody) (?:\w{1,10} )?(?:see|get|find|encounter|notice|meet|come|run|observe|hit)\b",
    r"\bone (?:would|might|could|should|may|can) (?:\w{1,10} )?(?:see|get|find|expect|observe|read|notice)\b",
    r"^\W{0,4}(?:falls|wenn|sofern) (?:im|in der|in den) (?:log|protokoll|ausgabe|kernel)",
    r"\b(?:any|one|some|each|either|all) of (?:the following|these|those)\b",
    r"\blook(?:ing|s)? (?:out )?for(?:\s{0,2}:|\s{0,2}$| (?:an? |the |these |this |one )?(?:\w{1,12} )?(?:lines?|messages?|entr(?:y|ies)|of)\b)",
    r"\b(?:ignore|ignoring|suppress|exclude|drop|filter(?: out)?|translate|search for|alert on) (?:the |these |this |any |all )?(?:following|lines?|messages?|entries|errors?|text|into|it)\b",
    r"\b(?:verify|ensure|make sure|confirm|check) (?:that|whether|if)\b",
    r"\b(?:injected|simulated|synthetic|faked|mocked|made[- ]up|artificial)\b",
    r"^\W{0,4}according to\b",
    r"\b(?:feature|enhancement) request\b",
    r"\bwhat an? (?:\w{1,12} ){1,3}looks? like\b",
    r"\b(?:parser|classifier|filter|scanner|detector|matcher|linter|regexp?|rule|tool|script)s? (?:to |should |must )?(?:understand|recogni[sz]e|match|detect|handle|catch|accept|parse|skip|ignore)\b",
    r"\b(?:confuse|confused|mix|mixed|mistake|mistaken) (?:up )?(?:it|this|that|them) (?:up )?(?:with|for)\b",
    r"\b(?:alert(?:ing)?|monitoring|notification|detection|escalation) (?:rule|policy|condition|config\w{0,10})s?\b",
    r"\b(?:when|if|whenever|once|where|as soon as) (?:this|that|it|the following|one of these|any of these) (?:shows? up|appears?|occurs?|comes up|is (?:seen|printed|logged|found))\b",
    r"\b(?:signature|pattern|keyword|rule)s? (?:list|catalog(?:ue)?|database|table|dictionary)\b",
    r"\b(?:test|mock|dummy|fake|expected) (?:input|output|data|logs?|lines?|messages?)\b",
    r"\b(?:add|write|implement|create|want) (?:an? |the |one )?(?:new )?(?:rule|pattern|signature|alert|check|detection|entry|parser)s? for\b",
    r"\bhow (?:would|does|will|should) \w{2,20} (?:react|respond|handle|treat|classify|parse|answer)\b",
    r"\bwhat (?:this|that|the|our) (?:\w{1,12} )?\w{2,16} (?:counts|matches|detects|looks for|alerts on|checks|searches)\b",
    r"\b(?:must|should|shall|has to|have to|needs? to) (?:then )?(?:show|print|contain|log|report|appear|say|read|be)\b",
    chinese=r"(?:如果|若|假如|一旦|要是)(?:在)?(?:你的|内核|系统)?(?:日志|屏幕|终端|输出|控制台)(?:里|中|上)?(?:有|出现|看到|包含|显示)[^，,。]{0,12}$|忽略|过滤|屏蔽|翻译|你(?:可能|可以|应该)?会?看到|应(?:该|当)?(?:出现|看到|打印|显示)|必须(?:出现|显示)",
)
"""Advice that names a line which may come."""
POINTS_ON = lazy_pattern(
    r"\b(?:(?:when|if|whenever|once|where|as soon as) (?:this|that|it|the following|one of these|any of these) (?:shows? up|appears?|occurs?|comes up|is (?:seen|printed|logged|found))|(?:confuse|mix|mistake) (?:up )?(?:it|this|that|them) (?:up )?(?:with|for))[\s*_`\"']{0,4}$",
    re.IGNORECASE,
)
"""The end of advice that means the next line, without a colon; programs give advice as well, of the lines above."""
_OWNED = r"(?:machine|node|box|server|host|cluster|laptop|pc|PC|desktop|workstation|rig|system|computer|setup|env(?:ironment)?|account|job|run)s?"
OWNER = lazy_pattern(
    rf"\b(?!(?:Our|My|The|This|That|It|Here|There|What|Let|Today|Now|One|Someone)\b)[A-Z][a-z]{{1,15}}(?:'|’)s (?:\w{{1,12}} ){{0,1}}{_OWNED}\b"
    rf"|\b(?i:colleague|friend|neighbou?r|customer|client|vendor|boss|student|user|partner|reporter|co-?worker|someone|somebody)s?(?:'|’)s? (?:\w{{1,12}} ){{0,1}}{_OWNED}\b"
    r"|\b(?i:machine|node|box|server|host|cluster|laptop|pc|rechner|maschine|knoten|kiste|máquina|maquina|servidor|nodo|equipo|serveur|ordinateur|n[oœ]e?ud|nó|computador)s? (?i:of|von|de|du|da|do|d') ?(?!The\b|Our\b|This\b)[A-Z][a-z]{1,15}\b(?!\s?\d)"
    r"|[小老][\u4e00-\u9fff]{1,2}的(?:机器|服务器|节点|集群|电脑|主机|卡)|(?:测试|预发|开发|仿真|客户|对方|兄弟(?:部门|团队|公司|单位)|合作方|供应商)(?:的)?(?:环境|现场|集群|机房|机器|服务器|部门)|兄弟(?:部门|团队|公司|单位)的"
    r"|(?:машина|сервер|узел|компьютер) [А-Я][а-я]{2,12}|(?:さん|氏|様)の(?:マシン|サーバー?|ノード|環境)|(?:님|씨)의 (?:서버|장비|노드|컴퓨터|환경)"
)
"""Whose machine it is, by a proper name or by who owns it."""
ELSE = Words(
    r"\b(?:another|a different|a former|my former|our former|my previous|my last|the previous) (?:provider|employer|lab|institute|university|company|partner|vendor|department|tenant|region|data ?cent(?:er|re)|landlord|colo)\b",
    r"\b(?:of|at|by|from|for) (?:a|an|another|one of our|our|the) (?:partner|vendor|customer|client|supplier|integrator|reseller|colleague|friend)\b",
    r"\b(?:customer|client|vendor|reporter|user|tenant) (?:reports?|writes?|wrote|says?|prints?|complains?|complained|asks?|asked|states?)\b",
    r"\b(?:theirs|not mine|not ours)\b",
    r"\bon a (?:rented|borrowed|loaned|cloud|foreign) (?:box|machine|node|server|host)\b",
    r"\b(?:reddit|discord|quora|hacker ?news|twitter|mastodon|linkedin|zhihu|csdn)\b",
    r"^\W{0,4}u/\w",
    r"\b(?:bot|chatbot|chatgpt|copilot|gemini|claude|llm|assistant|ai|gpt\S{0,6}) (?:has |had )?(?:answer(?:s|ed)?|repl(?:y|ies|ied)|said|says|suggest(?:s|ed)?|responded|thinks|claims?|wrote|gave|produced|printed|invented)\b",
    r"\b(?:19|20)\d\d (?:incident|outage|post-?mortem|case|ticket)s?\b",
    r"\b(?:model|llm|assistant|bot|chatbot|ai|gpt\S{0,6})(?:'s)? (?:response|output|answer|reply|completion)\b",
    r"\b\d{1,2} ?(?:yrs?|mo|wks?)\.? ago\b",
    r"\b(?:archived|old|older|previous|former|historic(?:al)?|outdated|stale|obsolete) (?:\w{1,12} ){0,2}(?:logs?|runs?|outputs?|reports?|traces?|dmesg|boots?|journals?|dumps?|captures?)\b",
    r"^\W{0,4}archived?\b",
    r"\b(?:scrapped|decommissioned|(?:we|they|since) (?:have )?(?:returned|sold|scrapped|repaired|replaced|retired|gave back|sent back))\b",
    r"\b(?:our |my |the )?(?:partner|sister|neighbou?ring) (?:site|team|lab|group|institute|company|cluster|department)\b",
    r"\blast (?:year|month|summer|winter|spring|autumn|quarter|time)'s\b",
    r"\b(?:log|output|report|journal|protokoll|registro|journal) (?:vom|aus dem|del?|do|de l') ?(?:letzten|vorigen|año pasado|mes pasado|ano passado|année dernière)\b",
    r"[,(–—-]\s?(?:closed|resolved|fixed|solved|since replaced|replaced since|replaced|over)\s?[)]?\s{0,2}:?\s{0,4}$",
    chinese=r"(?:交換|更新|修理|移行|アップグレード|升级|更换|修复|维修|迁移)(?:之|以)?前|교체 전|수리 전|до (?:замены|обновления|ремонта)|旧(?:的)?(?:日志|记录|机器)|历史(?:日志|记录)|归档|存档|(?:用户|客户|网友|有人)(?:问|反馈|报告|提问)|прошл(?:ый|ого) (?:год|месяц)|архив|去年の|先月の|過去の|古いログ|작년|지난달|예전 로그|과거 로그",
)
"""Another owner, another place, another time: of a whole log, as its title or introduction says."""
_LACKS = lazy_pattern(
    r"(?:\b(?:see|saw|seen|gets?|got|have|has|had|finds?|found|prints?|printed|shows?|showed|says?|said|reads?|contains?|contained|reports?|reported|encounters?|observe|notice|is|are|was|were|be|being|like|as|for|of|writes?|wrote|states?|logged|logs|returns?|returned|(?<!or )no|any|following|across|into|detects?|recogni[sz]es?|handles?|catch(?:es)?|mentions?|mentioned|quotes?|cites?|describes?|called|titled|with)|(?:里|中|上)有|包含|出现|看到|打印|显示|提示|遇到|发现|没有|未见|看不到|找不到|提到|写着)[\s*_`\"']{0,4}$",
    re.IGNORECASE,
)
_HALF = lazy_pattern(
    r"(?:\b(?:we|i|you|they|not|never|do|does|did|have|has|had|is|are|was|were|the|an?|of|in|on|to|for|from|with|and|or|but|if|when|that|this|these|our|my|your|no|any|could|can|will|would|should|which|who|nicht|nie|nunca|jamais|pas|ne|que|wir|der|die|das|el|la|le)|n['’]t|没有|从未|从来没|并未|不|我们|的|在|如果)\s{0,4}$",
    re.IGNORECASE,
)
"""A word that ends no sentence."""
_WHY = lazy_pattern(
    r"^\W{0,4}(?:why|how come|warum|wieso|por qu|pourquoi|почему|为什么|为何)\b", re.IGNORECASE
)
_WORDS = lazy_pattern(r"^\W{0,6}[^\W\d_][^=\[\]{}<>|#@$\\]{1,200}$")
"""Words of a language, without what only programs print."""
_GOES_ON = lazy_pattern(
    r"^\W{0,4}(?:which|that|means?|meaning|appears?|occurs?|shows? up|indicates?|stands for|points? to|comes from|is|are|was"
    r"|were|can|cannot|may|might|would|will|should|does|do|did|has|have|had|never|not|and|but|or|in|on|anywhere|somewhere)\b|^\W{0,4}(?:表示|意味|说明|代表|这个?错误|的|时|之类|等)"
)
_CLAUSE = lazy_pattern(r"[.,;?!。，；？！]")
_ENDS = ".!?;:。！？；：…"
_LAST = lazy_pattern(r"(?<=[.!?])\s{1,4}(?=\S)|(?<=[。！？])")
_TITLE_WORDS = 7
_PROGRAM = lazy_pattern(r"[:：\"]|\d{2}:\d{2}|\b(?i:thread|error|exception|warn\w*)\b")
_FILE = r"(?:\w[\w.-]{0,60}\.(?:log|txt|out|err|gz|xz|zst|json|\d)|syslog|messages|dmesg|kern\w{0,4}|journal)"
OLD_PATH = lazy_pattern(
    rf"(?:^|[\s\"'=:(])(?:[\w.~+-]{{0,60}}/){{0,8}}(?:[\w.]{{1,24}}[-_.])?(?:old|archived?|archives|backups?|legacy|retired|attic|fixtures?|test_?data|samples?|examples?|goldens?|golden_?files?|__snapshots__|expected)(?:[-_.]\w{{1,24}})?/(?:[\w.+-]{{1,60}}/){{0,8}}{_FILE}\b|\S{{3,80}}\.(?:archived?|bak|snap|golden|expected)(?=[:\s]|$)",
    re.IGNORECASE,
)
"""The path of a log that is kept, or made for tests."""
READ_OLD = lazy_pattern(
    r"\b(?:[zx]?cat|[zx]?less|more|head|tail|bat|view|[zx]?[ef]?grep|dmesg\s+-F|journalctl\s+--file)\b",
    re.IGNORECASE,
)


def around(above: str, after: str) -> str:
    """The sentence in whose middle a line stands: words without an end above it, and what goes on with them below."""
    if above.rstrip()[-1:] in _ENDS or not _GOES_ON.match(after) or not _WORDS.match(above[:240]):
        return ""
    return f"{last_sentence(above)} … {_CLAUSE.split(after.strip(), maxsplit=1)[0]}"


def last_sentence(line: str) -> str:
    """The last sentence of a line."""
    return str(_LAST.split(line.strip())[-1])


def is_open(line: str) -> bool:
    """Whether a line of words lacks what it speaks of, so that the next line is it."""
    return bool(_LACKS.search(line[-24:]) and _WORDS.match(line[:240]) and not _WHY.match(line))


def is_title(line: str, above: str) -> bool:
    """Whether a line stands alone and is short, as the title of what comes."""
    bare = line.strip()
    return (
        not above.strip()
        and 3 < len(bare) <= 80
        and bare[-1] not in _ENDS
        and len(bare.split()) <= _TITLE_WORDS
        and not _PROGRAM.search(bare)
        and bool(_WORDS.match(bare))
    )


def _goes_on(above: str, text: str) -> bool:
    return bool(_HALF.search(above[-24:])) or (
        text[:1].islower() and len(text.split()) <= 2 and above.rstrip()[-1:] not in _ENDS
    )


def joined(before: Sequence[str], at: int) -> str:
    """The line at a place with what stands before it, if the sentence began there."""
    text = before[at].strip()
    while at and _goes_on(before[at - 1], text) and _WORDS.match(before[at - 1][:240]):
        text, at = f"{before[at - 1].strip()} {text}", at - 1
    return text
