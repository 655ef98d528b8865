"""One comment under an issue, made or edited in place."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

from ..errors import UsageError
from .reply import MARK

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_PAGES, _PER_PAGE = 30, 100
_SECONDS = 20
_LARGEST = 16 << 20
_ELSEWHERE = "it sends us to another address"


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    """A redirection is refused: it would carry the token to wherever it leads."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        raise urllib.error.HTTPError(req.full_url, code, _ELSEWHERE, headers, fp)


_OPENER = urllib.request.build_opener(_NoRedirection)


class Issue:
    """An issue by its number. Every call raises UsageError where GitHub refuses."""

    def __init__(self, repository: str, number: int, token: str, author: str, api: str) -> None:
        if not _REPOSITORY.fullmatch(repository) or ".." in repository:
            raise UsageError("GITHUB_REPOSITORY names no repository")
        if not api.startswith("https://"):
            raise UsageError("GITHUB_API_URL must begin with https://")
        self._comments = f"{api}/repos/{repository}/issues/{number}/comments"
        self._comment = f"{api}/repos/{repository}/issues/comments"
        self._token = token
        self._author = author

    def own_comment(self) -> dict[str, Any] | None:
        """What was said here before: by the mark, and only if it is our own. Anybody can write the mark."""
        for page in range(1, _PAGES + 1):
            listed = call(self._token, "GET", f"{self._comments}?per_page={_PER_PAGE}&page={page}")
            if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
                raise UsageError("GitHub did not take the answer: it lists no comments")
            for comment in listed:
                user = comment.get("user")
                login = user.get("login") if isinstance(user, dict) else None
                if login == self._author and str(comment.get("body")).startswith(MARK):
                    return dict(comment)
            if len(listed) < _PER_PAGE:
                return None
        return None

    def say(self, text: str) -> None:
        """A new comment."""
        call(self._token, "POST", self._comments, {"body": text})

    def edit(self, comment: int, text: str) -> None:
        """The same comment, with other words."""
        call(self._token, "PATCH", f"{self._comment}/{int(comment)}", {"body": text})


def call(token: str, method: str, url: str, body: dict[str, str] | None = None) -> Any:
    """What GitHub answers to one request. The token goes to that address only. Raises UsageError."""
    request = urllib.request.Request(
        url,
        method=method,
        data=json.dumps(body).encode() if body else None,
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "User-Agent": "gpudoctor",
        },
    )
    try:
        with _OPENER.open(request, timeout=_SECONDS) as response:
            answer = response.read(_LARGEST + 1)
        if len(answer) > _LARGEST:
            raise UsageError("GitHub did not take the answer: what it says is too long")
        return json.loads(answer)
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        raise UsageError(f"GitHub did not take the answer: {error}") from None
