"""A small knowledge base in the real format, for tests of the loader, the linter and sessions."""

HEAD_FACT = """---
id: {id}
type: {type}
title: A fact
{more}---

## How to find out

Look.
"""


def fact(name: str, type: str = "bool", more: str = "") -> tuple[str, str]:
    return f"facts/{name}.md", HEAD_FACT.format(id=name, type=type, more=more)


INCIDENT = """---
id: {id}
title: A fault called {id}
family: p2p
vendors: [nvidia]
evidence: stated
{logic}remedies: [turn-it-off]
sources:
  - id: docs
    url: https://example.org/docs
    kind: docs
    date: 2026-01
    supports: What it says.
---

## Symptom

It stops.[^docs]

## Cause

Something is wrong with it, which is explained here at some length.[^docs]

## Tell it apart

By nothing.

## Limits

None known.
"""


def incident(name: str, logic: str) -> tuple[str, str]:
    return f"incidents/{name}.md", INCIDENT.format(id=name, logic=logic)


REMEDY = """---
id: turn-it-off
title: Turn it off
kind: workaround
needs: [restart-job]
risk: none
applies:
  - when: {not: {virtualization: vm}}
    why: not in a virtual machine
sets:
  NCCL_P2P_DISABLE: "1"
after:
  - symptom.stop: false
sources:
  - id: docs
    url: https://example.org/docs
    kind: docs
    date: 2026-01
    supports: What it says.
---

## Steps

1. Set the variable.[^docs]

   ```sh
   export NCCL_P2P_DISABLE=1
   ```

### docker

1. Give it to the container.

   ```sh
   docker run -e NCCL_P2P_DISABLE=1 IMAGE
   ```

## Verify

1. It runs.

   ```sh
   env | grep NCCL
   ```

## Undo

1. Unset it.

## Limits

It is slower.
"""

SIGNATURE = """question: Does it stop?
cost: 1
signatures:
  - literal: "it stops"
    matches:
      - "then it stops"
"""


def small_knowledge() -> dict[str, str]:
    """Four facts, two incidents, one remedy; the linter finds nothing."""
    return dict(
        [
            ("README.md", "---\nversion: 1.2\ntitle: Small\n---\n"),
            fact("symptom.stop", more=SIGNATURE),
            fact("virtualization", "choice", 'values: ["none", vm]\nquestion: Is it a VM?\ncost: 1\n'),
            fact("runtime", "choice", "values: [bare, docker]\nquestion: Where does it run?\ncost: 1\n"),
            fact(
                "variant.docker",
                more='derived:\n  - value: "true"\n    when: {runtime: docker}\n'
                '  - value: "false"\n    when: {not: {runtime: docker}}\n',
            ),
            fact("part.broken", more="question: Is the part broken?\ncost: 2\n"),
            (
                "facts/env.md",
                HEAD_FACT.format(id='"env.<NAME>"', type="text", more=""),
            ),
            incident(
                "broken-part",
                "suggests:\n  - strong: {symptom.stop: true}\n  - strong: {part.broken: true}\n"
                "confirms:\n  - {symptom.stop: true, part.broken: true}\nexcludes:\n  - part.broken: false\n",
            ),
            incident(
                "bad-guest",
                "requires:\n  - virtualization: vm\nsuggests:\n  - strong: {symptom.stop: true}\n",
            ),
            ("remedies/turn-it-off.md", REMEDY),
        ]
    )
