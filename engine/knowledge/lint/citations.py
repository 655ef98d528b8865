"""Linter: a source is primary: the file at a release, the thread, the vendor's page; no copy and no bare repository."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from ..files import LoadedFile

MIRRORS = {
    "bleepcoder.com": "the thread on GitHub",
    "blog.csdn.net": "what it copies",
    "code.python88.com": "what it copies",
    "docs.rs": "the documentation of the vendor",
    "fossies.org": "the file at a tag",
    "git.zx2c4.com": "the file or commit in torvalds/linux",
    "githubhelp.com": "the thread on GitHub",
    "githubhot.com": "the thread on GitHub",
    "githubissues.com": "the thread on GitHub",
    "githubplus.com": "the thread on GitHub",
    "gitmemory.com": "the thread on GitHub",
    "gitmemory.cn": "the thread on GitHub",
    "issuehint.com": "the thread on GitHub",
    "issueantenna.com": "the thread on GitHub",
    "lightrun.com": "the thread on GitHub",
    "linux.die.net": "the manual page of the project",
    "pkg.go.dev": "the file at a tag",
    "stackoom.com": "the question on Stack Overflow",
    "third-party-mirror.googlesource.com": "the file in the project's own repository",
    "web.archive.org": "the page itself, and what it says in a footnote",
}
"""Hosts that copy what others wrote, and what to cite in their place."""
COPIES = {"nimlgen/amdgpu_ubuntu_22_04": "ROCm/ROCK-Kernel-Driver"}
"""Repositories that are copies, and those that they copy."""
_REPOSITORY = re.compile(r"https?://(?:www\.)?(?:github|gitlab)\.com/([^/#?]+/[^/#?]+)(/[^#?]*)?")
_NOTHING = re.compile(
    r"/?|/(?:issues|pulls|wiki|tree/[^/]+)/?"
)  # lists of tags and releases say when something came


def check(file: LoadedFile) -> Iterator[str]:
    """The sources of one page."""
    for part in file.head().parts("sources"):
        if wrong := problem(part.text("url")):
            yield f'{file.where}: the source "{part.text("id")}" {wrong}'


def problem(url: str) -> str:
    """What is wrong with an address as a citation; empty where nothing is."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    if host in MIRRORS:
        return f"is a copy ({host}): cite {MIRRORS[host]}"
    found = _REPOSITORY.match(url)
    if found is None:
        return ""
    name = found[1].removesuffix(".git")
    if name in COPIES:
        return f"is a copy ({name}): cite {COPIES[name]}"
    if _NOTHING.fullmatch(found[2] or ""):
        return f"is a bare repository ({name}): cite the file at a tag, the release, or the thread"
    return ""
