from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.probes.scanner import ENOUGH, Scanner, Search, chunks

LITERALS = [b"alpha", b"beta", b"ha"]


def search():
    return Search(lambda: LITERALS, lambda text: LITERALS)


def lines_with(data, chunk):
    scanner = Scanner(search())
    found = []
    for part in chunks([data], chunk):
        for hit in scanner.scan(part):
            found.append((hit.number, [LITERALS.index(one) for one in hit.literals]))
    return found


@given(
    st.lists(st.sampled_from([b"alpha", b"beta", b"x", b"alphabeta", b""]), max_size=30), st.integers(1, 60)
)
def test_lines_and_literals_do_not_depend_on_the_chunks(pieces, size):
    """As long as no line is longer than a chunk."""
    data = b"\n".join(pieces)
    wanted = [
        (number, {i for i, literal in enumerate(LITERALS) if literal in line})
        for number, line in enumerate(data.split(b"\n"), start=1)
    ]
    whole = [(n, set(found)) for n, found in lines_with(data, 1 << 20)]
    assert whole == [(n, found) for n, found in wanted if found]
    if all(len(p) < size for p in pieces):
        assert [(n, set(found)) for n, found in lines_with(data, size)] == whole


def test_a_chatty_literal_is_forgotten_and_others_are_not():
    data = b"alpha\n" * (ENOUGH + 10) + b"beta\n" * 5
    scanner = Scanner(search())
    hits = [hit for part in chunks([data], 4096) for hit in scanner.scan(part)]
    assert sum(b"beta" in hit.literals for hit in hits) == 5
    assert sum(b"alpha" in hit.literals for hit in hits) < ENOUGH + 1000
    assert hits[-1].number == ENOUGH + 15


def test_chunks_are_whole_lines():
    assert list(chunks([b"a\nb\nc", b"c\n"], 3)) == [b"a\nb\n", b"cc\n"]
    assert b"".join(chunks([b"x" * 10], 3)) == b"x" * 10
