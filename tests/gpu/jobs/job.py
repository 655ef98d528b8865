"""The jobs of the kit: ``job.py KIND``. They need torch alone, change no setting, and end by themselves.

One process: touch, beyond, memory, assertion, address. One rank for each GPU (torchrun): joins, healthy, killed,
stopped, shm, loader, waits, watchdog.
"""

import ctypes
import datetime
import os
import signal
import subprocess
import sys
import time

import torch

KIND = sys.argv[1]
LOCAL = int(os.environ.get("LOCAL_RANK", "0"))
BACKEND = "nccl"  # torch of ROCm calls RCCL so, too
WATCHDOG = float(os.environ.get("KIT_WATCHDOG", "8"))
BUSY = float(os.environ.get("KIT_BUSY", "60"))
"""Seconds for which the GPU of one rank is kept busy; then the job goes on, if nobody has ended it."""


def touch():
    """The first use of a GPU."""
    torch.zeros(1, device="cuda")


def beyond():
    """An index that no GPU has."""
    torch.cuda.set_device(torch.cuda.device_count() + 6)


def memory():
    """Out of memory, within a share of it that this process gives itself: nobody else is short of any."""
    torch.cuda.set_per_process_memory_fraction(0.02, 0)
    whole = torch.cuda.get_device_properties(0).total_memory
    torch.empty(whole // 8, dtype=torch.uint8, device="cuda")


def assertion():
    """An index beyond a table, which the kernel asserts."""
    table = torch.zeros(8, device="cuda")
    index = torch.tensor([64], device="cuda")
    print(table[index].cpu())
    torch.cuda.synchronize()


def address():
    """A kernel that writes where no memory is mapped any more."""
    size = 64 << 20
    owner = torch.empty(size, dtype=torch.uint8, device="cuda")

    class Alias:
        __cuda_array_interface__ = {  # noqa: RUF012
            "shape": (size,), "typestr": "|u1", "data": (owner.data_ptr(), False), "version": 3,
        }  # fmt: skip

    stale = torch.as_tensor(Alias(), device="cuda")
    del owner
    torch.cuda.empty_cache()
    stale.fill_(1)
    torch.cuda.synchronize()
    _store_to_nowhere()
    torch.cuda.synchronize()
    print("no fault: the driver has left the memory mapped", flush=True)


def _store_to_nowhere():
    """The same by a kernel of our own, in PTX, which the driver compiles; for NVIDIA alone."""
    major, minor = torch.cuda.get_device_capability()
    target = min(major * 10 + minor, 75)
    text = (
        f".version 6.4\n.target sm_{target}\n.address_size 64\n.visible .entry fault()\n{{\n"
        "  .reg .b64 %a;\n  .reg .b32 %v;\n  mov.u64 %a, 4096;\n  mov.u32 %v, 1;\n"
        "  st.global.u32 [%a], %v;\n  ret;\n}\n"
    )
    driver = ctypes.CDLL("libcuda.so.1")
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    said = driver.cuModuleLoadData(ctypes.byref(module), text.encode())
    said = said or driver.cuModuleGetFunction(ctypes.byref(function), module, b"fault")
    said = said or driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, None, None)
    print(f"the driver took the kernel with {said}", flush=True)


def join(**more):
    """The process group, and a few all-reduces that work."""
    import torch.distributed as dist

    torch.cuda.set_device(LOCAL)
    dist.init_process_group(BACKEND, **more)
    step = torch.ones(1000, device="cuda")
    for _ in range(5):
        dist.all_reduce(step)
    torch.cuda.synchronize()
    print(f"rank {dist.get_rank()} of {dist.get_world_size()} is there", flush=True)
    return dist, step


def joins():
    """Nothing but the process group."""
    join()


def healthy():
    dist, step = join()
    for number in range(20):
        dist.all_reduce(step)
        torch.cuda.synchronize()
        if dist.get_rank() == 0:
            print("step", number, flush=True)
        time.sleep(0.05)
    dist.destroy_process_group()
    print("trained", flush=True)


def killed():
    """The last rank is killed from outside."""
    dist, step = join()
    if dist.get_rank() == dist.get_world_size() - 1:
        subprocess.Popen(["kill", "-KILL", str(os.getpid())])
        time.sleep(60)
    dist.all_reduce(step)
    torch.cuda.synchronize()


def stopped():
    """The last rank is stopped from outside, as a batch system does."""
    dist, step = join()
    if dist.get_rank() == dist.get_world_size() - 1:
        subprocess.Popen(["kill", "-STOP", str(os.getpid())])
        time.sleep(1)
    dist.all_reduce(step)
    torch.cuda.synchronize()


def shm():
    """Shared memory that is too small for the ranks of two GPUs; their other ways are closed by the environment."""
    join()


def loader():
    """The same for the batches of a data loader, where there is one GPU and NCCL needs no shared memory."""
    from torch.utils.data import DataLoader

    dist, _ = join()
    samples = [torch.ones(1 << 20) for _ in range(8)]
    for batch in DataLoader(samples, batch_size=4, num_workers=1):
        dist.all_reduce(batch.sum().cuda())
    print("trained", flush=True)


def busy(seconds):
    """Keep this GPU busy for about so long, by a kernel that only counts clocks."""
    cycles = 20_000_000
    for _ in range(2):  # the first launch takes longer
        began = time.monotonic()
        torch.cuda._sleep(cycles)
        torch.cuda.synchronize()
    torch.cuda._sleep(int(cycles * seconds / max(time.monotonic() - began, 1e-4)))


def waits():
    """Rank 0 waits for its GPU, which is busy; the others wait for rank 0."""
    dist, step = join()
    if dist.get_rank() == 0:
        busy(BUSY)
    dist.all_reduce(step)
    torch.cuda.synchronize()
    dist.destroy_process_group()
    print("trained", flush=True)


def watchdog():
    """The same with a timeout that is shorter: the watchdog of the process group gives up, and dumps its records."""
    dist, step = join(timeout=datetime.timedelta(seconds=WATCHDOG))
    if dist.get_rank() == 0:
        busy(BUSY)
    dist.all_reduce(step)
    torch.cuda.synchronize()


if __name__ == "__main__":
    signal.alarm(150)  # whatever becomes of the kit, no job outlives it for long
    globals()[KIND]()
