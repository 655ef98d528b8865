"""A key below the name of what it opens: ``wandb: {key: ...}``, and an element that is named for what it holds."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

from ..patterns import lazy_pattern
from .names import is_secret
from .values import HIDDEN, is_hidden, tells

SERVICES = (
    "wandb", "huggingface", "hf", "openai", "anthropic", "comet", "comet_ml", "neptune", "clearml", "mlflow", "sentry", "datadog",
    "grafana", "github", "gitlab", "slack", "aws", "gcp", "azure", "cohere", "together", "replicate", "modelscope", "swanlab", "ngc",
    "runpod", "vast", "pagerduty", "opsgenie",
)  # fmt: skip
"""Who gives out keys: what is called a key in their part of a file is theirs."""
_SERVICE = rf"(?i:{'|'.join(SERVICES)})"
_KEY = r"['\"]?(?:key|token|auth)['\"]?[ \t]{0,8}[:=][ \t]{0,8}"
_VALUE = r"['\"]?([^\s'\"{}\[\],#]{4,4000})"
_BELOW = lazy_pattern(
    rf"(?m)^(?P<edge>[ \t]{{0,60}})(?:-[ ])?['\"]?{_SERVICE}['\"]?[ \t]{{0,4}}[:=][ \t]{{0,4}}(?:\{{|[&!][\w!-]{{0,40}})?[ \t]{{0,8}}(?:#[^\n]{{0,200}})?\r?\n"
)
_SECTION = lazy_pattern(
    rf"(?m)^[ \t]{{0,8}}\[{{1,2}}(?:[\w-]{{1,40}}\.){{0,3}}{_SERVICE}\]{{1,2}}[ \t]{{0,8}}(?:[#;][^\n]{{0,200}})?\r?\n"
)
_LINE = lazy_pattern(r"([ \t]{0,100})(-[ ])?[^\n]*\n?")
_ENTRY = lazy_pattern(r"[ \t]{0,100}(?:-[ ])?" + _KEY + _VALUE)
_LINES = 24
"""In so many lines below its head a part of a file is looked at."""
_INSIDE = lazy_pattern(
    rf"(?<![\w-]){_SERVICE}['\"]?[ ]{{0,4}}[:=][ ]{{0,4}}\{{(?P<all>(?:[^{{}}\n]{{0,400}}?['\"{{, ])?{_KEY}['\"]?[^\s'\"{{}}\[\],#]{{4,4000}}[^{{}}\n]{{0,400}})"
)
_AMONG = lazy_pattern(r"(?<![\w.-])" + _KEY + _VALUE)
_ELEMENT = lazy_pattern(
    r"<(?P<name>[A-Za-z][\w.-]{0,60})[ ](?:[^<>\n]{0,200}?[ ])?value[ ]{0,4}=[ ]{0,4}['\"]([^'\"<>\n]{4,4000})"
)


def without_nested(text: str, lowered: str) -> str:
    """The text without such keys; ``lowered`` is the text in lower case."""
    if "key" in lowered or "token" in lowered or "auth" in lowered:
        if "\n" in text:
            text = _without(text, _places_below(text))
        if "{" in text:
            places = [found.span("all") for found in _INSIDE.finditer(text)]
            text = _without(text, [one.span(1) for place in places for one in _AMONG.finditer(text, *place)])
    if "<" in text and "value" in lowered:
        found = [one.span(2) for one in _ELEMENT.finditer(text) if is_secret(one["name"])]
        text = _without(text, found)
    return text


def _places_below(text: str) -> list[tuple[int, int]]:
    """Where the values of such keys stand in the lines below the name."""
    places = set()
    for head in (_BELOW, _SECTION):
        for found in head.finditer(text):
            edge, at = len(found["edge"]) if head is _BELOW else -1, found.end()
            for _ in range(_LINES):
                line = _LINE.match(text, at)
                if not line or line.end() == at:
                    break
                if line[0].strip() and (
                    (len(line[1]) <= edge and not (line[2] and len(line[1]) == edge))
                    or (edge < 0 and line[0].lstrip().startswith("["))
                ):
                    break  # the next part
                entry = _ENTRY.match(text, at)
                if entry:
                    places.add(entry.span(1))
                at = line.end()
    return sorted(places)


def _without(text: str, places: list[tuple[int, int]]) -> str:
    """The text without the values at these places, as far as they tell anything."""
    parts, done = [], 0
    for start, end in places:
        if tells(text[start:end]) and not is_hidden(text[start:end]):
            parts += [text[done:start], HIDDEN]
            done = end
    return "".join((*parts, text[done:])) if parts else text
