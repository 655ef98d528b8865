"""Compiles knowledge and translations into the wheel, finds the version, and whether durable-rules can be built here.

All else is in pyproject.toml.
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import types
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent


VERSION_FILE = ROOT / "cli" / "version.py"
_CONSTANT = re.compile(r'^VERSION = "(.+)"$', re.MULTILINE)


def version() -> str:
    """The version: that of the tag ``v*`` of this commit, or of the last tag with the number of commits since.

    GPUDOCTOR_VERSION comes before it; without git (in an sdist) or without any tag what ``cli/version.py`` says.
    """
    constant = _CONSTANT.findall(VERSION_FILE.read_text(encoding="utf-8"))[0]
    given = os.environ.get("GPUDOCTOR_VERSION", "")
    if given:
        return given.removeprefix("v")
    if (ROOT / "PKG-INFO").is_file() or not (ROOT / ".git").exists():
        return constant  # an sdist holds the file with the version in it
    asked = ["git", "describe", "--tags", "--long", "--match", "v[0-9]*"]
    try:
        told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return constant
    tag, since, commit = told.rsplit("-", 2)
    return tag.removeprefix("v") + ("" if since == "0" else f".post{since}+{commit}")


DEPENDENCIES = [
    "PyYAML>=6",
    "markdown-it-py>=3",
    "mdit-py-plugins>=0.4",
    "nvidia-ml-py>=12.535",
    "packaging>=23",
    "polib>=1.2",
    "prompt-toolkit>=3.0.43",
    "rich>=13",
    "ahocorasick_rs>=0.22",
]
RULES = "durable-rules==2.0.28; python_version < '3.13'"


def dependencies() -> list[str]:
    """What to install along: durable-rules, which is published as source only, where this machine can compile it.

    pip knows no dependency that may fail, and a wheel goes to machines that have no compiler: GPUDOCTOR_PORTABLE, which
    the release sets, leaves durable-rules to the extra "rules".
    """
    if os.environ.get("GPUDOCTOR_PORTABLE") or not compiles():
        return DEPENDENCIES
    return [*DEPENDENCIES, RULES]


def compiles() -> bool:
    """Whether there are a C compiler and the headers of this Python."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    tried = [*compiler, "-fsyntax-only", "-I", sysconfig.get_path("include"), "-x", "c", "-"]
    try:
        return subprocess.run(tried, input=b"#include <Python.h>", capture_output=True).returncode == 0
    except OSError:
        return False


def stamped() -> bytes:
    """``cli/version.py`` with the version that is built."""
    text = VERSION_FILE.read_text(encoding="utf-8")
    return _CONSTANT.sub(f'VERSION = "{version()}"', text).encode()


class Sdist(sdist):
    """Puts the version into the sdist, which has no git."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """As usual, then the version."""
        super().make_release_tree(base_dir, files)
        target = Path(base_dir) / "cli" / "version.py"
        target.unlink()  # it may be a link to the file in the checkout
        target.write_bytes(stamped())


class BuildWithIndex(build_py):
    """Adds the index of the knowledge base, the translations, the guides of the site and the mark of types."""

    def run(self) -> None:
        """Build as usual, then add the files."""
        super().run()
        if self.editable_mode:
            return
        package = types.ModuleType("gpudoctor")
        package.__path__ = [str(ROOT)]
        sys.modules["gpudoctor"] = package
        from gpudoctor.engine.knowledge.compiler import build_index
        from gpudoctor.engine.knowledge.index import PACKAGED

        (Path(self.build_lib) / "gpudoctor" / "py.typed").touch()
        built = Path(self.build_lib) / "gpudoctor" / "cli" / "version.py"
        built.unlink()
        built.write_bytes(stamped())
        target = Path(self.build_lib) / "gpudoctor" / "kb"
        (target / PACKAGED).write_bytes(build_index(str(target)))
        from gpudoctor.cli.pofiles import compiled, packaged

        for language in (ROOT / "cli" / "locale").iterdir():
            if language.is_dir():
                place = Path(self.build_lib) / "gpudoctor" / "cli" / "locale" / language.name
                place.parent.mkdir(parents=True, exist_ok=True)
                Path(packaged(str(place))).write_bytes(compiled(str(language)))
        texts = Path(self.build_lib) / "gpudoctor" / "cli" / "site" / "texts"
        for name in ("CONTRIBUTING.md", "ARCHITECTURE.md", "tests/reports/vllm-two-cards-stuck.log"):
            if (ROOT / name).is_file():
                (texts / Path(name).name).write_bytes((ROOT / name).read_bytes())


setup(
    version=version(), install_requires=dependencies(), cmdclass={"build_py": BuildWithIndex, "sdist": Sdist}
)
