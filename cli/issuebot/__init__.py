"""Answers issues of a project on GitHub: ``python -m gpudoctor.cli.issuebot`` inside of an action."""
