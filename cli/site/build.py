"""Every page from the knowledge base, checked before anything counts as built."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...engine.model import Incident, Remedy
from ...engine.writing import write_whole
from ...probes.lifeline import die_with_parent
from ..content.addresses import page_folder
from ..content.complaints import COMPLAINTS
from ..errors import UsageError
from ..progress.counting import counted
from ..version import VERSION
from . import guides, reference
from .catalogue import Catalogue
from .issues import IssuePages
from .links import Outline, broken, outline
from .listings import Listings
from .pages import Pages
from .searchindex import signs_script, words_script
from .translations import ENGLISH, LANGUAGES, PageWording, languages_of

HERE = Path(__file__).resolve().parent
ASSETS = HERE / "assets"
MARK = ".gpudoctor-site"

Task = tuple[str, str, str]
"""A page: its kind, its name, its language."""


def prepare(target: Path) -> None:
    """Refuse a folder that is not empty and that this command did not fill."""
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: is no folder")
    if target.is_dir() and any(target.iterdir()) and not (target / MARK).is_file():
        raise UsageError(f"{target}: is not empty, and gpudoctor did not make it")


def marked(target: Path, before: Path | None = None) -> None:
    """Mark a folder as one that this command filled."""
    text = "Made by gpudoctor site; the next build removes what it does not write.\n"
    write(target, MARK, text, before)


class Site:
    """One build: the tasks, and how each becomes a written page."""

    def __init__(
        self,
        catalogue: Catalogue,
        renderer: Any,
        wording: PageWording,
        target: Path,
        url: str = "",
        before: Path | None = None,
        engine: Mapping[str, bytes] | None = None,
    ) -> None:
        self.catalogue = catalogue
        self.pages = Pages(catalogue)
        self.issues = IssuePages(catalogue, self.pages)
        self.listings = Listings(catalogue, self.pages, self.issues)
        self.target = target
        self.before = before
        """Where an earlier build stands, whose files are kept where they are the same."""
        self.url = url
        self._engine = dict(engine or {})
        self._parent = os.getpid()
        self._renderer = renderer
        self._wording = wording

    def build(self, jobs: int = 0) -> tuple[int, list[str]]:
        """Write everything; the number of pages and the problems of the strict check."""
        marked(self.target, self.before)
        others = self.write_assets()
        tasks = self.tasks()
        count = min(jobs or os.cpu_count() or 1, 8)
        outlines = in_processes(self._write_pages, [tasks[n::count] for n in range(count)])
        others += self._write_machine_files([page.path for page in outlines])
        return len(outlines), broken(outlines, others, f"{self.url}/" if self.url else "/")

    def tasks(self) -> list[Task]:
        """Every page; those of incidents and remedies in each language in which they are there."""
        catalogue, knowledge = self.catalogue, self.catalogue.knowledge
        entries: list[tuple[str, Incident | Remedy]] = [("incident", i) for i in catalogue.incidents.values()]
        entries += [("remedy", remedy) for remedy in catalogue.remedies.values()]
        translated = [(kind, e.id, name) for kind, e in entries for name in languages_of(knowledge, e.path)]
        others = [
            *(("fact", name) for name in catalogue.facts),
            *(("known-issue", name) for name in catalogue.issues),
            *(("product", name) for name in catalogue.products),
            *(("complaint", complaint.id) for complaint in COMPLAINTS),
            *(("guide", guide.id) for guide in guides.GUIDES),
            *((name, "") for name in self.listings.names),
        ]
        return [*translated, *((kind, name, ENGLISH) for kind, name in others)]

    def _write_pages(self, tasks: Sequence[Task]) -> list[Outline]:
        outlines = []
        shown = sys.stderr if os.getpid() == self._parent else io.StringIO()
        for task in counted(tasks, "pages of this process", shown):
            path, html = self.render(*task)
            write(self.target, path, html, self.before)
            outlines.append(outline(path, html))
        return outlines

    def render(self, kind: str, name: str, language: str = ENGLISH) -> tuple[str, str]:
        """One page: where it lies and its HTML."""
        path, template, values = self._page(kind, name, language)
        self._wording.language = language
        depth = path.count("/")
        root = f"{self.url}/" if path == "404.html" else "../" * depth
        html = self._renderer.get_template(f"{template}.html").render(
            root=root,
            path=path,
            section=_section(path),
            language=language,
            language_names=LANGUAGES,
            site_url=self.url,
            version=VERSION,
            engine=bool(self._engine),
            kb=self.catalogue.knowledge,
            **{"languages": [ENGLISH], **values},
        )
        return path, html

    def _page(self, kind: str, name: str, language: str) -> tuple[str, str, dict[str, Any]]:
        catalogue, pages = self.catalogue, self.pages
        if kind in ("incident", "remedy"):
            entry = catalogue.incidents[name] if kind == "incident" else catalogue.remedies[name]
            make = pages.incident if kind == "incident" else pages.remedy
            file = "index" if language == ENGLISH else language
            languages = languages_of(catalogue.knowledge, entry.path)
            return (
                f"{catalogue.folder(entry)}/{file}.html",
                kind,
                make(name, language) | {"languages": languages},
            )
        if kind == "fact":
            return f"{catalogue.folder(catalogue.facts[name])}/index.html", kind, pages.fact(name)
        if kind in ("known-issue", "product"):
            values = self.issues.issue(name) if kind == "known-issue" else self.issues.product(name)
            return f"{page_folder(kind, name)}/index.html", kind, values
        if kind == "guide":
            guide = next(g for g in guides.GUIDES if g.id == name)
            html = guides.guide_html(guide, pages.prose, catalogue.knowledge)
            return f"learn/{name}/index.html", kind, {"guide": guide, "html": html}
        return self.listings.page(kind, name)

    def write_assets(self) -> list[str]:
        """Everything that is no page: scripts, styles, schemas, the engine; the paths that were written."""
        written = {f"assets/{source.name}": source.read_text(encoding="utf-8") for source in ASSETS.iterdir()}
        written[f"assets/{reference.SCHEMA.name}"] = reference.SCHEMA.read_text(encoding="utf-8")
        written["assets/words.js"] = words_script(self.catalogue)
        written["assets/signs.js"] = signs_script(self.catalogue)
        for path, text in written.items():
            write(self.target, path, text, self.before)
        for path, data in self._engine.items():
            write_bytes(self.target, path, data, self.before)
        return [*written, *self._engine]

    def _write_machine_files(self, paths: list[str]) -> list[str]:
        written = ["index.json"]
        text = json.dumps(self._machine_index(), ensure_ascii=False, indent=1)
        write(self.target, "index.json", text + "\n", self.before)
        if self.url:
            addresses = "".join(
                f"<url><loc>{self.url}/{p}</loc></url>\n" for p in sorted(paths) if p != "404.html"
            )
            head = '<?xml version="1.0" encoding="UTF-8"?>\n'
            space = "http://www.sitemaps.org/schemas/sitemap/0.9"
            text = f'{head}<urlset xmlns="{space}">\n{addresses}</urlset>\n'
            write(self.target, "sitemap.xml", text, self.before)
            written.append("sitemap.xml")
        return written

    def _machine_index(self) -> dict[str, Any]:
        """``index.json``: every entry with its address, for tools."""
        catalogue = self.catalogue
        prefix = f"{self.url}/" if self.url else ""

        def listed(entries: Sequence[Any], more: Callable[[Any], dict[str, Any]]) -> list[dict[str, Any]]:
            return [
                {
                    "id": getattr(entry, "id", "") or entry.name,
                    "title": entry.title,
                    "page": f"{prefix}{catalogue.folder(entry)}/index.html",
                    **more(entry),
                }
                for entry in entries
            ]

        return {
            "schema": "gpudoctor/site/1",
            "kb": {"version": catalogue.knowledge.version, "digest": catalogue.knowledge.digest},
            "incidents": listed(
                list(catalogue.incidents.values()),
                lambda i: {
                    "family": i.family,
                    "vendors": list(i.vendors),
                    "roads": catalogue.complaints(i),
                    "frameworks": catalogue.frameworks(i),
                    "remedies": list(i.remedies),
                },
            ),
            "known_issues": listed(
                list(catalogue.issues.values()),
                lambda i: {
                    "product": i.product,
                    "severity": i.severity,
                    "vendors": list(i.vendors),
                    "affects": [one._asdict() for one in i.affects],
                },
            ),
            "products": listed(list(catalogue.products.values()), lambda p: {"releases": len(p.releases)}),
            "remedies": listed(list(catalogue.remedies.values()), lambda r: {"kind": r.kind}),
            "facts": listed(list(catalogue.facts.values()), lambda f: {"type": f.type}),
        }


def _section(path: str) -> str:
    """Under which heading of the navigation a page belongs."""
    first, _, rest = path.partition("/")
    kinds = {"symptom.": "symptoms", "env.": "env"} if first == "facts" else {}
    return next((section for prefix, section in kinds.items() if rest.startswith(prefix)), first)


def write(target: Path, path: str, text: str, before: Path | None = None) -> None:
    """Write a page or another text; see ``write_bytes``."""
    write_bytes(target, path, text.encode(), before)


def write_bytes(target: Path, path: str, data: bytes, before: Path | None = None) -> None:
    """Write a file; one that stands in an earlier build as it is now stays the same file: most pages do."""
    place = os.path.join(target, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if before is None or not _taken(os.path.join(before, path), place, data):
        write_whole(place, data, sync=False)  # a site can be built again, and a thousand waits take long


def _taken(old: str, place: str, data: bytes) -> bool:
    """Whether the file of an earlier build has the content, and now stands here as well."""
    try:
        with open(old, "rb") as file:
            if os.path.islink(old) or file.read() != data:
                return False
        os.link(old, place)
    except OSError:
        return False
    return True


def in_processes(work: Callable[[Any], list[Any]], parts: Sequence[Any]) -> list[Any]:
    """``work`` of each part, each in a process of its own where the system can fork; what it raised is raised."""
    if len(parts) < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return [found for part in parts for found in work(part)]
    context = multiprocessing.get_context("fork")
    children = []
    for part in parts[1:]:
        here, there = context.Pipe(duplex=False)
        child = context.Process(target=_send, args=(work, part, there, os.getpid()))
        child.start()
        there.close()
        children.append((child, here))
    try:
        found = list(work(parts[0]))
        answers = [here.recv() for _, here in children]
    except BaseException:
        for child, _ in children:  # they would wait for ever to be heard
            child.kill()
        raise
    for (child, _), answer in zip(children, answers, strict=True):
        child.join()
        if isinstance(answer, Exception):
            raise answer
        found += answer
    return found


def _send(work: Callable[[Any], list[Any]], part: Any, pipe: Any, parent: int) -> None:
    die_with_parent(parent)
    try:
        pipe.send(work(part))
    except Exception as error:
        pipe.send(error)
