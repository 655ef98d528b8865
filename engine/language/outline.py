"""In what kind of text a line stands: under which headings, who introduced it, which command printed it.

A page is read once, line by line; what stands over a line is then known however far above it was said.
"""

from bisect import bisect_right
from collections.abc import Callable

from ..patterns import lazy_pattern
from ..tuples import NamedTuple
from . import leads, papers, titles

MOST_LINES = 20_000
"""Lines of a text that are read so: what people write ends before."""
MOST_CHARACTERS = 1 << 20
_LONGEST, _LEAST = 240, 20
_MOST_BETWEEN = 60
"""Lines between a line and what is said of it."""
_MOST_LEADS = 4
_FENCE = lazy_pattern(r"^\s{0,8}(?P<mark>`{3,}|~{3,})\s{0,4}(?P<kind>\w{0,20})")
_ATX = lazy_pattern(
    r"^\s{0,3}(?P<marks>#{1,6})\s{1,4}(?!(?:nThread|Rank|Using devices|Out of|Avg|Collective)\b)(?P<title>\S.{0,160})"
)
_TAGGED = lazy_pattern(r"<(?:h(?P<level>[1-6])|summary)\b[^<>]{0,80}>(?P<title>[^<>]{1,160})", 2)
_NUMBERED = lazy_pattern(
    r"^\s{0,3}(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s{1,4}(?P<title>[^\W\d].{0,80})$"
)
_UNDERLINE = lazy_pattern(r"^([=\-~^\"'*+#`])\1{2,}\s{0,4}$")
_BANNER = lazy_pattern(
    r"^([-=#*<>~_+])\1{1,60}[>\s]{1,3}(?P<title>[^\W_].{0,80}?)[\s<]{1,3}[-=#*<>~_+]{2,80}$"
)
_INTRODUCES = lazy_pattern(
    r"\b(?:below|following|follows|(?:this|these|the) (?:\w{1,12} )?(?:logs?|output|traces?|errors?|lines?)"
    r"|sent (?:us|me|this)|pasted|posted|shared)\b|下面|以下|如下",
    2,
)
"""With these a whole sentence introduces what comes."""
_LAST = lazy_pattern(r"(?<=[.!?])\s{1,4}(?=\S)|(?<=[。！？])")
_BOLD = lazy_pattern(r"^\s{0,4}(?:\*\*|__|\[)(?P<title>[^*_\[\]]{1,100})(?:\*\*|__|\])\s?[:：]?\s{0,4}$")
_LEAD = lazy_pattern(r"[:：]\s{0,4}[\"'`*_]{0,3}\s{0,4}$")
_MARKUP = ("md", "markdown", "rst", "html", "adoc", "tex")
_BY_UNDERLINE = {"=": 1, "-": 2}
_OPENS_TEXT = ('"""', "'''")
_LOOSE = 9
"""The level of a title that is marked by nothing but its words."""
_MAIL_SPAN = 6
_SHORT = 32
_SHELLS = ("bash-", "sh-", "PS ")
_INTERESTING = frozenset("`~#<*_=-^\"'+/|[($%>@❯➜λdIcM\\")


class Frame(NamedTuple):
    """What stands over a line: headings, the highest first, and of the lines that introduce something the last few.

    ``region`` is what encloses it: ``comment``, ``heredoc``, ``printed`` by a command that reads files, ``patch``,
    an ``entry`` of a handbook."""

    headings: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    leads: tuple[str, ...] = ()
    region: str = ""
    mail: bool = False
    document: bool = False


NOTHING = Frame()


class Outline:
    """The frames of the lines of one text, by their number from 1 on."""

    def __init__(self, text: str, is_remark: Callable[[str], bool]) -> None:
        self._starts: list[int] = [0]
        self._frames: list[Frame] = [NOTHING]
        self._remarks: list[tuple[int, str]] = []
        self._leads: list[int] = []
        self._entries: list[tuple[int, int]] = []
        self._read(text, is_remark)

    def frame(self, number: int) -> Frame:
        """What stands over a line."""
        found = self._frames[bisect_right(self._starts, number) - 1]
        return found._replace(region="entry") if self._is_entry(number) and not found.region else found

    def remark(self, number: int) -> str:
        """What is said of a line below it, before anything else is introduced."""
        at = bisect_right(self._remarks, (number + 1,))
        if at == len(self._remarks) or self._remarks[at][0] - number > _MOST_BETWEEN:
            return ""
        place, text = self._remarks[at]
        lead = bisect_right(self._leads, number)
        return "" if lead < len(self._leads) and self._leads[lead] < place else text

    def _is_entry(self, number: int) -> bool:
        """Whether a line stands between the title of what is seen and that of its explanation."""
        at = bisect_right(self._entries, (number,)) - 1
        return at >= 0 and number < self._entries[at][1]

    def _read(self, text: str, is_remark: Callable[[str], bool]) -> None:
        reader = _Reader()
        entry = 0
        for number, line in enumerate(text.split("\n", MOST_LINES)[:MOST_LINES], 1):
            before = reader.frame
            if len(line) < _SHORT and line[:1] not in "#*":
                title = titles.bare(line)
                if title in titles.ENTRY:
                    entry = number
                elif entry and title in titles.EXPLANATION:
                    self._entries.append((entry, number))
                    entry = 0
            if len(line) > _LONGEST:
                line = f"{line[:_LONGEST]}{line[-_LEAST:]}"
            reader.take(number, line)
            if reader.frame is not before:
                # What a line opens holds for the lines below it.
                self._starts.append(number + 1)
                self._frames.append(reader.frame)
                if (
                    reader.frame.leads
                    and reader.frame.leads[-1:] != before.leads[-1:]
                    and not reader.is_closing
                ):
                    self._leads.append(number)
            if not reader.is_fenced and is_remark(line):
                self._remarks.append((number, line))


class _Reader:
    """Goes down a text."""

    def __init__(self) -> None:
        self.frame = NOTHING
        self._fence = ""
        self._outside = NOTHING
        self._above = ""
        self._said = ""
        self._end = ""
        self._headers: list[int] = []
        self.is_closing = False
        """Whether the last line closed a fence."""

    @property
    def is_fenced(self) -> bool:
        """Whether the last line stands between fences."""
        return bool(self._fence)

    def take(self, number: int, line: str) -> None:
        """The next line."""
        bare = line.strip()
        self.is_closing = False
        if not bare:
            self._above = ""
            return
        if bare[0] == ">" and self.frame.mail:
            self.frame = self.frame._replace(
                mail=False
            )  # it is quoted line by line; what follows is the answer
        if self._end:
            if self._closes(bare):
                self._end = ""
                self.frame = self.frame._replace(region="")
            return
        above, self._above = self._above, bare
        first = bare[0]
        if first in _INTERESTING or first.isdigit():
            if self._takes_mark(line, bare, above):
                return
        elif "@" in bare[:32] or bare.startswith(_SHELLS):
            if papers.COMMAND.match(line):
                self._takes_command(line)
                return
        elif papers.BARE.match(line) and not papers.LOGS.search(line):
            self._region("printed")
            return
        self._takes_words(number, line, bare, above)

    def _closes(self, bare: str) -> bool:
        return bare == self._end if self._end.isidentifier() else self._end in bare

    def _takes_mark(self, line: str, bare: str, above: str) -> bool:
        """Take a line that begins with a character of markup; whether there is no more to it."""
        if bare[0] in "`~" and self._takes_fence(bare, above):
            return True
        if bare[0] in ">I" and papers.REPL.match(bare):
            self._region("printed" if papers.PRINTS.search(bare) else "")
            return False
        if bare[0] in "+-" and papers.PATCHED.match(bare):
            self._region("patch")
            return True
        if papers.COMMAND.match(line) and (self._takes_command(line) or not _ATX.match(line)):
            return True
        if self._takes_comment(bare) or (bare[0] in "@dIcM" and papers.PATCHED.match(bare)):
            self._region(self.frame.region if self._end else "patch")
            return True
        return self._takes_heading(line, bare, above)

    def _takes_fence(self, bare: str, above: str) -> bool:
        found = _FENCE.match(bare)
        if not found or (bare[0] == "~" and above and not self._fence and len(above) <= len(bare)):
            return False  # the second is the line below a title
        mark = found["mark"]
        if not self._fence:
            self._introduced(_LAST.split(self._said)[-1])
            self._fence, self._outside = mark, self.frame
            is_page = found["kind"].lower() in _MARKUP
            self.frame = self.frame._replace(region="", document=self.frame.document or is_page)
        elif mark.startswith(self._fence) and not found["kind"]:
            self._fence, self.frame, self.is_closing = "", self._outside, True
        return True

    def _takes_command(self, line: str) -> bool:
        """Take a command; whether it is one that prints what stands in files of others."""
        is_reading = bool(papers.READING.match(line)) and not papers.LOGS.search(line)
        is_reading = is_reading or bool(papers.ECHOES.match(line))
        is_reading = is_reading or bool(leads.OLD_PATH.search(line) and leads.READ_OLD.search(line))
        if is_reading:
            self._region("printed")
        elif self.frame.region:
            self._region("")
        self._takes_heredoc(line)
        return is_reading

    def _takes_heredoc(self, line: str) -> None:
        found = papers.HEREDOC.search(line) if "<<" in line else None
        if found:
            self._end = found["word"] or found["bare"]
            self._region("heredoc")

    def _takes_comment(self, bare: str) -> bool:
        """Whether a comment of several lines, or a text in source code, begins."""
        for mark, end in (
            ("/*", "*/"),
            ("<!--", "-->"),
            ('"""', '"""'),
            ("'''", "'''"),
            ("\\begin{comment}", "\\end{comment}"),
        ):
            if bare.startswith(mark):
                if end in bare[len(mark) :]:
                    return False
                self._end = end
                self.frame = self.frame._replace(region="comment")
                return True
        return False

    def _takes_heading(self, line: str, bare: str, above: str) -> bool:
        if found := _ATX.match(line):
            title = found["title"].rstrip("# ")
            if self._fence and not self.frame.document and not papers.DOCUMENT.match(title):
                return False  # a comment of a shell
            self._opens(len(found["marks"]), title)
            return True
        if bare[0] == "<" and (found := _TAGGED.search(bare)):
            self._opens(int(found["level"] or 7), found["title"])
            return True
        if (
            above
            and _UNDERLINE.match(bare)
            and len(above) <= 80
            and above[-1] not in ".:;,|"
            and len(bare) >= len(above) - 2
        ):
            self._opens(_BY_UNDERLINE.get(bare[0], 3), above)
            return True
        if bare[0].isdigit() and (found := _NUMBERED.match(line)):
            level = 1 + found["number"].count(".")
            is_part = any(one <= level for one in self.frame.levels) and len(found["title"].split()) <= 6
            if papers.DOCUMENT.match(found["title"]) or (is_part and found["title"][-1] not in ".:;,"):
                self._opens(level, found["title"])
                return True
        if found := _BANNER.match(bare) or _BOLD.match(line):
            self._opens(7, found["title"])
            return True
        return False

    def _opens(self, level: int, title: str) -> None:
        kept = sum(one < level for one in self.frame.levels)
        headings = (*self.frame.headings[:kept], title)
        levels = (*self.frame.levels[:kept], level)
        self._said = ""
        self.frame = Frame(headings, levels, (), "", self.frame.mail, self.frame.document)

    def _region(self, region: str) -> None:
        if self.frame.region != region:
            self.frame = self.frame._replace(region=region)

    def _introduced(self, line: str) -> None:
        """What stands before a fence or ends with a colon introduces what comes."""
        if line and line not in self.frame.leads[-1:]:
            self.frame = self.frame._replace(leads=(*self.frame.leads[1 - _MOST_LEADS :], line))

    def _takes_words(self, number: int, line: str, bare: str, above: str) -> None:
        """Take a line by its words: a header of a mail, a title, an introduction."""
        if (":" in bare[:24] or "：" in bare[:12]) and papers.HEADER.match(line):
            self._headers = [n for n in self._headers if number - n < _MAIL_SPAN] + [number]
            if len(self._headers) > 1:
                self.frame = self.frame._replace(mail=True)
            return
        if (bare[-1] in ":：-" or bare[0] in "-=*>") and papers.FORWARDED.match(line):
            self.frame = self.frame._replace(mail=True)
            return
        if len(bare) < 60 and papers.DOCUMENT.match(bare):
            self._opens(_LOOSE, bare)
        elif not above and not self._fence and len(bare) < 80 and self._takes_title(bare):
            return
        elif bare[-3:] in _OPENS_TEXT and bare.count(bare[-3:]) == 1 and papers.TEXT_OPENS.match(bare):
            self._end = bare[-3:]
            self._region("comment")
        elif len(bare) < 200 and (
            _LEAD.search(bare[-12:]) or (bare[-1] in ".。" and _INTRODUCES.search(bare))
        ):
            self._introduced(bare)
        elif "<<" in bare:
            self._takes_heredoc(line)
        if not self._fence:
            self._said = bare

    def _takes_title(self, bare: str) -> bool:
        """Take a line that stands apart as the title of a part; whether it is one by its words."""
        if bare[-1] not in ".,;" and titles.is_told(bare):
            self._opens(_LOOSE, bare)
            return True
        if self.frame.levels[-1:] == (_LOOSE,) and titles.OWN.match(bare):
            self._opens(_LOOSE, bare)
            return True
        return False
