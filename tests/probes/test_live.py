"""The round on the machine that runs the tests, with tools that misbehave and under bad circumstances."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpudoctor.engine.facts.statements import CannotTell, Fact
from gpudoctor.probes.live import ProbeError, examine
from gpudoctor.probes.machine.catalogue import GROUPS, PROBES
from gpudoctor.probes.tools import tools

from .conftest import soon

MARK = "GPUDOCTOR_TEST_MARK"


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """A function that puts a script in the place of a tool, first in PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv(MARK, str(tmp_path))

    def write(name, script):
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    return write


def values(examination):
    return {s.name: s.value for s in examination.statements if isinstance(s, Fact)}


def gaps(examination):
    return {s.name: s.reason for s in examination.statements if isinstance(s, CannotTell)}


def left_behind(mark):
    """Processes that carry the mark of a test in their environment, after the kernel had time to end them."""
    soon(lambda: not carriers(mark))
    return carriers(mark)


def carriers(mark):
    found = []
    for pid in os.listdir("/proc"):
        try:
            if (
                pid.isdigit()
                and int(pid) != os.getpid()
                and mark.encode() in Path("/proc", pid, "environ").read_bytes()
            ):
                found.append(pid)
        except OSError:
            continue
    return found


def test_the_whole_round_here(knowledge):
    seen = []
    examination = examine(knowledge, progress=lambda name, state: seen.append((name, state)))
    assert examination.seconds < 5  # about one second on a quiet machine
    found = values(examination)
    assert found["kernel.version"] == os.uname().release
    assert found["cpu.arch"] == os.uname().machine
    assert found["limit.nofile"] > 0 or found["limit.nofile"] == -1
    assert not [reason for reason in gaps(examination).values() if "the probe " in reason]
    started = [name for name, state in seen if state == "started"]
    assert {probe.name for probe in PROBES} <= set(started)
    assert sorted(started) == sorted(name for name, state in seen if state == "done")


def test_every_fact_of_the_catalogue_is_in_the_vocabulary(knowledge):
    missing = [fact for probe in PROBES for fact in probe.facts if fact not in knowledge.vocabulary]
    assert missing == []


def test_the_probe_that_the_vocabulary_names_for_a_fact_gives_it(knowledge):
    gives = {probe.name: set(probe.facts) for probe in PROBES} | {
        tool.name: set(tool.facts) for tool in tools(False)
    }
    wrong = []
    for fact in sorted(set().union(*gives.values())):
        named = knowledge.vocabulary.spec(fact).probe
        if named and not any(fact in gives.get(name, ()) for name in GROUPS.get(named, (named,))):
            wrong.append((fact, named))
    assert wrong == []
    unnamed = [
        f
        for p in PROBES
        for f in p.facts
        if not f.startswith("symptom.") and not knowledge.vocabulary.spec(f).probe
    ]
    assert unnamed == []


def test_a_group_stands_for_its_probes(knowledge):
    found = examine(knowledge, only=["gpu"])
    assert "gpu.count" in {s.name for s in found.statements}
    assert {s.origin.where.partition(":")[0] for s in found.statements} <= {*GROUPS["gpu"], "probes"}


def test_only_and_skip(knowledge):
    only = examine(knowledge, only=["limits"])
    assert {s.origin.where.partition(":")[0] for s in only.statements} == {"limits"}
    rest = examine(knowledge, only=["limits", "shm"], skip=["limits"])
    assert {s.origin.where.partition(":")[0] for s in rest.statements} == {"shm"}
    with pytest.raises(ProbeError, match='no probe "gpus"; there are pci, topology'):
        examine(knowledge, only=["gpus"])
    with pytest.raises(ProbeError, match="no such folder"):
        examine(knowledge, root="/dev/null/nothing")


HANGS = {
    "sleeps": "sleep 100",
    "ignores SIGTERM": "trap '' TERM INT HUP; while :; do sleep 1; done",
    "leaves a child that holds its output": "sleep 100 & wait",
    "stops itself": "kill -STOP $$",
}


@pytest.mark.parametrize("script", HANGS.values(), ids=HANGS)
def test_a_tool_that_does_not_end(script, tool, knowledge, tmp_path):
    tool("nvidia-smi", script)
    began = time.monotonic()
    examination = examine(knowledge, only=["pci", "nvidia-smi"], timeout=1.2)
    assert time.monotonic() - began < 2.5
    assert values(examination)["probe.hung"] == "nvidia-smi"
    assert values(examination)["probe.hung_in_kernel"] is False
    assert left_behind(str(tmp_path)) == []


def test_a_tool_that_ends_but_leaves_a_child(tool, knowledge, tmp_path):
    tool("nvidia-smi", "sleep 100 & exit 0")
    examination = examine(knowledge, only=["nvidia-smi"], timeout=5)
    assert examination.seconds < 3
    assert "probe.hung" not in values(examination)
    assert left_behind(str(tmp_path)) == []


def test_a_tool_that_floods(tool, knowledge, tmp_path):
    tool("nvidia-smi", "yes 'Driver Version: 550.54.15'")
    examination = examine(knowledge, only=["nvidia-smi"], timeout=5)
    assert examination.seconds < 5 + 3  # a busy machine takes its time to end what floods it
    assert values(examination)["driver.version"] == "550.54.15"
    assert left_behind(str(tmp_path)) == []


def test_a_tool_that_complains_and_one_that_may_not_run(tool, knowledge):
    tool("nvidia-smi", "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18")
    assert values(examine(knowledge, only=["nvidia-smi"]))["symptom.nvml-driver-library-mismatch"] is True
    tool("nvidia-smi", "exit 0")
    os.chmod(shutil.which("nvidia-smi"), 0o644)
    assert "refused" in gaps(examine(knowledge, only=["nvidia-smi"]))["driver.version"] or os.geteuid() == 0


def test_output_of_a_tool_cannot_draw_on_the_terminal(tool, knowledge):
    tool("nvidia-smi", r"printf '\033]0;title\007\033[31mDriver Version: 550.54.15\033[0m\n'")
    examination = examine(knowledge, only=["nvidia-smi"])
    assert values(examination)["driver.version"] == "550.54.15"
    assert "\x1b" not in repr(examination.statements)


def test_what_the_tools_of_both_vendors_say_is_read(tool, knowledge):
    topology = (
        "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
        "GPU0\t X \tSYS\t0-15\t0\t\tN/A\nGPU1\tSYS\t X \t0-15\t0\t\tN/A\n"
    )
    tool("nvidia-smi", f"cat <<'EOF'\n{topology}EOF")
    assert values(examine(knowledge, only=["nvidia-topology"]))["topology.link"] == "sys"
    asic = json.dumps([{"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X"}}], indent=4)
    tool("amd-smi", f"cat <<'EOF'\n{asic}\nEOF")
    assert values(examine(knowledge, only=["amd-smi"]))["gpu.model"] == "AMD Instinct MI300X"


def test_a_probe_that_hangs_stops_only_itself(knowledge, tmp_path, monkeypatch):
    """The interpreter asked about never answers; what else is asked is answered."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nsleep 100\n")
    python.chmod(0o755)
    monkeypatch.setenv(MARK, str(tmp_path))
    examination = examine(knowledge, python=str(python), timeout=6)
    assert examination.seconds < 4
    assert gaps(examination)["torch.version"] == "the interpreter cannot be run: it hung"
    assert values(examination)["kernel.version"] == os.uname().release
    assert left_behind(str(tmp_path)) == []


@pytest.mark.parametrize("number", [2, 5], ids=["while it starts", "while it waits"])
def test_an_interrupt_leaves_nothing_behind(number, tool, tmp_path):
    tool("nvidia-smi", "sleep 100")
    command = [sys.executable, "-m", "gpudoctor.cli.main", "probe"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever started the tests in the background had interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert soon(lambda: len(carriers(str(tmp_path))) >= number, 10)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=5)
    assert process.returncode == 4
    assert "Traceback" not in err
    assert left_behind(str(tmp_path)) == []


# Circumstances


def probe(*prefix, env=None, cwd=None):
    """``gpudoctor probe`` from outside: its status, and what it printed."""
    command = [*prefix, sys.executable, "-m", "gpudoctor.cli.main", "probe", "--format", "json"]
    done = subprocess.run(
        command,
        env=env,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_without_home_and_without_path(monkeypatch):
    for name in ("HOME", "PATH", "USER", "TMPDIR"):
        monkeypatch.delenv(name, raising=False)
    document = probe()
    assert {"kernel.version", "limit.nofile"} <= {fact["name"] for fact in document["facts"]}


def as_nobody(*command):
    """The command as an ordinary user, who may not read what root may."""
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]


@pytest.fixture
def ordinary_python():
    """A command that runs Python as an ordinary user with our packages."""
    if os.geteuid() != 0:
        return [sys.executable]
    if shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv here")
    folders = [path for path in sys.path if path.endswith("site-packages")]
    add = "import site,sys; [site.addsitedir(p) for p in sys.argv.pop(1).split(':')]; "
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        command = as_nobody("sh", "-c", 'exec "$@"', "sh", python, "-c")
        tried = [*command, f"{add} import gpudoctor.cli.main", ":".join(folders)]
        if subprocess.run(tried, capture_output=True, check=False, cwd="/").returncode == 0:
            main = f"{add} from gpudoctor.cli.main import main; sys.exit(main(sys.argv[1:]))"
            return [*command, main, ":".join(folders)]
    pytest.skip("an ordinary user can run no Python here that has our packages")


def test_as_an_ordinary_user(ordinary_python):
    # Without a cache to write to; the only one of these tests that pays for reading the knowledge base anew.
    env = {**os.environ, "HOME": "/dev/null/nothing", "XDG_CACHE_HOME": "/dev/null/nothing"}
    command = [*ordinary_python, "probe", "--format", "json"]
    done = subprocess.run(command, env=env, cwd="/", capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert "kernel.version" in {fact["name"] for fact in document["facts"]}
    assert not [gap for gap in document["gaps"] if "the probe " in gap["reason"]]


def in_namespace(script):
    """A command in a mount namespace of its own, or a reason to skip."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    command = ["unshare", "-rm", "sh", "-c", f'{script} && exec "$@"', "sh"]
    tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"namespaces are refused here: {tried.stderr.strip()[:120]}")
    return command


def test_with_a_full_disk(tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    fill = f"mount -t tmpfs -o size=64k tmpfs {full} && (head -c 1000000 /dev/zero > {full}/big; true) 2>/dev/null"
    env = {**os.environ, "TMPDIR": str(full), "HOME": str(full)}
    assert probe(*in_namespace(fill), env=env)["facts"]


def test_with_a_read_only_file_system(tmp_path):
    script = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,bind,ro {tmp_path}"
    env = {**os.environ, "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    assert probe(*in_namespace(script), env=env, cwd=tmp_path)["facts"]


def test_without_sysfs():
    """Nothing is known of the GPUs, and none is not the answer."""
    document = probe(*in_namespace("mount -t tmpfs tmpfs /sys"))
    names = {fact["name"] for fact in document["facts"]}
    assert "kernel.version" in names
    assert "gpu.count" not in names or _has_tools()


def _has_tools():
    return bool(shutil.which("nvidia-smi") or shutil.which("amd-smi"))


# Environments and processes


def site(folder, *distributions):
    place = folder / "lib/python3.11/site-packages"
    for name in distributions:
        (place / f"{name}.dist-info").mkdir(parents=True)
    return place


def test_another_environment_without_importing_it(knowledge, tmp_path):
    place = site(
        tmp_path, "torch-2.6.0+cu124", "vllm-0.8.4", "llama_cpp_python-0.3.2", "lmdeploy-0.9.2", "pip-24.0"
    )
    (place / "torch").mkdir()
    (place / "torch/__init__.py").write_text("raise SystemExit('imported')")
    (place / "torch/version.py").write_text(
        "__version__ = '2.6.0+cu124'\ncuda: Optional[str] = '12.4'\nhip = None\n"
    )
    (place / "nvidia/nccl/lib").mkdir(parents=True)
    library = b"\0" * 5000 + b"NCCL version %s\0NCCL version 2.21.5+cuda12.4\0" + b"\0" * 5000
    (place / "nvidia/nccl/lib/libnccl.so.2").write_bytes(library)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec env PYTHONPATH={place} {sys.executable} "$@"\n')
    python.chmod(0o755)
    found = values(examine(knowledge, only=["packages"], python=str(python)))
    found.pop("ray.version", None)  # of the environment that runs the tests
    assert found == {
        "torch.version": "2.6.0+cu124",
        "torch.build": "cuda",
        "lmdeploy.version": "0.9.2",  # from the product tables
        "cuda.version": "12.4",
        "vllm.version": "0.8.4",
        "llama_cpp.version": "0.3.2",
        "nccl.version": "2.21.5",
    }


def test_an_environment_that_is_not_there(knowledge):
    found = gaps(examine(knowledge, only=["packages"], python="/dev/null/nothing/python"))
    assert found["torch.version"].startswith("the interpreter cannot be run: ")


@pytest.fixture
def job(tmp_path):
    """A process with an environment and a libnccl of its own, that looks like torchrun."""
    library = tmp_path / "libnccl.so.2"
    library.write_bytes(b"\0" * 4096 + b"NCCL version 2.23.4+cuda12.6\0" + b"\0" * 4096)
    script = tmp_path / "torchrun"
    script.write_text(
        f"import mmap,time,sys\nf = open({str(library)!r}, 'rb')\nm = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)\n"
        "print('ready', flush=True)\ntime.sleep(60)\n"
    )
    env = {
        "PATH": os.environ["PATH"],
        "NCCL_P2P_DISABLE": "1",
        "VLLM_API_KEY": "sk-planted-0123456789abcdef",
        "MY_PASSWORD": "planted-password",
        "http_proxy": "http://user:planted-proxy@proxy:3128",
    }
    process = subprocess.Popen(
        [sys.executable, script, "--token", "planted-token"], env=env, stdout=subprocess.PIPE
    )
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_an_interpreter_may_be_named_from_here(knowledge, tmp_path, monkeypatch):
    (tmp_path / "env" / "bin").mkdir(parents=True)
    (tmp_path / "env" / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    found = examine(knowledge, only=["packages"], python="env/bin/python")
    assert not [s for s in found.statements if isinstance(s, CannotTell) and "cannot be run" in s.reason]
    assert [s for s in found.statements if str(tmp_path) in s.origin.where]


def test_a_running_process(job, knowledge):
    examination = examine(knowledge, pid=job.pid)
    found = values(examination)
    assert found["env.NCCL_P2P_DISABLE"] == "1"
    assert found["env.NCCL_P2P_LEVEL"] == "unset"
    assert "env.CUDA_VISIBLE_DEVICES" not in found  # a launcher may have set it in the process
    assert found["nccl.loaded_version"] == "2.23.4"
    assert found["launcher"] == "torchrun"
    assert found["env.VLLM_API_KEY"] == "set"
    assert "planted" not in repr(examination)


def test_a_process_that_is_not_there(knowledge):
    found = gaps(examine(knowledge, pid=2**22 + 7, only=["environment", "processes", "limits"]))
    assert "No such file" in found["limit.nofile"]


def test_secrets_of_the_environment_stay_there(knowledge, monkeypatch):
    monkeypatch.setenv("VLLM_API_KEY", "planted-one")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "planted-two")
    monkeypatch.setenv("DATABASE_URL", "planted-three")
    monkeypatch.setenv("https_proxy", "http://user:planted-four@proxy:3128")
    monkeypatch.setenv("NCCL_IB_PKEY", "0")
    examination = examine(knowledge, only=["environment"])
    found = values(examination)
    assert "planted" not in repr(examination)
    assert found["env.RAY_AUTH_TOKEN"] == "set"
    assert found["env.NCCL_IB_PKEY"] == "0"
    assert "env.DATABASE_URL" not in found


def test_a_tool_stuck_in_the_kernel(knowledge, tool, frozen_file):
    tool("nvidia-smi", f"exec touch {frozen_file}")
    examination = examine(knowledge, only=["pci", "nvidia-smi"], timeout=1.2)
    assert examination.seconds < 2.5
    assert values(examination)["probe.hung_in_kernel"] is True
    hung = next(s for s in examination.statements if s.name == "probe.hung")
    assert "state D (stuck in the kernel)" in hung.origin.text
