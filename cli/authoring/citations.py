"""``gpudoctor kb links``: whether the citations are still there. Every address is reported, none dropped."""

from __future__ import annotations

import socket
import ssl
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from urllib.parse import urlsplit

from gpudoctor.engine.tuples import NamedTuple

from ...engine import Knowledge
from ...engine.model import FactSpec, Incident, Product, Remedy

AT_ONCE = 16
_AGENT = "gpudoctor-kb-links"
_NO_HEAD = (403, 404, 405, 429, 501)
"""Answers after which GET is tried: some hosts refuse HEAD in one of these ways."""
OFFLINE = "no network"
_STATES = ("gone", "refused", "failed", "unreachable", OFFLINE, "moved", "there")


class Answer(NamedTuple):
    """What became of one address: a state, and the host's own words."""

    state: str
    detail: str


_NO_HOST = Answer(OFFLINE, "the name of the host cannot be resolved")


def citations(knowledge: Knowledge) -> dict[str, list[str]]:
    """Every cited address, with the files that cite it."""
    entries: list[Incident | Remedy | FactSpec | Product] = [*map(knowledge.incident, knowledge.incident_ids)]
    entries += [*map(knowledge.remedy, knowledge.remedy_ids), *knowledge.facts()]
    entries += map(knowledge.product, knowledge.product_ids)
    cited: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        for source in entry.sources:
            cited[source.url.partition("#")[0]].append(entry.path)
    return dict(sorted(cited.items()))


def ask_all(urls: Iterable[str], timeout: float) -> dict[str, Answer]:
    """Ask for all addresses, several at once. A host without an address is not asked a second time."""
    listed = list(urls)
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=ssl.create_default_context()))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        hosts = sorted({urlsplit(url).hostname or "" for url in listed})
        known = {host for host, found in zip(hosts, pool.map(_resolves, hosts), strict=True) if found}

        def one(url: str) -> Answer:
            return ask(opener, url, timeout) if (urlsplit(url).hostname or "") in known else _NO_HOST

        return dict(zip(listed, pool.map(one, listed), strict=True))


def _resolves(host: str) -> bool:
    try:
        return bool(socket.getaddrinfo(host, 443))
    except (OSError, UnicodeError):
        return False


def ask(opener: urllib.request.OpenerDirector, url: str, timeout: float) -> Answer:
    """One address: HEAD, then GET where a host does not like HEAD."""
    answer = _request(opener, url, "HEAD", timeout)
    if answer.detail.isdigit() and int(answer.detail) in _NO_HEAD:
        return _request(opener, url, "GET", timeout)
    return answer


def _request(opener: urllib.request.OpenerDirector, url: str, method: str, timeout: float) -> Answer:
    try:
        request = urllib.request.Request(url, method=method, headers={"User-Agent": _AGENT})
        with opener.open(request, timeout=timeout) as reply:
            return Answer("moved", reply.url) if reply.url != url else Answer("there", str(reply.status))
    except urllib.error.HTTPError as error:
        return Answer("gone" if error.code in (404, 410) else "refused", str(error.code))
    except urllib.error.URLError as error:
        return _no_answer(error.reason)
    except (OSError, ValueError, HTTPException) as error:
        return _no_answer(error)


def _no_answer(reason: object) -> Answer:
    if isinstance(reason, socket.gaierror):
        return _NO_HOST
    if isinstance(reason, TimeoutError):
        return Answer("unreachable", "no answer in time")
    if isinstance(reason, ssl.SSLError):
        return Answer("failed", str(reason))
    if isinstance(reason, OSError):
        return Answer("unreachable", reason.strerror or str(reason))
    return Answer("failed", str(reason))


def report(cited: Mapping[str, list[str]], answers: Mapping[str, Answer]) -> str:
    """What came back, the bad news first; what is there is only counted."""
    by_state: dict[str, list[str]] = defaultdict(list)
    for url, answer in answers.items():
        by_state[answer.state].append(url)
    count = len(answers)
    if count and len(by_state[OFFLINE]) == count:
        return f"There is no network here: none of the {count} addresses could be checked.\n"
    lines = []
    for state in _STATES[:-1]:
        for url in by_state[state]:
            lines.append(f"{state:11}  {url}  ({answers[url].detail})")
            lines.append(f"{'':11}  cited by {', '.join(dict.fromkeys(cited[url]))}")
    counted = ", ".join(f"{len(by_state[state])} {state}" for state in reversed(_STATES) if by_state[state])
    return "\n".join([*lines, f"{count} addresses: {counted or 'nothing to check'}"]) + "\n"
