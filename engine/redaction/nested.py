"""A key below the name of what it opens: ``wandb: {key: ...}``, and an element that is named for what it holds."""
# ruff: noqa: E501 - expressions

from __future__ import annotations

import re

from ..patterns import lazy_pattern
from .names import is_secret
from .values import HIDDEN, is_hidden, tells

SERVICES = (
    "wandb", "huggingface", "hf", "openai", "anthropic", "comet", "comet_ml", "neptune", "clearml", "mlflow", "sentry", "datadog",
    "grafana", "github", "gitlab", "slack", "aws", "gcp", "azure", "cohere", "together", "replicate", "modelscope", "swanlab", "ngc",
    "runpod", "vast", "pagerduty", "opsgenie",
)  # fmt: skip
"""Who gives out keys: what is called a key in their part of a file is theirs."""
_SERVICE = rf"(?P<name>(?i:{'|'.join(SERVICES)}))"
_VALUE = r"(?:key|token|auth)['\"]?[ \t]{0,8}[:=][ \t]{0,8}['\"]?)([^\s'\"{}\[\],#]{4,400})"
_BELOW = lazy_pattern(
    rf"(?m)^(?P<edge>[ \t]{{0,60}})(?:-[ ])?['\"]?{_SERVICE}['\"]?[ \t]{{0,4}}:[ \t]{{0,4}}\r?\n"
    r"(?P<before>(?:(?P=edge)[ \t]{1,40}\S[^\n]{0,300}\n){0,12}?(?P=edge)[ \t]{1,40}['\"]?" + _VALUE
)
_SECTION = lazy_pattern(
    rf"(?m)^[ \t]{{0,8}}\[{{1,2}}(?:[\w-]{{1,40}}\.){{0,3}}{_SERVICE}\]{{1,2}}[ \t\r]{{0,8}}\n"
    r"(?P<before>(?:[ \t]{0,8}[\w#;][^\n]{0,300}\n){0,12}?[ \t]{0,8}" + _VALUE
)
_INSIDE = lazy_pattern(
    rf"(?<![\w-]){_SERVICE}['\"]?[ ]{{0,4}}[:=][ ]{{0,4}}(?P<before>\{{(?:[^{{}}\n]{{0,400}}?['\"{{, ])?"
    + _VALUE
)
_ELEMENT = lazy_pattern(
    r"(?P<before><(?P<name>[A-Za-z][\w.-]{0,60})[ ](?:[^<>\n]{0,200}?[ ])?value[ ]{0,4}=[ ]{0,4}['\"])([^'\"<>\n]{4,400})"
)


def without_nested(text: str, lowered: str) -> str:
    """The text without such keys; ``lowered`` is the text in lower case."""
    if "key" in lowered or "token" in lowered or "auth" in lowered:
        if "\n" in text:
            text = _BELOW.sub(_without, text)
            if "]" in text:
                text = _SECTION.sub(_without, text)
        if "{" in text:
            text = _INSIDE.sub(_without, text)
    if "<" in text and "value" in lowered:
        text = _ELEMENT.sub(_blot_element, text)
    return text


def _blot_element(found: re.Match[str]) -> str:
    return _without(found) if is_secret(found["name"]) else found[0]


def _without(found: re.Match[str]) -> str:
    value = found.group(found.re.groups)
    if is_hidden(value) or not tells(value):
        return found[0]
    return found[0][: len(found[0]) - len(value)] + HIDDEN
