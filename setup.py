"""Compiles the knowledge base and the translations into the wheel; everything else is in pyproject.toml."""

import sys
import types
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


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


setup(cmdclass={"build_py": BuildWithIndex})
