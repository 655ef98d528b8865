"""Lines that confirm an incident, inside sentences that speak of no fault of this machine: they confirm nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gpudoctor.engine import Session
from gpudoctor.engine.facts import ERROR_LINE
from gpudoctor.engine.language.stance import Stance, sentence, stance
from gpudoctor.probes.report import Reader

LINES = (Path(__file__).parent / "confirming-lines.txt").read_text().splitlines()

NOT_HERE = (
    "We do NOT see this error: {}",
    'There is no "{}" in any of the logs.',
    "it crashes without a line like '{}'",
    "we never got {} on this machine",
    "{} does not appear any more",
    "I searched all logs for {}: 0 matches",
    "$ dmesg | grep -i '{}'\n$",
    "the job just ends instead of printing {}",
    "我们没有看到这个错误：{}",
    "升级之后不再出现 {} 了",
    "{} 没有出现",
    "On my colleague's server: {}",
    "Another user reported {}",
    "The other cluster shows {}, ours does not hang.",
    "{} (not on this machine)",
    "For comparison, from a different machine:\n```\n{}\n```\n",
    "同事的机器上报 {}",
    "另一台服务器上出现过：{}",
    "Last year we got {} and it was fixed",
    "it used to fail with {}",
    "Before the upgrade we saw: {}",
    "去年出现过 {}，现在已解决",
    "with an older driver it would print {}",
    "If you see {}, reboot the machine.",
    'Does anybody else get "{}"?',
    "Is this the same problem as {}?",
    "如果出现 {}，请重启机器",
    "是不是 {} 的问题？",
    "> {}",
    "The documentation says: {}",
    '    raise RuntimeError("{}")',
    "logger.error('{}')",
    "// {}",
    "[10:32] bob: {}",
    "<alice> {}",
    'Issue #1234 has the title "{}"',
    "On Mon, Jan 6, Bob wrote:\n> {}",
    "官方文档里写着：{}",
    "this is not the {} problem",
    "My friend has the same card and gets {}",
    "The troubleshooting guide lists {} as a symptom of a bad cable.",
    "I was afraid of {} but the run is clean.",
    "No sign of {} in dmesg.",
    "INFO 01-02 03:04:05 [logger.py:43] Received request 1: prompt: '<|user|>Summarize: {}<|assistant|>', params: None",
    "INFO 01-02 03:04:05 [api.py:9] body={{'messages': [{{'role': 'user', 'content': 'What does {} mean'}}]}}",
    "From: Bob <bob@example.com>\nSubject: node 7\n\n{}",
    "**bob** commented on Jan 3\n\n{}",
    "{}\n(the above is from the NVIDIA docs, we do not have it)",
    "Months ago this node had {}; the GPU was replaced since.",
    "What does {} mean?",
    '    printf("{}\\n");',
    '    if "{}" in line:',
    'dmesg | grep -c "{}"\n0',
    "We ruled out {}.",
    "That would be {}, which we don't have.",
    "Customer X wrote: {}",
    "Example of the message (not from our system):\n\n{}",
    "ChatGPT said it could be {}",
    "{} -- that was on the old box",
    "we have never had '{}'",
    "The log contains neither {} nor any other error.",
    "网上有人说会报 {}",
    "以前偶尔报 {}，换卡之后好了",
    "日志里并没有 {}",
    "假如报 {} 就要换线",
    "小王：{}",
    "# {}",
    'std::cerr << "{}" << std::endl;',
    'const char *msg = "{}";',
    "Tried to provoke {} by unloading the module, in vain.",
    "Title: {} (closed as duplicate)",
    "| > {}",
    "Unlike #512 we have no {}",
    "We don\u2019t see this error: {}",
    "We don\u2018t get {}",
    "The job doesn\u2019t print {}",
    "It isn\u2019t {}",
    "We have n\u2019t seen {}",
    "we haven't had {} since we swapped the cable",
    "{} \u2014 not on this machine, that was the old one",
    "&gt; {}",
    "&gt;&gt; {}",
    "\u201c{}\u201d is what the docs describe.",
    "「{}」这个报错我们没有遇到",
    "我们这边并未出现 {}",
    "昨天客户机器上报了 {}，我们的没问题",
    "请问 {} 一般是什么原因？",
    "文档上说若出现 {} 则需要重启",
    "隔壁组的集群报：{}",
    "如果看到 {}，就是显卡坏了",
    "Expected output if the cable is bad:\n{}",
    "What a broken node prints (from the vendor's guide):\n\n    {}\n",
    "<details><summary>Log of the other cluster</summary>\n\n```\n{}\n```\n</details>",
    "Log from node B of a different customer:\n\n```text\n{}\n```",
    "assert '{}' not in log",
    'expect(log).not.toContain("{}")',
    "    - '{}'  # pattern we alert on",
    'pattern: "{}"',
    'message: "{}"  # example',
    "grep -F '{}' /var/log/syslog || echo none",
    "dmesg | grep '{}' returned nothing",
    "$ dmesg | grep '{}'\n$ echo $?\n1",
    "SELECT * FROM logs WHERE line LIKE '%{}%'; -- 0 rows",
    '+    raise RuntimeError("{}")',
    '-        logger.warning("{}")',
    "diff --git a/x b/x\n+// {}",
    "Feature request: detect {}",
    "Fixes #123: {}",
    "[Closed] {} (#4521)",
    "- [x] {} (checked, not the case)",
    "- [ ] {}",
    "1. Check whether dmesg shows: {}",
    "Unit test fixture: {}",
    "Simulated with fault injection: {}",
    "This is a synthetic log for a drill:\n{}",
    "2023-01-01 incident (resolved):\n{}",
    "Postmortem, March: the root cause was {}",
    "| node | error |\n|---|---|\n| other-cluster-3 | {} |",
    "my question: could {} be the reason?",
    "I'd expect {} but there's nothing",
    "Had it been {}, we'd know.",
    "Not a single {} anywhere.",
    "zero occurrences of {}",
    "It's definitely not {}.",
    "{} : not found in dmesg",
    "{}? No.",
    "{} - no",
    '"{}" 0 matches',
    "no-one gets {}",
    "Before: {}\nAfter the driver update: all fine.",
    "The old log:\n{}\nThe new log is clean.",
    "Subject: Re: {}",
    "Re: {}",
    "Fwd: {}\nforwarded from another team",
    "Begin forwarded message:\n{}",
    "-----Original Message-----\n{}",
    "转发：{}",
    "引用：{}",
    "例子：{}",
    "比如这样的报错 {}",
    "已排除 {}",
    "老机器上 {} 新机器正常",
    "{} 这种情况不存在",
    "从来没遇到过 {}",
    "搜索 {} 无结果",
)
"""Denied, elsewhere, past, possible, quoted; English and Chinese."""

PRINTED = (
    "{}",
    "2025-03-04T10:11:12.345Z node7 worker[123]: {}",
    "Mar  4 10:11:12 gpu01 app[991]: {}",
    "2025-03-04 10:11:12,345 - mylog - ERROR - {}",
    "(VllmWorkerProcess pid=4242) ERROR 03-04 10:11:12 worker_base.py:574] {}",
    "0: {}",
    "2025-03-04T10:11:12.3Z stderr F {}",
    "The log of our server:\n```\n{}\n```\n",
    "It crashes at start:\n{}\nafter that nothing",
    "- {}",
)
"""As programs print, and as people paste."""

HEADINGS = (
    "### Your current environment\n\n```\n{}\n```",
    "### Error message and stack trace (if applicable)\n{}",
    "### Log without the flag\n```\n{}\n```",
    "<details>\n<summary>The output of `python collect_env.py`</summary>\n\n```text\n{}\n```",
    "## Steps to reproduce\n{}",
    "**Logs**\n```\n{}\n```",
)
"""Over what is pasted into a form."""

SPOKEN = (
    "We don\u2019t know why, but we get {}",
    "We get {}",
    "the job fails with: {}",
    "启动时报错：{}",
)
"""A person says so of this machine. Not every expression can be found in a sentence."""


@pytest.fixture(scope="module")
def reader(knowledge):
    return Reader(knowledge)


def confirmed(knowledge, reader, text):
    facts = [f for f in reader.read([text.encode()], "report") if f.name != ERROR_LINE]
    if not facts:
        return False
    session = Session(knowledge)
    for fact in facts:
        session.add(fact)
    return any(one.standing == "confirmed" for one in session.standings())


def test_there_are_enough_of_them():
    assert len(LINES) * len(NOT_HERE) >= 1500


@pytest.mark.parametrize("context", NOT_HERE)
def test_what_is_not_said_of_this_machine_confirms_nothing(knowledge, reader, context):
    wrong = [
        line
        for number, line in enumerate(LINES)
        if confirmed(knowledge, reader, context.format(line) + "\n" * (number % 2))
    ]
    assert wrong == []


@pytest.mark.parametrize("context", PRINTED)
def test_what_a_program_prints_confirms(knowledge, reader, context):
    lines = LINES if context == "{}" else LINES[::5]
    missed = [line for line in lines if not confirmed(knowledge, reader, context.format(line))]
    assert missed == []


@pytest.mark.parametrize("context", HEADINGS)
def test_a_heading_of_a_form_takes_nothing_away(knowledge, reader, context):
    assert [line for line in LINES[::5] if not confirmed(knowledge, reader, context.format(line))] == []


@pytest.mark.parametrize("context", SPOKEN)
def test_what_a_person_says_of_this_machine_counts(knowledge, reader, context):
    lines = LINES[::5]
    missed = [line for line in lines if not confirmed(knowledge, reader, context.format(line))]
    assert len(missed) <= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it does not hang any more", Stance.PAST),
        ("it does not hang", Stance.DENIED),
        ("这台不会卡住", Stance.DENIED),
        ("on my colleague's server it hangs", Stance.ELSEWHERE),
        ("同事的机器上会卡住", Stance.ELSEWHERE),
        ("last week it hung at every start", Stance.PAST),
        ("it used to hang", Stance.PAST),
        ("it would hang if P2P were on", Stance.POSSIBLE),
        ("如果打开 P2P 就会卡住", Stance.POSSIBLE),
        ("does anybody see hangs?", Stance.POSSIBLE),
        ("> it hangs at init", Stance.QUOTED),
        ("the docs say that it hangs", Stance.QUOTED),
        ("the job hangs at init", Stance.UNSURE),
        ("then we get a timeout", Stance.SAID),
        ("on the other machine it works, but here we get a timeout", Stance.SAID),
    ],
)
def test_a_sentence_tells_of_what_it_speaks(text, expected):
    assert sentence(text) is expected


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("", "### How to reproduce"),
        ("We use InfiniBand for our training.", ""),
        ("The only difference between the two nodes is the driver version.", ""),
        ("I see no difference between these two container images.", ""),
        ("", "On one node everything works."),
        ("", "Without InfiniBand everything works."),
        ("A single node works fine for me. On two nodes:", ""),
    ],
)
def test_what_people_say_beside_a_line_need_not_imagine_it(above, below):
    assert stance(LINES[0], [above], 0, 20, below) is Stance.PRINTED


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("", "How to reproduce this on purpose?"),
        ("A line for our training material:", ""),
        ("What is the difference between these two messages?", ""),
    ],
)
def test_what_imagines_a_line_makes_it_open(above, below):
    assert stance(LINES[0], [above], 0, 20, below) is not Stance.PRINTED


def test_a_line_of_a_log_is_printed_whatever_its_words():
    line = "NCCL WARN Could not find a path; if you see this, try setting NCCL_IB_HCA. No such device (19)"
    assert stance(line, (), 10, 25) is Stance.PRINTED


def test_hostile_lines_take_no_time():
    start = time.process_time()
    for unit in ("no ", "> ", "[a]", "if (", '"', "we get ", "没有", "a.", "<a> ", "printf(", "12:34 a: "):
        line = unit * (20_000 // len(unit))
        stance(line, (line, line, line), 10_000, 10_020, line)
        sentence(line)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    "said",
    [
        "We do NOT see this on our machine: {}",
        "If this appears on our machine: {}",
        "no such error on this host: {}",
    ],
)
def test_the_name_of_this_machine_does_not_take_a_denial_back(said):
    line = said.format("NVRM: Xid (PCI:0000:9c:00): 79, GPU has fallen off the bus.")
    start = line.index("NVRM")
    assert not stance(line, (), start, len(line)).is_here
    turned = line.replace(" on ", ", but on ", 1)
    assert stance(turned, (), turned.index("NVRM"), len(turned)).is_here
