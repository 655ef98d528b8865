"""The site of the built-in knowledge base, built once for all tests of this folder."""

from __future__ import annotations

import html
import re
from functools import cache

import pytest

from gpudoctor.cli.main import main

pytest.importorskip("jinja2", reason="Jinja2 is not installed (pip install 'gpudoctor[site]')")


URL = "https://docs.example.org/gpu"
"""Where the site will lie: pages name it as their address, and lead to each other without it."""


@pytest.fixture(scope="session")
def site(knowledge, tmp_path_factory):
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    assert main(["site", str(folder), "--site-url", URL + "/"]) == 0
    return folder


@pytest.fixture(scope="session")
def page_text(site):
    """A function that gives the text of a page without tags, citations and white space."""

    @cache
    def read(path):
        text = (site / path / "index.html").read_text(encoding="utf-8")
        body = text[text.index("<main") : text.index("</main>")]
        body = re.sub(r"<sup.*?</sup>", "", body)
        return bare(html.unescape(re.sub(r"<[^>]+>", "", body)))

    return read


def bare(text):
    """Text without white space and without the marks of Markdown."""
    return re.sub(r"[\s`*\\]", "", text)
