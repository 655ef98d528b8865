"""Symptoms that are read from people's sentences by their likeness to the wordings in the pages."""

import sys

import pytest

from gpudoctor.engine import Session
from gpudoctor.engine.facts import DOUBTED
from gpudoctor.engine.language.prose import is_spoken, sentences
from gpudoctor.engine.language.sentences import readings
from gpudoctor.probes.parsers.mentions import read_mentions
from gpudoctor.probes.report import SHORT, Reader

from ..conftest import ROOT, SHARED

sys.path.insert(0, str(ROOT / "benchmarks"))

from sentences import HELD_OUT, score  # type: ignore[import-not-found]

READ = [
    ("loss becomes nan", "nan-loss-multi-gpu"),
    ("After a while nothing moves any more.", "hang-mid-run"),
    ("After a while nothing moves any more on our 8 GPUs.", "hang-mid-run"),
    ("our job freezes at some point after several hours of training", "hang-mid-run"),
    ("it dies at the same step every night", "hang-mid-run"),
    ("The latency is 5 to 10 times that of before", "slow-collectives"),
    ("all GPUs at 100 % but no progress", "gpu-util-100-idle"),
    ("The very first all_reduce never came back", "hang-at-first-collective"),
    ("it gets stuck when NCCL is initialized", "hang-at-init"),
    ("Everything is fine on a single card.", "single-gpu-ok"),
    ("With NCCL_P2P_DISABLE=1 it makes no difference.", "p2p-off-no-effect"),
    ("If I use two GPUs the output is garbage", "garbage-output-multi-gpu"),
    ("the process cannot be killed, not even with kill -9", "driver-wedged"),
    ("4 GPUs work fine, with 8 it hangs", "only-some-gpus"),
    ("saving a checkpoint never finishes on our cluster", "stops-at-save"),
    ("训练一段时间以后就卡死了", "hang-mid-run"),
    ("单卡运行正常，多卡就报错", "single-gpu-ok"),
    ("所有显卡利用率都是 100%，但是一直没有进展", "gpu-util-100-idle"),
    ("多机训练速度特别慢，带宽远低于预期", "slow-collectives"),
    ("关闭 P2P 之后还是卡住", "p2p-off-no-effect"),
    ("保存模型的时候卡住了", "stops-at-save"),
]
NOT_READ = [
    "It does not hang at the first all-reduce any more.",
    "It does not hang after a while any more on our 8 GPUs.",
    "on my other box the loss becomes nan",
    "It would hang during NCCL initialization if the port were closed.",
    "it used to hang after a while",
    "We never saw the loss become nan.",
    "Does your loss become nan with several GPUs?",
    "the loss was nan for some steps, it is fixed now",
    "my colleague's job hangs at the end of the epoch",
    "The output is not garbage with two GPUs",
    "loss 没有变成 nan",
    "不会卡在初始化",
    "同事的机器上训练一段时间后卡住",
    "以前训练一段时间后会卡住，现在好了",
    "We train on two GPUs with vLLM and torch 2.4.",
    "我们用两张显卡训练模型",
    "We do not use shared memory.",
    "The first run does not use NVLink.",
    "We decided against eager mode for now.",
    "I left out validation on purpose.",
    "我们这里不用共享内存",
    "这次运行没有使用共享内存",
]
PRINTED = [
    "RuntimeError: CUDA error: an illegal memory access was encountered",
    "node1:77:99 [0] NCCL INFO comm 0x5581 rank 0 nranks 8 - Init COMPLETE",
    "[rank3]:[E ProcessGroupNCCL.cpp:607] Watchdog caught collective operation timeout",
    "INFO 11-02 12:00:01 model_runner.py:1041] Capturing CUDA graph shapes",
    "Some NCCL operations have failed or timed out.",
    "    raise RuntimeError('the first all-reduce hangs')",
    "xe 0000:0c:00.0: probe with driver xe failed with error -22",
    "| 0   NVIDIA A100   On | 00000000:07:00.0 Off | the GPU hangs |",
]


def read(knowledge, text):
    """The symptoms that a sentence says surely, and those that it may say."""
    found = knowledge.wordings
    listed = [r for _, one in sentences([text]) for r in readings(one, found.find, found.tables)]
    names = {r: r.fact.removeprefix("symptom.") for r in listed}
    return {names[r] for r in listed if r.is_sure}, {names[r] for r in listed if not r.is_sure}


@pytest.mark.parametrize(("text", "symptom"), READ)
def test_what_is_said_is_read(knowledge, text, symptom):
    sure, _ = read(knowledge, text)
    assert symptom in sure


@pytest.mark.parametrize("text", NOT_READ)
def test_what_is_not_said_of_here_and_now_is_not(knowledge, text):
    assert read(knowledge, text) == (set(), set())


@pytest.mark.parametrize("line", PRINTED)
def test_what_programs_print_is_no_sentence(line):
    assert not is_spoken(line)


def test_facts_that_exclude_each_other_are_not_read_from_one_sentence(knowledge):
    sure, doubts = read(knowledge, "after some hours every rank hangs in the barrier")
    assert (sure, doubts) == ({"hang-at-barrier"}, set())


def test_every_wording_says_its_own_symptom(knowledge):
    found = knowledge.wordings
    missed = [
        (spec.name, text)
        for spec in knowledge.facts()
        if spec.name.startswith("symptom.")
        for text in spec.said
        if spec.name not in {r.fact for r in readings(text, found.find, found.tables) if r.is_sure}
    ]
    assert missed == []


def test_sentences_that_were_labelled_by_hand(knowledge):
    found = score(knowledge)
    assert found.precision >= 0.9
    assert found.recall >= 0.5
    everything = score(knowledge, Reader(knowledge))
    assert everything.recall >= 0.8
    held_out = score(knowledge, path=HELD_OUT)
    assert held_out.precision >= 0.9
    assert held_out.recall >= 0.5
    assert score(knowledge, Reader(knowledge), path=HELD_OUT).recall >= 0.7


NOUNS = (
    "NVLink",
    "P2P",
    "InfiniBand",
    "shared memory",
    "CUDA graphs",
    "ZeRO-3",
    "NVLS",
    "barriers",
    "validation",
)
CHOICES = (
    "We do not use {}.",
    "The first run does not use {}.",
    "I run it without {}.",
    "We decided against {} for now.",
    "Our job uses {}.",
    "The script never uses {}.",
    "{} is not needed for the test.",
    "我们不用{}。",
    "打算以后用{}。",
)


@pytest.mark.parametrize("choice", CHOICES)
def test_what_somebody_uses_or_does_not_use_is_no_symptom(knowledge, choice):
    reader = Reader(knowledge)
    for noun in NOUNS:
        found = reader.read([choice.format(noun).encode()], "")
        assert [f.name for f in found if f.name.startswith("symptom.") and f.origin.trust != DOUBTED] == []


def test_a_sentence_runs_over_lines_and_a_fence_holds_none():
    lines = [
        "Training runs well at the beginning, and then, after a number of",
        "hours, it hangs. We restart it by hand.",
        "```",
        "it hangs at the first all-reduce",
        "```",
    ]
    assert list(sentences(lines)) == [
        (0, "Training runs well at the beginning, and then, after a number of hours, it hangs."),
        (1, "We restart it by hand."),
    ]


def test_a_doubt_is_no_fact_and_is_asked_first(knowledge):
    session = Session(knowledge)
    text = "The output is rubbish.\n"
    found = [f for f in Reader(knowledge).read([text.encode()], "mail") if f.origin.trust == DOUBTED]
    assert [f.name for f in found] == ["symptom.garbage-output-multi-gpu"]
    for fact in found:
        session.add(fact)
    assert session.value("symptom.garbage-output-multi-gpu") is None
    assert session.standings() == []
    assert session.diagnosis().to_dict()["doubts"] == [
        {
            "fact": "symptom.garbage-output-multi-gpu",
            "value": True,
            "where": "mail:1",
            "text": "The output is rubbish.",
            "means": "Wrong output with several GPUs, no error",
        }
    ]
    question = session.next_question()
    assert question.fact == "symptom.garbage-output-multi-gpu"
    assert question.text == "I read: Wrong output with several GPUs, no error. Right?"
    session.tell(question.fact, True)
    assert session.standings()
    assert session.diagnosis().to_dict()["doubts"] == []
    session.close()


def test_a_denied_doubt_is_gone(knowledge):
    session = Session(knowledge)
    for fact in Reader(knowledge).read([b"The output is rubbish.\n"], "mail"):
        session.add(fact)
    session.tell("symptom.garbage-output-multi-gpu", False)
    assert session.doubts() == []
    assert session.next_question().fact != "symptom.garbage-output-multi-gpu"
    session.close()


@pytest.mark.parametrize(
    "line",
    [
        "3: docker0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 container bridge",
        "overlay on /var/lib/docker/overlay2/0a1b/merged container",
        "/var/lib/kubelet/pods/7c9e/volumes is 80% full",
        "session folder /tmp/ray/session_2026/logs, with ray/bin in front",
        "plugins in /usr/lib64/slurm/srun",
        "https://kubernetes.io/docs/concepts/workloads/pods",
        "veth12ab docker_gwbridge container",
    ],
)
def test_no_runtime_is_read_from_the_name_of_a_path_or_an_interface(line):
    names = {found.name for found in read_mentions([line])}
    assert not names & {"runtime", "launcher"}


@pytest.mark.parametrize(
    ("line", "runtime"),
    [
        ("we run it in docker, network_mode: host", "docker"),
        ("the pods have 8 GPUs each", "kubernetes"),
        ("started with sbatch from /home/me/jobs", "slurm"),
    ],
)
def test_a_runtime_that_is_told_is_read(line, runtime):
    assert ("runtime", runtime) in {(found.name, found.value) for found in read_mentions([line])}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared material is not here")
def test_nothing_is_read_from_output_of_tools(knowledge):
    reader, wrong = Reader(knowledge), []
    for path in sorted((SHARED / "samples").glob("*/*")):
        if path.is_file() and path.stat().st_size <= SHORT:
            lines = [
                line for line in path.read_text(errors="replace").split("\n") if not line.startswith("#")
            ]
            found = read_mentions(lines)
            wrong += [(path.name, lines[f.line]) for f in found if f.name == "runtime"]
            text = "\n".join(lines).encode()
            wrong += [
                (path.name, f.name, f.origin.text)
                for f in reader.read([text], path.name)
                if f.origin.trust == DOUBTED
            ]
    assert wrong == []
