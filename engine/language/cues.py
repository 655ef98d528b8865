# ruff: noqa: E501  (an expression is one line)
"""How people say that something is not so, was elsewhere, was once, might be, or is only quoted: expressions.

English and Chinese; ``foreign`` has other languages. Every expression runs over text of bounded length, and none repeats inside a repetition.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import chain

from ..patterns import lazy_pattern
from ..vendors import alternatives
from . import foreign

_CHINESE = r"\u4e00-\u9fff"
"""As it stands in sets. Compiling one takes as long as the rest of an expression, and most lines are in ASCII."""
_APOSTROPHES = {ord(character): "'" for character in "\u2018\u2019\u02bc\uff07\u00b4"}
"""As word processors and telephones write them: don\u2019t is a denial, too."""
_WORD = r"\b"
"""Where a word begins."""


class Cue:
    """Expressions of which one must be found; ``chinese`` needs a character beyond ASCII."""

    def __init__(self, *expressions: str, chinese: str = "", flags: int = 0) -> None:
        ascii_only = (e.replace(f"[{_CHINESE}]", r"[^\x00-\x7f]").replace(_CHINESE, "") for e in expressions)
        self._ascii = lazy_pattern("|".join(ascii_only), flags)
        self._any = lazy_pattern("|".join((*expressions, chinese) if chinese else expressions), flags)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """The first place, as with a compiled expression."""
        return (self._ascii if text.isascii() else self._any).search(text, start, end)


class Beginning(Cue):
    """The same at the beginning of a text: no other place is tried."""

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """The place, if the text begins so."""
        return (self._ascii if text.isascii() else self._any).match(text, start, end)


class Words(Cue):
    """The same for words in lower case, as they are found in any.

    Most lines hold none of them, and this must be seen quickly: a text in lower case against an expression that
    heeds case takes half the time of one that does not, one look at where a word begins is enough for all
    expressions that begin there, and those that do not are looked for by themselves.
    """

    def __init__(self, *expressions: str, chinese: str = "") -> None:
        self.expressions, self.chinese = expressions, chinese
        at_words = "|".join(e.removeprefix(_WORD) for e in expressions if e.startswith(_WORD))
        others = [e for e in expressions if not e.startswith(_WORD)]
        words = rf"{_WORD}(?=\w)(?:{at_words or '(?!)'})"
        super().__init__(words, *others, chinese=chinese, flags=re.ASCII)
        self._words = lazy_pattern(words, re.ASCII)
        self._others = lazy_pattern("|".join(others), re.ASCII) if others else None
        self._beyond = lazy_pattern(chinese, re.ASCII) if chinese else None

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """A place, mostly the first."""
        text = _lower(text)
        found = self._words.search(text, start, end)
        if not found and self._others:
            found = self._others.search(text, start, end)
        if not found and self._beyond and not text.isascii():
            found = self._beyond.search(text, start, end)
        return found

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every place, in no order."""
        text = _lower(text)
        found: Iterator[re.Match[str]] = self._words.finditer(text)
        if self._others:
            found = chain(found, self._others.finditer(text))
        if self._beyond and not text.isascii():
            found = chain(found, self._beyond.finditer(text))
        return found


def either(*cues: Words) -> Words:
    """One for all of them: whether there is any."""
    expressions = (expression for cue in cues for expression in cue.expressions)
    return Words(*expressions, chinese="|".join(cue.chinese for cue in cues if cue.chinese))


def _lower(text: str) -> str:
    """The text in lower case and with plain apostrophes, every character at its place."""
    low = text.lower()
    if low.isascii():
        return low
    low = low if len(low) == len(text) else "".join(c.lower() if c.isascii() else c for c in text)
    return low.translate(_APOSTROPHES)


PERSON = Words(
    r"\b(?:we|i|you|he|she|they|my|our|ours|mine|your|his|her|their|us|me|anyone|anybody|someone|somebody|nobody|people|users?)\b",
    r"\bthere (?:is|are|was|were|has|have)\b",
    r"\bthis is\b",
    r"\bit is\b",
    r"\b(?:it|that|this|there|here|what|who)'s\b",
    r"\b(?:it|that|this|there) (?:is|was|are|does|did|has|wo|ai)n't\b",
    r"\bit (?:does|did|would|never|no)\b",
    r"\b(?:see|seen|saw|seeing|gets?|got|reads?|says?|said|wrote|prints?|printed|shows?|showed|reported|mentions?|mentioned|lists|listed|complains?)\b",
    r"\b(?:the|this|that|an?|any|such) (?:\w{1,12} )?(?:error|errors|message|messages|line|lines|log|logs|warning|output|symptom|traceback)\b",
    r"\b(?:the|this|our|my) (?:job|run|server|program|script|training|node|machine|host|box)\b",
    r"\b(?:printing|seeing|getting|reporting|showing)\b",
    *foreign.PERSON,
    chinese=r"[\u4e00-\u9fff]" + "|" + foreign.PERSON_BEYOND,
)
"""Words with which people speak, and programs hardly ever before what they report."""

HERE = Words(
    r"\b(?:we|i|it|this|which|and|then|job|jobs|run|server|vllm|training|engine|worker|process|container|pod)(?: (?:now|always|still|then|only|just|also|both|all|instead|suddenly|immediately|both)){0,2} (?:see|sees|get|gets|got|have|has|had|hit|print|prints|printed|say|says|show|shows|showed|fails? with|failed with|crash(?:es|ed)? with|dies with|died with|throws?|threw|reports?|reported|gives?|gave|returns?|returned|ends? (?:with|in)|stops? with|raises?|raised|exits? with|aborts? with)\b",
    r"\bbut (?:here|now|on (?:this|our|my))\b",
    r"\bon (?:this|our|my) (?:own )?(?:machine|server|box|node|host|cluster|system)\b",
    *foreign.HERE,
    chinese=r"(?:现在|这里|这台|我们|我的|本机)[^。;；]{0,12}(?:报错|报|出现|提示|显示|看到)"
    + "|"
    + foreign.HERE_BEYOND,
)
"""What takes a statement back to this machine and to now."""

DENIED = Words(
    r"\b(?:not(?! enough\b)|never|no|without|neither|nor|none|nothing|nobody|cannot|hardly|unlike|absent)\b",
    r"n[o']t\b",
    r"\bdoesnt\b",
    r"\bdont\b",
    r"\bdidnt\b",
    r"\bisnt\b",
    r"\b(?:instead of|rather than|absence of|free of|lack of|other than|except for|ruled out|rule out|excluded?|far from)\b",
    r"\b(?:0|zero) (?:hits|matches|results|lines|occurrences|times)\b",
    r"\b(?:absent|missing) from (?:the |our |my |any )?(?:logs?|dmesg|journal|output|syslog|kern)",
    *foreign.DENIED,
    chinese=r"没有|没见|没看到|没出现|没报|未见|未出现|未发现|未报|并非|并没|不是|不会|不再|不报|不出现|无此|从未|从来没|绝不|排除|看不到|找不到|而不是|不像"
    + "|"
    + foreign.DENIED_BEYOND,
)
"""A denial. It counts where a person speaks."""

DENIED_AFTER = Words(
    r"\b(?:does|do|did|is|was|are|were|has|have|can|could|will)(?: not|n't) (?:been )?(?:appear|occur|happen|show|there|seen|see|present|printed|logged|reported|our|ours|the|on (?:this|our|my)|in (?:our|my|the|this)|found in|what|it|any|visible|happening|us)\b",
    r"\b(?:no longer|not any ?more|any ?more|nowhere|never (?:appears?|appeared|shows?|showed|happens|happened|occurs|occurred|seen|came))\b",
    r"^[\"'`”’)\]\s.,]{0,6}(?:is|was|are|were|has been|have been|got|been) (?:(?:now|since|already|long|completely) )?(?:gone|fixed|solved|resolved|absent|ruled out|excluded)\b",
    r"\b(?:it|this|that|which|errors?|problems?|issues?|messages?|lines?|all|both) (?:is|was|are|were|has been|have been|got|been) (?:(?:now|since|already|long|completely) )?(?:gone|fixed|solved|resolved|absent|ruled out|excluded)\b",
    r"\b(?:0|no|zero|not a single) (?:hits?|match(?:es)?|results?|lines?|rows?|occurrences?|output)\b",
    r"\bfound nothing\b",
    r"(?:->|=>|→)\s{0,4}(?:nothing|none|0|no|empty|not found|absent|missing)\s{0,3}$",
    r":\s{0,2}nothing\b",
    r"\((?:nothing|empty)\)",
    r"\b(?:not (?:ours|mine|here|our|my|seen|this (?:machine|server|box|case)|on (?:this|our|my)|from (?:this|our|my)|for us))\b",
    r"\bnot (?:found|seen|present|there) in (?:dmesg|journal\w{0,3}|the|any|our|my|all|logs?)\b",
    r"\bnot the case\b",
    r"\?[\"'`”’]?\s{1,3}(?:no|nope|never|none)\b[.!]?\s{0,3}$",
    r"^[\"'`”’]\s{0,2}[:=,]?\s{0,2}(?:0|no|none|never)\s{0,2}$",
    r"\s(?:-{1,2}|[–—])\s(?:no|nope|none|never|absent|not found|not here)[.!]?\s{0,3}$",
    *foreign.DENIED_AFTER,
    chinese=r"没有(?:出现|看到|发生|报|这个|了|见|遇到|遇见|碰到|找到|发现|检测到|存在)|没遇到|没碰到|不存在|[里中上]面?[并也]?没有[。！!\s]{0,3}$|没出现|未出现|不出现|不再|不会|已解决|已经解决|已修复|已经修复|消失|没了|不是我|不是这|0 ?条|无结果|没有结果|并没有|从未|未见"
    + "|"
    + foreign.DENIED_AFTER_BEYOND,
)
"""A denial behind what was quoted: what a program goes on to print does not read like this."""

POSSIBLE_AFTER = Words(
    r"\bwould (?:appear|be|show|mean|come|have)\b",
    r"\bmeans? that\b",
    r"\bis (?:what|the (?:message|error|line)|printed|shown|expected) (?:when|if|you|one|that|in)\b",
    r"\b(?:appears|comes up|shows up|occurs|happens|is shown|is printed|is logged) (?:if|when|whenever|with|only)\b",
    chinese=r"如果|会不会|是什么意思|什么意思|怎么解决|怎么办|的时候才|时才会|才会出现|可能会|时(?:会|就)?(?:告警|报警|触发|提醒|通知)",
)
"""What people put behind a text that they only speak about."""

ELSEWHERE = Words(
    r"\b(?:other|another|different|old|previous|former|neighbou?r(?:'?s|ing)|somebody(?: else)?'?s?|someone(?: else)?'?s?|colleague'?s?|co-?worker'?s?|friend'?s?|customer'?s?|client'?s|vendor'?s|his|her|their|your|elsewhere's)[ -](?:\w{1,12}[ -]){0,2}(?:machines?|box(?:es)?|servers?|clusters?|systems?|computers?|workstations?|laptops?|pcs?|rigs?|site|lab|team|setup|environment|installation|company|account|project|job|jobs)\b",
    r"\b(?:another|different|other) (?:user|customer|client|person|colleague|team|company|tenant|reporter)s?\b|\b(?:other|another|some|many|few|several|different) (?:people|users?|reporters?|colleagues?|customers?|teams?|folks|posters?)\b",
    r"\b(?:somebody|someone|anybody|anyone|nobody|no one) else\b",
    r"\ba (?:colleague|friend|co-?worker|customer|user|reporter)\b",
    r"\bmy (?:colleague|friend|co-?worker|customer|boss|neighbou?r)\b",
    r"\belsewhere\b",
    r"\bnot (?:ours|mine|our own|my own)\b",
    r"\bnot (?:on|from) (?:this|our|my)\b",
    r"\b(?:the|that) (?:reporter|op|original poster|author|maintainer)s?\b",
    r"\bhe (?:gets|got|sees|saw|has)\b",
    r"\bthey (?:get|got|see|saw|have|had)\b",
    r"\bsame board works\b",
    r"\b(?:the|a|our|my) (?:working|healthy|reference|broken) (?:machine|node|server|box|host|cluster)(?= at (?:our|a|the) )|\bof the (?:working|healthy|reference) (?:machine|node|server|box|host|cluster)\b",
    r"\b(?:our|my|the|a) (?:customer|client|vendor|user)s? (?:has |have |had )?(?:sent|pasted|posted|gave|given|reported|shared|got|gets|saw|sees)\b|\b(?:somebody|someone) (?:on|in|from|at|else)\b|\b(?:at|of|from) (?:our|a|the|one of our) (?:customer|client|vendor)s?\b",
    r"\b(?:reporter|customer|colleague|op|poster|user|author|friend|someone|somebody|vendor|neighbou?r|client)s?'s? (?:\w{1,12} ){0,2}(?:logs?|output|trace(?:back)?|dmesg|console|errors?|messages?|report|journal|syslog|terminal|screen)\b",
    r"\b(?:their|his|her) (?:\w{1,12} ){0,2}(?:logs?|output|trace(?:back)?|dmesg|console|errors?|messages?|report|journal|syslog|terminal|screen)\b",
    *foreign.ELSEWHERE,
    chinese=r"另一台|另一个集群|另外一台|别的(?:机器|服务器|集群|环境|人)|其[他它](?:机器|服务器|集群|环境|人|用户|同学)|同事|朋友的|朋友那|客户的|客户那|别人|他们|人家|隔壁|网友|网上|对方|楼主|有人|家里的|[老旧](?:机器|服务器|集群|环境|节点|卡)"
    + "|"
    + foreign.ELSEWHERE_BEYOND,
)
"""Another machine, another person."""

TIMES = Words(
    r"\blast(?<!since last)(?<!from last) (?:year|month|week|summer|winter|spring|autumn|quarter|time|january|february|march|april|may|june|july|august|september|october|november|december)\b",
    r"\b(?<!since )(?:a|some|two|three|many|few|\d{1,3}) (?:years?|months?|weeks?|days?) (?:ago|back)\b",
    r"\b(?:long|years|months|weeks|days) ago\b",
    r"\b(?:when|while|as long as) (?:\w{1,12} ){1,4}(?:was|were) (?:still|not yet) (?:broken|faulty|bad|loose|old|unpatched|damaged|defective|missing)\b",
    r"\byesterday(?<!since yesterday)\b",
    r"\bthe other day\b",
    r"\bused to\b",
    r"\bin the past\b",
    r"\bpreviously\b",
    r"\bformerly\b",
    r"\bback (?:in|then|when)\b",
    r"\bonce upon\b",
    r"\b(?:in|from) (?:19|20)\d\d\b",
    r"\bhistorical(?:ly)?\b",
    r"\b(?:an?|the|our|my|from) (?:very )?old (?:log|report|error|issue|ticket|run|incident|problem)\b",
    r"\b(?:earlier|previous) (?:incident|problem|issue|outage|job|run)\b",
    r"\bbefore (?:the|we|our|my|an?|i|that|this) (?:\w{1,12} ){0,2}(?:upgrade|upgraded|update|updated|fix|fixed|patch|patched|change|changed|reboot|rebooted|reinstall|reinstalled|replaced|replacement|swap|swapped|rma|exchange|exchanged|repair|repaired|migration|moved|switched)\b",
    r"\b(?:is|was|were|been|since|already|now|long|got) (?:(?:since|already|now|long) )?(?:fixed|solved|resolved)\b",
    r"\bno longer\b",
    r"\bany ?more\b",
    r"\bwe (?:have )?(?:fixed|solved|resolved)\b",
    r"\bhad been\b",
    r"\bwe had had\b",
    r"^\W{0,4}before\s?:",
    r"\((?:now |already |since )?(?:resolved|fixed|solved|closed)\)",
    *foreign.TIMES,
    chinese=r"去年|前年|上周|上星期|上个?月|上次|昨天|前天|几天前|几周前|几个月前|以前|曾经|曾|过去|当时|早先|早已|已解决|已经解决|已修复|已经修复|修好了|升级前|更新前|不再|再也没"
    + "|"
    + foreign.TIMES_BEYOND,
)
"""Another time."""

SETTLED = Words(
    r"\((?:now |already |since )?(?:resolved|fixed|solved|closed)\)",
    r"^\W{0,4}(?:resolved|closed|solved|fixed) (?:on|since) \d",
    chinese=r"[（(]已?(?:解决|修复|关闭)[）)]",
)
"""What a heading says of an incident that is over."""

HYPOTHETICAL = Words(
    r"\b(?:if|unless|would|might|could(?! not)|should|suppose|supposing|imagine|assume|assuming|whether|in case|in theory|perhaps|maybe|possibly|presumably)\b",
    r"\b(?:you|one|it|they|this|that|users|which) (?:may|can|will)\b",
    r"\be\.g\.",
    r"\b(?:for example|for instance|such as|something like|say,|(?:an?|the|this|these|some|as|of) examples?|(?:sample|example) (?:output|log|message|error|line|text)|placeholder|dummy|mock(?:ed)?|fake|made[- ]up|hypothetical\w*|typical(?:ly)?|usually|commonly|known (?:errors?|messages?|issues?|problems?))\b",
    r"\b(?:try|tried|trying|want|wanted|attempt\w*) (?:to )?(?:setting|provoke|trigger|reproduce|simulate|get|see|force)\b",
    r"\b(?:had (?:it|this|that|there) been|synthetic|drill)\b",
    r"\b(?:provoke|simulat(?:e|ed|es|ing|ion)|inject(?:ed|ing|ion)?|expect(?:ed|ing|s)?|fear(?:ed|ing)?|afraid|worr(?:y|ied)|wait(?:ing)? for|watch(?:ing)? (?:out )?for|be aware|beware|make sure|check (?:for|whether|that)|alert (?:on|for|when)|monitor(?:ing)? for)\b",
    r"\b(?:what (?:does|do|is|are|means?|about)|why (?:does|do|is|would)|how (?:to|do|does|can|should)|does any(?:one|body)|has any(?:one|body)|did any(?:one|body)|is (?:this|it|that) (?:the same|related|similar|like|about|because)|do you|did you|have you|are you|should i|can i|could you|meaning of|difference between)\b",
    *foreign.HYPOTHETICAL,
    chinese=r"如果(?!(?:我们?|只)?(?:用|使用|开|跑|启动|设置?|加上?)[^，,。]{0,12}[，,](?:日志|就|则|会|程序|屏幕|终端))|假如|假设|要是|倘若|若是|若出现|万一|可能会|也许|或许|会不会|是否|有没有|是不是|应该会|例如|比如|譬如|举例|示例|样例|一般会|通常会|试试|怎么|为什么|什么意思|什么是|何为|怀疑|例子|遇到.{0,6}时|请检查|请问"
    + "|"
    + foreign.HYPOTHETICAL_BEYOND,
)
"""A condition, an example, advice, an expectation, a question."""

TOLD = Words(
    r"\b(?:chapter|section|appendix|lesson) \d{1,3}(?:\.\d{1,3}){0,3} (?:explains?|describes?|lists?|shows?|covers?|tells|says|we|you)\b",
    r"\b(?:docs?|documentation|manual|faq|wiki|readme|handbook|guide|tutorial|blog(?: ?post)?|article|release notes?|changelog|stack ?overflow|chatgpt|copilot|gemini|claude|troubleshooting|forum|google|book|paper|slides?|specification|man ?page|knowledge base|runbook|playbook|cheat ?sheet|post-?mortem|newsletter|advisory)\b",
    r"\b(?:issue|bug|ticket|pr|pull request|thread|discussion|case|jira) ?#? ?\d{2,7}\b",
    r"#(?<![\w&]#)\d{2,7}(?![-\w])",
    r"github\.com/[\w./-]{1,80}/(?:issues|pull|discussions)/",
    r"\baccording to\b",
    r"\b(?:from|on|in|off) (?:the|an?|this|that|another|some) (?:\w{1,12} )?(?:issue|ticket|thread|bug report|internet|web|net|forum|post|web ?page|web ?site|e?-?mail|chat|reddit|github|gist|pastebin)\b",
    r"\b(?:copied|pasted|taken|quoted|borrowed|lifted) (?:from|off|out of) (?:the |an? |some |another )?(?:\w{1,12} )?(?:internet|web|net|elsewhere|github|gitlab|reddit|discord|slack|twitter|mailing list|issues?|posts?|comments?|reports?|source(?: code)?|tests?)\b",
    r"\b(?:feature|enhancement) request\b",
    r"\b(?:unit |regression |smoke )?test (?:fixture|case|data|vector)s?\b",
    r"\b(?:begin forwarded|forwarded|original) message\b",
    r"^\W{0,6}(?:re|fwd?|aw|wg)\s?:",
    r"\bi (?:have )?(?:read|heard)\b",
    r"\b(?:wrote|commented|asked|tweeted)\b",
    r"\b(?:bot|chatbot|assistant|llm|ai) (?:answered|replied|says|said|suggests|suggested|responded|thinks|claims)\b",
    r"\btil\b(?= that|:)",
    r"\b(?:titled?|entitled|subject|keyword|the string|the words|the phrase|the text|error class|regex|pattern|signature)\b",
    *foreign.TOLD,
    chinese=r"文档|手册|教程|博客|文章|帖子|论坛|百度|谷歌|知乎|标题|官方|说明里|听说|据说|关键字|关键词|转发|引用"
    + "|"
    + foreign.TOLD_BEYOND,
)
"""What documents, threads and other people's texts say."""

TOLD_AFTER = Words(
    r"\b(?:described|documented|explained|listed|mentioned|discussed|reported|quoted|known|taken|copied|pasted|read|found|see|seen|is|was|comes?|as) (?:in|on|at|by|from|as|under) (?:the |an? |their |his |her )?(?:\w{1,16} )?(?:docs?|documentation|manual|faq|wiki|readme|guide|tutorial|blog|article|release notes?|changelog|stack ?overflow|forum|issue|ticket|thread|paper|book|web|internet|others?|example|github)\b",
    r"\b(?:what|as|how) the (?:\w{1,16} )?(?:docs?|documentation|manual|faq|wiki|readme|guide|article|release notes?|issue|thread)\b",
    r"#(?<![\w&]#)\d{2,7}(?![-\w])",
    r"[\"'`][,;]?\s{1,8}(?:#|//)\s.{0,60}\b(?:example|pattern|regex|alert\w{0,3}|sample|fixture|test|match\w{0,3})\b",
    chinese=r"文档|手册|教程|博客|帖子|论坛|网上",
)
"""Other people's texts, named behind what is quoted from them."""

ANY_BEHIND = either(POSSIBLE_AFTER, ELSEWHERE, TIMES, TOLD_AFTER)
"""What puts a product's line elsewhere, into another time, or into doubt by words behind it: most lines have none."""

SEARCHED = Words(
    r"\b(?<![^\s|;&$(`>])(?:[efz]|pc|p)?grep\b",
    r"\b(?<![^\s|;&$(`])(?:rg|ag|ack|findstr|awk|sed|select-string|zgrep|xzgrep)\s+[-'\"/]",
    r"\bjournalctl\b.{0,80}(?:-g|--grep)\b",
    r"\bsearch(?:ed|ing|es)\b",
    r"\blike\s{1,4}n?['\"]%",
    r"\ba search\b",
    r"\blook(?:ed|ing)? (?:for|up)\b",
    r"\bgoogl(?:ed|ing)\b",
    r"\bgpudoctor (?:search|explain)\b",
    chinese=r"搜索|搜了|搜一下|查找|查了|检索|grep了",
)
"""A search for the text: what was searched for was not thereby found."""

CODE = lazy_pattern(
    r"(?:"
    r"\b(?:raise|throw|throw new|assert|return|yield|panic!?|abort|die)\b[^\"'`]{0,80}[\"'`]"
    r"|\b(?:f?printf?|s?n?printf|puts|println!?|echo|warn|warning|info|debug|error|fatal|critical|exception|log|logger|logging|console|fmt|std|syslog|fputs|cerr|cout|stderr|WARN|INFO|ERROR|FATAL|LOG\w{0,12}|TORCH_CHECK\w{0,12}|VLOG|GLOG|(?:"
    + alternatives(lambda v: v.library.upper())
    + r")\w{0,12}|assert\w{0,20}|expect|match|matches|search|compile|find|contains|startswith|endswith|includes|strstr|Error|new Error|regex|re)(?:[.:>\-]{1,2}\w{1,24}){0,3}!? ?\([^\"'`]{0,80}[\"'`]"
    r"|\b(?:cerr|cout|stderr|oss|ss|LOG\(\w{1,12}\)) ?<<[^\"'`]{0,80}[\"'`]"
    r"|\b(?:if|elif|while|case|when|in|unless|grep|echo|printf|print|set|const|let|var|char|string|str|define|default|pattern|literal|regex|match(?:es)?)\b[^\"'`:.]{0,40}[:=(]?\s?[frbu]?[\"']"
    r"|[a-z\])]\s{1,8}(?::?=|==|!=|in|\+=|=>)\s{1,8}(?:\w{1,2})?[\"'`]"
    r"|#define\s"
    r"|^[\w./~+-]{1,200}\.(?:py|rs|go|cc?|cpp|cxx|cuh?|h|hpp|java|js|ts|tsx|json|ya?ml|toml|xml|md|rst|proto|kt|scala|rb|pl|lua)[:-]\d{1,6}[:-](?:\d{1,4}:)?\s{0,80}(?:[\"'][\w.-]{1,60}[\"']\s?:\s?)?[frbuL]{0,2}[\"'`]"
    r")[^\"`]{0,400}$",
)
"""Source code up to the text that it would print."""

REQUEST = Words(
    r"\b(?:prompt|generated_text|messages)['\"]?\s?[:=]\s?\[?['\"{]",
    r"['\"]role['\"]\s?:\s?['\"]\w{1,12}['\"].{0,80}['\"](?:content|text)['\"]\s?:\s?['\"\[]",
)
"""What a server logs of a request: the text of whoever asks it."""

COMMENT = Beginning(
    r"^\s{0,80}(?://|/\*|<!--|REM\s|\"\"\"|'''|\\\\\"|%%?\s)|^\s{0,80}#+ {1,2}(?!(?:Rank|Using|nThread|Out of|Avg|Collective|Errors?|Bandwidth|size|GPU\d|EFA|source)\b)(?=[A-Za-z\u4e00-\u9fff]|\d{4}[:-]\d\d[:-]\d\d)|^\s{0,80}[+-](?:\s{1,40}#|\s{0,40}//)|^\s{0,8}[-*+] \[ \] "
)
"""A comment of a program; the heads of nccl-tests begin alike."""

_NAMES = "|".join(
    f"[{name[0].upper()}{name[0]}]{name[1:]}"
    for name in [
        "alice",
        "bob",
        "carol",
        "charlie",
        "dave",
        "eve",
        "frank",
        "mallory",
        "trent",
        "tom",
        "tim",
        "mike",
        "john",
        "jane",
        "joe",
        "max",
        "anna",
        "peter",
        "paul",
        "mary",
        "sam",
        "steve",
        "chris",
        "alex",
        "david",
        "daniel",
        "kevin",
        "lisa",
        "sarah",
        "mark",
        "james",
        "wei",
        "li",
        "wang",
        "zhang",
        "chen",
        "liu",
        "dieter",
        "uli",
        "hans",
        "klaus",
        "stefan",
        "thomas",
        "andreas",
        "michael",
        "martin",
        "jan",
        "sven",
        "nina",
        "julia",
        "laura",
        "maria",
        "jose",
        "juan",
        "pedro",
        "carlos",
        "luis",
        "ana",
        "sofia",
        "lucia",
        "pierre",
        "jean",
        "marie",
        "luc",
        "claire",
        "ivan",
        "sergey",
        "dmitry",
        "olga",
        "natasha",
        "hiroshi",
        "yuki",
        "kenji",
        "minho",
        "jiho",
        "raj",
        "priya",
        "amit",
        "ravi",
        "emma",
        "olivia",
        "noah",
        "liam",
        "lucas",
        "ben",
        "jack",
        "harry",
        "george",
        "nick",
        "matt",
        "andrew",
        "brian",
        "eric",
        "jason",
        "ryan",
        "emily",
        "kate",
        "support",
        "helpdesk",
        "customer",
        "colleague",
        "maintainer",
        "reporter",
        "assistant",
        "chatgpt",
        "bot",
        "someone",
        "anonymous",
        "chatGPT",
    ]
)
"""With the first letter in a set: a search that does not heed case would try them all."""
CHAT = Beginning(
    r"^\s{0,8}(?:"
    r"\[?\d{1,2}:\d{2}\]?(?: ?[AaPp][Mm])?[ ,\-]{1,4}<?@?[A-Za-z\u4e00-\u9fff][\w.\-\u4e00-\u9fff]{0,24}>?[:：]\s"
    r"|(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s{1,3})?<[@+~&%]?(?!stderr>|stdout>|warn>|error>|info>|module>|stdin>|string>|unknown>|anonymous>|frozen|built-in|locals|lambda|genexpr|listcomp|class|function|object|bound)[A-Za-z_][\w\-|]{0,24}>\s"
    r"|@[A-Za-z][\w.-]{1,24}[:,]?\s"
    r"|(?P<at>[\[(]?[\d/.:-]{4,10}(?: [\d:]{4,8})?(?: ?[AaPp][Mm])?[\])]?\s{1,3})?[\[<(]?@?\*{0,2}(?:"
    + _NAMES
    + r")\*{0,2}(?:, ?(?:"
    + _NAMES
    + r"))?"
    r"(?:[\]>)]:?\s|(?: (?:said|wrote|says|writes))?\s?(?:\(\d{1,2}:\d\d(?: ?[AaPp][Mm])?\))?\s?[:：>|]\*{0,2}\s|(?(at)\s|(?!)))"
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4},? \d{1,2}:\d{2}(?: ?[AaPp][Mm])? - [^:]{1,30}:\s"
    r"|[小老][\u4e00-\u9fff][:：说]|张三[:：说]|李四[:：说]|王五[:：说]|[\u4e00-\u9fff]{1,3}(?:工|总|老师|同学|哥|姐)[:：说]"
    r")"
)
"""A line of a chat, with who said it."""

CHAT_HEAD = Beginning(
    r"^\s{0,8}(?:From|Sent|Subject): \S.{0,150}$"
    r"|^\s{0,8}\*{0,2}@?[\w.\u4e00-\u9fff-]{2,24}(?: [\w.]{1,24})?\*{0,2}\s{1,4}(?:\[?\d{1,2}:\d{2}\]?(?: ?[AaPp][Mm])?|(?:said|wrote|commented|schrieb|写道|说道?)[:：]?.{0,40})\s{0,4}$"
    r"|^\W{0,12}(?:(?:[Bb]egin )?[Ff]orwarded [Mm]essage|[Oo]riginal [Mm]essage|原始邮件|转发的?邮件)\W{0,12}$"
    r"|^.{0,80}\b(?:wrote|said|commented|schrieb)[:：]\s{0,4}$|^\s{0,8}(?:Am|On) .{4,80}(?:wrote|schrieb).{0,40}:\s{0,4}$"
)
"""The line over a message of a chat or a mail."""

LOG_PREFIX = lazy_pattern(
    r"^\s{0,200}(?:"
    r"(?:\[[^\]]{0,80}\]|\([^)]{0,60}\)|<\d{1,3}>|#\d{1,4} (?=\d{1,5}\.\d)|\d{4}[-/]\d\d[-/]\d\d[T ]?|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?|[A-Z][a-z]{2} {1,2}\d{1,2}(?= )|[IWEF]\d{4}"
    r"|(?:INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|DEBUG|TRACE|NOTICE|E|W)\b:?|\d{1,9}\b[:.]?|[\w.-]{1,60}:\d{1,9}(?::\d{1,9})*:?|[\w./-]{1,60}\[\d{1,9}\]:?|kernel:|(?:"
    + alternatives(lambda v: v.kernel)
    + r"):|"
    + alternatives(lambda v: v.trace)
    + r"|\||-|\w{1,60}\.\w{1,8}:\d{1,6}\]?"
    r")\s{0,40})"
)
"""One part of what programs put before a message: repeated by the caller, a bounded number of times."""

QUOTE = lazy_pattern(
    r"^[\s|]{0,8}(?:>(?!>>)\s?)+(?=\S)|^\s{0,8}(?:&gt;\s?)+(?=\S)|^\s{0,8}\[quote\b[^\]\n]{0,80}\]"
)
ECHO = lazy_pattern(r"[)\]]\s{0,4}(?:#.{0,80})?$|^\s{0,8}(?:\$|>>>|#|In \[)\s?\S")
"""A line of code or a command: a line with ``>`` under it is what it printed."""
QUESTION = Beginning(r"[\"'`”’)\]\s]{0,6}[^.!?;。！？；]{0,80}(?:[?？]|吗\s{0,4}$)")
TURN = lazy_pattern(
    r"\bbut\b|\bhowever\b|\balthough\b|\bwhereas\b|;\s|[.!?]\s|。|；|！|？|但是?|然而|不过", re.IGNORECASE
)
"""Where a clause ends, and what was denied in it with it."""
