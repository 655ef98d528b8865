"""What was understood is shown, and taken back by its number; there is always a why and a next step."""

from __future__ import annotations

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
