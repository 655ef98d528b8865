"""How things look: documents and entries laid out for a terminal or as Markdown."""
