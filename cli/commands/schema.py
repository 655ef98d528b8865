"""``gpudoctor schema``: the JSON Schemas of what ``--format json`` writes."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import resources
from typing import Any, cast

from ... import cli
from ...engine import audit, diagnosis
from ..arguments.knowing import SCHEMAS
from ..errors import OK
from ..output import as_json

_PACKAGES = {"diagnosis": diagnosis.__name__, "audit": audit.__name__}


def schema(arguments: argparse.Namespace) -> int:
    """Print one schema, or all of them by name."""
    names = [arguments.name] if arguments.name else SCHEMAS
    found = {name: schema_of(name) for name in names}
    sys.stdout.write(as_json(found[arguments.name] if arguments.name else found))
    return OK


def schema_of(name: str) -> dict[str, Any]:
    """The JSON Schema of one kind of document, by the middle part of its ``schema``: gpudoctor/diff/1."""
    folder = (
        resources.files(_PACKAGES[name]) if name in _PACKAGES else resources.files(cli.__name__) / "schemas"
    )
    text = (folder / f"{name}.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))
