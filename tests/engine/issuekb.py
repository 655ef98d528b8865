"""A small knowledge base with a product and a known issue, for tests of the loader, the linter and the rules."""

from .smallkb import fact, small_knowledge

PRODUCT = """---
id: nccl
title: NCCL
fact: nccl.version
loaded: nccl.loaded_version
packages: [nvidia-nccl-cu12, libnccl2]
upgrade: "pip install --upgrade 'nvidia-nccl-cu12>={version}'"
releases:
  - {version: "2.22.3", date: 2024-06-19}
  - {version: "2.23.3", date: 2024-08-24}
  - {version: "2.23.4", date: 2024-09-17}
  - {version: "2.26.2", date: 2025-03-13}
sources:
  - id: tags
    url: https://example.org/tags
    kind: release
    date: 2026-11
    supports: The tags and their dates.
---

## How to find the version

1. Ask torch.

   ```sh
   python3 -c 'import torch; print(torch.cuda.nccl.version())'
   ```
"""

ISSUE = """---
id: nccl-2-22-lazy-hang
title: "A connection made late can hang"
product: nccl
vendors: [nvidia]
affects:
  - product: nccl
    introduced: "2.22.3"
    fixed: "2.23.4"
needs:
  - runtime: docker
signs:
  - literal: "lazy connect gave up"
    pattern: 'lazy connect gave up after \\d+ s'
    specific: true
    matches: ["node1:7:9 [0] NCCL WARN lazy connect gave up after 30 s"]
    rejects: ["lazy connect gave up"]
said:
  - "hangs since the upgrade to 2.22"
  - "the first all-reduce never ends with NCCL 2.22"
symptom: hang
severity: hang
frequency: occasional
evidence: stated
remedies: []
sets: {NCCL_RUNTIME_CONNECT: "0"}
checked: 2026-11-22
sources:
  - id: notes
    url: https://example.org/notes
    kind: release
    date: 2024-09
    supports: What it says.
---

## What happens

The first collective never ends.[^notes]

## Affected

NCCL 2.22.3 to 2.23.3; 2.23.4 has the fix.[^notes]

## What to do

1. Upgrade to NCCL 2.23.4 or later.[^notes]

   ```sh
   pip install --upgrade 'nvidia-nccl-cu12>=2.23.4'
   ```

2. Until then, connect early.

   ```sh
   export NCCL_RUNTIME_CONNECT=0
   ```

## Limits

- Nothing is known of other causes.
"""

ISSUE_PATH = "known-issues/nccl/nccl-2-22-lazy-hang.md"


def issue_knowledge(**changes: str) -> dict[str, str]:
    """The small knowledge base with a product and an issue; the linter finds nothing."""
    files = small_knowledge()
    hang = fact("symptom.hang", more="question: Does it hang?\ncost: 1\nroad: hang\n")
    return {
        **files,
        hang[0]: hang[1].replace("A fact", "The job hangs"),
        **dict(
            [
                fact("gpu.vendor", "choice", 'values: [nvidia, amd, "none"]\nquestion: Which?\ncost: 1\n'),
                fact("nccl.version", "version", "question: Which NCCL?\ncost: 1\n"),
                fact("nccl.loaded_version", "version", "question: Which NCCL is loaded?\ncost: 2\n"),
            ]
        ),
        "products/nccl.md": PRODUCT,
        ISSUE_PATH: ISSUE,
        **changes,
    }


def other_issue(name: str, **replaced: str) -> tuple[str, str]:
    """A second issue, with parts of the first replaced."""
    text = ISSUE.replace("nccl-2-22-lazy-hang", name).replace("lazy connect", name)
    text = text.replace("the upgrade to 2.22", f"the upgrade to {name}").replace(
        "ends with NCCL", f"ends with {name}"
    )
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    return f"known-issues/nccl/{name}.md", text
