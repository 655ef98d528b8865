"""Each rule of the linter, by a knowledge base that breaks just that one."""

import re

import pytest

from gpudoctor.engine.knowledge.lint import lint
from gpudoctor.engine.knowledge.lint.citations import problem

from .smallkb import REMEDY, fact, incident, small_knowledge


def problems(small_kb, changes):
    files = {**small_knowledge(), **changes}
    return lint(str(small_kb({k: v for k, v in files.items() if v})), built_in=False)


def test_the_built_in_knowledge_base_is_clean():
    from gpudoctor.engine.knowledge.opening import BUILT_IN

    assert lint(BUILT_IN) == []


def test_the_small_one_is_clean(small_kb):
    assert problems(small_kb, {}) == []


def logic(text):
    return dict([incident("broken-part", text)])


STOP = "suggests:\n  - strong: {symptom.stop: true}\n"
LEDGER = '"checked" must be a day'


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (logic("suggests: []\n"), "nothing suggests or confirms it"),
        (logic(STOP + "said: [it breaks]\n"), "said 'it breaks': a wording has 3 words"),
        (logic(STOP + "said: [it breaks at night, It breaks at night]\n"), "stands there twice"),
        (logic("collective: true\nconfirms:\n  - symptom.stop: true\n"), "must not be confirmed by anything"),
        (
            logic(STOP + "requires:\n  - part.broken: true\nexcludes:\n  - part.broken: true\n"),
            "required and excludes",
        ),
        (
            logic("requires:\n  - virtualization: none\nsuggests:\n  - weak: {virtualization: vm}\n"),
            "virtualization is required to be none, so this can never hold",
        ),
        (
            logic(STOP + "confirms:\n  - all: [{runtime: bare}, {runtime: docker}]\n"),
            "runtime cannot have two values at once",
        ),
        (
            dict([incident("twin", "requires:\n  - virtualization: vm\n" + STOP)]),
            "no fact can tell it apart from bad-guest",
        ),
        (
            logic(STOP + "explains: [symptom.stp]\n"),
            'there is no fact "symptom.stp"; did you mean symptom.stop?',
        ),
        (
            {"remedies/turn-it-off.md": REMEDY.replace("title: Turn it off", f"title: {'Turn ' * 17}it off")},
            "the title is too long for one line",
        ),
        (logic(STOP + "checked: 22.11.2026\n"), LEDGER),
        (logic(STOP + "checked: 2026-11\n"), LEDGER),
        (logic(STOP + "checked: 2926-11-22\n"), "must be a day that has come, not 2926-11-22"),
        (
            {"remedies/turn-it-off.md": REMEDY.replace("risk: none", "risk: none\nchecked: 2026-02-30")},
            LEDGER,
        ),
        (logic(STOP + "lookalikes:\n  - {id: nobody, by: []}\n"), 'there is no incident "nobody"'),
        (
            logic(STOP + "lookalikes:\n  - {id: bad-guest, by: [virtualization]}\n"),
            "bad-guest does not name it as a look-alike in turn",
        ),
        (
            dict([fact("symptom.stop", more="question: q\nsignatures:\n  - literal: x\n    matches: [y]\n")]),
            "does not match its own example 'y'",
        ),
        (
            dict(
                [
                    fact(
                        "symptom.stop",
                        more="signatures:\n  - literal: x\n    matches: [x]\n    rejects: [xx]\n",
                    )
                ]
            ),
            "it matches 'xx', which it must not",
        ),
        (
            dict(
                [
                    fact(
                        "symptom.stop",
                        more="signatures:\n  - literal: x\n    pattern: 'x(x+)+y'\n    matches: [xy]\n",
                    )
                ]
            ),
            "in too many ways",
        ),
        (
            dict(
                [
                    fact(
                        "symptom.stop",
                        more="signatures:\n  - literal: x\n    pattern: '(x'\n    matches: [x]\n",
                    )
                ]
            ),
            "is no expression",
        ),
        (
            dict(
                [
                    fact(
                        "symptom.stop",
                        more="signatures:\n  - literal: X\n    words: true\n    matches: [x]\n",
                    )
                ]
            ),
            "must be in lower case",
        ),
        (
            {"remedies/turn-it-off.md": REMEDY.replace("export NCCL", "export 'NCCL")},
            "this shell block does not parse",
        ),
        ({"remedies/turn-it-off.md": REMEDY.replace("## Undo", "## Undone")}, "the headings must be"),
        ({"remedies/turn-it-off.md": REMEDY.replace("[^docs]", "")}, 'the source "docs" supports no claim'),
        (
            {"remedies/turn-it-off.md": re.sub(r"(  - id: docs\n(?:    .*\n)+)", r"\1\1", REMEDY)},
            'there are two sources "docs"',
        ),
        (
            {"remedies/turn-it-off.md": REMEDY.replace("[^docs]", "[^dcs]")},
            "the footnote [^dcs] has no source",
        ),
        (
            {"remedies/turn-it-off.md": REMEDY.replace("Set the variable.", "See [this](gone.md).")},
            "the link gone.md leads nowhere",
        ),
        (
            {"remedies/turn-it-off.md": REMEDY.replace("Set the variable.", "See [this](ftp://x.org/).")},
            "is no web address",
        ),
        (
            {"remedies/other.md": REMEDY.replace("id: turn-it-off", "id: other")},
            "no incident uses this remedy",
        ),
        (
            {
                "facts/env.NCCL_P2P_DISABLE.md": fact(
                    "env.NCCL_P2P_DISABLE", "text", 'env:\n  allowed: ["0"]\n'
                )[1]
            },
            "NCCL_P2P_DISABLE=1: the documented values are 0",
        ),
        (
            dict([fact("env.NCCL_OLD", "text", "env:\n  until: two years ago\n")]),
            '"until" is a product and a release',
        ),
        (
            dict([fact("env.NCCL_OLD", "text", "env:\n  until: nccl 2.4\n  alias: true\n")]),
            'an alias needs "renamed" and "until"',
        ),
        (
            dict([fact("env.NCCL_OLD", "text", 'env:\n  allowed: ["0"]\n  hurts: {"1": it is slow}\n')]),
            "1 cannot hurt: the documented values are 0",
        ),
        (
            logic(
                STOP
                + "lookalikes:\n  - {id: bad-guest, by: [virtualization]}\n"
                + "  - {id: bad-guest, by: [virtualization]}\n"
            ),
            "bad-guest is named twice as a look-alike",
        ),
        (
            {
                name: text.replace("explained here at some length.[^docs]", "explained here at some length.")
                for name, text in [incident("broken-part", STOP + "excludes:\n  - part.broken: false\n")]
            },
            "this paragraph of Cause has no source",
        ),
    ],
)
def test_what_the_linter_refuses(small_kb, changes, message):
    found = problems(small_kb, changes)
    assert any(message in problem for problem in found), found


def test_wrappers_and_warnings_never_confirm(small_kb):
    changes = dict(
        [
            fact("symptom.wrapper", more="secondary: true\nquestion: q\n"),
            fact("symptom.noise", more="harmless: true\nquestion: q\n"),
            incident("broken-part", "confirms:\n  - symptom.wrapper: true\n"),
            incident("bad-guest", "suggests:\n  - strong: {symptom.noise: true}\n"),
        ]
    )
    found = problems(small_kb, changes)
    assert any("cannot confirm a cause (symptom.wrapper)" in p for p in found)
    assert any("a harmless warning is no evidence by itself (symptom.noise)" in p for p in found)


def test_an_overlay_is_checked_against_the_built_in_vocabulary(small_kb):
    name, text = incident("mine", "suggests:\n  - strong: {symptom.hang-at-init: true}\n")
    good = small_kb({name: text.replace("turn-it-off", "nccl-p2p-disable")}, "good")
    assert lint(str(good)) == []
    bad = small_kb({name: text.replace("symptom.hang-at-init", "symptom.hang-at-int")}, "bad")
    assert "did you mean symptom.hang-at-init?" in lint(str(bad))[0]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://github.com/NVIDIA/nccl", "is a bare repository (NVIDIA/nccl)"),
        ("https://github.com/NVIDIA/nccl/", "is a bare repository"),
        ("https://github.com/NVIDIA/nccl/tree/master", "is a bare repository"),
        ("https://github.com/NVIDIA/nccl/issues", "is a bare repository"),
        ("https://git.zx2c4.com/linux-rng/plain/drivers/x.c", "is a copy (git.zx2c4.com)"),
        ("https://docs.rs/crseo-sys/latest/constant.html", "is a copy (docs.rs)"),
        ("https://web.archive.org/web/2020/https://a.b/c", "is a copy (web.archive.org)"),
        (
            "https://github.com/nimlgen/amdgpu_ubuntu_22_04/blob/master/a.c",
            "is a copy (nimlgen/amdgpu_ubuntu_22_04): cite ROCm/ROCK-Kernel-Driver",
        ),
    ],
)
def test_a_source_is_primary(small_kb, url, message):
    found = problems(small_kb, {"remedies/turn-it-off.md": REMEDY.replace("https://example.org/docs", url)})
    assert any(f'the source "docs" {message}' in problem for problem in found), found


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/NVIDIA/nccl/issues/1",
        "https://github.com/NVIDIA/nccl/blob/v2.27.3-1/src/init.cc",
        "https://github.com/NVIDIA/nccl/tree/v2.27.3-1/src/graph",
        "https://github.com/NVIDIA/nccl/tags",
        "https://docs.nvidia.com/deploy/xid-errors/",
    ],
)
def test_what_a_source_may_be(url):
    assert problem(url) == ""
