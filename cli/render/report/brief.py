"""The sections of the report that fits one screen: each says the most important, and names the rest."""

from gpudoctor.engine.tuples import NamedTuple

from ....engine.patterns import lazy_pattern
from ..words import VARIANTS, show
from .blocks import (
    ADDRESS,
    INNER,
    MARKDOWN,
    NAME,
    QUOTED,
    TERMINAL,
    Block,
    Clipped,
    Commands,
    Heading,
    Instruction,
    Item,
    Json,
    Line,
    Paragraph,
    Report,
    Space,
    Span,
    text,
)
from .leading import STANDINGS, VERDICTS, nothing, where
from .proofs import strongest
from .remedies import hindrances

_SENTENCE = lazy_pattern(r"(?<=[.!?])\s+(?=[A-Z`])|(?<=。)(?=.)")


def verdict(report: Report) -> list[Block]:
    """What this is in two lines, and one sentence of cause; or that it is not known."""
    document, say, first = report.document, report.say, report.leading
    word, tone = VERDICTS[document["verdict"]]
    head = Span(say(word), tone=tone)
    if first is None:
        return [Line((head,)), Paragraph(text(say(nothing(document))))]
    standing = Span(say(first["standing"]), tone=STANDINGS[first["standing"]])
    out: list[Block] = [
        Line((head, Span("  "), standing, Span(f" · {first['id']}", tone="dim")), wrap=True),
        Paragraph(text(say(first["title"])), tone="bold", depth=0),
    ]
    if "page" in first:
        out.append(Line((Span(first["page"], ADDRESS, "dim"),)))
    if first.get("nodes"):
        out.append(Clipped(text(where(first)), tone="bold", depth=0))
    out += [Clipped(text(one["text"]), say("known issue of ")) for one in first.get("affects", ())[:1]]
    return [*out, Paragraph(text(_sentences(say(first["summary"]), report.room.cause)))]


def _sentences(words: str, most: int) -> str:
    """The first sentence, and those behind it for which there is room. What a colon announces is not there."""
    first, *rest = _SENTENCE.split(words)
    for sentence in rest:
        if len(first) + len(sentence) >= most or sentence.endswith(":"):
            break
        first += f" {sentence}"
    return first


def proofs(report: Report) -> list[Block]:
    """The strongest proofs, each with its line."""
    found: list[Block] = []
    for proof in strongest(report, report.room.proofs):
        reason, origin = proof.reason, proof.origin
        report.shown.add(("reason", reason["fact"]))
        fact = (Span(reason["fact"], NAME), Span(f" = {show(reason['value'])}"))
        if origin is None or not (origin["where"] or origin["text"]):
            kind = report.say("answered") if origin and origin["kind"] == "answer" else ""
            found.append(Item((*fact, Span(f"  ({kind})" if kind else ""))))
            continue
        report.shown.add(("line", origin["where"], origin["text"]))
        place, quoted = _place(origin["where"]), " ".join(origin["text"].split())
        line = (Span(place), Span(quoted, QUOTED))
        if report.room.terse:
            found.append(Clipped(line, "- ", tail=(Span("  ("), *fact, Span(")"))))
        else:
            found += [Item(fact), Clipped(line, tone="dim", depth=INNER)]
    return [Heading(report.say("Why")), *found] if found else []


_LONG_PLACE = 32


def _place(where: str) -> str:
    """A place before its line; of a long path only the file."""
    short = where.rpartition("/")[2] if len(where) > _LONG_PLACE else where
    return f"{short}: " if short else ""


def next_step(report: Report) -> list[Block]:
    """What to do now: the first remedy that applies, or, where nothing leads, the question to settle first."""
    return _first_remedy(report, report.leading) if report.leading else _question(report)


def _first_remedy(report: Report, leading: Json) -> list[Block]:
    """Its commands, what it costs, how to see that it worked."""
    say = report.say
    remedy = next((r for r in leading["remedies"] if r["applies"]), None)
    if remedy is None:
        return [Heading(say("What to do")), Paragraph(text(say("No remedy is known.")))]
    report.shown.add(("remedy", remedy["id"]))
    out: list[Block] = [Heading(f"{say('What to do')}: {say(remedy['title'])}  [{say(remedy['kind'])}]")]
    if remedy["danger"]:
        out.append(Paragraph(text(say(remedy["danger"])), say("DANGER") + ": ", "bold red"))
    steps, left = _steps(remedy, report.room.commands)
    variant = ""
    for place, (step, commands, cut) in enumerate(steps, start=1):
        if step["variant"] != variant:
            variant = str(step["variant"])
            runtime = say(VARIANTS.get(variant, variant))
            out.append(Line((Span(f"{runtime}:"),), depth=1, only=MARKDOWN))
        told = say(step["text"])
        out.append(Instruction(place, _sentences(told, 0) if report.room.terse else told))
        out += [Commands(command, of_step=True) for command in commands]
        if cut:
            out.append(Line(text(f"… (gpudoctor explain {remedy['id']})", "cyan"), depth=INNER))
    if left and not (steps and steps[-1].cut):
        out.append(Line(text(f"{say('all steps: ')}gpudoctor explain {remedy['id']}", "cyan"), depth=1))
    return [*out, *_terms(report, remedy)]


class _Shown(NamedTuple):
    """A step, as much of its commands as there is room for, and whether there are more."""

    step: Json
    commands: list[str]
    cut: bool


def _steps(remedy: Json, most: int) -> tuple[list[_Shown], int]:
    """The first steps of one runtime, up to so many lines of commands; and how many come after them.

    None is left out in between: a step for which there is no room is the last one, and says where its rest stands.
    """
    variants = dict.fromkeys(step["variant"] for step in remedy["steps"] if step["variant"])
    variant = next(iter(variants), "")
    fitting = [step for step in remedy["steps"] if step["variant"] in ("", variant)]
    chosen: list[_Shown] = []
    lines = 0
    for step in fitting:
        long = sum(len(command.splitlines()) for command in step["commands"])
        if lines and lines + long > most:
            break
        cut = long > most + _LITTLE_MORE
        chosen.append(_Shown(step, _beginning(step["commands"], most) if cut else step["commands"], cut))
        lines += long
        if lines >= most or (lines and len(chosen) >= _MOST_STEPS):
            break
    return chosen, len(remedy["steps"]) - len(chosen)


_MOST_STEPS = 3
_LITTLE_MORE = 4
"""Lines of one step that may stand beyond its room, rather than a part of it."""
_PARTIAL = lazy_pattern(r"<<|\\$|^\s|[:{(\[]$|^(?:for|while|if|cat|python\S*) ")
"""A line that may be a part of something longer, of which half must not be typed."""


def _beginning(commands: list[str], most: int) -> list[str]:
    """Whole commands from the beginning of a long step."""
    kept: list[str] = []
    for command in commands:
        listed = command.splitlines()
        if len(kept) + len(listed) > most:
            whole = listed[: max(most - len(kept), 0)]
            return (
                kept if any(_PARTIAL.search(line) for line in listed[: len(whole) + 1]) else [*kept, *whole]
            )
        kept.append(command)
    return kept


def _terms(report: Report, remedy: Json) -> list[Block]:
    say = report.say
    out: list[Block] = []
    if remedy["verify"] and report.room.verify:
        words, _, commands = remedy["verify"][0].partition("\n")
        out.append(Paragraph(text(say(words)), f"{say('Verify')}: "))
        typed = {line for step in remedy["steps"] for c in step["commands"] for line in c.splitlines()}
        fresh = [line for line in commands.splitlines() if line not in typed]
        if fresh and len(fresh) <= report.room.verify:
            out.append(Commands("\n".join(fresh)))
    terms = [say("risk: ") + say(remedy["risk"])]
    terms += [say("needs: ") + ", ".join(map(say, remedy["needs"]))] if remedy["needs"] else []
    terms += [say("cost: ") + say(remedy["cost"])] if remedy["cost"] not in ("", "none") else []
    return [*out, Paragraph(text("; ".join(terms)), tone="dim")]


def otherwise(report: Report) -> list[Block]:
    """The other remedies by name, and those that do not apply, with the reason, on one line each."""
    if report.leading is None:
        return []
    say = report.say
    rest = [r for r in report.leading["remedies"] if ("remedy", r["id"]) not in report.shown]
    fitting, most = [r for r in rest if r["applies"]], report.room.names
    out: list[Block] = [_named(r["id"], say(r["title"])) for r in fitting[:most]]
    if more := len(fitting) - most:
        out += _more(report, more) if more > 0 else []
    not_here = [f"{r['id']}: {hindrances(report, r)}" for r in rest if not r["applies"]]
    if not_here:
        out.append(Clipped(text("; ".join(not_here)), say("not here: "), tone="dim"))
    return [Heading(say("If that does not help")), *out] if out else []


def _named(name: str, title: str) -> Clipped:
    return Clipped((Span(name, NAME), Span(f"  {title}")), "- ")


def _more(report: Report, count: int) -> list[Block]:
    return [Line(text(report.say("and {count} more").format(count=count)), depth=1, only=TERMINAL)]


def candidates(report: Report) -> list[Block]:
    """The other incidents: by name beside one that leads, else with what to try first."""
    say, others, most = report.say, report.others, report.room.names
    if not others:
        return []
    if report.leading is not None:
        listed = ", ".join(one["id"] for one in others[:most])
        more = f", {say('and {count} more').format(count=len(others) - most)}" if len(others) > most else ""
        return [Space(), Paragraph((Span(listed), Span(more)), say("Also possible: "))]
    out: list[Block] = [Heading(say("Possible"))]
    for one in others[:most]:
        named = (Span(one["id"], NAME, "bold"), Span(f"  {say(one['title'])}"))
        out.append(Clipped(named, f"- {say(one['standing'])}  "))
        because = ", ".join(dict.fromkeys(f"{r['fact']} = {show(r['value'])}" for r in one["because"]))
        if because and ("because", because) not in report.shown:
            report.shown.add(("because", because))
            out.append(Clipped(text(because), say("because "), tone="dim", depth=INNER))
    return out + (_more(report, len(others) - most) if len(others) > most else [])


def findings(report: Report) -> list[Block]:
    """What else must not be overlooked: contradictions, signs that nothing explains, doubtful variables."""
    say, most = report.say, report.room.findings
    document = report.document
    out: list[Block] = []
    conflicts = [fact for fact in document["facts"] if fact.get("conflicts")]
    for fact in conflicts[:most]:
        against = "; ".join(_side(other) for other in fact["conflicts"])
        out.append(
            Paragraph(
                text(f"{fact['name']}: {_side(fact)} {say('against')} {against}"), say("Contradiction: ")
            )
        )
    for entry in _loose(report)[:most]:
        out.append(Clipped(_sign(entry), say("Not explained: ")))
    for one in document.get("warnings", [])[:most]:
        name = f"{one['fact'].removeprefix('env.')}={one['value']}"
        out.append(Paragraph((Span(name, QUOTED), Span(f": {one['text']}"))))
    return [Space(), *out] if out else []


def _side(said: Json) -> str:
    origin = said["from"][0]
    return f"{show(said['value'])} ({' '.join(filter(None, (origin['kind'], origin['where'])))})"


def _loose(report: Report) -> list[Json]:
    """Signs that nothing explains, a line once, without the lines that stand above already."""
    if not report.document["incidents"]:
        return []
    found: dict[tuple[str, str], Json] = {}
    for one in report.document["unexplained"]:
        if not one["text"] or ("line", one["where"], one["text"]) not in report.shown:
            found.setdefault((one["where"], one["text"] or one["fact"]), one)
    return list(found.values())


def _sign(entry: Json) -> tuple[Span, ...]:
    place = _place(entry["where"])
    return Span(place), Span(" ".join((entry["text"] or entry["fact"]).split()), QUOTED)


def signs(report: Report) -> list[Block]:
    """Signs of trouble where no incident stands: they come first, with their meaning."""
    entries, most = report.document["unexplained"], report.room.signs
    if report.document["incidents"] or not entries:
        return []
    out: list[Block] = [Heading(report.say("Signs of trouble"))]
    for entry in entries[:most]:
        out.append(Clipped(_sign(entry), "- "))
        if means := entry.get("means"):
            told = f"{report.say(means)} (gpudoctor explain {entry['fact']})"
            out.append(Clipped(text(told), tone="dim", depth=INNER))
    return out + (_more(report, len(entries) - most) if len(entries) > most else [])


def resembling(report: Report) -> list[Block]:
    """Pages near by their words where no incident leads: resembling, not deduced."""
    near = report.document.get("resembles", [])
    if report.leading is not None or not near:
        return []
    listed = [_named(one["id"], report.say(one["title"])) for one in near[: report.room.names]]
    return [Heading(report.say("Similar, judging only by the words")), *listed]


def question(report: Report) -> list[Block]:
    """What would settle it, beside an incident that leads."""
    return _question(report) if report.leading and report.document["next"] else []


def _question(report: Report) -> list[Block]:
    """The question whose answer is worth most, and how to find it out."""
    say = report.say
    if not report.document["next"]:
        return _examine(report)
    first = report.document["next"][0]
    report.shown.add(("question", first["fact"]))
    choices = f" ({', '.join(first['choices'])})" if first["choices"] else ""
    return [
        Heading(say("What would settle it")),
        Paragraph(text(say(first["text"]) + choices)),
        Commands(f"gpudoctor explain {first['fact']}", INNER),
    ]


def _examine(report: Report) -> list[Block]:
    """What to do where nothing stands and nothing can be asked."""
    if report.document["verdict"] == "no known incident":
        return []
    return [
        Heading(report.say("What would settle it")),
        Paragraph(text(report.say("Also look at the machine itself:"))),
        Commands("gpudoctor --probe --report LOG", INNER),
    ]


def gaps(report: Report) -> list[Block]:
    """What could not be established, on one line."""
    entries, most = report.document["gaps"], report.room.findings
    if not entries:
        return []
    listed = "; ".join(f"{gap['fact']} ({gap['reason']})" for gap in entries[:most])
    more = (
        f"; {report.say('and {count} more').format(count=len(entries) - most)}" if len(entries) > most else ""
    )
    return [Clipped(text(listed + more), report.say("Not established: "))]


def sources(report: Report) -> list[Block]:
    """The sources of the cause and of the remedy that are shown."""
    first, most = report.leading, report.room.sources
    if first is None:
        return []
    remedy = next((r for r in first["remedies"] if ("remedy", r["id"]) in report.shown), None)
    listed = [("cause", s) for s in first["sources"]]
    own = [("remedy", s) for s in remedy["sources"]] if remedy else []
    # One of each first: what it is, and what to do.
    mixed = [pair for both in zip(listed, own, strict=False) for pair in both]
    mixed += listed[len(own) :] + own[len(listed) :]
    chosen = {s["url"]: s for _, s in mixed}
    out: list[Block] = [Heading(report.say("Sources"))]
    for url in list(chosen)[:most]:
        report.shown.add(("source", url))
        out.append(Item((Span(url, ADDRESS),)))
    return out if len(out) > 1 else []


def footer(report: Report) -> list[Block]:
    """How to see everything, which knowledge this was, and notes on the run."""
    kb, engine, notes = report.document["kb"], report.document["engine"], report.document["notes"]
    told = report.say("--full shows everything, gpudoctor explain ID any part")
    made = f"{told} · kb {kb['version']} ({kb['digest'][:8]}) · {engine}"
    return [
        Space(),
        *(Paragraph(text(note), tone="dim", depth=0) for note in notes[:2]),
        Clipped(text(made), tone="dim", depth=0, only=TERMINAL),
    ]
