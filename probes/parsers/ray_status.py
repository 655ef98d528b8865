"""``ray status``: nodes that are alive, and their GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Found, Lines


def parse_ray(lines: Lines, at: int) -> Iterator[Found]:
    """``ray status``: alive nodes and GPUs."""
    yield Found("launcher", "ray", at)
    nodes = 0
    active = resources = gpus_seen = False
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        resources = resources or bool(re.match(r"\s*[\d.]+/[\d.]+ CPU\b", line))
        if re.match(r"\s*(?:Active|Healthy|Idle):", line):
            active = True
        elif re.match(r"\s*(?:Pending|Recent failures|Resources)\b", line):
            active = False
        elif active and re.match(r"\s*\d+ \S+", line):
            nodes += int(line.split()[0])
        gpus = re.match(r"\s*(\d{1,9}(?:\.\d{1,9})?)/(\d{1,9}(?:\.\d{1,9})?) (?:GPU|accelerator_type)", line)
        if gpus and " GPU" in line:
            gpus_seen = True
            yield Found("ray.gpu_total", int(float(gpus[2])), number)
    if resources and not gpus_seen:  # a cluster that has GPUs lists them beside its CPUs
        yield Found("ray.gpu_total", 0, at)
    if nodes:
        yield Found("node.count", nodes, at)
