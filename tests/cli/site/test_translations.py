"""A page in Chinese where a translation lies in the knowledge base; the rules stay those of the original."""

import re

import pytest

from gpudoctor.cli.content.grades import GRADES
from gpudoctor.cli.render.words import VARIANTS
from gpudoctor.cli.site.build import Site
from gpudoctor.cli.site.catalogue import COMPLAINTS, Catalogue
from gpudoctor.cli.site.links import outline
from gpudoctor.cli.site.templating import environment
from gpudoctor.cli.site.translations import ENGLISH, LANGUAGES, PageWording, TranslationError, table
from gpudoctor.engine import Knowledge
from gpudoctor.engine.model import REMEDY_KINDS
from gpudoctor.engine.rules.scale import FREQUENCIES

from ...conftest import ROOT

NAME = "nofile-limit"
CHINESE = """---
title: 打开的文件太多
---

## Symptom

进程报告 `Too many open files`。{cite}

## Cause

每个连接都占用一个文件描述符。上限太低时，新的连接会失败。{cite}

## Tell it apart

没有相似的故障。

## Limits

无。
"""


def site_of(small_kb, tmp_path, text):
    original = next((ROOT / "kb" / "incidents").glob(f"*/{NAME}.md")).read_text(encoding="utf-8")
    files = {f"incidents/{NAME}.md": original, f"zh/incidents/{NAME}.md": text}
    wording = PageWording()
    return Site(Catalogue(Knowledge.load(small_kb(files))), environment(wording), wording, tmp_path / "out")


@pytest.fixture
def cite(knowledge):
    return f"[^{knowledge.incident(NAME).sources[0].id}]"


def test_both_languages_are_built_and_lead_to_each_other(small_kb, tmp_path, cite):
    site = site_of(small_kb, tmp_path, CHINESE.format(cite=cite))
    assert ("incident", NAME, "zh") in site.tasks()
    assert [task for task in site.tasks() if task[2] != ENGLISH] == [("incident", NAME, "zh")]
    path, page = site.render("incident", NAME, "zh")
    assert path == f"incidents/{NAME}/zh.html"
    assert '<html lang="zh">' in page
    assert "<h1>打开的文件太多</h1>" in page
    assert "每个连接都占用一个文件描述符" in page
    assert ">首先做什么</h2>" in page
    assert "index.html" in outline(path, page).targets
    path, page = site.render("incident", NAME)
    assert path == f"incidents/{NAME}/index.html"
    assert '<html lang="en">' in page
    assert "首先做什么" not in page
    assert "zh.html" in outline(path, page).targets


def test_the_rules_are_those_of_the_original(small_kb, tmp_path, cite):
    site = site_of(small_kb, tmp_path, CHINESE.format(cite=cite))
    rules = [re.findall('data-rule="([^"]*)"', site.render("incident", NAME, name)[1]) for name in LANGUAGES]
    assert rules[0] == rules[1] != []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## Cause", "## 原因", "the headings must be those of the original"),
        ("title: 打开的文件太多", "title: x\nvendors: [amd]", "holds the title and nothing else"),
    ],
)
def test_a_translation_that_does_not_fit_is_refused(small_kb, tmp_path, cite, old, new, said):
    site = site_of(small_kb, tmp_path, CHINESE.format(cite=cite).replace(old, new))
    with pytest.raises(TranslationError, match=said):
        site.render("incident", NAME, "zh")


def test_every_word_of_these_pages_has_its_translation():
    templates = ROOT / "cli" / "site" / "templates"
    used = set()
    for name in ("base", "parts", "incident", "remedy"):
        used |= set(re.findall(r'_\("([^"]+)"\)', (templates / f"{name}.html").read_text(encoding="utf-8")))
    assert len(used) > 30
    used |= {complaint.title for complaint in COMPLAINTS} | set(GRADES.values()) | set(VARIANTS.values())
    used |= set(FREQUENCIES) | set(REMEDY_KINDS)
    for language in LANGUAGES:
        if language != ENGLISH:
            assert sorted(used - set(table(language))) == []


def test_without_translations_there_is_no_choice(site):
    text = (site / "incidents" / NAME / "index.html").read_text(encoding="utf-8")
    assert "hreflang" not in text
