# ruff: noqa: E501  (an expression is one line; other alphabets)
"""What a line is a part of, by its form: a row of a data set, a query of logs, a test, a commit, a link, a setting.

Each of these holds texts that were written down to be found, learned, shown or avoided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..patterns import lazy_pattern

_LEARNED = r"(?:label|answers?|completions?|instruction|question|prompt|gold|predictions?|choices|chosen|rejected|role|intent|max_tokens|temperature|reference_answer|conversations?|(?:pos|neg)(?=[\"']\s?:\s?\[)|target_text|input_text|system_prompt)"
_ROW = lazy_pattern(r"^\s{0,12}(?:data:\s?|body:\s?|\d{1,9}\s)?[\[{]")
_COLUMN = lazy_pattern(rf"[\"']{_LEARNED}[\"']\s?:")
_NAMED_ROW = lazy_pattern(
    rf"^(?:[\w ]{{1,24}}[\t,;]){{0,12}}(?:{_LEARNED}|text|class|sentiment)(?:[\t,;][\w ]{{1,24}}){{0,12}}\s{{0,4}}$",
    re.IGNORECASE,
)
"""The names of columns above a row of a data set."""
_TURN = lazy_pattern(r"<\|[a-z_]{2,24}\|>|\[/?INST\]|<(?:start|end)_of_turn>|<</?SYS>>")
"""What parts the turns of a dialogue for a model."""
_QUERY = lazy_pattern(
    r"(?:\|[=~]|![=~]|=~)\s{0,4}[\"'`]|\b(?:contains|startswith|endswith|isequal|regex|ereregex|matches|icontains)\s{0,2}[,(]\s{0,4}[\"']|\bfailregex\s{0,4}=|\bignoreregex\s{0,4}=|\b(?:discard|suppress|inhibit|watchfor|mute|silence|allowlist|denylist|blacklist|whitelist)\b\s{0,2}[:=]?\s{0,2}[\"'/]|\brequests?\b.{0,60}\b(?:input|text|quer(?:y|ie)|content|body)s?=\[?[\"']|\b(?:sourcetype|index)=\S{1,40}\s.{0,80}[\"']|\b\w{0,12}[Pp]ayload\s?[:=]~?\s?[\"']|(?<!\S)(?:site|intitle|inurl|intext|filetype):[\w.\"'-]{2,60}\s",
    re.IGNORECASE,
)
_OF_QUERIES = (
    "|=", "|~", "!=", "!~", "=~", "contains", "startswith", "endswith", "isequal", "regex", "matches", "discard", "suppress", "inhibit", "watchfor",
    "mute", "silence", "list", "request", "sourcetype", "index=", "payload", "site:", "intitle:", "inurl:", "intext:", "filetype:",
)  # fmt: skip
_FIELD = lazy_pattern(r"^[^\"']{0,80}\b\w{1,24}:[\"'].{0,400}$")
_JOINED_QUERY = lazy_pattern(r"^.{0,400}[\"']\s{1,4}(?:AND|OR|NOT)\s")
_STEMS = r"(?:patterns?|ignored?|excludes?|exclusions?|filters?|match(?:es)?|regexp?s?|regexes|rules?|alerts?|expect(?:ed|s)?|fixtures?|keywords?|needles?|inhibit|mute|silence|discard|drop|duplicate of|related to|similar to|same as|signatures?|precondition|trigger|examples?|samples?|(?:input|target|source|output|generated|completion)[_ ]text|hypothesis|completion|translation|告警规则|规则|测试用例|用例|输入|关键字|过滤|忽略)"
_SETTING = lazy_pattern(
    rf"^\W{{0,12}}(?:\w{{1,16}}_\w{{1,24}} )?(?:[\w.]{{1,24}}[-_.]){{0,3}}{_STEMS}(?:[-_]\w{{1,12}})?[\"']?\s{{0,4}}[:=：]\s{{0,4}}",
    re.IGNORECASE,
)
_SETTING_ABOVE = lazy_pattern(
    rf"^\s{{0,40}}(?:- )?[\"']?(?:[\w.]{{1,24}}[-_.]){{0,3}}(?:{_STEMS}|debug|assert|fail)(?:[-_]\w{{1,12}})?[\"']?\s{{0,4}}[:=]\s{{0,4}}[\[{{|>(]?[-+]?\s{{0,4}}$",
    re.IGNORECASE,
)
"""The name of a setting that holds texts to be looked for, left out or shown."""
_LANGUAGE = lazy_pattern(
    r"^\W{0,8}(?:EN|DE|FR|ES|ZH|JA|KO|RU|PT|IT|English|German|French|Spanish|Chinese|Japanese|Korean|Russian|Portuguese|Italian|Deutsch|Englisch|Français|Anglais|Español|Inglés|Português|Английский|英文|中文|英语|原文|译文?|問|问|答|提问|用户|质问|質問|질문)\s?[:：]\s{0,4}"
)
"""A text with the language that it is in, a question with who asks it."""
_TRANSLATED = lazy_pattern(r"^[^=\n]{0,400}\s(?:=|<=>|⇔|->|→)\s{1,4}[\u4e00-\u9fff]{2}")
_TESTED = lazy_pattern(
    r"^\s{0,12}(?:ok \d{1,6}\b|(?:PASS|SKIP|XFAIL|SKIPPED|PASSED)\b|\[\s{0,3}(?:OK|PASSED|RUN)\s{0,3}\]|(?:Given|Scenario(?: Outline)?:|Feature:|Background:)\s|(?:TC|REQ|US)[-_ ]?\d{1,6}\b|[✓✔☐☑]\s|[-*+]?\s{0,2}\[ ?[xX ]?\]\s)|^\s{0,12}--- (?:PASS|FAIL|SKIP): \S|^\S{1,120}::\w{1,80}\["
)
_TEST_RAN = lazy_pattern(r"^\s{0,8}test \S")
_RAN = lazy_pattern(r"\.\.\. (?:ok|ignored|FAILED)\s{0,4}$")
_VERBS = r"(?:[Ff]ix(?:e[sd])?|[Hh]andles?|[Dd]etects?|[Rr]ecogni[sz]es?|[Aa]voids?|[Rr]esolve[sd]?|[Cc]lose[sd]|[Ss]upports?|[Pp]revents?|[Cc]atch(?:es)?|[Ss]uppress(?:es)?|[Ii]gnores?|[Ee]xplains?|[Dd]ocuments?|[Bb]etter|[Ii]mproved?|[Ww]orkaround for)"
_CHANGE = lazy_pattern(
    rf"^\W{{0,8}}(?:[0-9a-f]{{7,12}} )?(?:(?:feat|fix|docs|chore|refactor|perf|revert)!?:\s|(?:feat|fix|docs|chore|test|refactor|perf|ci|build|style|revert)\([\w./ -]{{1,30}}\)!?:\s)|^\W{{0,8}}(?:[0-9a-f]{{7,12}} )?{_VERBS}:?\s(?:[\w'-]{{1,16}} ){{0,9}}|^\W{{0,8}}(?:TODO|FIXME|XXX|HACK)\b|^\W{{0,8}}(?:修复|解决|优化|新增)(?:了|[:：])"
)
"""The message of a commit, an item of a list of changes, a note in source code."""
_BUG = lazy_pattern(r"^\W{0,8}[Ff]ix(?:e[sd])? an? (?:issue|bug|problem|crash|hang|regression|race)\b")
_TRACKER = lazy_pattern(r"^\W{0,4}#?\d{1,7}\s{0,4}[\t|]\s{0,4}(?:OPEN|CLOSED|MERGED|open|closed|merged)\b")
_NUMBERED = lazy_pattern(r"(?<!\S)#\d{3,7}\s{0,4}$")
_LINKED = lazy_pattern(r"^.{0,600}\]\((?:<?https?:|[\w./-]{1,200}\.(?:png|jpe?g|gif|svg|md|html?))")
_ADDRESS = lazy_pattern(r"^\W{0,4}https?://\S{4,300}\s{0,4}$")
_ITEM = lazy_pattern(r"^\s{0,8}\d{1,3}[.)]\s")
_FURNITURE = lazy_pattern(
    r"^\W{0,4}(?:(?:Asked|Viewed|Modified|Active|Answered|Posted|Opened|opened|Last (?:updated|edited|modified|reviewed)|Applies to|Updated|Score|Votes?|Views?|Tags?)\b[:\s].{0,80}\b(?:ago|times?|by|on|days?|years?|months?|\d{4}|releases?|versions?)\b|opened \w{1,12} \d)"
)
"""What the page of a forum or of a tracker says of a text, below it."""
_DECORATED = lazy_pattern(r"^\s{0,40}@[\w.]{1,60}\(")
_CALL = lazy_pattern(
    r"^\s{0,40}[A-Za-z_][\w.:>-]{1,60}(?<!Error)(?<!Exception)(?<!Warning)(?<!Failure)(?<!Status)\(.{0,160}[\"'`]"
)
_CALLED = lazy_pattern(r"[\"'`][^\"'`]{0,80}\)\s{0,4}[;,{:]?\s{0,4}$")
_BESIDE_CODE = lazy_pattern(
    r"[;{})\]]\s{1,8}(?://|/\*|#)\s|^\s{0,40}[A-Za-z_][\w.\[\]]{0,60}\s{0,4}=\s{0,4}[^#\"'=]{1,60}\s{1,8}#\s"
)
_COMMENTED = lazy_pattern(r"^\s{0,40}(?:;\s|::\s|dnl\s|@rem\s|\{/\*|--\[\[|%%\s)", re.IGNORECASE)
_REMARKED = lazy_pattern(r"^[^\"'`]{0,400}[\"'`][,;]?\s{1,8}(?:#|//)\s{1,4}\w")
"""A string of source code, with a comment behind it."""
_CATALOGUE = lazy_pattern(r"^\s{0,8}(?:msgid|msgstr|msgctxt|msgid_plural)\b")
_QUOTED_ALONE = lazy_pattern(r"^\s{4,60}[rfbuL]{0,2}[\"'`]")
_QUOTE_ENDS = lazy_pattern(r"[\"'`]\s{0,4}$")
_CONSTANT = lazy_pattern(
    r"^\s{0,40}(?:[A-Z][A-Z0-9_]{2,40}\s{1,4}=\s{0,4}[rfbu]?[\"']|\{\s{0,3}[\"'][\w.-]{1,40}[\"']\s{0,3},\s{0,3}[\"'])"
)
_PIPED = lazy_pattern(r"^[^|]{0,600}?\s\|\s(?=[a-z][a-z ]{2,})[^|{}\d]{3,120}(?:\||$)")


def holds(line: str, head: str, tail: str, above: Sequence[str], after: str) -> bool:
    """Whether a line is a part of something that holds texts, around a product's words between head and tail."""
    last = next((one for one in reversed(above) if one.strip()), "")
    if _is_placed(line, last, after):
        return True
    if not head.strip():
        return bool(tail and (_NUMBERED.search(tail) or _TRANSLATED.match(tail)))
    return _is_learned(line, head, tail, last) or _is_written(head, tail) or _is_kept(line, head, tail)


def _is_placed(line: str, last: str, after: str) -> bool:
    """By the lines beside it."""
    if after and _FURNITURE.match(after):
        return True
    if after and _ADDRESS.match(after) and _ITEM.match(line):
        return True
    return bool(last) and bool(
        _SETTING_ABOVE.match(last)
        or _CATALOGUE.match(last)
        or _ADDRESS.match(last)
        or _TURN.search(last)
        or (_NAMED_ROW.match(last) and ("\t" in line or "," in line) and ("\t" in last or "," in last))
    )


def _is_learned(line: str, head: str, tail: str, last: str) -> bool:
    """Whether of a data set or a request."""
    if _ROW.match(line) and (_COLUMN.search(head) or _COLUMN.search(tail)):
        return True
    return bool(_TURN.search(head) or _LANGUAGE.match(head) or (tail and _TRANSLATED.match(tail)))


def _may_query(lowered: str) -> bool:
    """Whether a line may hold a query: most hold nothing of one, which is seen much faster so."""
    for part in _OF_QUERIES:  # noqa: SIM110 - any() makes a generator, which takes longer
        if part in lowered:
            return True
    return False


def _is_kept(line: str, head: str, tail: str) -> bool:
    """Whether of a query, a setting, a test, a list."""
    if (_may_query(head.lower()) and _QUERY.search(head)) or _SETTING.match(head) or _TESTED.match(head):
        return True
    if _TEST_RAN.match(line) and _RAN.search(tail):
        return True
    if "[" in head and "](" in tail and _LINKED.match(tail):
        return True
    if "|" in head and "|" in tail and _PIPED.match(tail):
        return True
    return bool(
        _TRACKER.match(head)
        or (tail and (_NUMBERED.search(tail) or (_FIELD.match(head) and _JOINED_QUERY.match(tail))))
    )


def _is_written(head: str, tail: str) -> bool:
    """Whether of source code or of a list of its changes."""
    if _CHANGE.match(head) or _DECORATED.match(head) or _COMMENTED.match(head) or _CATALOGUE.match(head):
        return True
    if "/*" in head and "*/" in tail and head.rindex("/*") > head.rfind("*/"):
        return True
    if ('"' in head or "'" in head) and _REMARKED.match(tail):
        return True
    if _BESIDE_CODE.search(head) or _BUG.match(head) or _CONSTANT.match(head):
        return True
    if _QUOTED_ALONE.match(head) and _QUOTE_ENDS.search(tail):
        return True
    return bool(tail and _CALL.match(head) and _CALLED.search(tail))
