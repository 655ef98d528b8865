"""Secrets whose names stand in another line, where a text is read line by line or only in part."""

from __future__ import annotations

import pytest

from gpudoctor.engine.redaction import redact, without_apart
from gpudoctor.probes.bedside.copy import Copy

LINE = "RuntimeError: NCCL error: unhandled system error, hunter2"
BELOW = [
    f'"password":\n  "{LINE}"',
    f"password: |\n  {LINE}",
    f"password: >-\n  first\n  {LINE}",
    f'"api_key" :\r\n  "{LINE}"',
    f"db:\n  password:\n    '{LINE}'",
    f"stringData:\n  any: {LINE}",
    f"| user | password |\n|---|---|\n| bob | {LINE} |",
]


@pytest.mark.parametrize("text", BELOW)
def test_an_error_line_that_is_the_value_of_the_line_above(reader, text):
    assert "hunter2" not in repr(list(reader.read([text.encode()], "x.log")))


def test_lines_stay_lines_and_what_is_no_secret_stays():
    for text in BELOW:
        assert without_apart(text.encode()).count(b"\n") == text.count("\n")
    plain = f"Traceback (most recent call last):\n  File x\n{LINE}\ntokens:\n  4096\n\xff".encode("latin-1")
    assert without_apart(plain) == plain


def test_words_of_a_long_text_hold_no_half_of_a_secret(reader):
    for size in range(40):
        text = "x" * (12 * 1024 - 20 - size) + " password=hunter2hunter2 " + "y " * 9000 + "\n"
        text += "password=hunter2hunter2 " + "z" * (12 * 1024 - 15 - size) + "\n"
        found = [fact for fact in reader.read([text.encode()], "x") if fact.name == "log.words"]
        assert found and "unter2" not in repr(found)


def test_the_end_of_a_bounded_copy_begins_within_a_secret():
    copy = Copy(64, 4096)
    copy.take(b"".join(b"line %d of the job\n" % number for number in range(400)))
    copy.take(b"password: |\n")
    for number in range(190):
        copy.take(b"  hunter2 and more %d\n" % number)
    kept = copy.content()
    assert b"were left out here" in kept and b"hidden" in kept and b"password: |" not in kept
    assert b"hunter2" not in kept


def test_a_key_whose_beginning_was_cut_off():
    text = "AbCdEf+/0123456789abcdefghijklmnop\n" * 5 + "-----END OPENSSH PRIVATE KEY-----\nnode1 is up"
    assert "0123456789" not in redact(text) and "node1 is up" in redact(text)
    certificate = text.replace("OPENSSH PRIVATE KEY", "CERTIFICATE")
    assert "0123456789" in redact(certificate)
