"""Archives of a machine: what is in them, what is not, and what they are refused for."""

import gzip
import io
import json
import os
import re
import tarfile
import time

import pytest

from gpudoctor.engine.facts.statements import CannotTell, Fact
from gpudoctor.engine.redaction import is_secret, redact
from gpudoctor.probes import capture
from gpudoctor.probes.capture import ArchiveEntry, CaptureError, gather, unpacked, write
from gpudoctor.probes.live import examine
from gpudoctor.probes.machine.kernellog import interesting
from gpudoctor.probes.machine.world import SYSTEM, World

from ..machines.build import build, describe


def archive(path, *members, system=True):
    """A tar.gz of these members: (name, content) or a TarInfo."""
    with tarfile.open(path, "w:gz") as tar:
        for member in [*([(SYSTEM, b"{}")] if system else []), *members]:
            if isinstance(member, tarfile.TarInfo):
                tar.addfile(member, io.BytesIO(b"\0" * member.size))
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                tar.addfile(info, io.BytesIO(member[1]))
    return str(path)


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def facts(examination):
    return {s.name: s.value for s in examination.statements if isinstance(s, Fact)}


def test_a_capture_says_elsewhere_what_the_machine_says(knowledge, tmp_path):
    name = str(tmp_path / "out.tar.gz")
    write(gather(timeout=40, packages=knowledge.packages()), name)
    here = facts(examine(knowledge, timeout=40))
    with unpacked(name) as root:
        assert not [f for _, folders, files in os.walk(root) for f in folders + files if os.path.islink(f)]
        examination = examine(knowledge, root=root, timeout=40)
        there = facts(examination)
        failed = [s for s in examination.statements if isinstance(s, CannotTell) and "the probe " in s.reason]
    assert not os.path.exists(root)
    assert not failed
    changing = {"shm.free_bytes"}
    assert {k: v for k, v in there.items() if k not in changing} == {
        k: v for k, v in here.items() if k not in changing
    }


@pytest.mark.parametrize("name", ["pcie-acs", "mi300x", "roce-two-nics"])
def test_a_record_of_a_machine_stands_for_it(name, knowledge, tmp_path):
    """What the probes read of a made-up machine, as an archive would hold it, gives the same facts."""
    from gpudoctor.probes.round import run_round

    root = build(describe(name), tmp_path / "machine")
    probes = [
        "pci",
        "topology",
        "amdgpu",
        "acs",
        "iommu",
        "rdma",
        "network",
        "limits",
        "host",
        "nvidia",
        "runtime",
    ]
    lines, _ = run_round(probes, (), root=str(root), record=True)
    files, system = {}, {"links": {}, "folders": [], "refused": []}
    environ = {}
    for line in lines:
        for kind, *values in line["findings"]:
            if kind == "record":
                capture.take_record(values[0], files, system)
                environ |= values[0]["environ"]
    system["machine"] = "x86_64"
    files["/.gpudoctor/environ"] = "\n".join(f"{n}={v}" for n, v in environ.items()).encode()
    files[f"/{SYSTEM}"] = json.dumps(system).encode()
    write(
        [ArchiveEntry(path.lstrip("/"), content) for path, content in files.items()],
        str(tmp_path / "a.tar.gz"),
    )
    with unpacked(str(tmp_path / "a.tar.gz")) as copy:
        assert facts(examine(knowledge, root=copy, only=probes)) == facts(
            examine(knowledge, root=root, only=probes)
        )


def test_a_capture_has_the_versions_of_packages_that_only_the_knowledge_base_names(knowledge, tmp_path):
    """Also of an environment that is not ours; what reads the archive does not see that environment."""
    python = tmp_path / "venv/bin/python"
    site = tmp_path / "venv/lib/python3.11/site-packages"
    (site / "flashinfer_python-0.6.14.dist-info").mkdir(parents=True)
    python.parent.mkdir()
    answer = json.dumps({"path": [str(site)], "version": "3.11.7"})
    python.write_text(f"#!/bin/sh\necho '{answer}'\n")
    python.chmod(0o755)
    name = str(tmp_path / "out.tar.gz")
    write(gather(str(python), timeout=40, packages=knowledge.packages()), name)
    with unpacked(name) as root:
        assert facts(examine(knowledge, root=root, only=["packages"]))["flashinfer.version"] == "0.6.14"


def test_of_another_process_only_known_variables_are_kept():
    import subprocess

    job = subprocess.Popen(
        ["sleep", "60"],
        env={"GH_PAT": "planted1", "DATABASE_DSN": "me/planted2@db", "NCCL_ALGO": "Ring", "PATH": "/bin"},
    )
    try:
        entries = gather(pid=job.pid)
    finally:
        job.kill()
        job.wait()
    whole = b"".join(entry.name.encode() + entry.content for entry in entries)
    assert b"NCCL_ALGO=Ring" in whole
    assert b"planted" not in whole
    assert not [
        entry.name for entry in entries if re.match(r"proc/(self|\d+)/(environ|cmdline|maps)", entry.name)
    ]


def test_secrets_are_not_in_it(tmp_path, monkeypatch):
    tool = tmp_path / "nvidia-smi"
    tool.write_text(
        "#!/bin/sh\necho 'GPU UUID : GPU-8f2b6f5e-0000-1111-2222-333344445555'\n"
        "echo 'Serial Number : 1650822012345'\necho 'token=planted-in-output'\n"
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("HF_TOKEN", "hf_plantedplantedplanted")
    monkeypatch.setenv("VLLM_API_KEY", "planted-key")
    monkeypatch.setenv("SSH_CONNECTION", "planted-unknown")
    monkeypatch.setenv("NCCL_DEBUG_FILE", f"{tmp_path}/nccl.log")
    monkeypatch.setenv("HOME", str(tmp_path))
    whole = b"".join(entry.name.encode() + entry.content for entry in gather())
    assert b"planted" not in whole
    assert b"8f2b6f5e" not in whole
    assert b"1650822012345" not in whole
    assert str(tmp_path).encode() not in whole
    assert b"NCCL_DEBUG_FILE=/home/user/nccl.log" in whole


def test_only_known_places_are_in_it():
    allowed = re.compile(
        r"\.gpudoctor/(?:(?:system|identity)\.json|environ|(?:commands|findings)/[\w-]+\.json)|sys/[\w/.:+-]+|boot/config-[\w.+-]+"
        r"|proc/(?:cmdline|cpuinfo|meminfo|self/(?:limits|status|cgroup|mountinfo|net/(?:route|ipv6_route|fib_trie))|1/(?:cgroup|comm)|sys/[\w/]+"
        r"|driver/nvidia/[\w/.:]+)|etc/(?:os-release|default/grub|systemd/logind\.conf)|usr/lib/os-release"
        r"|run/systemd/container|opt/rocm[\w/.-]*"
    )
    strange = [entry.name for entry in gather() if not allowed.fullmatch(entry.name)]
    assert strange == []


REFUSED = {
    "a link": (special("a", tarfile.SYMTYPE, "/etc/passwd"), "is no plain file"),
    "a hard link": (special("a", tarfile.LNKTYPE, SYSTEM), "is no plain file"),
    "a device": (special("a", tarfile.CHRTYPE), "is no plain file"),
    "a pipe": (special("a", tarfile.FIFOTYPE), "is no plain file"),
    "an absolute name": (("/etc/evil", b""), "would lie outside"),
    "a name that climbs": (("sys/../../evil", b""), "would lie outside"),
    "a file twice": ((SYSTEM, b"{}"), "cannot be unpacked"),
    "a folder where a file is": ((f"{SYSTEM}/x", b"{}"), "cannot be unpacked"),
}


def test_a_secret_in_the_name_of_a_field_is_hidden():
    kept = capture.cleaned_json({"links": {"/x/token=Zq7pLaNtEdX9w": ["password=Zq7pLaNtEdX9w"]}})
    assert b"pLaNtEd" not in kept and b"links" in kept


@pytest.mark.parametrize(
    "value",
    [
        {"password": "hunter2-and-more"},
        {"HF_TOKEN": ["hunter2-and-more"]},
        {"job": {"api_key": "hunter2-and-more"}},
        {"argv": ["serve", "--password", "hunter2-and-more"]},
    ],
)
def test_a_secret_that_only_its_name_shows_is_hidden(value):
    assert b"hunter2" not in capture.cleaned_json(value)


def test_what_stands_beside_a_name_that_is_no_secret_stays():
    value = {"argv": ["serve", "--max-tokens", "4096"], "links": {"/x/token": ["../y"]}, "token": "true"}
    assert json.loads(capture.cleaned_json(value)) == value


@pytest.mark.parametrize(
    "name", ["a\nDIAGNOSED  confirmed", "a" * 100_000, "x/token=Zq7pLaNtEdX9w", "a\u202eb\x1b[31m"]
)
def test_a_name_in_an_archive_forges_nothing(name, tmp_path):
    for member in (special(name, tarfile.SYMTYPE, "/etc/passwd"), (f"../{name}", b"")):
        with pytest.raises(CaptureError) as caught, unpacked(archive(tmp_path / "a.tar.gz", member)):
            pass
        said = str(caught.value)
        assert "\n" not in said and "\x1b" not in said and "\u202e" not in said and "pLaNtEd" not in said
        assert len(said) < len(str(tmp_path)) + 250


@pytest.mark.parametrize("name", ["a/" * 1900 + "b", "a/" * 65 + "b", "a" * 1025])
def test_no_name_makes_thousands_of_folders(name, tmp_path):
    bomb = archive(tmp_path / "a.tar.gz", (name, b""))
    with pytest.raises(CaptureError, match="no capture holds"), unpacked(bomb):
        pass


@pytest.mark.parametrize(("member", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_an_archive_may_not_hold(member, reason, tmp_path):
    with pytest.raises(CaptureError, match=reason), unpacked(archive(tmp_path / "a.tar.gz", member)):
        pass
    assert not (tmp_path.parent / "evil").exists()


def test_bombs(tmp_path, monkeypatch):
    monkeypatch.setattr(capture, "LARGEST", 1 << 20)
    monkeypatch.setattr(capture, "LARGEST_FILE", 1 << 19)
    monkeypatch.setattr(capture, "MOST_FILES", 50)
    big = special("big", tarfile.REGTYPE)
    big.size = (1 << 19) + 1
    with (
        pytest.raises(CaptureError, match="big is larger than"),
        unpacked(archive(tmp_path / "1.tar.gz", big)),
    ):
        pass
    parts = [(f"f{i}", b"\0" * (1 << 18)) for i in range(8)]
    with (
        pytest.raises(CaptureError, match="unpacks to more than 1 MiB"),
        unpacked(archive(tmp_path / "2.tar.gz", *parts)),
    ):
        pass
    many = [(f"f{i}", b"") for i in range(60)]
    with (
        pytest.raises(CaptureError, match="more than 50 files"),
        unpacked(archive(tmp_path / "3.tar.gz", *many)),
    ):
        pass
    header = special("x", tarfile.REGTYPE)
    header.pax_headers = {"comment": "y" * (1 << 21)}
    with (
        pytest.raises(CaptureError, match="unpacks to more than"),
        unpacked(archive(tmp_path / "4.tar.gz", header)),
    ):
        pass


@pytest.mark.parametrize(
    "content",
    [b"", b"no archive", gzip.compress(b"no tar"), gzip.compress(b"\0" * 10240)[:-9], b"\x1f\x8b\x08"],
    ids=["empty", "text", "gzip of text", "cut off", "only a head"],
)
def test_what_is_no_archive(content, tmp_path):
    name = tmp_path / "x.tar.gz"
    name.write_bytes(content)
    with pytest.raises(CaptureError, match=r"x\.tar\.gz: "), unpacked(str(name)):
        pass
    with pytest.raises(CaptureError, match="No such file"), unpacked(str(tmp_path / "nothing.tar.gz")):
        pass
    other = archive(tmp_path / "other.tar.gz", ("readme", b"hello"), system=False)
    with pytest.raises(CaptureError, match="no archive of gpudoctor"), unpacked(other):
        pass


def test_an_archive_with_nonsense_inside_does_not_crash(knowledge, tmp_path):
    nonsense = {
        SYSTEM: b'{"links": {"/a": "/b", "/b": "/a"}, "folders": ["/sys/bus", 3], "disk": {"/dev/shm": "x"}}',
        ".gpudoctor/commands/nvml.json": b'{"status": "x"}',
        ".gpudoctor/findings/packages.json": b'{"probe": "packages", "findings": [["known"]], "seconds": 1,'
        b' "state": "done", "detail": ""}',
        ".gpudoctor/findings/processes.json": b'{"probe": "processes", "findings": [["known", "gpu.count", [], "", ""],'
        b' ["known", "gpu.count", "\\u001b[2J", "x"]], "seconds": 1, "state": "done", "detail": ""}',
        ".gpudoctor/findings/clock.json": b'{"probe": "clock", "findings": [["known", "gpu.count", "many", "x"],'
        b' ["known", "no.such.fact", 1, "x"], ["text", "x", "y"]], "seconds": 1, "state": "abandoned", "detail": ""}',
        ".gpudoctor/findings/shm.json": b"[]",
        "proc/cmdline": b"\xff\xfe\0\x1b[31m",
    }
    for content in (nonsense, {**nonsense, SYSTEM: b"[]"}, {**nonsense, SYSTEM: b'{"links": 3, "disk": 4}'}):
        name = archive(tmp_path / "a.tar.gz", *content.items(), system=False)
        with unpacked(name) as root:
            assert "\x1b" not in repr(examine(knowledge, root=root).statements)


def test_an_archive_is_written_whole_or_not_at_all(tmp_path):
    with pytest.raises(CaptureError, match="cannot be written"):
        write([ArchiveEntry("a", b"")], str(tmp_path / "no/such/folder.tar.gz"))
    write([ArchiveEntry("a", b"1")], str(tmp_path / "a.tar.gz"))
    assert sorted(os.listdir(tmp_path)) == ["a.tar.gz"]


PLANTED = "pLaNtEd9876543210"


@pytest.mark.parametrize(
    "text",
    [
        f"--api-key {PLANTED}",
        f"--api-key={PLANTED} --port 8000",
        f"HF_TOKEN={PLANTED}",
        f"export WANDB_API_KEY='{PLANTED}'",
        f'"password": "{PLANTED}"',
        f"Authorization: Bearer {PLANTED}",
        f"authorization=Basic {PLANTED}",
        f"curl -H 'Authorization: Bearer {PLANTED}' http://host",
        f"http://user:{PLANTED}@proxy:3128/",
        f"https://{PLANTED}abcdefgh@github.com/x",
        f"hf_{PLANTED}",
        f"sk-{PLANTED}",
        f"ghp_{PLANTED}",
        f"client_secret: {PLANTED}",
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{PLANTED}\n-----END OPENSSH PRIVATE KEY-----",
        f"eyJhbGciOiJIUzI1.{PLANTED}.{PLANTED}",
    ],
)
def test_shapes_of_secrets(text):
    assert PLANTED not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "NVRM: Xid (PCI:0000:2b:00): 79, pid=1234, GPU has fallen off the bus.",
        "BOOT_IMAGE=/vmlinuz-5.15.0 root=UUID=1234 ro iommu=pt",
        "NCCL_IB_HCA=mlx5_0:1,mlx5_1:1",
        "torch==2.6.0+cu124 tokenizers 0.19.1",
        "GPU0 X NV18 SYS 0-55",
    ],
)
def test_what_is_no_secret_stays(text):
    assert redact(text) == text


def test_a_long_line_is_redacted_in_time():
    import time

    began = time.monotonic()
    redact("token" * 20000 + "_" * 50000 + "a-" * 30000 + "://" * 10000)
    redact("key " * 30000 + "password" * 10000)
    assert time.monotonic() - began < 2


def test_names_of_secrets():
    assert is_secret("VLLM_API_KEY") and is_secret("RAY_AUTH_TOKEN") and is_secret("http_password")
    assert (
        not is_secret("NCCL_IB_PKEY") and not is_secret("NCCL_P2P_DISABLE") and not is_secret("RAY_AUTH_MODE")
    )


def test_of_the_kernel_log_only_what_concerns_gpus_is_kept():
    text = "[1.0] usb 1-1: new device\n[2.0] NVRM: Xid (PCI:0000:01:00): 31\n[3.0] audit: user=alice"
    assert interesting(text) == "[2.0] NVRM: Xid (PCI:0000:01:00): 31"


@pytest.mark.parametrize(
    "system",
    ["[" * 200_000, json.dumps({"folders": ["/a" * 400_000]}), json.dumps({"links": {"/a": "a/" * 400_000}})],
)
def test_what_a_tree_says_of_itself_costs_no_time(tmp_path, system):
    (tmp_path / ".gpudoctor").mkdir()
    (tmp_path / SYSTEM).write_text(system)
    began = time.monotonic()
    assert World(str(tmp_path)).text("/a/b", "nothing") == "nothing"
    assert time.monotonic() - began < 2
