"""Faults that are planted, each safe, and what gpudoctor says of them. No setting of a GPU is ever changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .checks import Check, Fail, Skip
from .children import End
from .kit import Kit, document, facts, named

NOWHERE = "nosuch0"
_SHARED = {"NCCL_P2P_DISABLE": "1", "NCCL_CUMEM_HOST_ENABLE": "0", "NCCL_NVLS_ENABLE": "0"}
"""With these the ranks of one node meet in /dev/shm, in every release of NCCL."""


class Fault(NamedTuple):
    """A fault: the job that has it, and what must be read of it.

    ``signs``: facts that must hold in the diagnosis. ``first``: incidents of which one must be named first. ``named``:
    one that must be named at all, where the sign alone does not decide. ``by``: the fact without which ``first`` cannot
    be decided, so that it need only be named where this is not known. ``log``: a fact that must hold as well where
    the kernel log tells of the driver, and ``culprit``, which must be named then.
    """

    name: str
    job: str
    signs: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    named: str = ""
    by: str = ""
    log: str = ""
    culprit: str = ""
    env: dict[str, str] = {}  # noqa: RUF012
    ranks: bool = False
    around: tuple[str, ...] = ()
    needs: Callable[[Kit], str] = lambda kit: ""
    seconds: float = 45.0


_SMALL = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=2m tmpfs /dev/shm && exec "$@"', "sh")


def _several(kit: Kit) -> str:
    return kit.found.mounts or ("" if kit.found.gpus > 1 else "needs two GPUs: one rank has no shared memory")


def _single(kit: Kit) -> str:
    return kit.found.mounts or (
        "" if kit.found.gpus == 1 else "with several GPUs the ranks themselves run out of it"
    )


def _asserts(kit: Kit) -> str:
    return "" if kit.found.vendor == "nvidia" else "kernels of torch for ROCm are built without assertions"


def faults(kit: Kit) -> tuple[Fault, ...]:
    """Every fault for this machine's vendor."""
    nvidia = kit.found.vendor == "nvidia"
    mask = {"CUDA_VISIBLE_DEVICES" if nvidia else "HIP_VISIBLE_DEVICES": "77"}
    return (
        Fault("a mask of GPUs that are not there", "touch", ("symptom.gpu-not-visible",), env=mask),
        Fault(
            "an index that no GPU has", "beyond", ("symptom.invalid-device-ordinal",),
            named="device-index-outside-mask",
        ),
        Fault("out of memory", "memory", ("symptom.cuda-oom",), named="gpu-memory-too-small"),
        Fault(
            "an assertion of a kernel", "assertion", ("symptom.device-side-assert",),
            ("label-index-out-of-range",), needs=_asserts,
        ),
        Fault(
            "an illegal address", "address", ("symptom.illegal-memory-access",),
            log="xid.31", culprit="mmu-fault-application",
        )
        if nvidia
        else Fault("an illegal address", "address", ("symptom.gpu-memory-access-fault",)),
        Fault(
            "NCCL_SOCKET_IFNAME names nothing", "joins", ("symptom.bootstrap-no-interface",),
            ("nccl-socket-ifname-missing",), env={"NCCL_SOCKET_IFNAME": NOWHERE}, ranks=True, seconds=70,
        ),
        Fault(
            "a rank is killed", "killed", ("symptom.exit-sigkill",), ("rank-killed-from-outside",), ranks=True,
            by="job.oom_kills", seconds=70,
        ),
        Fault("a rank is stopped", "stopped", ("stack.stopped",), ("rank-stopped",), ranks=True, seconds=90),
        Fault(
            "a small /dev/shm, between ranks", "shm", first=("shm-too-small",), env=_SHARED, ranks=True,
            around=_SMALL, needs=_several, seconds=70,
        ),
        Fault(
            "a small /dev/shm, in a data loader", "loader", first=("shm-too-small",), ranks=True, around=_SMALL,
            needs=_single, seconds=70,
        ),
    )  # fmt: skip


def checks(kit: Kit) -> Iterator[Check]:
    """One check for each fault."""
    for fault in faults(kit):
        yield Check(fault.name, fault.seconds, lambda fault=fault: planted(kit, fault))  # type: ignore[misc]


def planted(kit: Kit, fault: Fault) -> str:
    """Start the job at the bedside, and see what is said of it."""
    why = fault.needs(kit)
    if why:
        raise Skip(why)
    name = fault.name.replace("/", "").replace(",", "").replace(" ", "-")
    folder = kit.folder(name)
    command = [*fault.around, *kit.job(fault.job, kit.found.gpus if fault.ranks else 0)]
    end = kit.gpudoctor(
        f"run-{name}", "run", "--hang-after", f"{kit.patience:g}", "--kill-on-hang", "--format", "json",
        "--evidence", str(folder), "--", *command,
        seconds=fault.seconds - 5, env=fault.env,
    )  # fmt: skip
    if end.status == 0:
        raise Fail(f"the fault did not strike: the job ended well: {end.stdout.strip()[-200:]}")
    if not end.late:
        kit.capture(name, folder)
    return read(kit, fault, end)


def read(kit: Kit, fault: Fault, end: End) -> str:
    """Whether what gpudoctor said is the fault."""
    said = document(end)
    found, incidents = facts(said), named(said)
    first = incidents[0] if incidents else "nothing"
    missing = [sign for sign in fault.signs if not any(_holds(value) for value in found.get(sign, ()))]
    if missing:
        raise Fail(f"{', '.join(missing)} was not read; named first: {first}; the job: {_last(end)}")
    decides = not fault.by or fault.by in found
    if fault.first and not set(fault.first) & {*incidents[: 1 if decides else None]}:
        raise Fail(f"read as {first}, not as {' or '.join(fault.first)}")
    if fault.named and fault.named not in incidents:
        raise Fail(f"{fault.named} is not among {', '.join(incidents[:5]) or 'nothing'}")
    return f"{', '.join(fault.signs) or 'read'}; named first: {first}{_logged(kit, fault, found, incidents)}"


def _logged(kit: Kit, fault: Fault, found: dict[str, list[Any]], incidents: list[str]) -> str:
    """What the kernel log must say as well, where it tells anything of the driver."""
    if not fault.log:
        return ""
    if kit.found.kernel_log:
        return f"; {fault.log} not asked for: {kit.found.kernel_log}"
    if found.get(fault.log) != [True]:
        others = sorted(name for name in found if name.startswith("xid."))
        raise Fail(f"{fault.log} was not read from the kernel log; there is {', '.join(others) or 'no Xid'}")
    if fault.culprit not in incidents:
        raise Fail(
            f"{fault.log} was read, and {fault.culprit} is not among {', '.join(incidents[:5]) or 'nothing'}"
        )
    return f"; {fault.log} by the kernel log, {fault.culprit} named"


def _holds(value: Any) -> bool:
    return value is True or (value not in (False, None, "") and not isinstance(value, bool))


def _last(end: End) -> str:
    """The last line of the job that is not gpudoctor's."""
    text = end.stderr.partition("\ngpudoctor: the job")[0]
    return (text.strip().splitlines() or ["said nothing"])[-1][:200]
