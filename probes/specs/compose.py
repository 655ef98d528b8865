"""Compose files: one launch for each service."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.facts.yamltext import Document, Path
from .containers import left_out, read_capability, read_device, read_image, read_limit, read_mount
from .launch import COMPOSE, Draft, Launch, size, text_line, whole
from .programs import read_command
from .shellwords import ASSIGNMENT, Word, commands


def read_compose(document: Document) -> Iterator[Launch]:
    """Every service that is started."""
    services = document.data.get("services") if isinstance(document.data, dict) else None
    for name, service in services.items() if isinstance(services, dict) else ():
        if isinstance(service, dict):
            yield _service(document, name, _merged(service), ("services", name)).finished()


def _merged(service: dict[str, Any]) -> dict[str, Any]:
    """A service with what ``<<: *anchor`` brings; its own keys count."""
    base = service.get("<<")
    for part in base if isinstance(base, list) else [base]:
        if isinstance(part, dict):
            service = {**_merged(part), **service}
    return service


def _service(document: Document, name: str, service: dict[str, Any], place: Path) -> Draft:
    draft = Draft(COMPOSE, name, document.line(place))

    def line(*path: str | int) -> int:
        return document.line((*place, *path))

    draft.say("runtime", "docker", draft.line)
    if isinstance(service.get("image"), str):
        read_image(service["image"], draft, line("image"))
    _rights(service, line, draft)
    _devices(service, line, draft)
    _settings(service, line, draft)
    words = _words(service.get("entrypoint"), line, "entrypoint") + _words(
        service.get("command"), line, "command"
    )
    if draft.value("launcher") == "vllm" and words and words[0].text.startswith("-"):
        words = [Word("vllm", words[0].line), Word("serve", words[0].line), *words]
    read_command(words, draft)
    if not draft.value("node.count") and not draft.value("spec.nodes_elsewhere"):
        draft.say("node.count", 1, draft.line)
    left_out(draft)
    return draft


def _rights(service: dict[str, Any], line: Any, draft: Draft) -> None:
    if service.get("privileged") == "true":
        draft.say("container.privileged", True, line("privileged"))
    mode = service.get("network_mode")
    network = mode if mode in ("host", "none", "bridge") else "other" if mode else "bridge"
    draft.say("container.network", network, line("network_mode"))
    ipc = str(service.get("ipc") or "")
    if ipc == "host" or ipc.startswith(("container:", "service:")):
        draft.say("container.shm", "host", line("ipc"))
    if service.get("shm_size"):
        draft.say("container.shm", "set", line("shm_size"))
        if number := size(str(service["shm_size"])):
            draft.say("shm.size_bytes", number, line("shm_size"))
    limits = service.get("ulimits")
    for name, value in limits.items() if isinstance(limits, dict) else ():
        soft = value.get("soft") if isinstance(value, dict) else value
        read_limit(f"{name}={soft}", draft, line("ulimits", name))
    for number, name in enumerate(_list(service.get("cap_add"))):
        read_capability(name, draft, line("cap_add", number))


def _devices(service: dict[str, Any], line: Any, draft: Draft) -> None:
    for number, device in enumerate(_list(service.get("devices"))):
        read_device(device, draft, line("devices", number))
    for number, volume in enumerate(service.get("volumes") or ()):
        if isinstance(volume, dict):
            read_mount(
                str(volume.get("source") or ""),
                str(volume.get("target") or ""),
                draft,
                line("volumes", number),
            )
        elif isinstance(volume, str):
            source, _, target = volume.partition(":")
            read_mount(source, target.partition(":")[0], draft, line("volumes", number))
    for number, mount in enumerate(_list(service.get("tmpfs"))):
        read_mount("", mount.partition(":")[0], draft, line("tmpfs", number))
    if (
        service.get("runtime") in ("nvidia", "amd")
        or service.get("gpus")
        or service.get("device_cgroup_rules")
    ):
        draft.say("spec.gpu_access", True, line("runtime"))
    reserved: Any = service
    for key in ("deploy", "resources", "reservations", "devices"):
        reserved = reserved.get(key) if isinstance(reserved, dict) else None
    path = ("deploy", "resources", "reservations", "devices")
    for number, one in enumerate(reserved if isinstance(reserved, list) else ()):
        if isinstance(one, dict):
            _reserved(one, line(*path, number), draft)


def _reserved(one: dict[str, Any], line: int, draft: Draft) -> None:
    if "gpu" in _list(one.get("capabilities")) or one.get("driver") in ("nvidia", "cdi"):
        draft.say("spec.gpu_access", True, line)
    if one.get("driver") == "nvidia":
        draft.say("gpu.vendor", "nvidia", line)
    count = whole(str(one.get("count") or ""))
    ids = _list(one.get("device_ids"))
    if count or ids:
        draft.say("spec.gpus", count or len(ids), line)


def _settings(service: dict[str, Any], line: Any, draft: Draft) -> None:
    found = service.get("environment")
    if isinstance(found, dict):
        for name, value in found.items():
            if isinstance(value, str):
                draft.set(name, value, line("environment", name))
    for number, text in enumerate(found if isinstance(found, list) else ()):
        pair = ASSIGNMENT.fullmatch(text) if isinstance(text, str) else None
        if pair:
            draft.set(pair[1], pair[2], line("environment", number))


def _words(value: Any, line: Any, key: str) -> list[Word]:
    if isinstance(value, str):
        start = text_line(value, line(key))
        return [word for command in commands(value, start) for word in command]
    return [Word(text, line(key, n)) for n, text in enumerate(value or ()) if isinstance(text, str)]


def _list(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
