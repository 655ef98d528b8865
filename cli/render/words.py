"""Words for values and runtimes, the same on the terminal, in Markdown and on the site."""

from __future__ import annotations

from typing import Any

VARIANTS = {
    "bare": "On the machine itself",
    "systemd": "systemd service",
    "docker": "Docker or Podman",
    "compose": "Compose",
    "apptainer": "Apptainer",
    "kubernetes": "Kubernetes",
    "slurm": "Slurm",
    "pyxis": "Slurm with Pyxis",
    "ray": "Ray",
}
"""What a runtime is called over its steps."""


def show(value: Any) -> str:
    """A fact's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
