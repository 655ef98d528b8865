"""The wheel, installed in an empty environment and used outside the checkout."""

import os
import re
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import pytest

from .conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("gpudoctor-*.whl")
    return found


def test_it_holds_the_knowledge_and_its_index(wheel):
    import zipfile

    names = set(zipfile.ZipFile(wheel).namelist())
    assert "gpudoctor/kb/index.rows" in names
    assert "gpudoctor/engine/diagnosis/diagnosis.schema.json" in names
    assert "gpudoctor/py.typed" in names
    assert "gpudoctor/__main__.py" in names
    assert "gpudoctor/cli/locale/zh.json" in names
    assert not any(name.endswith(".po") for name in names)
    here = {f"gpudoctor/kb/{p.relative_to(ROOT / 'kb')}" for p in (ROOT / "kb").rglob("*.md")}
    assert here <= names
    for folder in ("engine", "probes", "cli"):
        sources = {f"gpudoctor/{p.relative_to(ROOT)}" for p in (ROOT / folder).rglob("*.py")}
        sources.discard("gpudoctor/cli/python-m/__main__.py")
        assert sources <= names
    site = ROOT / "cli" / "site"
    data = [p for folder in ("templates", "assets", "texts") for p in (site / folder).iterdir()]
    assert {f"gpudoctor/{p.relative_to(ROOT)}" for p in data} <= names
    for guide in ("CONTRIBUTING.md", "ARCHITECTURE.md", "vllm-two-cards-stuck.log"):
        assert f"gpudoctor/cli/site/texts/{guide}" in names
    assert not any(name.startswith(("tests/", "engine/", "cli/", "kb/")) for name in names)


def test_installed_elsewhere_it_finds_its_knowledge_base(wheel, tmp_path):
    """Without durable-rules, so that nothing is compiled: the reference matcher takes over and says so."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    names = ["PyYAML", "markdown-it-py", "mdit-py-plugins", "packaging", "rich", "ahocorasick_rs"]
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *names], check=True, capture_output=True)
    subprocess.run([*install, "--no-deps", str(wheel)], check=True, capture_output=True)
    report = tmp_path / "job.log"
    report.write_text((ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log").read_text())
    result = subprocess.run(
        [str(Path(python).parent / "gpudoctor"), "--report", str(report)],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1, result.stderr
    assert "pcie-acs-redirect" in result.stdout
    assert "reference matcher" in result.stdout
    module = [str(python), "-m", "gpudoctor", "--version"]
    assert subprocess.run(module, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == (
        subprocess.run(
            [str(python.parent / "gpudoctor"), "--version"], capture_output=True, text=True, check=True
        ).stdout
    )


def test_twine_and_check_wheel_contents_accept_wheel_and_sdist(wheel, tmp_path):
    """Only what says nothing against the package: its files are meant to be where they are."""
    check_wheel, twine = (pytest.importorskip(name) for name in ("check_wheel_contents", "twine"))
    build = "import setuptools.build_meta as b, sys; print(b.build_sdist(sys.argv[1]))"
    ran = subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    (sdist,) = tmp_path.glob("gpudoctor-*.tar.gz")
    with tarfile.open(sdist) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    # What a wheel that is built from it needs: setup.py reads these.
    locale = {str(path.relative_to(ROOT)) for path in (ROOT / "cli" / "locale").rglob("*.po")}
    guides = {"CONTRIBUTING.md", "ARCHITECTURE.md", "tests/reports/vllm-two-cards-stuck.log", "setup.py"}
    assert locale | guides | {"kb/README.md", "cli/version.py"} <= inside
    for module, arguments in (
        (twine, ["check", "--strict", str(wheel), str(sdist)]),
        (check_wheel, [str(wheel)]),
    ):
        command = [sys.executable, "-m", module.__name__, *arguments]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr


def test_the_version_is_that_of_the_tag(tmp_path):
    """Of the tag on this commit, of the last one with what came since, of the environment, of the file."""
    copy = tmp_path / "copy"
    (copy / "cli").mkdir(parents=True)
    for name in ("setup.py", "cli/version.py"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    stub = "import runpy, setuptools as s; s.setup = lambda **k: print(k['version'])"
    ask = f"{stub}; runpy.run_path('setup.py')"

    def version(**more):
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **more}
        ran = subprocess.run(
            [sys.executable, "-c", ask], cwd=copy, env=environment, capture_output=True, text=True, check=True
        )
        return ran.stdout.strip()

    def git(*arguments):
        name = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *name, *arguments], cwd=copy, capture_output=True, check=True)

    constant = version()
    assert re.fullmatch(r"\d+\.\d+\.\d+", constant)
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "one")
    assert version() == constant
    git("tag", "v1.2.3")
    assert version() == "1.2.3"
    git("commit", "-q", "--allow-empty", "-m", "two")
    assert re.fullmatch(r"1\.2\.3\.post1\+g[0-9a-f]+", version())
    assert version(GPUDOCTOR_VERSION="v2.0.0") == "2.0.0"
