"""An audit as SARIF 2.1.0, which code scanning services show beside the lines."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from ...version import VERSION

Json = dict[str, Any]
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    "wrong": "error",
    "crash": "error",
    "hang": "error",
    "slow": "warning",
    "missing": "error",
    "note": "note",
}


def sarif(document: Json) -> Json:
    """One run with a rule for each kind of finding."""
    rules: dict[str, Json] = {}
    for finding in (*document["findings"], *document["suppressed"]):
        rules.setdefault(finding["id"], _rule(finding))
    order = list(rules)
    results = [_result(finding, order) for finding in document["findings"]]
    results += [
        {**_result(one, order), "suppressions": [{"kind": "external", "justification": one["reason"]}]}
        for one in document["suppressed"]
    ]
    driver = {"name": "gpudoctor", "version": VERSION, "rules": list(rules.values())}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _rule(finding: Json) -> Json:
    rule: Json = {
        "id": finding["id"],
        "shortDescription": {"text": finding["title"]},
        "fullDescription": {"text": finding["what"] or finding["title"]},
        "help": {"text": finding["fix"] or finding["title"]},
        "defaultConfiguration": {"level": _LEVELS[finding["severity"]]},
        "properties": {"tags": [finding["kind"], finding["severity"]]},
    }
    if finding["sources"]:
        rule["helpUri"] = finding["sources"][0]["url"]
    return rule


def _result(finding: Json, order: list[str]) -> Json:
    fix = f" {finding['fix']}" if finding["fix"] else ""
    result: Json = {
        "ruleId": finding["id"],
        "ruleIndex": order.index(finding["id"]),
        "level": _LEVELS[finding["severity"]],
        "message": {"text": f"{finding['title']}. {finding['what']}{fix}"},
    }
    file, _, line = finding["where"].rpartition(":")
    if line.isdecimal() and file and file != "standard input":
        artifact = {"uri": quote(os.fsencode(file.replace(os.sep, "/")))}
        region = {"startLine": max(1, int(line))}
        result["locations"] = [{"physicalLocation": {"artifactLocation": artifact, "region": region}}]
    else:
        name = finding["where"] or finding["id"]
        result["locations"] = [{"logicalLocations": [{"fullyQualifiedName": name}]}]
    return result
