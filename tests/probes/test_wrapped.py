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

REAL = (
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
    text = filled(context, line)
    facts = [f for f in reader.read([text.encode()], "report") if f.name != ERROR_LINE]
    if not signs_of(reader, line) & {f.name for f in facts if f.origin.trust in (PRINTED, SAID)}:
        return False  # a proof needs one of its signs
    session = Session(knowledge, "reference")
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


@pytest.mark.parametrize("context", [*DOCUMENTS, *CODE, *OTHERS, *LETTERS, *LANGUAGES])
def test_what_only_tells_of_an_error_confirms_nothing(knowledge, reader, context):
    assert [line for line in LINES if confirmed(knowledge, reader, line, context)] == []


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
