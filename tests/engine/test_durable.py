"""What the adapter of durable-rules relies on."""

from __future__ import annotations

from gpudoctor.engine.rules.durable import DISTINCT


def test_every_id_of_a_token_has_a_hash_of_its_own():
    hashes = set()
    for number in range(DISTINCT):
        value = 2166136261
        for byte in str(number).encode():
            value = (value ^ byte) * 16777619 & 0xFFFFFFFF
        hashes.add(value)
    assert len(hashes) == DISTINCT
