"""Where the console script begins: nothing is collected from the first import on."""

from __future__ import annotations

import gc


def entry() -> None:
    """Run the command line, and leave at once (``main.entry``)."""
    gc.disable()  # short-lived: collecting costs more than it frees, and imports make most of what lives
    from .main import entry as run

    run()
