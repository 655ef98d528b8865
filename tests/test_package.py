"""The wheel, installed in an empty environment and used outside the checkout; the archive of one file made of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path

import pytest
from packaging.version import Version

from .conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        env={**os.environ, "GPUDOCTOR_PORTABLE": "1"},
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
    """With all it asks for and without a compiler: the reference matcher takes over and says so."""
    venv.create(tmp_path / "env")
    python = tmp_path / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", str(python)]
    without = {**os.environ, "CC": "/nowhere/cc"}
    subprocess.run(
        [*pip, "install", "--no-compile", str(wheel)], env=without, check=True, capture_output=True
    )
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

    def version(folder=copy, **more):
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **more}
        ran = subprocess.run(
            [sys.executable, "-c", ask],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return ran.stdout.strip()

    def git(*arguments):
        name = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *name, *arguments], cwd=copy, capture_output=True, check=True)

    constant = version()
    assert str(Version(constant)) == constant
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "one")
    assert version() == constant
    git("tag", "v1.2.3")
    assert version() == "1.2.3"
    git("commit", "-q", "--allow-empty", "-m", "two")
    later = version()
    assert re.fullmatch(r"1\.2\.3\.post1\+g[0-9a-f]+", later) and Version(later) > Version("1.2.3")
    git("add", "setup.py", "cli/version.py")
    git("commit", "-q", "-m", "three")
    git("worktree", "add", "-q", "../beside")
    assert version(tmp_path / "beside") == version()
    git("clone", "-q", "--no-tags", ".", "../untagged")
    assert version(tmp_path / "untagged") == constant
    assert version(GPUDOCTOR_VERSION="v2.0.0") == "2.0.0"


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ({}, True),
        ({"CC": "/nowhere/cc"}, False),
        ({"CC": "false"}, False),
        ({"GPUDOCTOR_PORTABLE": "1"}, False),
    ],
)
def test_durable_rules_is_asked_for_where_it_can_be_compiled(tmp_path, more, wanted):
    found = shutil.which("cc") and Path(sysconfig.get_path("include"), "Python.h").is_file()
    if wanted and not found:
        pytest.skip("no C compiler, or no headers of this Python")
    ask = "import runpy, setuptools as s; s.setup = lambda **k: print(k['install_requires']); "
    environment = {name: value for name, value in os.environ.items() if name != "GPUDOCTOR_PORTABLE"}
    ran = subprocess.run(
        [sys.executable, "-c", ask + "runpy.run_path('setup.py')"],
        cwd=ROOT,
        env={**environment, **more},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "PyYAML" in ran.stdout
    assert ("durable-rules" in ran.stdout) is wanted


@pytest.fixture(scope="module")
def archive(wheel, tmp_path_factory):
    target = tmp_path_factory.mktemp("pyz") / "gpudoctor.pyz"
    built = subprocess.run(
        [sys.executable, str(ROOT / "deploy" / "pyz" / "build.py"), str(target), "--package", str(wheel)],
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode and "No matching distribution" in built.stderr:
        pytest.skip("no package index")
    assert built.returncode == 0, built.stderr
    return target


def _pythons():
    found = [sys.executable, shutil.which("python3", path="/usr/bin:/bin")]
    found += sorted(map(str, Path.home().glob(".pyenv/versions/3.1[0-9].*/bin/python")))[:1]
    return list(dict.fromkeys(filter(None, found)))


@pytest.mark.parametrize("python", _pythons())
def test_the_archive_diagnoses_probes_and_captures(archive, tmp_path, python):
    """With nothing of what is installed: -S leaves the site-packages out, -I the folder and the environment."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }

    def run(*arguments):
        return subprocess.run(
            [python, "-I", "-S", str(archive), *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    told = run("--report", ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log")
    assert told.returncode == 1, told.stderr
    assert "pcie-acs-redirect" in told.stdout.splitlines()[0]
    assert "reference matcher" in told.stdout
    assert told.stderr == ""
    probed = run("probe", "--format", "json")
    assert probed.returncode == 0, probed.stderr
    assert json.loads(probed.stdout)
    captured = run("capture", "--yes", "evidence.tar.gz")
    assert captured.returncode == 0, captured.stderr
    assert run("--from", "evidence.tar.gz", "--format", "json").returncode in (0, 1, 3)
    assert run("--version").stdout.startswith("gpudoctor ")
    rank = {**os.environ, "RANK": "0", "WORLD_SIZE": "2", "LOCAL_RANK": "0"}
    job = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], env=rank)
    try:
        attached = run("attach", job.pid, "--evidence", tmp_path / "evidence")
    finally:
        job.kill()
        job.wait()
    assert attached.returncode in (0, 1, 3), attached.stderr
    assert "rank 0 " in attached.stdout
    assert list((tmp_path / "evidence").glob("*.tar.gz"))
