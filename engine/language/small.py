"""The small words of sentences, which tell what a person writes from what programs print."""

from itertools import islice

SMALL = frozenset(
    """a after all also an and are as at be been before but by do does for from had has have i in is it its my never no
    not of on one only or our so than that the then there they this to was we were when which while with""".split()  # noqa: SIM905
)
LEAST, SHARE = 6, 0.15
"""So many of them, and of all words, each counted once, tell a person: four in five reports of persons have them, one
in fifteen of what tools print. Shorter texts may be a single line of a healthy log."""
_CHINESE = 8
"""So many characters of Chinese are a sentence."""
_READ = 4000


def is_prose(words: str) -> bool:
    """Whether a person tells something in these words, each of which stands in them once."""
    listed = [word.strip(".,;:!?()\"'").lower() for word in islice(words.split(), _READ)]
    small = sum(word in SMALL for word in listed)
    if small >= LEAST and small >= SHARE * len(listed):
        return True
    return sum("\u4e00" <= char <= "\u9fff" for word in listed for char in word) >= _CHINESE
