import pytest

from gpudoctor.engine import EngineError
from gpudoctor.engine.diagnosis.judging import judge
from gpudoctor.engine.knowledge.casefile import Case, read_cases

TEXT = """incident: a
match:
  - standing: confirmed
    facts: {gpu.vendor: amd}
lookalike:
  - instead: b
    report: |
      a line
thin:
  - report: it hangs
"""


def test_cases_are_read():
    cases = read_cases(TEXT, "a.yaml")
    assert [(c.kind, c.standing, c.instead) for c in cases] == [
        ("match", "confirmed", ""),
        ("lookalike", "likely", "b"),
        ("thin", "likely", ""),
    ]
    assert cases[0].facts == {"gpu.vendor": "amd"}
    assert cases[1].report == "a line\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("match: []\n", '"incident" is missing'),
        ("incident: a\nmtch: []\n", 'did you mean "match"?'),
        ("incident: a\nmatch:\n  - name: x\n", "needs facts or a report"),
        ("incident: a\nmatch:\n  - standing: sure\n    report: x\n", 'a.yaml:3: "standing" must be one of'),
    ],
)
def test_wrong_files(text, message):
    with pytest.raises(EngineError) as error:
        read_cases(text, "a.yaml")
    assert message in str(error.value)


def case(kind, standing="likely", instead=""):
    return Case("a", kind, "x", "a.yaml", {}, "r", standing, instead)


def found(*pairs):
    return {"incidents": [{"id": i, "standing": s, "because": [{"slot": "suggests"}]} for i, s in pairs]}


FITS = {"incidents": [{"id": "a", "standing": "possible", "because": [{"slot": "requires"}]}]}


@pytest.mark.parametrize(
    ("one", "document", "wrong"),
    [
        (case("match"), found(("a", "likely")), []),
        (case("match", "confirmed"), found(("a", "likely")), ["it is only likely, not confirmed"]),
        (case("match"), found(("b", "likely"), ("a", "likely")), ["b comes first"]),
        (case("match"), found(), ["nothing comes first"]),
        (case("lookalike"), found(("b", "likely"), ("a", "possible")), []),
        (case("lookalike"), found(("a", "possible")), ["it comes first"]),
        (case("lookalike"), FITS, []),  # nothing speaks for it
        (case("lookalike"), found(("b", "likely"), ("a", "likely")), ["it is likely"]),
        (case("lookalike", instead="c"), found(("b", "likely")), ["b comes first instead of c"]),
        (case("thin"), found(("a", "possible")), []),
        (case("thin"), found(("a", "likely")), ["it is likely on too little evidence"]),
    ],
)
def test_judgement(one, document, wrong):
    assert list(judge(one, document)) == wrong
