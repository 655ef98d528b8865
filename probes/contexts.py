"""How far what stands in a line of a report is trusted, by the words around it."""

from __future__ import annotations

from functools import cached_property, lru_cache

from ..engine.facts import PRINTED, READ, SAID
from ..engine.language.cues import HERE, PERSON, QUOTE
from ..engine.language.foreign import is_foreign, is_ours
from ..engine.language.mention import Samples, beside, is_amid, is_cited
from ..engine.language.outline import MOST_CHARACTERS, NOTHING, Frame, Outline
from ..engine.language.stance import ABOVE, Stance, before_message, is_logged, is_remark, of_frame, stance
from ..engine.language.telling import MARK, MENTIONED, REACH, SHORT, heard, telling
from ..engine.patterns import lazy_pattern
from .scanner import LiteralHit
from .text import clean
from .windows import lines_above, lines_below

_TRUST = {Stance.PRINTED: PRINTED, Stance.SAID: SAID, Stance.UNSURE: SAID, Stance.OPEN: READ}
_WIDTH = 600
_BELOW = 6
"""Lines below in which the next words are looked for: a fence and blank lines may stand between."""
_LEAST, _LONG = 100, 1200
FLOOD = 80_000
"""Characters looked at for one text after which lines of the same shape are judged as the one before them was, and a
line of a new shape once, however much stands in it."""
_MOST_SHAPES = 20_000
_MOST_IN_FULL = 1000
"""Shapes of a flood that are judged by all words around them; of more only what plainly begins as a log counts."""
_MOST_FRAMES = 100
"""Frames of a flood that are judged to tell its shapes apart; those that come later are taken for one."""
_MOST_HEARD = 300
"""Places of one text of which the words around are weighed; what has more signs of trouble is a log."""
_FENCES = (b"```", b"~~~")
_WORD = lazy_pattern(r"\w+")
_NEAR = 60
"""Characters before a message in which somebody says that it appears here."""


class Contexts:
    """Judges the lines of one text."""

    def __init__(self) -> None:
        self._looked_at = 0
        self._shapes: dict[tuple[str, str, str, str], str] = {}
        self._outline: Outline | None = None
        self._has_outline = False
        self._in_full = 0
        self._heard = 0
        self._frames: dict[Frame, str] = {}

    def above(self, hit: LiteralHit) -> tuple[Frame, str]:
        """What stands over a line however far above it, and what is said of it below, in the part of a text that
        somebody may have written."""
        outline = self._outlined(hit)
        return (NOTHING, "") if outline is None else (outline.frame(hit.number), outline.remark(hit.number))

    def frame(self, hit: LiteralHit) -> Frame:
        """What stands over a line however far above it."""
        outline = self._outlined(hit)
        return NOTHING if outline is None else outline.frame(hit.number)

    def _outlined(self, hit: LiteralHit) -> Outline | None:
        if not self._has_outline:
            self._has_outline = True
            if hit.chunk.count(b"\n", 0, hit.start) + 1 == hit.number:  # the text begins here
                text = hit.chunk[:MOST_CHARACTERS].decode("utf-8", "replace")
                self._outline = Outline(text, is_remark)
        return self._outline

    def framed(self, frame: Frame) -> str:
        """What stands over a line makes of it, as far as shapes are told apart by it."""
        known = self._frames.get(frame)
        if known is None:
            if len(self._frames) >= _MOST_FRAMES:
                return ""
            known = self._frames[frame] = of_frame(frame).value
        return known

    def may_listen(self) -> bool:
        """Whether the words around one more place are weighed."""
        self._heard += 1
        return self._heard <= _MOST_HEARD

    def around(self, hit: LiteralHit, line: str, samples: Samples) -> Surroundings:
        """What stands around a line; ``samples`` gives lines like it."""
        return Surroundings(self, hit, line, samples)

    def trust(self, who: str, around: Surroundings, start: int, end: int) -> str:
        """As ``Surroundings.judged``; in a flood by the shape: a program repeats itself, and a person does not."""
        if self._looked_at <= FLOOD:
            self._looked_at += around.width
            return around.judged(start, end)
        key = (who, *around.shape)
        known = self._shapes.get(key)
        if known is None:
            is_new = self._in_full < _MOST_IN_FULL
            self._in_full += is_new
            known = around.judged_once(start, end) if is_new else around.judged_briefly(start)
            if len(self._shapes) < _MOST_SHAPES:
                self._shapes[key] = known
        return known


class Surroundings:
    """What stands around one line, looked at when it is asked for."""

    def __init__(self, contexts: Contexts, hit: LiteralHit, line: str, samples: Samples) -> None:
        self._contexts = contexts
        self._hit = hit
        self._line = line
        self._samples = samples
        self._beside: tuple[list[str], str] | None = None
        self._judged: dict[tuple[int, int], str] = {}

    def trust(self, who: str, start: int, end: int) -> str:
        """The trust of a product's words from ``start`` to ``end``; empty if they speak of no fact of this machine.

        ``who`` asks: a signature or a parser.
        """
        known = self._judged.get((start, end))
        return self._contexts.trust(who, self, start, end) if known is None else known

    def judged(self, start: int, end: int) -> str:
        """The trust by the words themselves."""
        before, after = self._neighbours()
        frame, remark = self._contexts.above(self._hit)
        said = stance(self._line, before, start, end, after, frame, remark)
        found = _TRUST.get(said, "")
        if found in (PRINTED, SAID) and self._contexts.may_listen() and self._sounds_told(start, end, found):
            found = READ
        self._judged[start, end] = found
        return found

    def _sounds_told(self, start: int, end: int, found: str) -> bool:
        """Whether what a person says around the line sounds as if it told of an error."""
        above, below = self._near
        lead, rest = before_message(self._line[:start]), self._line[end:]
        head, tail, is_sentence = beside(lead, rest, self._samples)
        apart = heard(above, "", "", below)
        words = heard(above, head, tail, below) if is_sentence else apart
        score = telling(*words)
        is_unheard = score == -SHORT and not is_amid(head, tail)  # of few words little is known
        if not is_unheard and score > (MENTIONED if is_sentence and not _appears_here(head) else MARK):
            return True
        if found == PRINTED and is_cited(lead, rest):
            return True
        if is_sentence and telling(*apart) > MARK:
            return True  # what else is in the line may belong to the message
        if not words[0].strip() or not is_foreign("\n".join(words)):
            return False  # programs end with a remark in the language of the system
        return not is_ours("\n".join(line[:_WIDTH] for line in (*above, head, tail, *below)))

    def judged_once(self, start: int, end: int) -> str:
        """The same for a line of which one place has been judged: what a program prints is all alike, and of what
        a person says the rest stays open, which is no evidence."""
        if not self._judged:
            return self.judged(start, end)
        first = next(iter(self._judged.values()))
        return first if first == PRINTED and not self._speaks else ""

    def judged_briefly(self, start: int) -> str:
        """The trust by how the line begins: printed, or open; what a person says is no evidence here."""
        if self._is_spoken:
            return ""
        return PRINTED if self._is_logged or not self._line[:start].strip() else READ

    @cached_property
    def _near(self) -> tuple[list[str], list[str]]:
        """Lines above and below among which a person may speak, without those that repeat this one."""
        above, below = lines_above(self._hit, REACH), lines_below(self._hit, REACH)
        return [one for one in above if one != self._line], [one for one in below if one != self._line]

    @cached_property
    def _is_spoken(self) -> bool:
        return self._speaks or bool(QUOTE.match(self._line))

    @cached_property
    def _is_logged(self) -> bool:
        return is_logged(self._line)

    @cached_property
    def _speaks(self) -> bool:
        return bool(PERSON.search(self._line[:_LONG]))

    @property
    def width(self) -> int:
        """About how many characters are looked at for one judgement."""
        return _LEAST + min(len(self._line), _LONG)

    @cached_property
    def shape(self) -> tuple[str, str, str]:
        """The line and the one above it without their words, which tell a sentence from what a program prints, and
        what stands over them."""
        chunk, start = self._hit.chunk, self._hit.start
        above = chunk[max(0, start - _WIDTH) : max(0, start - 1)]
        last = above[above.rfind(b"\n") + 1 :].decode("utf-8", "replace")
        frame = self._contexts.framed(self._contexts.frame(self._hit))
        return _shape_of(self._line[:_LONG]), _shape_of(last), frame

    def _neighbours(self) -> tuple[list[str], str]:
        if self._beside is None:
            chunk, start = self._hit.chunk, self._hit.start
            above = chunk[max(0, start - _WIDTH * ABOVE) : start].rsplit(b"\n", ABOVE + 1)[-ABOVE - 1 : -1]
            end = start + _WIDTH * ABOVE
            below = chunk[start:end].split(b"\n", _BELOW)[1:]
            if len(below) == _BELOW or end < len(chunk):
                below = below[:-1]  # cut; the last line of a text is whole, with or without a line break
            after = next(
                (one for one in below if one.strip(b" >\r") and not one.lstrip().startswith(_FENCES)), b""
            )
            before = [clean(piece[-_WIDTH:]) for piece in above if piece.strip(b" \r") != b">"]
            self._beside = before, clean(after[:_WIDTH])
        return self._beside


def _appears_here(head: str) -> bool:
    """Whether somebody says right before a message that it appears here; "it says" may be anything."""
    here = HERE.search(head[-_NEAR:])
    return here is not None and not here[0].lower().startswith(("it ", "this ", "which "))


@lru_cache(maxsize=64)
def _shape_of(line: str) -> str:
    """A line without its words; mostly it is the one above the next."""
    return _WORD.sub("a", line)
