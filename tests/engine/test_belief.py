"""What belief counts of a page, and which products a text names."""

import pytest

from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.belief import POSSIBLE
from gpudoctor.engine.belief.evidence import count
from gpudoctor.engine.facts import REPORT, WORDS, Fact, Origin
from gpudoctor.engine.knowledge.naming import EVERYWHERE, marks_of, named_in, names_of, products_of, shown_in
from gpudoctor.engine.knowledge.postings import words_of
from gpudoctor.engine.knowledge.resemblance import EXPLAINED
from gpudoctor.probes import read_report

from .smallkb import incident, small_knowledge


@pytest.fixture(scope="module")
def names(knowledge):
    return names_of(map(knowledge.product, knowledge.product_ids))


def counted(knowledge, report, incident):
    session = Session(knowledge)
    for fact in read_report(report, "job.log", knowledge):
        session.add(fact)
    near = session.nearest()
    rarity = knowledge.concerns.rarity
    found = count(session.traits(incident), session, rarity, near.of(incident), session.seen())
    session.close()
    return found


def test_a_product_is_named_by_its_id_and_its_packages(names):
    assert names["vllm"] == "vllm"
    assert names["tensorrt-llm"] == "tensorrt_llm"
    assert not EVERYWHERE & set(names.values())
    assert named_in(["we", "start", "sglang", "vllm"], names) == {"sglang", "vllm"}


@pytest.mark.parametrize(
    ("word", "shown"),
    [
        ("/root/slime/train.py", "slime"),
        ("/usr/lib/python3.12/site-packages/vllm/engine/core.py", "vllm"),
        ("/etc/systemd/system/ollama.service", "ollama"),
        ("repr=<slime.backends.megatron_utils.actor.Actor", "slime"),
        ("sglang==0.5.12", "sglang"),
        ("vllm/vllm-openai:v0.10.0", "vllm"),
        ("VLLM_USE_V1=1", "vllm"),
        ("(EngineCore_DP0", "vllm"),
        ("ray::Worker.run()", "ray"),
        ("[TRTLLM]", "tensorrt_llm"),
        ("gpu-operator-node-feature-discovery", "gpu_operator"),
        ("/opt/vllm-venv/lib/python3.12/site-packages/torch/cuda.py", ""),
        ("/work/vllm/.venv/lib/python3.12/site-packages/torch/cuda.py", ""),
        ("/home/ray/train.py", ""),
        ("trl/extras/vllm_client.py", "trl"),
        ("https://github.com/vllm-project/vllm/issues/1", ""),
        ("transformers_modules", ""),
        ("accelerate", ""),
        ("accelerate==1.10.0", "accelerate"),
    ],
)
def test_a_product_is_shown_by_what_is_its_own(knowledge, names, word, shown):
    marks = marks_of(map(knowledge.product, knowledge.product_ids))
    assert shown_in([word], names, marks) == ({shown} if shown else set())


def test_a_product_that_is_shown_speaks_for_its_pages_that_have_the_sign(knowledge):
    page = "slime-visible-devices-not-from-zero"
    line = "RuntimeError: CUDA error: invalid device ordinal\n"
    shown = counted(knowledge, f'  File "/root/slime/train.py", line 84, in <module>\n{line}', page)["shown"]
    assert shown > 0.0
    assert counted(knowledge, line, page)["shown"] == 0.0
    assert counted(knowledge, '  File "/root/slime/train.py", line 84, in <module>\n', page)["shown"] == 0.0


def test_a_known_issue_is_of_the_products_that_it_affects(knowledge, names):
    for name in sorted(knowledge.issue_ids)[::20]:
        incident = knowledge.incident(name)
        found = products_of(incident, names)
        assert found <= {incident.product, *(one.product for one in incident.affects)}
        assert knowledge.concerns.page(name).products == found


def test_a_page_of_a_product_that_nothing_names_counts_less(knowledge):
    page = next(
        name for name in sorted(knowledge.issue_ids) if knowledge.concerns.page(name).products == {"vllm"}
    )
    assert counted(knowledge, "sglang on two GPUs: RuntimeError: it failed\n", page)["absent"] == 1.0
    assert counted(knowledge, "vllm on two GPUs: RuntimeError: it failed\n", page)["absent"] == 0.0


def test_a_page_that_accounts_for_more_of_what_is_seen_covers_more(knowledge):
    report = "NCCL WARN Call to posix_fallocate failed : No space left on device\nBus error (core dumped)\n"
    shm, other = (counted(knowledge, report, name)["covers"] for name in ("shm-too-small", "mig-enabled"))
    assert 0.0 <= other < shm <= 1.0


def test_words_in_the_line_of_a_known_sign_count_less(knowledge):
    words = ["peermem", "gdrcopy"]
    free = {near.id: near for near in knowledge.resemblance.nearest(words).listed}
    explained = {near.id: near for near in knowledge.resemblance.nearest([], words).listed}
    assert free and {name: near.score for name, near in free.items()} == {
        name: pytest.approx(near.rest) for name, near in free.items()
    }
    for name, near in explained.items():
        assert near.score == pytest.approx(free[name].score)
        assert near.rest == pytest.approx(EXPLAINED * near.score)
    assert {near.id: near for near in knowledge.resemblance.nearest(words, words).listed} == free


def test_the_order_of_words_changes_no_likeness(knowledge):
    text = "The Ray workers of vLLM hang in NCCL all-reduce over InfiniBand after the driver was upgraded; gdrcopy"
    words = words_of(text + " and nv_peer_mem are loaded, MIG slices of the H100 are seen as one instance")
    found = {tuple(knowledge.resemblance.nearest(words[at:] + words[:at]).listed) for at in range(len(words))}
    assert len(found) == 1


def test_the_order_of_texts_changes_no_hint(knowledge):
    roads = []
    for texts in (("we see no", "errors of rank 3"), ("errors of rank 3", "we see no")):
        session = Session(knowledge)
        for number, text in enumerate(texts):
            session.add(Fact(WORDS, text, Origin(REPORT, f"{number}.log")))
        roads.append(session.roads())
        session.close()
    assert roads[0] == roads[1] == {"crash"}


def test_a_report_is_likened_by_what_no_sign_explains(knowledge):
    known = "[rank0]: ncclInvalidUsage: Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 6000\n"
    strange = "the hardware encoder of the flux capacitor overflows\n"
    alone, beside = (
        counted(knowledge, text, "mig-enabled")["resembles"] for text in (known, known + strange)
    )
    assert 0 < alone == pytest.approx(beside, abs=0.5)
    told = "the machine has MIG slices, each process gets one instance\n"
    assert counted(knowledge, known + told, "mig-enabled")["resembles"] > alone + 0.5


def test_what_people_say_of_an_incident_is_found_by_likeness_and_search(small_kb):
    head = "said:\n  - the flux capacitor overflows after the upgrade\nsuggests:\n  - strong: {symptom.stop: true}\n"
    name, text = incident("overflowing-part", head)
    folder = small_kb({**small_knowledge(), name: text})
    known = Knowledge.load(folder, built_in=False)
    near = known.resemblance.nearest(words_of("a capacitor of ours overflows")).listed
    assert near[0].id == "overflowing-part"
    assert known.search("flux capacitor overflows", ["incident"])[0].id == "overflowing-part"


def test_one_sentence_makes_nothing_likely(knowledge):
    """The same sign is decisive in a line that a program prints, and half as much where it is read in a sentence."""
    standings = {}
    for trust in ("printed", "read"):
        session = Session(knowledge)
        session.add(Fact("symptom.duplicate-gpu", True, Origin(REPORT, "job.log:1", "a line", trust)))
        standings[trust] = next(s for s in session.standings() if s.id == "ray-all-ranks-gpu0")
        session.close()
    assert standings["read"].evidence == standings["printed"].evidence / 2
    assert standings["read"].standing == POSSIBLE


def test_the_page_most_alike_is_told_from_the_next(knowledge):
    text = "We run Megatron-LM; the MIG slices of the machine are seen as one instance by each of the processes.\n"
    found = counted(knowledge, text, knowledge.resemblance.nearest(words_of(text)).listed[0].id)
    assert found["nearest"] == found["alike"] == 1.0
    second = counted(knowledge, text, knowledge.resemblance.nearest(words_of(text)).listed[1].id)
    assert second["nearest"] == 0.0 and 0.0 < second["alike"] < 1.0
