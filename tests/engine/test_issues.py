"""Known issues and products: what the loader makes of them, and what the rules conclude."""

import pytest

from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.errors import EngineError
from gpudoctor.engine.knowledge.affected import span
from gpudoctor.engine.model import Affected, Product, Release

from .issuekb import ISSUE, ISSUE_PATH, PRODUCT, issue_knowledge

ID = "nccl-2-22-lazy-hang"
SIGN = f"issue.{ID}"


@pytest.fixture
def loaded(small_kb):
    return Knowledge.load(small_kb(issue_knowledge()), built_in=False)


def standing(knowledge, engine="durable", **facts):
    session = Session(knowledge, engine)
    try:
        for name, value in facts.items():
            session.tell(name.replace("__", ".").replace("issue.sign", SIGN), value)
        return {s.id: s.standing for s in session.standings()}.get(ID)
    finally:
        session.close()


def test_one_page_becomes_a_sign_an_incident_and_a_remedy(loaded):
    sign, incident = loaded.vocabulary.spec(SIGN), loaded.incident(ID)
    assert (sign.type, sign.sign, sign.cost) == ("bool", True, 1)
    assert sign.question.startswith("Does the output hold a line such as: node1")
    assert sign.said[0] == "hangs since the upgrade to 2.22"
    assert sign.signatures[0].literals == ("lazy connect gave up",)
    assert (incident.kind, incident.family, incident.product) == ("known-issue", "release", "nccl")
    assert incident.affects == (Affected("nccl", "2.22.3", "2.23.4"),)
    assert incident.summary == "The first collective never ends."
    assert loaded.issue_ids == {ID}
    assert ID not in loaded.fault_ids
    (name,) = incident.remedies
    remedy = loaded.remedy(name)
    assert (remedy.kind, remedy.title) == ("fix", "Move to NCCL 2.23.4 or later")
    assert remedy.sets == (("NCCL_RUNTIME_CONNECT", "0"),)
    assert [len(step.commands) for step in remedy.steps[""]] == [1, 1]


def test_without_a_fixed_release_the_remedy_is_a_workaround(small_kb):
    files = issue_knowledge(**{ISSUE_PATH: ISSUE.replace('    fixed: "2.23.4"\n', "")})
    knowledge = Knowledge.load(small_kb(files), built_in=False)
    assert knowledge.remedy(f"fix-{ID}").kind == "workaround"


def test_the_index_gives_back_what_the_loader_made(loaded):
    product = loaded.product("nccl")
    assert product.releases[0] == Release("2.22.3", "2024-06-19")
    assert product.find[0].commands
    assert loaded.packages()["libnccl2"] == "nccl.version"


def test_a_product_without_a_version_fact_gets_one(small_kb):
    product = PRODUCT.replace("fact: nccl.version\nloaded: nccl.loaded_version\n", "").replace(
        "id: nccl", "id: ucx"
    )
    files = issue_knowledge(**{"products/ucx.md": product.replace("title: NCCL", "title: UCX")})
    spec = Knowledge.load(small_kb(files), built_in=False).vocabulary.spec("ucx.version")
    assert (spec.type, spec.question) == ("version", "Which version of UCX is it?")


@pytest.mark.parametrize("engine", ["durable", "reference"])
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"issue__sign": "true"}, "likely"),
        ({"issue__sign": "true", "nccl__version": "2.22.3"}, "likely"),  # runtime is not known
        ({"issue__sign": "true", "nccl__version": "2.22.3", "runtime": "docker"}, "confirmed"),
        ({"issue__sign": "true", "nccl__version": "2.22.3", "runtime": "bare"}, "ruled out"),
        ({"issue__sign": "true", "nccl__version": "2.23.4", "runtime": "docker"}, "ruled out"),
        ({"issue__sign": "true", "nccl__version": "2.21.5"}, "ruled out"),
        ({"issue__sign": "true", "nccl__version": "2.22"}, "likely"),  # cut short: not known
        (
            {"issue__sign": "true", "nccl__version": "2.22.3", "nccl__loaded_version": "2.26.2"},
            "ruled out",
        ),
        (
            {
                "issue__sign": "true",
                "nccl__version": "2.26.2",
                "nccl__loaded_version": "2.22.3",
                "runtime": "docker",
            },
            "confirmed",
        ),
        ({"issue__sign": "true", "gpu__vendor": "amd"}, "ruled out"),
        ({"symptom__hang": "true", "nccl__version": "2.22.3"}, "possible"),
        ({"symptom__hang": "true", "nccl__version": "2.26.2"}, None),
        ({"nccl__version": "2.22.3"}, None),
    ],
)
def test_rules(loaded, engine, facts, expected):
    assert standing(loaded, engine, **facts) == expected


SILENT = ISSUE[: ISSUE.index("signs:")] + ISSUE[ISSUE.index("said:") :]
NO_FIX = SILENT.replace('    fixed: "2.23.4"\n', "")
FREE = NO_FIX.replace("needs:\n  - runtime: docker\n", "")
ROAD = {"symptom__hang": "true", "nccl__version": "2.22.3"}


@pytest.mark.parametrize(
    ("text", "facts", "bits"),
    [
        (SILENT, ROAD, 3.0),  # an exact range and the road
        (NO_FIX, ROAD, None),  # open to one side: what it needs must be known, too
        (NO_FIX, {**ROAD, "runtime": "docker"}, 3.0),
        (FREE, ROAD, 1.0),
        (ISSUE, ROAD, 1.0),  # it prints a line, which was not seen
    ],
)
def test_what_the_road_and_the_version_are_worth(small_kb, text, facts, bits):
    knowledge = Knowledge.load(small_kb(issue_knowledge(**{ISSUE_PATH: text})), built_in=False)
    session = Session(knowledge)
    for name, value in facts.items():
        session.tell(name.replace("__", "."), value)
    found = {s.id: s.evidence for s in session.standings() if s.evidence}
    session.close()
    assert found.get(ID) == bits


def test_signs_that_are_not_specific_have_a_fact_of_their_own(small_kb):
    more = 'signs:\n  - literal: "gave up"\n    matches: ["gave up"]\n'
    files = issue_knowledge(**{ISSUE_PATH: ISSUE.replace("signs:\n", more)})
    knowledge = Knowledge.load(small_kb(files), built_in=False)
    assert [s.literals for s in knowledge.vocabulary.spec(f"{SIGN}.vague").signatures] == [("gave up",)]
    assert [e.weight for e in knowledge.incident(ID).suggests] == ["decisive", "strong", "weak"]


def test_a_lasting_defect_is_never_confirmed(small_kb):
    text = ISSUE.replace('    introduced: "2.22.3"\n    fixed: "2.23.4"\n', "")
    knowledge = Knowledge.load(small_kb(issue_knowledge(**{ISSUE_PATH: text})), built_in=False)
    assert knowledge.incident(ID).confirms == ()


def test_an_overlay_may_add_an_issue_of_a_product_of_the_project(small_kb):
    base = small_kb(issue_knowledge(), "base")
    text = ISSUE.replace(ID, "nccl-mine")
    over = small_kb({"known-issues/nccl/nccl-mine.md": text}, "over")
    knowledge = Knowledge.load(base, over, built_in=False)
    assert knowledge.issue_ids == {ID, "nccl-mine"}
    assert knowledge.remedy("fix-nccl-mine").title == "Move to NCCL 2.23.4 or later"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("product: nccl\nvendors", "product: nckl\nvendors", 'there is no product "nckl"'),
        ("  - product: nccl\n", "  - product: ucx\n", 'there is no product "ucx"'),
        ("symptom: hang", "symptom: stuck", '"symptom" is one of hang'),
        ("runtime: docker", "runtme: docker", 'there is no fact "runtme"; did you mean runtime?'),
        ("severity: hang", "severity: bad", '"severity" must be one of wrong'),
        ('introduced: "2.22.3"', 'introduced: "two"', "is not a version constraint"),
        ("    specific: true", "    speciffic: true", 'did you mean "specific"?'),
        ("affects:\n  - product", "affect:\n  - product", '"affects" must name a product'),
    ],
)
def test_what_the_loader_refuses(small_kb, old, new, message):
    assert old in ISSUE
    files = issue_knowledge(**{ISSUE_PATH: ISSUE.replace(old, new)})
    with pytest.raises(EngineError, match=r".*") as refused:
        Knowledge.load(small_kb(files), built_in=False)
    assert message in str(refused.value)


NCCL = Product("nccl", "NCCL", "nccl.version", releases=(Release("2.22.3", ""), Release("2.23.3", "")))


@pytest.mark.parametrize(
    ("introduced", "fixed", "words"),
    [
        ("2.22.3", "2.23.4", "NCCL 2.22.3 to 2.23.3; fixed in 2.23.4"),
        ("2.23.3", "2.23.4", "NCCL 2.23.3; fixed in 2.23.4"),
        ("", "2.23.4", "NCCL before 2.23.4; fixed in 2.23.4"),
        ("2.23.3", "", "NCCL 2.23.3 and later"),
        ("", "", "NCCL, all releases"),
    ],
)
def test_a_range_in_words(introduced, fixed, words):
    assert span(Affected("nccl", introduced, fixed), NCCL) == words
