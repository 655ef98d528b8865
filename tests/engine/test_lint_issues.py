"""What the linter refuses of known issues and product tables, each by a knowledge base that breaks just that."""

import time

import pytest

from gpudoctor.engine.knowledge.lint import lint
from gpudoctor.engine.knowledge.lint.prose import parsed_together

from .issuekb import ISSUE, ISSUE_PATH, PRODUCT, issue_knowledge, other_issue


def problems(small_kb, files):
    return lint(str(small_kb(files)), built_in=False)


def changed(old, new):
    assert old in ISSUE, old
    return issue_knowledge(**{ISSUE_PATH: ISSUE.replace(old, new)})


def test_the_small_one_is_clean(small_kb):
    assert problems(small_kb, issue_knowledge()) == []


def without_signs(text):
    return text[: text.index("signs:")] + text[text.index("said:") :]


def silent(text):
    return issue_knowledge(**{ISSUE_PATH: without_signs(text)})


TABLE = "products/nccl.md"
UNBOUNDED = ISSUE.replace('    introduced: "2.22.3"\n    fixed: "2.23.4"\n', "").replace(
    "needs:\n  - runtime: docker\n", ""
)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            changed('introduced: "2.22.3"', 'introduced: "2.22.4"'),
            "introduced: 2.22.4 is no release in products/nccl.md",
        ),
        (changed('fixed: "2.23.4"', 'fixed: "2.23.9"'), "fixed: 2.23.9 is no release"),
        (changed('introduced: "2.22.3"', 'introduced: "2.26.2"'), "introduced in 2.26.2, and fixed no later"),
        (
            changed("2.23.4 has the fix.[^notes]", "2.23.4 has the fix."),
            "the range of releases has no source",
        ),
        (
            changed('matches: ["node1:7:9 [0] NCCL WARN lazy connect gave up after 30 s"]', "matches: [x]"),
            "does not match its own example 'x'",
        ),
        (
            changed('rejects: ["lazy connect gave up"]', 'rejects: ["lazy connect gave up after 1 s"]'),
            "which it must not",
        ),
        (
            changed("## Affected", "## Concerned"),
            "the headings must be What happens, Affected, What to do, Limits",
        ),
        (changed("never ends.[^notes]", "never ends.[^nots]"), "the footnote [^nots] has no source"),
        (changed("[^notes]", ""), 'the source "notes" supports no claim'),
        (changed("checked: 2026-11-22", "checked: lately"), '"checked" must be a day'),
        (changed("checked: 2026-11-22", "checked: 2026-13-22"), '"checked" must be a day'),
        (changed("remedies: []", "remedies: [pray]"), 'there is no remedy "pray"'),
        (
            changed('    matches: ["node1:7:9 [0] NCCL WARN lazy connect gave up after 30 s"]\n', ""),
            "sign 1 is said to be specific and shows no line",
        ),
        (
            changed("A connection made late can hang", "One sentence that a person would recognize"),
            "a skeleton that nobody has filled in",
        ),
        (changed("A connection made late can hang", "A connection " * 8), "more than 80 characters"),
        (changed("export NCCL_R", "export 'NCCL_R"), "this shell block does not parse"),
        (silent(UNBOUNDED), "nothing leads to it"),
        (
            {**issue_knowledge(), **dict([other_issue("ucx-hang")])},
            "the id must start with the product, nccl-",
        ),
        (
            {**issue_knowledge(), "known-issues/ucx/nccl-b.md": other_issue("nccl-b")[1]},
            "it belongs into the folder nccl/",
        ),
        (
            {
                **issue_knowledge(),
                "known-issues/nccl/nccl-b.md": ISSUE.replace("nccl-2-22-lazy-hang", "nccl-b"),
            },
            "finds a line of nccl-b",
        ),
        (
            issue_knowledge(**{TABLE: PRODUCT.replace("2.23.3", "2.22.3")}),
            "the release 2.22.3 stands there twice",
        ),
        (issue_knowledge(**{TABLE: PRODUCT.replace("2.23.3", "newest")}), "'newest' is not a version"),
        (issue_knowledge(**{TABLE: PRODUCT.replace("2024-08-24", "August")}), '"August" is no date'),
        (
            issue_knowledge(**{TABLE: PRODUCT.replace("## How to find the version", "## Finding it")}),
            "the headings must be How to find the version",
        ),
    ],
)
def test_what_the_linter_refuses(small_kb, files, message):
    found = problems(small_kb, files)
    assert any(message in problem for problem in found), found


def test_the_file_is_named_like_the_id(small_kb):
    files = {**issue_knowledge(), "known-issues/nccl/nccl-other.md": ISSUE}
    assert '"id" must be the name of the file, nccl-other' in problems(small_kb, files)[0]


def test_a_hang_without_a_sign_is_reached_by_the_range_and_the_road(small_kb):
    assert problems(small_kb, silent(ISSUE)) == []


@pytest.mark.parametrize(
    "block",
    ["echo 'open\n", 'echo "open\n', "echo $(ls\n", "if true; then\n", "for x in a; do\n", "echo )\n"],
)
def test_blocks_parsed_together_hide_no_error(block):
    good = ["echo 'a b'\n", 'echo "c"  # it\'s\n', "if true; then ls; fi\n", "ls |\n  wc \\\n"]
    assert parsed_together(good) == set(good)
    for place in range(len(good) + 1):
        assert not parsed_together([*good[:place], block, *good[place:]])


def test_seven_hundred_pages_are_checked_in_ten_seconds(small_kb):
    files = issue_knowledge()
    for number in range(700):
        path, text = other_issue(f"nccl-issue-{number:03}x")
        files[path] = text
    folder = small_kb(files)
    started = time.process_time()
    assert lint(str(folder), built_in=False) == []
    assert time.process_time() - started < 10
