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

    ``signs``: facts that must be true (or known) in the diagnosis. ``first``: incidents of which one must be named
    first. ``among``: one that must be named where the kernel log can be read.
    """

    name: str
    job: str
    signs: tuple[str, ...]
    first: tuple[str, ...] = ()
    among: str = ""
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


def _masks(kit: Kit) -> dict[str, str]:
    return {"HIP_VISIBLE_DEVICES": "77"} if kit.found.vendor == "amd" else {"CUDA_VISIBLE_DEVICES": "77"}


def faults(kit: Kit) -> tuple[Fault, ...]:
    """Every fault for this machine's vendor."""
    nvidia = kit.found.vendor == "nvidia"
    return (
        Fault("a mask of GPUs that are not there", "touch", ("symptom.gpu-not-visible",), env=_masks(kit)),
        Fault("an index that no GPU has", "beyond", ("symptom.invalid-device-ordinal",), ("device-index-outside-mask",)),
        Fault("out of memory", "memory", ("symptom.cuda-oom",)),
        Fault(
            "an assertion of a kernel", "assertion", ("symptom.device-side-assert",),
            ("label-index-out-of-range",), needs=lambda kit: "" if nvidia else "kernels of ROCm are built without assertions",
        ),
        Fault(
            "an illegal address", "address", ("symptom.illegal-memory-access",) if nvidia else (),
            () if nvidia else ("gpu-page-fault-unexplained",), "mmu-fault-application" if nvidia else "",
        ),
        Fault(
            "NCCL_SOCKET_IFNAME names nothing", "healthy", ("symptom.bootstrap-no-interface",),
            ("nccl-socket-ifname-missing",), env={"NCCL_SOCKET_IFNAME": NOWHERE}, ranks=True, seconds=70,
        ),
        Fault("a rank is killed", "killed", ("symptom.exit-sigkill",), ("rank-killed-from-outside",), ranks=True, seconds=70),
        Fault("a rank is stopped", "stopped", ("stack.stopped",), ("rank-stopped",), ranks=True, seconds=90),
        Fault("a small /dev/shm, between ranks", "shm", (), ("shm-too-small",), env=_SHARED, ranks=True,
              around=_SMALL, needs=_several, seconds=70),
        Fault("a small /dev/shm, in a data loader", "loader", (), ("shm-too-small",), ranks=True, around=_SMALL,
              needs=_single, seconds=70),
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
    if fault.first and first not in fault.first:
        raise Fail(f"read as {first}, not as {' or '.join(fault.first)}")
    logged = ""
    if fault.among and not kit.found.kernel_log:
        if fault.among not in incidents:
            xids = sorted(name for name in found if name.startswith("xid."))
            raise Fail(
                f"{fault.among} is not among {', '.join(incidents[:5])}; of the kernel log: {xids or 'no Xid'}"
            )
        logged = f", {fault.among} by the kernel log"
    elif fault.among:
        logged = f"; the kernel log cannot be read ({kit.found.kernel_log})"
    return f"{', '.join(fault.signs) or 'no sign asked for'}; named first: {first}{logged}"


def _holds(value: Any) -> bool:
    return value is True or (value not in (False, None, "") and not isinstance(value, bool))


def _last(end: End) -> str:
    """The last line of the job that is not gpudoctor's."""
    text = end.stderr.partition("\ngpudoctor: the job")[0]
    return (text.strip().splitlines() or ["said nothing"])[-1][:200]
