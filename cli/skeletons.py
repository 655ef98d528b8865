"""Skeletons for ``gpudoctor kb new``: valid in form, with every decision left to the author."""

from __future__ import annotations

import re

from .errors import UsageError

_INCIDENT = """---
id: {id}
title: One sentence that names the fault
family: framework
vendors: [nvidia, amd]
frequency: occasional        # common, occasional or rare
evidence: hearsay            # confirmed (by a reporter), stated (by maintainers or docs), inferred, hearsay
requires:                    # every one must hold; one that is known to be false rules the incident out
  - gpu.vendor: [nvidia, amd]
suggests:                    # weights: weak 1 bit, strong 3, decisive 6
  - strong: {{symptom.hang-at-init: true}}
confirms: []                 # one that holds, with all of requires, is proof
excludes: []                 # one that holds rules it out
explains: []                 # secondary symptoms that it causes
lookalikes: []               # - {{id: other-incident, by: [fact.that.separates]}}; name it on both pages
remedies: [nccl-debug-log]
sources:
  - id: thread
    url: https://example.org/the-thread-that-you-read
    kind: thread             # thread, docs, release, source or article
    date: 2026-01
    supports: What this source says, in your words.
---

## Symptom

What a person sees, with the exact words of the log.[^thread]

## Cause

What is wrong, and how it comes to the symptom.[^thread]

## Tell it apart

The look-alikes, by link, with the fact that separates them.

## Limits

What is not known.
"""

_REMEDY = """---
id: {id}
title: One thing to do
kind: workaround             # fix, workaround or test
needs: [restart-job]
risk: none
applies: []                  # - {{when: {{gpu.vendor: amd}}, why: what to say where it does not apply}}
sets: {{}}                     # environment variables, as in NCCL_P2P_DISABLE: "1"
after:                       # what holds when it has worked
  - collective.default: pass
sources:
  - id: docs
    url: https://example.org/the-page-that-you-read
    kind: docs
    date: 2026-01
    supports: What this source says, in your words.
---

## Steps

1. What to do.[^docs]

   ```sh
   echo the command
   ```

## Verify

1. How to see that it worked.

## Undo

1. How to take it back.

## Limits

What it does not cure.
"""

_FACT = """---
id: {id}
type: bool                   # bool, int, version, choice (with values) or text
title: What is true if this fact is true
question: "How would you ask a person?"
cost: 1                      # 1 a look, 3 start the job again, 5 a reboot
signatures:
  - literal: "words that the product prints"
    matches:
      - "a whole line: words that the product prints"
    rejects:
      - "a line that must not match"
---

## How to find out

The command, and how to read its output.
"""

_KINDS = {"incident": ("incidents", _INCIDENT), "remedy": ("remedies", _REMEDY), "fact": ("facts", _FACT)}


def skeleton(kind: str, name: str) -> tuple[str, str]:
    """The file name inside the knowledge base, and the text. Raises UsageError for a bad id."""
    allowed = r"[a-z][a-z0-9_]*(\.[A-Za-z0-9_-]+)+" if kind == "fact" else r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
    if not re.fullmatch(allowed, name):
        shape = "a dotted name such as symptom.my-sign" if kind == "fact" else "lower-case words joined by -"
        raise UsageError(
            f'"{name}" is no id for {"an" if kind == "incident" else "a"} {kind}: it must be {shape}'
        )
    folder, text = _KINDS[kind]
    return f"{folder}/{name}.md", text.format(id=name)
