"""``gpudoctor site DIR``: the docs site."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from ...engine import EngineError
from ...engine.writing import WritingError
from ...probes.files import shown
from ..errors import OK, UsageError
from ..inputs.knowledge import load_knowledge
from ..site.build import Site, prepare
from ..site.catalogue import Catalogue
from ..site.guides import GuideError
from ..site.prose import ProseError
from ..site.publishing import publish, staged
from ..site.translations import PageWording, TranslationError

_MOST_PROBLEMS = 20


def site(arguments: argparse.Namespace) -> int:
    """Build the site into a folder. Raises UsageError if it would be broken."""
    started = time.perf_counter()
    target = Path(arguments.dir)
    url = arguments.site_url or ""
    wording = PageWording()
    renderer = _renderer(wording)
    knowledge = load_knowledge(arguments.kb)
    try:
        prepare(target)
        engine = {}
        if arguments.engine:
            from ..site.engine import engine_files

            engine = engine_files(Path(arguments.engine), knowledge, arguments.kb)
        with staged(target) as folder:
            built = Site(Catalogue(knowledge), renderer, wording, folder, url, before=target, engine=engine)
            pages, problems = built.build(arguments.jobs)
            if not problems:
                publish(folder, target)
    except WritingError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{error.filename or target}: cannot be written: {error.strerror}") from None
    except (EngineError, ProseError, GuideError, TranslationError) as error:
        raise UsageError(f"the site is not built: {error}") from None
    if problems:
        more = len(problems) - _MOST_PROBLEMS
        listed = "\n  ".join([*problems[:_MOST_PROBLEMS], *([f"and {more} more"] if more > 0 else [])])
        raise UsageError(f"the site would be broken, and is not built:\n  {listed}")
    took = time.perf_counter() - started
    sys.stdout.write(
        f"{pages} pages in {shown(str(target))}, {took:.1f} s; begin with {shown(str(target / 'index.html'))}\n"
    )
    if not url:
        sys.stderr.write("gpudoctor: no sitemap.xml without --site-url: it needs whole addresses\n")
    return OK


def _renderer(wording: PageWording) -> Any:
    try:
        from ..site.templating import environment
    except ModuleNotFoundError as error:
        if error.name not in ("jinja2", "markupsafe"):
            raise
        raise UsageError("the site needs Jinja2: pip install 'gpudoctor[site]'") from None
    return environment(wording)
