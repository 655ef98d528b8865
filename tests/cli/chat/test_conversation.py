"""Conversations without a terminal: what is typed goes in, what is shown comes out, the session follows."""

from __future__ import annotations

import pytest

from gpudoctor.cli.chat import prompts
from gpudoctor.cli.chat.conversation import Conversation, Tools
from gpudoctor.cli.content.complaints import COMPLAINTS
from gpudoctor.cli.language import ENGLISH, Language
from gpudoctor.engine import CannotTell, Fact, Origin, Session
from gpudoctor.engine.questions import Question
from gpudoctor.engine.session.sessionfile import read

PERSON = {
    "vllm-two-cards": (
        "vLLM in docker hangs after the NCCL version line, tensor parallel 2, two RTX 4090",
        {
            "symptom.hang-at-init": True,
            "symptom.hang-at-first-collective": True,
            "gpu.vendor": "nvidia",
            "gpu.count": "2",
            "runtime": "docker",
            "launcher": "vllm",
            "iommu.mode": "translated",
            "virtualization": "none",
        },
        {"iommu-translation-breaks-p2p", "pcie-acs-redirect", "p2p-path-broken", "geforce-no-p2p"},
    ),
    "openrlhf-visibility": (
        "ray actors on MI300X: IndexError: tuple index out of range in default_generators",
        {
            "symptom.default-generators-index-error": True,
            "gpu.vendor": "amd",
            "launcher": "ray",
            "ray.version": "2.12.0",
            "torch.version": "2.5.1",
        },
        {"ray-rocm-visible-devices"},
    ),
    "weight-sync": (
        "OpenRLHF hangs while the trainer sends weights to the vLLM engine",
        {"symptom.weight-sync-failure": True, "gpu.vendor": "amd", "launcher": "ray"},
        {"rlhf-weight-sync-hang"},
    ),
    "device-map": (
        "Qwen with device_map=auto on two AMD cards answers garbage, !!!!!!",
        {
            "symptom.garbage-output-multi-gpu": True,
            "symptom.peer-copy-zeros": True,
            "gpu.vendor": "amd",
            "launcher": "device_map",
            "p2p.copy": "corrupt",
        },
        {"amd-peer-copy-corruption", "peer-copies-corrupt-under-device-map"},
    ),
    "mi308": (
        "NCCL error: unhandled cuda error on MI308 with vLLM",
        {"symptom.nccl-unhandled-cuda-error": True, "gpu.vendor": "amd", "launcher": "vllm"},
        {"rccl-collective-error-unexplained", "rccl-hip-error-unexplained", "gpu-page-fault-unexplained"},
    ),
}


def start(knowledge, language=ENGLISH, **tools):
    chat = Conversation(Session(knowledge), language, Tools(**tools))
    chat.open()
    return chat


def answer(chat, known):
    """What a person who knows these facts types at the open prompt; None at the end."""
    prompt = chat.prompt
    if isinstance(prompt, prompts.Offer):
        seen = [str(n) for n, name in enumerate(prompt.asks(), start=1) if known.get(name) is True]
        return " ".join(seen) or "none"
    if isinstance(prompt, prompts.Looking):
        told = [f"{n.removeprefix('env.')}={known[n]}" for n in prompt.asks() if n in known]
        return "\n".join(told) or "none"
    if isinstance(prompt, prompts.Asking):
        value = known.get(prompt.question.fact)
        return "d" if value is None else "yes" if value is True else "no" if value is False else str(value)
    return None


def talk(chat, words, known, most=25):
    """Talk until remedies are offered or nothing is asked any more; how many questions that took."""
    chat.reply(words)
    for count in range(most):
        text = answer(chat, known)
        if text is None:
            return count
        chat.reply(text)
    raise AssertionError(f"still asking after {most} replies: {chat.prompt}")


@pytest.mark.parametrize("name", sorted(PERSON))
def test_from_words_to_a_cure(knowledge, name):
    words, known, expected = PERSON[name]
    chat = start(knowledge)
    assert isinstance(chat.prompt, prompts.Opening)
    questions = talk(chat, words, known)
    leader = chat.standing()[0]
    assert leader.id in expected
    assert questions <= 14
    assert isinstance(chat.prompt, prompts.Remedies)
    shown = chat.reply("1").plain()
    assert chat.tried
    assert "Good." in shown
    assert list(chat.tried.values()) == ["cured"]


def test_every_step_can_be_taken_back(knowledge):
    words, known, _ = PERSON["vllm-two-cards"]
    chat = start(knowledge)
    seen = [(chat.session.statements(), chat.session.diagnosis().to_dict())]
    chat.reply(words)
    while (text := answer(chat, known)) is not None:
        state = (chat.session.statements(), chat.session.diagnosis().to_dict())
        if len(chat.history) == len(seen) - 1:
            seen[-1] = state
        else:
            seen.append(state)
        chat.reply(text)
    while len(chat.history):
        before = len(chat.history)
        chat.reply("/back")
        assert len(chat.history) == before - 1
    assert chat.session.statements() == []
    assert "nothing to take back" in chat.reply("/back").plain()


def test_back_restores_the_answer_that_was_changed(knowledge):
    chat = start(knowledge)
    chat.session.tell("symptom.hang-at-init", True)
    chat.reply("/change gpu.vendor amd")
    chat.reply("/change gpu.vendor nvidia")
    assert chat.session.value("gpu.vendor") == "nvidia"
    chat.reply("/back")
    assert chat.session.value("gpu.vendor") == "amd"
    chat.reply("/back")
    assert chat.session.value("gpu.vendor") is None


def test_a_pasted_log_is_read_at_any_prompt(knowledge):
    chat = start(knowledge)
    chat.reply("s")
    assert isinstance(chat.prompt, prompts.Asking)
    log = (
        "gpu1:312:312 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.2<0>\n"
        "gpu1:312:312 [0] NCCL INFO NCCL version 2.21.5+cuda12.4\n"
        "gpu1:312:398 [0] misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-Y3 to 9637892 bytes\n"
    )
    shown = chat.reply(log).plain()
    assert "read 4 lines" in shown or "read 3 lines" in shown
    assert chat.session.value("nccl.version") == "2.21.5+cuda12.4"
    chat.reply("/back")
    assert chat.session.value("nccl.version") is None


def test_an_answer_that_contradicts_a_measurement_shows_both(knowledge):
    chat = start(knowledge)
    chat.session.add(Fact("gpu.vendor", "nvidia", Origin("probe", "pci: /sys/bus/pci", "0x10de")))
    shown = chat.reply("/change gpu.vendor amd").plain()
    assert isinstance(chat.prompt, prompts.Contradiction)
    assert "amd" in shown
    assert "nvidia" in shown
    assert "/sys/bus/pci" in shown
    chat.reply("maybe")
    assert isinstance(chat.prompt, prompts.Contradiction)
    chat.reply("2")
    assert chat.session.value("gpu.vendor") == "nvidia"
    assert not isinstance(chat.prompt, prompts.Contradiction)
    chat.reply("/change gpu.vendor amd")
    assert chat.session.value("gpu.vendor") == "amd"


def test_dont_know_and_skip_are_not_asked_again(knowledge):
    chat = start(knowledge)
    chat.reply("s")
    asked = []
    for reply in ("d", "s", "d", "s", "d", "s"):
        if not isinstance(chat.prompt, prompts.Asking):
            break
        asked.append(chat.prompt.question.fact)
        chat.reply(reply)
    assert len(asked) == len(set(asked)) >= 3
    reasons = {s.name for s in chat.session.statements() if isinstance(s, CannotTell)}
    assert reasons == set(asked[0::2])


def test_help_shows_how_to_find_out(knowledge):
    chat = start(knowledge)
    chat.reply("s")
    fact = chat.prompt.question.fact
    shown = chat.reply("h").plain()
    assert "How to find out" in shown
    assert chat.prompt.question.fact == fact


def test_free_words_are_offered_not_believed(knowledge):
    chat = start(knowledge)
    chat.reply("it hangs after nccl init")
    assert isinstance(chat.prompt, prompts.Offer)
    assert not [s for s in chat.session.statements() if s.name.startswith("symptom.")]
    chat.reply("1")
    assert chat.standing()


def test_chinese_words_find_symptoms(knowledge):
    chat = start(knowledge, Language("zh"))
    chat.reply("多卡推理卡住了，共享内存不足")
    assert isinstance(chat.prompt, prompts.Offer)


@pytest.mark.parametrize(
    "command",
    [
        "/why",
        "/how",
        "/facts",
        "/help",
        "/whynot memlock-limit",
        "/report",
        "/why gpu.vendor",
        "/whatif gpu.vendor amd",
        "/explain memlock-limit",
        "/change",
        "/paste",
        "/probe",
        "/test",
    ],
)
def test_commands_change_nothing(knowledge, command):
    chat = start(knowledge)
    chat.session.tell("symptom.hang-at-init", True)
    chat.reply("s")
    before = chat.session.statements(), chat.prompt
    shown = chat.reply(command).plain()
    assert shown.strip()
    assert (chat.session.statements(), chat.prompt) == before


@pytest.mark.parametrize(
    "command",
    [
        "/nonsense",
        "/explain no-such-thing",
        "/whatif gpu.vendor purple",
        "/change no.fact 3",
        "/whynot no-such",
        "/save",
        "/report /no/such/folder/x.md",
        "/",
    ],
)
def test_bad_commands_are_one_sentence(knowledge, command):
    chat = start(knowledge)
    before = chat.session.statements()
    assert chat.reply(command).plain().strip()
    assert chat.session.statements() == before


def test_what_if_says_what_then_happens(knowledge):
    chat = start(knowledge)
    chat.session.tell("symptom.hang-at-first-collective", True)
    said = chat.reply("/whatif gpu.vendor nvidia").plain()
    chat.reply("/change gpu.vendor nvidia")
    gone = {s.id for s in chat.session.standings() if s.standing == "ruled out"}
    assert gone or "(" in said
    assert all(name in said for name in gone)


def test_probes_and_tests_come_in_as_steps(knowledge):
    found = [Fact("gpu.count", 0, Origin("probe", "pci", ""))]
    chat = start(knowledge, probe=lambda names: found, test=lambda: [])
    chat.reply("/probe pci")
    assert chat.session.value("gpu.count") == 0
    chat.reply("/back")
    assert chat.session.value("gpu.count") is None


def test_remedies_come_one_at_a_time_and_are_remembered(knowledge):
    words, known, _ = PERSON["openrlhf-visibility"]
    chat = start(knowledge)
    talk(chat, words, known)
    first = chat.prompt._left[0]["id"]
    chat.reply("2")
    assert chat.tried == {first: "no change"}
    if isinstance(chat.prompt, prompts.Remedies) and chat.prompt._left:
        assert chat.prompt._left[0]["id"] != first


def test_remedies_that_risk_less_come_first(knowledge):
    for name in knowledge.incident_ids[::7]:
        chat = start(knowledge)
        left = prompts.Remedies(chat, name)._left
        risky = [bool(r["danger"]) or "reboot" in r["needs"] for r in left]
        if any(risky) and not all(risky):
            first_risky = risky.index(True)
            assert all(
                r["danger"] or {"reboot", "bare-metal", "hands-on"} & set(r["needs"])
                for r in left[first_risky:]
            )


def test_the_status_fits_one_line_and_tells_the_state(knowledge):
    chat = Conversation(Session(knowledge), ENGLISH, width=lambda: 60)
    chat.open()
    assert chat.status().startswith("0 incidents")
    chat.session.tell("symptom.hang-at-first-collective", True)
    chat.reply("/change gpu.vendor nvidia")
    assert "gpu.vendor = nvidia" in chat.status() or chat.status().endswith("…")
    assert len(chat.status()) <= 60


def test_the_transcript_holds_no_secret(knowledge):
    chat = start(knowledge)
    token = "hf_" + "A1b2C3d4" * 5
    chat.reply(f"HF_TOKEN={token}\nNCCL_DEBUG=INFO\nsomething NCCL WARN failed {token}\n")
    text = chat.reply("/report").plain() + chat.transcript.markdown()
    assert token not in text


def test_escapes_from_a_pasted_log_do_not_reach_the_screen(knowledge):
    chat = start(knowledge)
    shown = chat.reply("\x1b]0;owned\x07\x1b[2J x\nNCCL WARN odd \x1b[31mthing\x1b[0m failed\nline\n").plain()
    shown += chat.reply("/facts").plain() + chat.reply("/report").plain()
    assert "\x1b" not in shown


def test_saved_and_resumed_it_stands_where_it_stood(knowledge, tmp_path):
    from gpudoctor.engine.session.sessionfile import save

    chat = start(knowledge)
    talk(chat, *PERSON["weight-sync"][:2])
    path = tmp_path / "s.yaml"
    save(chat.session, path, {"tried": {"x": "no change"}})
    again = read(knowledge, path.read_text(), "s.yaml")
    assert again.session.diagnosis().to_dict() == chat.session.diagnosis().to_dict()
    assert again.extra == {"tried": {"x": "no change"}}


def test_the_same_conversation_shows_the_same(knowledge):
    def shown():
        chat = start(knowledge)
        talk(chat, *PERSON["vllm-two-cards"][:2])
        return chat.transcript.markdown()

    assert shown() == shown()


@pytest.mark.parametrize("width", [40, 80, 132])
def test_lines_fit_the_terminal(knowledge, width):
    chat = Conversation(Session(knowledge), Language("zh"), width=lambda: width)
    from gpudoctor.cli.render.screen import columns

    sheets = [chat.open(), chat.reply("it hangs after nccl init"), chat.reply("1")]
    for screen in sheets:
        for line in screen.plain().splitlines():
            assert columns(line) <= width + 2 or " " not in line.strip()


def test_a_question_that_the_test_answers_offers_it(knowledge):

    spec = knowledge.vocabulary.spec("collective.p2p_off")
    question = Question("test", spec.name, spec.question, spec.values, spec.cost, 1.0, ())
    with_test, without = start(knowledge, test=lambda: []), start(knowledge)
    for chat, offered in ((with_test, True), (without, False)):
        chat.expect(prompts.Asking(chat, question))
        assert ("/test finds it out" in chat.screen.plain()) is offered


def test_a_complaint_that_holds_nothing_new_asks_on(knowledge, monkeypatch):
    chat = Conversation(Session(knowledge), ENGLISH)
    chat.open()
    monkeypatch.setattr(prompts.opening, "symptoms_of", lambda chat, complaints: [])
    chat.reply("1")
    assert not isinstance(chat.prompt, prompts.Offer)


def test_the_answers_are_kept_when_something_fails(knowledge, monkeypatch, tmp_path):
    from gpudoctor.cli.arguments import build_parser
    from gpudoctor.cli.chat import run

    class Broken:
        def talk(self, chat, leave):
            chat.tell("gpu.vendor", "amd")
            raise RuntimeError("a fault of ours")

    path = tmp_path / "s.yaml"
    facts = tmp_path / "f.yaml"
    facts.write_text("launcher: vllm\n")
    monkeypatch.setattr("gpudoctor.cli.chat.lines.LineTerminal", lambda color: Broken())
    argv = ["--ask", "--plain", "--facts", str(facts), "--save", str(path), "--lang", "en"]
    with pytest.raises(RuntimeError):
        run.chat(build_parser(argv).parse_args(argv))
    assert read(knowledge, path.read_text(), "s.yaml").session.value("gpu.vendor") == "amd"


@pytest.mark.parametrize("complaint", range(1, len(COMPLAINTS) + 1))
def test_every_complaint_offers_symptoms(knowledge, complaint):
    chat = start(knowledge)
    shown = chat.reply(str(complaint)).plain()
    assert isinstance(chat.prompt, prompts.Offer)
    assert "  1) " in shown and "  3) " in shown


def test_one_is_no_plural(knowledge):
    chat = start(knowledge)
    shown = chat.reply("NCCL WARN [Service thread] Accept failed Resource temporarily unavailable").plain()
    assert "read 1 line: 1 fact\n" in shown
    assert "| 1 fact read" in chat.status()
    chat = start(knowledge, Language("zh"))
    shown = chat.reply("NCCL WARN [Service thread] Accept failed Resource temporarily unavailable").plain()
    assert "读了 1 行：1 个事实" in shown


def test_why_names_versions_that_exist_and_matter(knowledge):
    chat = start(knowledge)
    chat.reply("/change symptom.hang-at-first-collective yes")
    shown = chat.reply("/why driver.version").plain()
    answers = [line.partition(": ")[0].strip() for line in shown.splitlines()[1:] if line.startswith("  ")]
    assert "545" in answers and "anything else" in answers
    assert "0.0.1" not in answers
    assert not [answer for answer in answers if "*" in answer or ".." in answer or answer.endswith(".")]


def test_undo_is_another_name_for_back(knowledge):
    chat = start(knowledge)
    chat.reply("/change gpu.vendor amd")
    chat.reply("/undo")
    assert chat.session.value("gpu.vendor") is None


LOOK = Question("question", "env.NCCL_P2P_LEVEL", "", (), 2, 0.1, (), ("env.NCCL_PROTO", "env.NCCL_DEBUG"))


@pytest.fixture
def looking(knowledge):
    chat = start(knowledge)
    chat.expect(prompts.Looking(chat, LOOK))
    return chat


def test_variables_are_asked_for_with_one_command(looking):
    screen = looking.reply("").plain()
    assert "env | grep -E '^(NCCL)_'" in screen and "NCCL_P2P_LEVEL NCCL_PROTO NCCL_DEBUG" in screen


def test_what_is_not_among_the_pasted_variables_is_unset(looking):
    looking.reply("NCCL_P2P_LEVEL=PHB\nexport NCCL_IB_HCA='mlx5_0'\nNCCL_OF_OURS=1\n")
    values = {
        name: looking.session.value(name)
        for name in ("env.NCCL_P2P_LEVEL", "env.NCCL_PROTO", "env.NCCL_IB_HCA")
    }
    assert values == {"env.NCCL_P2P_LEVEL": "PHB", "env.NCCL_PROTO": "unset", "env.NCCL_IB_HCA": "mlx5_0"}
    looking.reply("/back")
    assert all(looking.session.value(name) is None for name in values)


def test_none_of_the_variables(looking):
    looking.reply("none")
    assert {looking.session.value(name) for name in (LOOK.fact, *LOOK.together)} == {"unset"}


@pytest.mark.parametrize("word", ["d", "s"])
def test_a_look_that_cannot_be_taken_is_not_asked_for_again(looking, word):
    looking.reply(word)
    looking.session.tell("symptom.hang-at-first-collective", True)
    looking.session.tell("gpu.vendor", "nvidia")
    assert all(looking.session.value(name) is None for name in (LOOK.fact, *LOOK.together))
    question = looking.next_question()
    assert question and LOOK.fact not in (question.fact, *question.together)


def test_a_remark_instead_of_variables_is_no_answer(looking):
    looking.reply("it hangs at the first all-reduce with two GPUs")
    assert looking.session.value(LOOK.fact) is None


def test_what_several_signatures_read_is_named_once(knowledge):
    screen = start(knowledge).reply("hangs at the first all-reduce on two gpus").plain()
    assert screen.count("? perhaps: The communicators are ready") == 1
