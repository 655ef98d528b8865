"""The commands of the conversation: /why, /how, /whynot and the others."""

from __future__ import annotations

from collections.abc import Callable

from ...engine import EngineError
from ...engine.diagnosis.explanation import Consequence, how, what_if, why, why_not
from ...engine.facts import show_value
from ..content.entries import find
from ..errors import UsageError
from ..output import write_file
from ..render.kbpage import explain_entry
from . import prompts
from .readings import take_back
from .talk import Talk

COMMANDS = {
    "/wrong": "take back a wrong reading by its number: /wrong N",
    "/why": "why this is asked, or why FACT would matter",
    "/how": "how gpudoctor concluded the leading incident, or ID",
    "/whynot": "why an incident does not lead: /whynot ID",
    "/whatif": "what an answer would change: /whatif FACT VALUE",
    "/facts": "everything that is known, and from whom",
    "/back": "take the last step back",
    "/change": "change an answer: /change FACT [VALUE]",
    "/probe": "measure this machine: /probe [NAME]",
    "/test": "run the collective test",
    "/explain": "a page of the knowledge base: /explain ID",
    "/paste": "read many lines, until a line that contains only a dot",
    "/save": "save the session: /save FILE",
    "/report": "the diagnosis as Markdown, on the screen or to a file: /report [FILE]",
    "/help": "this list",
    "/quit": "leave; the answers are kept",
}


def run(chat: Talk, text: str) -> None:
    """Carry a command out. Everything goes to the conversation's screen."""
    name, _, argument = text.partition(" ")
    argument = argument.strip()
    actions: dict[str, Callable[[Talk, str], None]] = {
        "/wrong": take_back,
        "/why": _why,
        "/how": _how,
        "/whynot": _why_not,
        "/whatif": _what_if,
        "/facts": _facts,
        "/back": lambda chat, _: chat.undo(),
        "/undo": lambda chat, _: chat.undo(),
        "/change": _change,
        "/probe": _probe,
        "/test": _test,
        "/explain": _explain,
        "/save": _save,
        "/report": _report,
        "/help": _help,
        "/paste": _paste,
        "/quit": _quit,
    }
    near = [known for known in actions if known.startswith(name.lower())]
    name = name.lower() if name.lower() in actions else near[0] if len(near) == 1 else ""
    if not name:
        chat.screen.paragraph(chat.say("That is not a command. /help lists the commands."), 0, "yellow")
        return
    try:
        actions[name](chat, argument)
    except (EngineError, UsageError) as error:
        chat.screen.paragraph(str(error), 0, "yellow")


_MOST_WHY = 4


def _why(chat: Talk, argument: str) -> None:
    facts = [argument] if argument else chat.prompt.asks()
    if not facts:
        chat.screen.paragraph(
            chat.say("What you see comes first: it decides which incidents are considered at all."), 0
        )
    for fact in facts[:_MOST_WHY]:
        _why_fact(chat, fact)
    chat.prompt.show(chat.screen)


def _why_fact(chat: Talk, fact: str) -> None:
    spec = chat.session.knowledge.vocabulary.spec(fact)
    chat.screen.line(chat.say("{fact} would change:", fact=fact), "bold")
    open_ended = spec.type not in ("bool", "choice")
    for answer, changes in why(chat.session, chat.session.planner, fact):
        if open_ended and not changes:
            continue  # one of many bounds that rules draw: not worth a line each
        said = _changes(chat, changes[:4]) or chat.say("nothing")
        chat.screen.paragraph(said, 2, first=f"{_short(show_value(spec, answer))}: ")
    if open_ended:
        chat.screen.paragraph(chat.say("nothing"), 2, first=chat.say("anything else: "))
    chat.screen.paragraph(chat.say("cost: {cost} of 5 (1 a look, 5 a reboot)", cost=spec.cost), 2, "dim")


def _changes(chat: Talk, changes: list[Consequence]) -> str:
    parts = []
    for change in changes:
        before = chat.say(change.before.standing) if change.before else "-"
        after = chat.say(change.after.standing) if change.after else "-"
        bits = (change.after.evidence if change.after else 0.0) - (
            change.before.evidence if change.before else 0.0
        )
        moved = f"{before} -> {after}" if before != after else f"{after} {bits:+.3g} bits"
        parts.append(f"{change.incident} ({moved})")
    return ", ".join(parts)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _how(chat: Talk, argument: str) -> None:
    standing = chat.standing()
    name = argument or (standing[0].id if standing else "")
    if not name:
        chat.screen.line(chat.say("There is no conclusion yet."))
        return
    words = {True: "holds", False: "does not hold", None: "not known"}
    styles = {True: "green", False: "red", None: "dim"}
    chat.screen.line(chat.say(chat.session.knowledge.incident(name).title), "bold")
    for line in how(chat.session, name):
        label = f"{line.slot} {line.weight}".strip()
        chat.screen.paragraph(
            f"{line.text}: {chat.say(words[line.holds])}", 2, styles[line.holds], f"{label}: "
        )
        for fact in line.facts:
            for origin in fact.origins[:1]:
                spec = chat.session.knowledge.vocabulary.spec(fact.name)
                value = "" if fact.value is None else show_value(spec, fact.value)
                place = " ".join(filter(None, (chat.say(origin.kind), origin.where, _short(origin.text))))
                chat.screen.paragraph(f"{fact.name} = {_short(value)} ({place})", 6, "dim")


def _why_not(chat: Talk, argument: str) -> None:
    if not argument:
        chat.screen.line(chat.say("Name an incident: /whynot ID"))
        return
    incident = chat.session.knowledge.incident(argument)
    said = why_not(chat.session, argument)
    chat.screen.line(chat.say(incident.title), "bold")
    if said.against:
        for fact in said.against:
            spec = chat.session.knowledge.vocabulary.spec(fact.name)
            where = (
                f"{chat.say(fact.origins[0].kind)} {fact.origins[0].where}".strip() if fact.origins else ""
            )
            value = "" if fact.value is None else show_value(spec, fact.value)
            chat.screen.paragraph(
                f"{fact.name} = {_short(value)} ({where})", 2, first=chat.say("ruled out by: ")
            )
    elif said.state == "not considered":
        chat.screen.paragraph(chat.say("Nothing known so far supports it."), 2)
    elif said.leader == argument:
        chat.screen.paragraph(chat.say("It leads."), 2)
    else:
        text = chat.say(
            "It stands as {state}; {leader} leads.", state=chat.say(said.state), leader=said.leader
        )
        chat.screen.paragraph(text, 2)
    for text in said.absent[:5]:
        chat.screen.paragraph(text, 2, "dim", chat.say("not seen: "))
    if said.open:
        chat.screen.paragraph(", ".join(said.open[:8]), 2, "dim", chat.say("would support it, if known: "))


def _what_if(chat: Talk, argument: str) -> None:
    fact, _, value = argument.partition(" ")
    if not value:
        chat.screen.line(chat.say("Name a fact and a value: /whatif gpu.vendor amd"))
        return
    changes = what_if(chat.session, fact, value.strip())
    if not changes:
        chat.screen.line(chat.say("Nothing would change."))
    for change in changes[:8]:
        chat.screen.paragraph(_changes(chat, [change]), 2)


def _facts(chat: Talk, argument: str) -> None:
    for fact in chat.session.facts():
        if argument and argument not in fact.name:
            continue
        spec = chat.session.knowledge.vocabulary.spec(fact.name)
        if fact.value is None:
            chat.screen.paragraph(f"{fact.name}: {fact.reason}", 2, "dim", "? ")
            continue
        origin = fact.origins[0]
        place = f"{chat.say(origin.kind)} {origin.where}".strip()
        chat.screen.paragraph(
            f"{fact.name} = {_short(show_value(spec, fact.value))}  ({place})", 2, first="- "
        )
        for conflict in fact.conflicts:
            where = f"{chat.say(conflict.origin.kind)} {conflict.origin.where}".strip()
            chat.screen.paragraph(
                f"{show_value(spec, conflict.value)} ({where})", 6, "yellow", chat.say("against: ")
            )


def _change(chat: Talk, argument: str) -> None:
    fact, _, value = argument.partition(" ")
    if not fact:
        answered = sorted({s.name for s in chat.session.statements() if s.origin.kind == "answer"})
        chat.screen.paragraph(", ".join(answered) or "-", 2, first=chat.say("answered so far: "))
        return
    spec = chat.session.knowledge.vocabulary.spec(fact)
    if value:
        chat.tell(fact, value.strip())
        chat.advance()
        return
    chat.history.forget(fact, chat.say("answer to {fact} withdrawn", fact=fact))
    if spec.question:
        from ...engine.questions import Question

        question = Question("question", fact, spec.question, spec.values, spec.cost, 0.0, ())
        chat.expect(prompts.Asking(chat, question))
    else:
        chat.advance()


def _probe(chat: Talk, argument: str) -> None:
    if chat.tools.probe is None:
        chat.screen.line(
            chat.say("This conversation is about another machine, so nothing can be measured here.")
        )
        return
    chat.add(chat.tools.probe(argument.split()))


def _test(chat: Talk, argument: str) -> None:
    if chat.tools.test is None:
        chat.screen.line(
            chat.say("This conversation is about another machine, so nothing can be measured here.")
        )
        return
    chat.add(chat.tools.test())


def _explain(chat: Talk, argument: str) -> None:
    if not argument:
        chat.screen.line(chat.say("Name an incident, a remedy or a fact: /explain ID"))
        return
    find(chat.session.knowledge, argument)
    explain_entry(chat.screen, chat.session.knowledge, argument)


def _save(chat: Talk, argument: str) -> None:
    if not argument or chat.tools.save is None:
        chat.screen.line(chat.say("Name a file: /save session.yaml"))
        return
    chat.screen.paragraph(chat.tools.save(argument), 0)


def report_of(chat: Talk) -> str:
    """The diagnosis and the conversation as Markdown, without secrets."""
    from ...engine.redaction import redact
    from ..render.report.markdown import markdown_report

    return redact(markdown_report(chat.session.diagnosis().to_dict())) + "\n" + chat.transcript.markdown()


_REPORT = b"## gpudoctor"


def _refuse_other(name: str) -> None:
    """A log named by mistake is not replaced by a report on it. Raises UsageError."""
    try:
        with open(name, "rb") as file:
            start = file.read(1000)
    except OSError:
        return  # writing says what is wrong
    if start.strip() and not start.startswith(_REPORT):
        raise UsageError(f"{name}: there is a file that is no report; it is not overwritten")


def _report(chat: Talk, argument: str) -> None:
    text = report_of(chat)
    if not argument:
        for line in text.splitlines():
            chat.screen.line(line)
        return
    _refuse_other(argument)
    write_file(argument, text)
    chat.screen.paragraph(chat.say("written to {file}", file=argument), 0)


def _help(chat: Talk, argument: str) -> None:
    width = max(map(len, COMMANDS)) + 2
    for name, meaning in COMMANDS.items():
        chat.screen.paragraph(chat.say(meaning), 2, first=name.ljust(width))
    chat.screen.paragraph(
        chat.say("At any prompt: paste a log, type an answer, or say in your own words what you see."), 2
    )


def _paste(chat: Talk, argument: str) -> None:
    chat.screen.line(chat.say("Paste now. End with a line that contains only a dot."))


def _quit(chat: Talk, argument: str) -> None:
    chat.over = True
