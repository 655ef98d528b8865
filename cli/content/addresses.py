"""Where an entry of the knowledge base lies in the docs site; stable, since diagnoses carry these addresses.

Every address names ``index.html``: it opens on any static host, from a bucket and from ``file://`` alike.
A host that serves folders also answers ``/incidents/<id>``.
"""

from __future__ import annotations

from typing import Any

from ...engine.knowledge.affected import fix_id
from ..errors import UsageError

FOLDERS = {
    "incident": "incidents",
    "known-issue": "known-issues",
    "product": "products",
    "remedy": "remedies",
    "fact": "facts",
}
_SCHEMES = ("http://", "https://", "file:///")


def page_folder(kind: str, name: str) -> str:
    """The folder of an entry's page; a fact is named like its file."""
    return f"{FOLDERS[kind]}/{name}"


def page_address(site_url: str, kind: str, name: str) -> str:
    """The address of an entry's page on a site."""
    return f"{site_url.rstrip('/')}/{page_folder(kind, name)}/index.html"


def checked(site_url: str) -> str:
    """The address of a site as a person gave it. Raises UsageError."""
    if not site_url.startswith(_SCHEMES) or any(
        c.isspace() or not c.isprintable() or c in "\"<>?#'" for c in site_url
    ):
        raise UsageError(
            f'--site-url: "{site_url}" is no address of a site, such as https://example.org/gpudoctor'
        )
    return site_url.rstrip("/")


def add_pages(document: dict[str, Any], site_url: str) -> None:
    """Give each incident and remedy of a diagnosis the address of its page."""
    for incident in (*document["incidents"], *document["ruled_out"]):
        incident["page"] = page_address(site_url, incident["kind"], incident["id"])
        for remedy in incident.get("remedies", ()):
            own = remedy["id"] == fix_id(incident["id"])  # it stands on the page of the known issue
            remedy["page"] = incident["page"] if own else page_address(site_url, "remedy", remedy["id"])
