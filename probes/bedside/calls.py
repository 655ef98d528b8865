"""What a line of a program waits for in a call that has no Python frame of its own, by the words of the line.

``Work.wait``, ``TCPStore.get``, ``Tensor.item`` and ``gc.collect`` are written in C++ or C: the stack of a thread
that is in one of them ends at the line that calls it.
"""

from __future__ import annotations

import re

from .places import COLLECTIVE, DEVICE, OWN, RENDEZVOUS, STORE, Place

COLLECTS = "collect"
"""The call of a place at which somebody collects garbage."""
_CALLS = (
    # what it does; the call
    (COLLECTIVE, r"\b\w*(?:work|handle|req|request)s?(?:\[\w+\])?\.(wait)\("),
    (STORE, r"\b\w*store\w*\.(get|wait|multi_get|queue_pop)\("),
    (RENDEZVOUS, r"\b(TCPStore|FileStore|HashStore|PrefixStore)\("),
    (OWN, r"\bgc\.(collect)\("),
)
_OF_A_GPU = r"\.(item|tolist|cpu|numpy|nonzero|synchronize)\("
"""Calls that wait until a GPU has done what was asked of it."""
_COMPILED = tuple((doing, re.compile(call)) for doing, call in _CALLS)
_DEVICE = re.compile(_OF_A_GPU)


def at_line(place: Place, text: str, gpu: bool) -> Place:
    """The place of a thread whose innermost line has this text, where its frames alone say nothing."""
    if place.doing != OWN or not text:
        return place
    for doing, call in _COMPILED:
        if found := call.search(text):
            return place._replace(doing=doing, call=found[1])
    if gpu and (found := _DEVICE.search(text)):
        return place._replace(doing=DEVICE, call=found[1])
    return place
