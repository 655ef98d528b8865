"""Skeletons for ``gpudoctor kb new``: valid in form, with every decision left to the author."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence

from ..errors import UsageError

_INCIDENT = """---
id: {id}
title: One sentence that names the fault
family: {family}
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

_ISSUE = """---
id: {id}
title: One sentence that a person would recognize
product: {product}
vendors: [nvidia, amd]
affects:                     # every bound is a release of products/{product}.md
  - product: {product}
    introduced: "0.0.1"      # the first release known to have it; leave it out if not known
    fixed: "0.0.2"           # the first release with the fix; leave it out if there is none
needs: []                    # further circumstances that all must hold: - {{gpu.arch: [sm_90]}}
signs:                       # how it shows in text
  - literal: "words that the product prints"
    specific: false          # true: hardly anything else prints this line
    matches:
      - "a whole line: words that the product prints"
    rejects:
      - "a line that must not match"
said:                        # how people put it, 2 to 6 wordings
  - "what somebody writes who has this"
symptom: hang                # hang, crash, slow, wrong, missing, or a fact such as symptom.hang-at-init
severity: hang               # wrong, crash, hang, slow or missing
frequency: occasional        # common, occasional or rare
evidence: hearsay            # confirmed (by a reporter), stated (by maintainers or docs), inferred, hearsay
remedies: []                 # ids of remedies that work around it
sets: {{}}                     # variables that work around it, as in NCCL_P2P_DISABLE: "1"
checked: {today}
sources:
  - id: release
    url: https://example.org/the-thread-that-you-read
    kind: release            # thread, docs, release, source or article
    date: {month}
    supports: What this source says, in your words.
---

## What happens

What a person sees, when, with which message.[^release]

## Affected

Which releases, hardware and settings, and which not.[^release]

## What to do

1. Move to the release that has the fix.[^release]

   ```sh
   echo the command
   ```

## Limits

- What is not known.
"""

_PRODUCT = """---
id: {id}
title: {id}
fact: {id}.version           # the fact that holds the version in use
packages: [{id}]             # its names in pip, deb and rpm
releases:
  - {{version: "0.0.1", date: {today}}}
  - {{version: "0.0.2", date: {today}}}
sources:
  - id: tags
    url: https://example.org/the-tags-that-you-read
    kind: release
    date: {month}
    supports: The tags and their dates.
---

## How to find the version

1. How a person finds it.

   ```sh
   echo the command
   ```
"""

_PITFALL = """---
id: {id}
title: One sentence that names what is wrong in the spec
subject: settings            # stack, container, scheduler, settings or service
severity: hang               # wrong, crash, hang, slow, missing or note
when: {{env.NCCL_P2P_DISABLE: "1"}}
at: [env.NCCL_P2P_DISABLE]   # the facts at whose line it is reported, the first that is known
leads_to: nccl-workaround-left-on
remedies: []
fix: what to write instead   # or by kind of spec, as in {{docker: ..., kubernetes: ..., slurm: ...}}
sources:
  - id: docs
    url: https://example.org/the-page-that-you-read
    kind: docs
    date: {month}
    supports: What this source says, in your words.
---

## Why

What comes of it, and how.[^docs]

## Limits

- When it is right all the same.
"""

_KINDS = {
    "incident": ("incidents", _INCIDENT),
    "known-issue": ("known-issues", _ISSUE),
    "product": ("products", _PRODUCT),
    "pitfall": ("pitfalls/settings", _PITFALL),
    "remedy": ("remedies", _REMEDY),
    "fact": ("facts", _FACT),
}
_SHAPES = {"fact": r"[a-z][a-z0-9_]*(\.[A-Za-z0-9_-]+)+", "product": r"[a-z][a-z0-9_]*"}


def skeleton(
    kind: str,
    name: str,
    product: str | None = None,
    products: Sequence[str] = (),
    family: str = "framework",
) -> tuple[str, str]:
    """The file name inside the knowledge base, and the text. Raises UsageError for a bad id.

    A known issue belongs to ``product``, or to that of ``products`` with whose name it begins; an incident and a
    remedy to ``family``.
    """
    if not re.fullmatch(_SHAPES.get(kind, r"[a-z][a-z0-9]*(-[a-z0-9]+)*"), name):
        shape = "a dotted name such as symptom.my-sign" if kind == "fact" else "lower-case words joined by -"
        raise UsageError(
            f'"{name}" is no id for {"an" if kind == "incident" else "a"} {kind}: it must be {shape}'
        )
    folder, text = _KINDS[kind]
    today = datetime.date.today().isoformat()
    values = {"id": name, "today": today, "month": today[:7], "family": family}
    if kind in ("incident", "remedy"):
        folder = f"{folder}/{family}"
    if kind == "fact":
        folder = f"{folder}/{name.partition('.')[0]}"
    if kind == "known-issue":
        values["product"] = product or _product_of(name, products)
        folder = f"{folder}/{values['product']}"
    return f"{folder}/{name}.md", text.format(**values)


def _product_of(name: str, products: Sequence[str]) -> str:
    """The product with whose name an id begins; the longest, or the first word where none is known."""
    known = [p for p in products if name.startswith(f"{p.replace('_', '-')}-")]
    return max(known, key=len, default=name.partition("-")[0])
