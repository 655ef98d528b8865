# ruff: noqa: E501  (a context is one line; other alphabets)
"""Lines that confirm an incident, in texts that tell of errors: documents, source code, searches, mails, chats, logs of
others. They confirm nothing there, and the same lines in real logs go on confirming."""

from __future__ import annotations

from functools import lru_cache

import pytest

from gpudoctor.engine import Session
from gpudoctor.engine.facts import ERROR_LINE, PRINTED, SAID, WORDS
from gpudoctor.engine.language.outline import Outline
from gpudoctor.engine.language.stance import Stance, is_remark, of_frame
from gpudoctor.probes.report import Reader

from .test_stance import LINES

DOCUMENTS = (
    "| {} | replace the card |",
    "|Error|Fix|\n|---|---|\n|{}|replace the card|",
    "Error | Fix\n--- | ---\n{} | replace the card",
    "<td>{}</td>",
    "<tr><td>{}</td><td>replace the card</td></tr>",
    "* {}: fix the driver",
    "- {} — replace the card",
    "1. {} -> replace the card",
    "<li>{}</li>",
    "<li>{}: reseat the card",
    "<p>{}</p>",
    "<dt>{}</dt><dd>replace</dd>",
    "Symptom: {}\nCause: the card is broken",
    "Symptom: {}\n\nCause: the card is broken.\nFix: replace it",
    "Cause: bad cable\nSymptom: {}",
    "{}\nSolution: replace the card.",
    "Problem: {}\nResolution: reboot",
    "现象：{}\n原因：卡坏了",
    "## Known issues\n\n{}",
    "## Known issues\n\ntext here\n\nmore text\n\nmore\n\n```\n{}\n```",
    "# Troubleshooting\n\n## GPU\n\nfoo\nbar\nbaz\nqux\n{}",
    "Known issues\n============\n\na\nb\nc\nd\n{}",
    "Troubleshooting\n~~~~~~~~~~~~~~~\n\na\n\n{}",
    "3. Troubleshooting\n\na\nb\nc\nd\n\n{}",
    "3.2 Known issues\n\n{}",
    "TROUBLESHOOTING\n\nfoo\n\nbar\n\n{}",
    "<h2>Known issues</h2>\n<p>foo\n<pre>\nx\n{}\n</pre>",
    "## 常见问题\n\n甲\n\n乙\n\n丙\n\n{}",
    "## Bekannte Probleme\n\na\n\nb\n\n{}",
)
"""Tables, lists, markup, the entries and the chapters of documents."""

CODE = (
    'logger "{}"',
    "logger -t kernel {}",
    "$ echo {}",
    "echo {}",
    "+ echo {}",
    'ERRORS = ["{}"]',
    'ERRORS = [\n    "{}",\n]',
    "KNOWN = {{'{}': 'replace'}}",
    "$ strings libfoo.so | head\nfoo\nbar\n{}\nbaz",
    "strings libfoo | head\n{}",
    "$ grep -r Xid /usr/src/linux\nfoo\n{}",
    "$ grep -rn fallen kb/\nkb/xid.md:12:{}",
    "docs/xid.md:12:{}",
    "cat > t.log <<'EOF'\nfoo\nbar\nbaz\nqux\n{}\nEOF",
    "/*\n * foo\n * bar\n * baz\n * qux\n * {}\n */",
    '"""\nfoo\nbar\nbaz\nqux\n{}\n"""',
    "<!--\na\nb\nc\nd\n{}\n-->",
    "$ cat README.md\na\nb\nc\nd\n{}",
    "$ git log -p\na\nb\nc\nd\n{}",
)
"""Commands that write the text, source code, what prints the files of others."""

OTHERS = (
    "Reporter's log:\n{}",
    "Reporter's log:\n\nfoo\nbar\nbaz\nqux\n{}",
    "Their log:\n{}",
    "Their log:\nfoo\n{}",
    "From the issue:\n{}",
    "From the issue:\n\n```\nfoo\nbar\nbaz\nbla\n{}\n```",
    "Copied from the internet:\n{}",
    "[RESOLVED] {}",
    "[SOLVED] {}",
    "~~{}~~",
    "[fixed]: {}",
    "staging: {}",
    "[staging] {}",
    "qa: {}",
    "{}\nThis was last year, now everything works.",
    "{}\nfoo\nbar\n\nThis was last year, now everything works.",
    "```\n{}\nfoo\nbar\n```\n\nThat was on another machine.",
    "On my colleague's server:\n\nfoo\n\nbar\n\n\n```\nx\n```\n\n```\ny\n{}\n```",
    "The log of a different customer follows.\n\n\n\n\n```\n{}\n```",
    "This is from another machine:\n\n\n\n\n\n```\n{}\n```",
    "Log from the other cluster:\n```\na\nb\nc\nd\ne\n{}\n```",
)
"""Another place or another time, however far above or below it is said."""

LETTERS = (
    "From: Bob <b@x.org>\nTo: me\nSubject: help\n\nHi,\n\n{}",
    "---------- Forwarded message ---------\nFrom: Bob <b@x.org>\nDate: Mon\nSubject: help\n\nHi,\n\nwe get this:\n\n{}",
    "On Mon, Jan 6, Bob wrote:\n\nHi,\n\n{}",
    "Begin forwarded message:\n\nHi,\n\nfoo\n\nbar\n\n{}",
    "[bob] {}",
    "10:32 bob {}",
    "<bob> {}",
    "[dieter] hi all\n[dieter] {}\n[uli] oh no, we had that",
    "10:32 <bob> {}",
    "(10:32) bob: {}",
    "bob> {}",
)
"""Mails and chats."""

LANGUAGES = (
    "No vemos {}",
    "No aparece el error {}",
    "Este no es nuestro error: {}",
    "{} no aparece en los registros",
    "El año pasado vimos {}",
    "En otra máquina: {}",
    "En el servidor de un compañero:\n{}",
    "Wir sehen nicht {}",
    "Wir sehen kein {}",
    "Das ist nicht unser Fehler: {}",
    "{} tritt nicht auf",
    "Letztes Jahr hatten wir {}",
    "Auf einem anderen Rechner: {}",
    "Auf einem anderen Rechner:\n{}",
    "Früher kam {}",
    "Nous ne voyons pas {}",
    "Ce n'est pas notre erreur : {}",
    "{} n'apparaît pas",
    "L'année dernière nous avions {}",
    "Sur une autre machine : {}",
    "Sur une autre machine :\n{}",
    "Il y a deux ans : {}",
    "Não vemos {}",
    "Este não é o nosso erro: {}",
    "{} não aparece",
    "No ano passado tivemos {}",
    "Em outra máquina: {}",
    "Em outra máquina:\n{}",
    "Мы не видим {}",
    "Это не наша ошибка: {}",
    "{} не появляется",
    "В прошлом году было {}",
    "На другой машине: {}",
    "На другой машине:\n{}",
    "У коллеги: {}",
    "{} は出ていません",
    "このエラーは出ません: {}",
    "昨年 {} が出ました",
    "別のマシンで: {}",
    "別のマシンで:\n{}",
    "これは私たちのエラーではありません: {}",
    "{} 오류는 없습니다",
    "우리는 보지 않습니다: {}",
    "작년에 {} 발생",
    "다른 서버에서: {}",
    "다른 서버에서:\n{}",
    "우리 오류가 아닙니다: {}",
)
"""Denial, another machine, another time in Spanish, German, French, Portuguese, Russian, Japanese, Korean."""

ATTACKED = (
    "Dmesg of the broken box at our customer:\n\n[0.1] a\n[0.2] b\n[0.3] c\n\n{}",
    "The vendor sent us this log.\n\nfoo\n\n{}",
    "Somebody on Discord pasted:\n\n```\na\nb\nc\nd\n{}\n```",
    "Example:\n\n```\na\nb\nc\nd\n{}\n```",
    "* {} - usually a bad riser",
    "1. {}\n   Fix: replace the card",
    "**{}** — replace the card",
    "- **{}**: replace the card",
    "`{}` means the card is broken.",
    "`{}`: replace the card",
    '"{}" indicates a bad cable',
    "{}\n=> replace the card",
    "{}\n-> reboot",
    "Error: {}\nAction: reboot",
    "E1234: {}\nE1235: other error\nE1236: third error",
    "<tr>\n<td>\n{}\n</td>",
    "<ul>\n<li>\n{}\n</li>",
    ".. code-block:: text\n\n   {}\n\nThis message means that the card is broken.",
    ".SH DIAGNOSTICS\n.TP\n{}",
    "\\item {}",
    "\\begin{{itemize}}\n\\item a\n\\item {}\n\\end{{itemize}}",
    "=== Known issues ===\n\na\n\nb\n\nc\n{}",
    "h2. Known issues\n\na\n\nb\n\nc\n{}",
    "[Known issues]\na\nb\nc\nd\n{}",
    "Chapter 7: Troubleshooting\n\na\n\nb\n\nc\n{}",
    "Section 4 - Known Issues\n\na\n\nb\n\nc\n{}",
    "KNOWN ISSUES:\n- a\n- b\n- c\n- d\n- {}",
    "Release notes 1.2\n\na\n\nb\n\nc\n{}",
    "v2.1 changelog:\n- a\n- b\n- c\n- d\n- fixed: {}",
    "## [1.2.0] - 2024-01-01\n### Fixed\n- a\n- b\n- c\n- {}",
    "Bug fixes\n- {}",
    'case 79: return "{}";',
    "  79: '{}',",
    '{{ 79, "{}" }},',
    "error_text: {}",
    "    # {}",
    "REM {}",
    "(* {} *)",
    "{{# {} #}}",
    "curl -d '{}' http://x",
    "git commit -m '{}'",
    "sed -i 's/x/{}/' f",
    "watch for: {}",
    "alert: {}",
    "expr: {}",
    "summary: {}",
    "regex: {}",
    "$ man nvidia-smi\na\nb\nc\nd\n{}",
    "$ python -c 'print(1)'\n1\n$ cat kb/xid.md\na\nb\nc\n{}",
    "$ curl -s https://docs.nvidia.com/x\na\nb\nc\n{}",
    "Bob Smith <bob@x.org> schrieb am Montag:\n\nHallo,\n\n{}",
    "Von: Bob\nGesendet: Montag\nAn: mich\nBetreff: Hilfe\n\nHallo,\n\n{}",
    "Dear support,\n\nour customer sent this:\n\n{}",
    "**alice** 10:32 AM\nfoo\nbar\nbaz\n{}",
    "alice: {}",
    "alice said: {}",
    "Alice (10:32): {}",
    "[10:32 AM] Alice: {}",
    "[2024-01-05 10:32] <alice> {}",
    "alice  10:32\n{}",
    "@alice {}",
    "alice | {}",
    "node3 (retired): {}",
    "(old log) {}",
    "OLD: {}",
    "ARCHIVE: {}",
    "backup-server: {}",
    "{}\n\n^ this was on the old server",
    "{}\n\nNot our log, from a blog.",
    "{}\n\n(This is what the vendor's handbook shows.)",
    "{}\n\nBut that's a different cluster.",
    "{}\n\nWe fixed this in March.",
    "Everything below is from another cluster.\n\nfoo\n\nbar\n\nbaz\n\n{}",
    "--- other machine ---\na\nb\nc\nd\n{}\n--- this machine ---\nok",
    "### Log of the working machine\n\na\nb\nc\nd\n{}",
    "<details>\n<summary>Other machine</summary>\n\na\nb\nc\nd\n{}\n</details>",
    "::: note\n{}\n:::",
    "> [!NOTE]\n> {}",
    "!!! warning\n    {}",
    "Q: What does {} mean?",
    "Q: {}\nA: replace the card.",
    "Did you get {}",
    "Has anyone had\n\n{}\n\nbefore?",
    "Search results for: {}",
    "About 1,230 results\n{} - NVIDIA Developer Forums\nhttps://forums.developer.nvidia.com/t/x",
    "{} · Issue #123 · NVIDIA/nccl · GitHub",
    "{} - Stack Overflow",
    "1. {} (forums.developer.nvidia.com)",
    "label: 1, text: {}",
    "Prompt: {}",
    "User: {}\nAssistant: replace the card",
    "Human: {}",
)
"""Found by attack: other documents, languages of markup, sites, dialogues, rules for alerts, what stands above or below."""

REAL = (
    "Log:\n\n```\na\nb\nc\nd\n{}\n```",
    "Here is the log from node 2:\n\n```\na\nb\nc\nd\n{}\n```",
    "$ ./run.sh\nfoo\n{}",
    "$ nvidia-smi\nok\n$ dmesg\n{}",
    "$ journalctl -k | grep -i nvrm\n{}",
    "$ sudo cat /var/log/kern.log\n{}",
    "$ kubectl logs train-0\nfoo\n{}",
    "$ docker logs x\n{}",
    "**Describe the bug**\nIt hangs\n\n**Logs**\n```\na\nb\nc\nd\n{}\n```",
    "1. Start vllm\n2. wait\n3. see error\n\n```\na\n{}\n```",
    "ERROR: {}",
    "E {}",
    "stderr: {}",
    "stdout: {}",
    "error: {}",
    "Error: {}",
    'msg="{}"',
    "job-1: {}",
    "rank 3: {}",
    "[stderr] {}",
    "[gpu-node-3] {}",
    "[1] {}",
    "[ERROR] {}",
    "<stderr> {}",
    "<3>{}",
    "{}\n[rank0]: foo",
    "{}\nThis job will be killed.",
    "Describe the issue: after the update the job dies\n\n{}\n\nThis happens every time.",
    "{}\n\nThis happens on all nodes.",
    "{}\nIt is reproducible.",
    "I followed the documentation and then:\n\n```\na\nb\nc\nd\n{}\n```",
    "2025-01-01 10:11:12 | ERROR | vllm.x:12 - {}",
    "I0101 10:11:12.123 123 foo.go:12] {}",
    "level=error ts=2025 msg='{}'",
    "==> /var/log/kern.log <==\na\nb\nc\nd\n{}",
    "Collecting environment information...\nPyTorch version: 2.1\n\nVersions of relevant libraries:\n[pip3] numpy==1\n\n{}",
    "Last error:\n{}",
    "The above exception was the direct cause of the following exception:\n\n{}",
    "During handling of the above exception, another exception occurred:\n\n{}",
    "{}",
    "| {}",
    "- {}",
    "* {}",
    "[rank0]: {}",
    "[1,0]<stderr>:{}",
    "[1,0]<stderr>: {}",
    "(RayWorker pid=991, ip=10.0.0.3) {}",
    "[gpu01:4242] {}",
    "gpu01: {}",
    "node-7: {}",
    "pod/train-0 {}",
    "[pod/train-0/main] {}",
    "train-0 {}",
    "Mar  4 10:11:12 gpu01 kernel: {}",
    "worker-1  | {}",
    "vllm-1 | 10:32:11 {}",
    "[server] {}",
    "[trainer] {}",
    "[default0]:{}",
    "[myapp] {}",
    "10:32:11 {}",
    "10:32:11 gpu01 {}",
    "[10:32:11] {}",
    "[  123.456] {}",
    '{{"log":"{}\\n","stream":"stderr"}}',
    '{{"level":"error","msg":"{}"}}',
    "$ dmesg | grep -i nv\n{}",
    "$ dmesg | tail\n[1.0] foo\n{}",
    "$ cat job.log\nfoo\n{}",
    "$ grep -r Xid /var/log\n/var/log/kern.log:{}",
    "$ grep -n Xid job.log\n12:{}",
    "### Your current environment\n\nfoo\n\nbar\n\n```\nx\ny\nz\nw\n{}\n```",
    "# Bug report\n\n## Logs\n\n```\na\nb\nc\nd\n{}\n```",
    "Our log:\n\nfoo\nbar\n\n{}",
    "We run 8 GPUs. It crashes at start:\n\n```\nfoo\nbar\nbaz\nqux\n{}\n```",
    "On the other cluster it works. Here it does not, we get:\n\n```\nfoo\nbar\nbaz\nqux\n{}\n```",
    "It worked last week. Now we get:\n```\na\nb\nc\n{}\n```",
    "Their log:\n```\nfine\n```\nOur log:\n```\na\nb\nc\nd\n{}\n```",
    "## Known issues\nnone\n## Log\n\na\nb\nc\nd\n{}",
    "{}\nThis worked last week.",
    "Hi,\n\nwe see this since today:\n\n{}\n\nThanks,\nBob",
    "{}\nCaused by: foo",
    'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    main()\n{}',
    "Wir bekommen {}",
    "Obtenemos {}",
    "Nous obtenons {}",
    "Recebemos {}",
    "Мы получаем {}",
    "エラー: {}",
    "오류: {}",
    "Auf diesem Rechner:\n{}",
    "En esta máquina:\n{}",
    "Sur cette machine :\n{}",
    "Nesta máquina:\n{}",
    "На этой машине:\n{}",
    "このマシンで:\n{}",
    "이 서버에서:\n{}",
    "# nThread 1 nGpus 8\n#\n# Using devices\n#  Rank  0\n{}",
    "root@gpu01:~# dmesg\n[0.0] a\n{}",
    "=====\nlog\n=====\n{}",
    "{}\nCause of failure unknown",
)
"""As programs, launchers and people who report their own fault wrap the same lines."""


@pytest.fixture(scope="module")
def reader(knowledge):
    return Reader(knowledge)


def filled(context, line):
    return (
        context.replace("{{", "\0")
        .replace("}}", "\1")
        .replace("{}", line)
        .replace("\0", "{")
        .replace("\1", "}")
    )


def confirmed(knowledge, reader, line, context):
    return confirms(knowledge, reader, line, filled(context, line))


def confirms(knowledge, reader, line, text):
    """Whether a text that holds a line confirms what the line is a sign of."""
    facts = [f for f in reader.read([text.encode()], "report") if f.name != ERROR_LINE]
    if not signs_of(reader, line) & {f.name for f in facts if f.origin.trust in (PRINTED, SAID)}:
        return False  # a proof needs one of its signs
    session = Session(knowledge)
    for fact in facts:
        session.add(fact)
    found = any(one.standing == "confirmed" for one in session.standings())
    session.close()
    return found


@lru_cache(maxsize=256)
def signs_of(reader, line):
    return frozenset(
        f.name for f in reader.read([line.encode()], "report") if f.name not in (ERROR_LINE, WORDS)
    )


TOLD = [*DOCUMENTS, *CODE, *OTHERS, *LETTERS, *LANGUAGES, *ATTACKED]


@pytest.mark.parametrize("context", TOLD)
def test_what_only_tells_of_an_error_confirms_nothing(knowledge, reader, context):
    """Every context with a third of the lines, each with another third: all of them would take minutes."""
    lines = LINES[TOLD.index(context) % 3 :: 3]
    assert [line for line in lines if confirmed(knowledge, reader, line, context)] == []


@pytest.mark.parametrize("context", REAL)
def test_the_same_lines_in_real_logs_confirm(knowledge, reader, context):
    assert [line for line in LINES[::4] if not confirmed(knowledge, reader, line, context)] == []


def test_a_frame_holds_however_far_below():
    text = "# Troubleshooting\n" + "text\n" * 5000 + "## Logs\nx\n# Ours\ny\n"
    outline = Outline(text, is_remark)
    assert of_frame(outline.frame(1)) is Stance.PRINTED
    assert of_frame(outline.frame(4000)) is Stance.OPEN
    assert of_frame(outline.frame(5003)) is Stance.OPEN
    assert of_frame(outline.frame(5005)) is Stance.PRINTED
