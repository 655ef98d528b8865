# ruff: noqa: E501  (an expression is one line; other alphabets)
"""What the title of a part of a text says of what stands under it: a class of errors, advice, an exercise, a release.

A report names one error, its log or its machine. A document names a kind of text ("Appendix B", "Test plan"), errors as
a class with what they mean ("Error messages and their causes"), or what one does about them ("What to do when ...").
"""

from __future__ import annotations

import re

from ..patterns import lazy_pattern

_CLASS = r"(?:\w{1,16} ){0,2}(?:errors|problems|issues|failures|faults|messages|mistakes|symptoms|warnings|codes|bugs|defects|xids|questions|outages)"
"""Errors in the plural."""
_SEEN = r"(?:most )?(?:common(?:ly)?|typical(?:ly)?|frequent(?:ly)?|possible|popular|usual|known|open|similar|related|resolved|fixed|closed|solved|past|recurring|well-known)(?: (?:seen|encountered|asked|reported|observed))?"
_EXPLAINS = r"(?:(?:and|&|/|with|,)\s?(?:what|how|why|their|its|the|fix(?:es)?|solutions?|causes?|remed(?:y|ies)|workarounds?|meanings?|resolutions?|answers?)\b|(?:you|one|users|that|which) (?:may|might|can|could|will|should)\b|explained\b|(?:fixed|resolved|solved) in\b)"
_NUMBERED = r"(?:appendix|chapter|lesson|slide|exercise|exhibit|table|drill|question|quiz|exam|kapitel|anhang|lektion|folie|annexe|anexo|ap[ée]ndice|приложение|глава)\b\s{0,2}(?:\d[\d.]{0,6}|(?-i:[A-Z])\b|:)"
_EXERCISES = r"(?:exercise|quiz|drill|exam|homework|tabletop|interview|tutorial|case stud(?:y|ies)|workshop|flash ?cards?|fault injection|test plan|test protocol|test cases?|acceptance|run ?book|play ?book|check ?list|post-?mortem|incident review|outage review|release notes|changes in|bugs? (?:fixed|closed)|search results|results for|people also ask|user prompt|model output|top (?:ten|five|\d{1,3})\b.{0,20}\b(?:errors|failures|faults|problems|issues|causes)|list of .{0,24}\b(?:errors|messages|faults|codes|failures)|see also|further reading|stack ?overflow)\b"
_KINDS = r"(?:guide|dictionary|quirks|oddities|warning signs|red flags|alphabetical order|chaos tests?|game days?|(?:simulation|failover|disaster) (?:test|run|drill|exercise)s?|manual|handbook|catalog(?:ue)?|glossary|cheat ?sheet|check ?list|run ?book|play ?book|tutorial|faqs?|tips|hints|tricks|pitfalls|how-?to|knowledge base|test plan|test protocol|acceptance criteria|case stud(?:y|ies)|lessons? learned|trouble ?shooting(?: steps)?|(?:incident|outage) reviews?|post-?mortems?|exercises?|release notes)"
_ADVICE = r"(?:what to (?:do|look|watch|check|expect)|what (?:can|could|may|might) (?:go|break|fail|happen)|what (?:\w{1,16} ){1,3}means?\b|how to (?!re-?pro|run\b|use\b|start\b|install)\w|when (?:\w{1,16} ){1,4}(?:fails?|breaks?|hangs?|goes? wrong)$|(?:diagnosing|troubleshooting|understanding|interpreting|recognizing|spotting) \w)"
_RELEASE = r"(?:version |release |v)?\d{1,4}\.\d{1,4}(?:\.\d{1,5}\w{0,8}){0,2}"
_FOREIGN = (
    r"(?:liste?|lista|список) (?:der|des?|de los|de las|dos|das)? ?(?:\S{1,24} ){0,2}?(?:\S{0,12}fehler\S{0,12}|errores|erreurs|erros|ошибок|fallos|mensagens|mensajes)"
    r"|(?:häufige|bekannte|typische|mögliche)\w{0,2} \w{0,20}(?:fehler|probleme|meldungen|fragen)\w{0,20}.{0,40}|\w{0,12}fehler\w{0,20} und (?:ihre|deren|was|wie)\b.{0,40}"
    r"|(?:mensajes|errores|fallos|problemas|messages|erreurs|problèmes|pannes|mensagens|erros|falhas) (?:\S{1,16} ){0,3}?(?:y|e|et) (?:sus?|leurs?|seus?|suas?|qu[ée]|ce|como|cómo|comment)\b.{0,40}"
    r"|(?:сообщения|ошибки|коды|неисправности)\b.{0,30}\bи (?:их|что|как|способы)\b.{0,40}|(?:типичные|частые|возможные|распространённые) (?:ошибки|проблемы|неисправности).{0,40}"
    r"|.{0,12}(?:エラー|障害|不具合)(?:メッセージ|コード|事例)?(?:の?(?:一覧|集|意味|対処|原因|説明|解決)).{0,12}|参考(?:資料|文献)"
    r"|(?:.{0,12} )?(?:오류|에러|장애) ?(?:메시지|코드|사례)?(?:의|와)? ?(?:목록|모음|해결|의미|설명|대처).{0,12}"
    r"|.{0,8}(?:报错|错误|故障|异常|问题|告警)(?:信息|代码|消息|日志)?(?:说明|案例|汇总|大全|一览|列表|清单|手册|对照|解释|含义|解析|及其?|和|与).{0,12}"
    r"|.{2,16}(?:指南|手册|教程)|(?:参考资料|知识库|面试题|测试(?:用例|计划|题)|应急(?:预案|演练)|演练|附录|案例|练习|常见|相关(?:问题|链接)|类似问题|搜索结果|更新(?:日志|说明)|已(?:修复|解决|知)的?(?:问题|缺陷)|模拟(?:故障|场景)).{0,12}"
)
TITLE = lazy_pattern(
    rf"^\W{{0,8}}(?:the |our |some |list of |table of )?(?:{_SEEN} {_CLASS}\b.{{0,40}}|{_CLASS} ?{_EXPLAINS}.{{0,40}}|{_NUMBERED}.{{0,60}}|{_EXERCISES}.{{0,60}}|.{{0,60}}\b{_KINDS}(?:,? (?:page|p\.|chapter|part|section) \d{{1,4}})?|.{{4,60}}, (?:page|chapter|part|lesson) \d{{1,4}}|(?:[^:]{{1,40}}: )?{_ADVICE}.{{0,60}}|(?:version |release |v){_RELEASE}(?: ?[(\[–—-] ?\d{{4}}.{{0,24}})|(?:instruction|prompt|completion|input|response)s?:|{_FOREIGN})[\W\d]{{0,8}}$",
    re.IGNORECASE,
)
"""The whole title of a part in which errors stand that happen to others."""
VERSION = lazy_pattern(
    rf"^\W{{0,4}}(?:{_RELEASE}|unreleased|changed|added|deprecated|fixed|removed)\W{{0,4}}(?:[\d./-]{{0,12}})\W{{0,4}}$",
    re.IGNORECASE,
)
"""The title of a list of changes: what is an item under it was changed."""
ENTRY = frozenset(
    [
        "symptom",
        "symptoms",
        "issue",
        "issues",
        "problem",
        "problems",
        "error",
        "errors",
        "message",
        "messages",
        "description",
        "trigger",
        "故障现象",
        "问题现象",
        "问题描述",
        "现象",
        "症状",
        "symptome",
        "síntoma",
        "síntomas",
        "sintoma",
        "sintomas",
        "симптом",
        "симптомы",
        "증상",
    ]
) | {"error message", "error messages"}
"""The title of what is seen, in an entry of a handbook."""
EXPLANATION = frozenset(
    [
        "cause",
        "causes",
        "resolution",
        "resolutions",
        "explanation",
        "remedy",
        "remedies",
        "故障原因",
        "问题原因",
        "原因",
        "原因分析",
        "解决方法",
        "解决方案",
        "解决办法",
        "处理方法",
        "处理步骤",
        "处理建议",
        "ursache",
        "abhilfe",
        "causa",
        "solución",
        "remède",
        "причина",
        "решение",
        "対処",
        "対処方法",
        "원인",
        "해결",
    ]
) | {
    f"{which} {what}"
    for which, what in (
        *(("root", one) for one in ("cause", "causes")),
        *((one, "causes") for one in ("possible", "probable")),
        *((one, "response") for one in ("user", "operator")),
        *(
            (one, what)
            for one in ("recommended", "corrective", "suggested", "required")
            for what in ("action", "actions")
        ),
    )
}
"""The title of what explains it."""
_MANUAL = lazy_pattern(r"^(?:DIAGNOSTICS|RETURN VALUES?|EXIT (?:STATUS|CODES?)|BUGS|CAVEATS|SEE ALSO)$")
"""Parts of the pages of a manual."""
OWN = lazy_pattern(
    r"^\W{0,4}(?:(?:our|my|the|full|complete|kernel|system|server|console|error|job) ){0,3}(?:logs?|output|dmesg|journal|trace ?back|stack ?trace|console|environment)\b.{0,40}$",
    re.IGNORECASE,
)
"""The title of a log: it closes what a title before it opened."""
_SHORT = 80


def bare(line: str) -> str:
    """The words of a title that is written apart or between marks."""
    return line.strip(" \t\r=-:：").lower()


def is_told(title: str) -> bool:
    """Whether what stands under a title happens to others."""
    return len(title) <= _SHORT and bool(_MANUAL.match(title) or (title[-3:] != "..." and TITLE.match(title)))
