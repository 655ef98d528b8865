"""What starts a job, read before it runs: docker lines, Compose, Kubernetes, sbatch, units, scripts, package lists.

One reader for each kind, each a pure function from text to launches with their lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gpudoctor.engine.tuples import NamedTuple

from ...engine.errors import EngineError
from .launch import Launch, Said

__all__ = ["Launch", "Said", "Spec", "SpecError", "read_spec"]

_HELM = re.compile(r"^\s*(?:-\s*)?\{\{|:\s*\{\{", re.MULTILINE)
_SHEBANG = re.compile(r"#!.*\b(?:ba|z|da|k)?sh\b")
_COMMANDS = re.compile(
    r"^\s*(?:export \w+=|sudo |docker |podman |nerdctl |srun |mpirun |torchrun |vllm serve |python3? |ray start|"
    r"deepspeed |accelerate launch|\w+=\S* \w+)",
    re.MULTILINE,
)


_VALUES_IN = re.compile(r"\{\{-?\s*(?:\.(?:Values|Release|Chart|Capabilities)\b|(?:include|template|tpl)\b)")
"""What only Helm fills in; other programs (Argo, Docker, Prometheus) have braces of their own."""
_PART_OF_CHART = re.compile(r"(?:^|/)(?:Chart|values[^/]*)\.ya?ml$")
_CHART = (
    "this is a template or another part of a Helm chart; audit what it renders: "
    "helm template CHART | gpudoctor audit -"
)
_UNKNOWN = (
    "this is no spec that is known: docker run lines, Compose, Kubernetes, sbatch, a systemd unit, a shell script or a "
    "list of packages"
)


class SpecError(EngineError):
    """A file that is no spec, or one that cannot be read."""


class Spec(NamedTuple):
    """What one file says: the launches that it makes, and the versions that it lists."""

    launches: tuple[Launch, ...]
    packages: tuple[Said, ...] = ()


def read_spec(text: str, where: str, packages: Mapping[str, str]) -> Spec:
    """A spec of any kind. ``packages``: the fact of a package by its name. Raises SpecError or YamlError."""
    from .scripts import is_batch, read_script
    from .units import is_unit, read_unit

    if not text.strip():
        raise SpecError("the file is empty", where)
    if is_unit(text):
        return Spec(tuple(read_unit(text)))
    if is_batch(text) or _SHEBANG.match(text):
        return Spec(tuple(read_script(text)))
    if _VALUES_IN.search(text) or (
        _PART_OF_CHART.search(where) and not re.search(r"^kind\s*:", text, re.MULTILINE)
    ):
        raise SpecError(_CHART, where)
    if re.search(r"^\s*[\"']?(?:apiVersion|services)[\"']?\s*:", text, re.MULTILINE):
        return Spec(tuple(_read_yaml(text, where)))
    from .packagelists import read_packages

    listed = read_packages(text, packages)
    if listed is not None:
        return Spec((), tuple(listed))
    if _COMMANDS.search(text):
        return Spec(tuple(read_script(text)))
    raise SpecError(_UNKNOWN, where)


def _read_yaml(text: str, where: str) -> Iterator[Launch]:
    from ...engine.facts.yamltext import YamlError, read_yaml
    from .compose import read_compose
    from .kubernetes import read_manifest, service_names

    launches: list[Launch] = []
    services: list[tuple[str, int]] = []
    for line, part in _documents(text):
        try:
            document = read_yaml(part, where, line)
        except YamlError as error:
            if _HELM.search(text):
                raise SpecError(_CHART, where) from None
            raise error from None
        if isinstance(document.data, dict) and isinstance(document.data.get("services"), dict):
            launches += read_compose(document)
        else:
            launches += read_manifest(document)
            services += service_names(document)
    said = tuple(Said("spec.service", name, line) for name, line in services)
    if not launches and services:
        return
    for launch in launches:
        own = tuple(s for s in said if s.value == "vllm")[:1]
        yield launch._replace(facts=(*launch.facts, *own)) if launch.kind == "kubernetes" else launch


def _documents(text: str) -> Iterator[tuple[int, str]]:
    """The documents of a stream, each with its first line."""
    current: list[str] = []
    start = 1
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if re.match(r"---(?:\s|$)", line):
            if "".join(current).strip():
                yield start, "".join(current)
            current, start = ["\n"], number
        else:
            current.append(line)
    if "".join(current).strip():
        yield start, "".join(current)
