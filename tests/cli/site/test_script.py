"""The site's script and the engine read the same signs, on every example of every signature."""

import json
import shutil
import subprocess

import pytest

from gpudoctor.cli.content.search import find_entries, signs_of
from gpudoctor.cli.site.javascript import javascript
from gpudoctor.engine.language.matching import read

node = shutil.which("node")
pytestmark = pytest.mark.skipif(node is None, reason="node is not installed")

_RUN = """
const fs = require("fs");
globalThis.window = {};
for (const name of ["words", "signs", "find"]) {
  (0, eval)(fs.readFileSync(`${process.argv[1]}/assets/${name}.js`, "utf8"));
}
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
const G = window.GPUDOCTOR, S = window.GPUDOCTOR_SIGNS;
console.log(JSON.stringify({
  read: asked.read.map(([fact, number, line]) => G.read(S.signatures[fact][number], line)),
  signs: asked.texts.map(text => G.signsIn(text)),
  hits: asked.texts.map(text => G.search(text).hits.slice(0, 5).map(
    ({document, score}) => [document[0], document[1], score])),
}));
"""

SAID = (
    "tp=2 hangs",
    "No hang with one GPU. It hangs with 8 GPUs in the first all-reduce",
    "程序卡在 barrier",
    "node7:41:43 [3] misc/ibvwrap.cc:160 NCCL WARN Call to ibv_modify_qp failed with error Invalid argument",
    "OSError: [Errno 24] Too many open files\nit is stuck in init_process_group; the single GPU works",
)


@pytest.fixture(scope="module")
def examples(knowledge):
    """Fact, number of the signature, and line: everything that must match, or must not."""
    return [
        (spec.name, number, line)
        for spec in knowledge.facts()
        for number, signature in enumerate(spec.signatures)
        for line in (*signature.matches, *signature.rejects)
    ]


@pytest.fixture(scope="module")
def script(site, examples):
    """What the script says of the examples and of a few texts."""
    asked = json.dumps({"read": examples, "texts": SAID})
    done = subprocess.run(
        [node, "-e", _RUN, str(site)], input=asked, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_example_of_every_signature(knowledge, examples, script):
    signatures = knowledge.signatures()
    assert len(examples) > 1000
    assert sum(bool(signatures[fact][number].near) for fact, number, _ in examples) > 100
    differing = [
        (fact, line, here, there)
        for (fact, number, line), there in zip(examples, script["read"], strict=True)
        if (here := read(signatures[fact][number], line)) != there
    ]
    assert differing == []
    assert any(there is None for there in script["read"])  # the examples that must not match


def test_the_signs_of_a_text(knowledge, script):
    for text, there in zip(SAID, script["signs"], strict=True):
        assert {name: sign.value for name, sign in signs_of(knowledge, text).items()} == there
        assert there, text


def test_what_a_search_finds(knowledge, script):
    for text, there in zip(SAID, script["hits"], strict=True):
        here = [
            [hit.kind, hit.id, pytest.approx(hit.score, abs=0.002)]
            for hit in find_entries(knowledge, text)[:5]
        ]
        assert there == here, text


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        (r"(?i:out[- ]of) x", r"(?:[oO][uU][tT][- ][oO][fF]) x"),
        (r"(?i:(?P<n>[a-f\d])k)|b", r"(?:(?<n>[a-f\dA-F])[kK])|b"),
        (r"[(?i:]a\(b", r"[(?i:]a\(b"),
    ],
)
def test_expressions_for_a_browser(pattern, source):
    assert javascript(pattern) == [source, ""]
