"""What was understood is shown, and taken back by its number; there is always a why and a next step."""

from __future__ import annotations

import re

import pytest

from gpudoctor.cli.chat import prompts
from gpudoctor.cli.chat.commands import COMMANDS

from .test_conversation import start

OPENINGS = (
    "Lightning and DeepSpeed, a streaming dataset: stops after one full epoch, all GPUs at 100% with low power draw",
    "MiniMax on 2x MI350X, TP=2: the server runs without any error but the answers are garbage",
    "two nodes, GPU and NIC behind one PCIe switch: one of the two nodes hangs at about 64 KB",
    "nccl-tests on hosts with 8 GPUs each: 'system not yet initialized'",
    "loss is NaN with two cards, one card is fine",
)
MORE = (
    "8x MI300X in a VM: rccl-tests all_reduce_perf about 50 GB/s",
    "detection training: the loss is finite with one GPU and easily turns to nan with 4 GPUs",
    "vLLM start:\nBus error (core dumped)\nin docker",
    "with ROCR_VISIBLE_DEVICES=1 and HIP_VISIBLE_DEVICES=1 torch.cuda.is_available() is False",
    "vLLM TP=2 on dual AMD R9700 (gfx1201): both GPUs spin at 100%, the first request never ends",
    "docker run --gpus all fails: nvml error: driver/library version mismatch",
    "two AMD GPUs, the second in the x4 slot of the chipset: bit_extract hangs since the update from ROCm 1.2 to 1.3",
    "RCCL unit tests on gfx11 with 2 ranks: AllReduce in float8 never finishes, single-rank runs pass",
    "EFA, aws-ofi-nccl 1.18.0: a large broadcast between nodes never completes, no error line",
    "MI300X: collectives over 2 or 4 of the 8 GPUs reach only a fraction of the bandwidth of the 8-GPU run",
    "Paddle over two nodes in docker: RCCL error, unhandled system error",
    "training: HIP error: invalid device function, Radeon RX 6600 beside a Ryzen with Vega graphics",
    "UCX tests in a container: Caught signal 7 (Bus error: nonexistent physical address)",
    "SFT trainer: one GPU runs, several GPUs fail with a device-side assert",
    "MI355X, prefill and decode apart: registering RDMA memory fails with errno 22, no amdgpu_peermem",
)


def test_what_was_understood_is_shown_under_the_words(knowledge):
    chat = start(knowledge)
    shown = chat.reply("2x MI350X with ROCm 7.0.2 and vLLM, TP=2, it hangs").plain()
    assert 'Understood "2x MI350X' in shown
    numbered = [line.strip() for line in shown.splitlines() if line.strip()[:1].isdigit()]
    assert any("MI350X" in line for line in numbered)
    assert any(line.endswith("7.0.2") for line in numbered)
    assert "/wrong N" in shown


def test_a_wrong_reading_is_taken_back_by_its_number(knowledge):
    chat = start(knowledge)
    chat.reply("2x MI350X with ROCm 7.0.2 and vLLM, TP=2, it hangs")
    number = chat.readings.index("rocm.version") + 1
    shown = chat.reply(f"/wrong {number}").plain()
    assert "taken back: rocm.version" in shown
    assert chat.session.value("rocm.version") is None
    assert chat.session.value("gpu.count") == 2
    chat.reply("/back")
    assert str(chat.session.value("rocm.version")) == "7.0.2"


@pytest.mark.parametrize("argument", ["", " x", " 99", " 0"])
def test_a_number_that_is_none_changes_nothing(knowledge, argument):
    chat = start(knowledge)
    chat.reply("2x MI350X with ROCm 7.0.2, it hangs")
    before = chat.session.statements()
    assert "Give the number" in chat.reply(f"/wrong{argument}").plain()
    assert chat.session.statements() == before


@pytest.mark.parametrize("words", OPENINGS)
def test_after_any_number_of_dont_knows_there_is_a_next_step(knowledge, words):
    chat = start(knowledge)
    shown = chat.reply(words).plain()
    assert "Understood" in shown
    for _ in range(40):
        if isinstance(chat.prompt, prompts.Remedies | prompts.Idle):
            break
        why = chat.reply("/why").plain()
        assert "would change" in why or "What you see comes first" in why
        shown = chat.reply("d").plain()
    assert isinstance(chat.prompt, prompts.Remedies | prompts.Idle)
    for _ in range(20):
        if isinstance(chat.prompt, prompts.Idle):
            break
        assert "1) done" in shown or "There are no more known remedies" in shown
        shown = chat.reply("3" if "1) done" in shown else "4").plain()
    if "Next" in shown:
        assert "NCCL_DEBUG=INFO" in shown


def test_the_screen_says_how_far_it_is_and_what_leads(knowledge):
    chat = start(knowledge)
    chat.reply("vLLM in docker hangs after the NCCL version line, tensor parallel 2, two RTX 4090")
    shown = chat.reply("1").plain()
    assert "steps so far" in shown
    assert "incidents stand" in shown
    assert "now leading: " in shown


def test_wrong_is_among_the_commands():
    assert "/wrong" in COMMANDS


@pytest.mark.parametrize("words", (*OPENINGS, *MORE))
def test_every_opening_is_understood_and_leads_on(knowledge, words):
    chat = start(knowledge)
    shown = chat.reply(words).plain()
    flat = " ".join(shown.split())
    assert f'Understood "{" ".join(words.split())[:40]}' in flat
    if "DIAGNOSED" in shown:
        assert "What to do" in shown and "1) done" in shown
    else:
        assert re.search(r"[01] steps? so far", flat)
        assert "now leading: " in flat or "nothing leads yet" in flat
        why = chat.reply("/why").plain()
        assert "would change" in why or "Everything starts" in why
    if chat.readings:
        name = chat.readings[0]
        assert f"taken back: {name}" in chat.reply("/wrong 1").plain()


def test_what_the_words_may_mean_is_named_and_asked(knowledge):
    chat = start(knowledge)
    shown = chat.reply("the loss is finite with one GPU and easily turns to nan with 4 GPUs").plain()
    assert "? perhaps: Loss or result is NaN" in shown
    assert chat.session.value("symptom.nan-loss-multi-gpu") is None
    assert "1) Is the loss (or the result) NaN" in shown


def test_a_title_with_examples_is_shown_without_them(knowledge):
    shown = start(knowledge).reply("vLLM TP=2 on two R9700 (gfx1201) hangs").plain()
    assert "GPU architecture: gfx1201" in shown


def test_a_diagnosis_in_the_conversation_fits_one_screen(knowledge):
    chat = start(knowledge)
    line = "nvidia-container-cli: nvml error: driver/library version mismatch: unknown."
    log = f"docker run --gpus all IMAGE\n{line}\nRTX 3060"
    shown = chat.reply(log).plain()
    assert "driver-library-mismatch" in shown
    assert len(shown.splitlines()) <= 60
    assert len(shown.split("DIAGNOSED")[1].split("What to do")[0].splitlines()) <= 24
