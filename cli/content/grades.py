"""How well an incident is established, in words; apart, since the engine in a page has no reader of Markdown."""

GRADES = {
    "confirmed": "confirmed by a reporter",
    "stated": "stated by maintainers or documentation",
    "inferred": "inferred from sources",
    "hearsay": "hearsay",
}
