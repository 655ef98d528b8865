"""``gpudoctor schema``: the JSON Schemas of what ``--format json`` writes."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import resources

from ...engine import audit, diagnosis
from ..errors import OK
from ..output import as_json

_PACKAGES = {"diagnosis": diagnosis.__name__, "audit": audit.__name__}


def schema(arguments: argparse.Namespace) -> int:
    """Print one schema, or all of them by name."""
    names = [arguments.name] if arguments.name else list(_PACKAGES)
    found = {name: json.loads(_text(name)) for name in names}
    sys.stdout.write(as_json(found[arguments.name] if arguments.name else found))
    return OK


def _text(name: str) -> str:
    return (resources.files(_PACKAGES[name]) / f"{name}.schema.json").read_text(encoding="utf-8")
