"""An audit on paper: for a terminal, as Markdown, and as SARIF for code scanning. All are made of its JSON."""
