"""What GPUs do, pretended; the same functions with and without the real torch behind them."""

import ctypes
import os
import sys
import time
from types import SimpleNamespace

TOTAL = 24564 << 20
SPEED = 2e9
pending = None
"""The error that the next call which waits for the GPU reports."""
_busy_until = 0.0
_fraction = 1.0
_queue = []
_kept = []
LIES = os.environ.get("PRETEND_LIE", "")


class CUDAError(RuntimeError):
    def __init__(self, words):
        super().__init__(
            f"CUDA error: {words}\nCUDA kernel errors might be asynchronously reported at some other API call, so the "
            "stacktrace below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"
        )


class OutOfMemoryError(RuntimeError):
    pass


def device_count():
    count = int(os.environ["FAKE_GPUS"])
    mask = os.environ.get("CUDA_VISIBLE_DEVICES")
    return (
        count if mask is None else sum(1 for one in mask.split(",") if one.isdecimal() and int(one) < count)
    )


def is_available():
    return device_count() > 0


def get_device_properties(index):
    return SimpleNamespace(
        name="NVIDIA GeForce RTX 4090", major=8, minor=9, total_memory=TOTAL, uuid=f"0000000{index}-aaaa"
    )


def get_device_capability():
    return 8, 9


def set_device(index):
    if index >= device_count():
        raise CUDAError("invalid device ordinal\nGPU device may be out of range, do you have enough GPUs?")


def set_per_process_memory_fraction(fraction, device=0):
    global _fraction
    _fraction = fraction


def allowed():
    return int(TOTAL * _fraction)


def refuse(count):
    if LIES == "wrong words":
        raise RuntimeError(
            "The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver"
        )
    raise OutOfMemoryError(
        f"CUDA out of memory. Tried to allocate {count / 2**30:.2f} GiB. GPU 0 has a total capacity of 23.65 GiB of "
        "which 23.20 GiB is free. 484.00 MiB allowed; Of the allocated memory 0 bytes is allocated by PyTorch."
    )


def empty_cache():
    pass


def _sleep(cycles):
    global _busy_until
    _busy_until = max(time.monotonic(), _busy_until) + cycles / SPEED


def synchronize(device=None):
    """Wait for the GPU as CUDA does, in a library and with the processor busy; then do what was put off."""
    if time.monotonic() < _busy_until:
        waits = ctypes.CDLL("libcudart.so.12").cudaDeviceSynchronize
        waits.argtypes = [ctypes.c_double]
        if LIES == "no library":
            time.sleep(_busy_until - time.monotonic())
        waits(_busy_until)
    while _queue:
        _queue.pop(0)()
    if pending is not None:
        raise pending


def check_interface():
    """What NCCL says of an interface that is not there."""
    name = os.environ.get("NCCL_SOCKET_IFNAME", "")
    if name and not os.path.isdir(f"/sys/class/net/{name}"):
        print(
            f"node1:{os.getpid()}:1 [0] bootstrap.cc:107 NCCL WARN Bootstrap : no socket interface found",
            flush=True,
        )
        raise RuntimeError(
            "NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:94, internal error - please report this "
            "issue to the NCCL developers, NCCL version 2.27.3\nncclInternalError: Internal check failed."
        )


def over_gloo(torch):
    """Make of the real torch one with these GPUs, whose nccl is gloo and puts its work off as a stream does."""
    dist = __import__("torch.distributed", fromlist=["distributed"])
    real = {name: getattr(dist, name) for name in ("init_process_group", "all_reduce")}
    _kept.append(open(os.path.join(os.environ["PRETEND_TREE"], "dev", "nvidia0")))  # noqa: SIM115 - as CUDA does

    def init_process_group(backend, **more):
        check_interface()
        real["init_process_group"]("gloo", **more)
        if LIES == "left behind" and os.environ.get("RANK") == "0":
            import subprocess

            subprocess.Popen(["sleep", "300"], start_new_session=True)

    def all_reduce(tensor):
        _queue.append(lambda: real["all_reduce"](tensor))

    dist.init_process_group, dist.all_reduce = init_process_group, all_reduce
    torch.version.cuda = "12.8"
    made = torch.ones
    torch.ones = lambda *size, device=None, **more: made(*size, **more)
    torch.Tensor.cuda = lambda self, device=None: self.clone()
    for name in (
        "is_available",
        "device_count",
        "set_device",
        "synchronize",
        "_sleep",
        "get_device_properties",
    ):
        setattr(torch.cuda, name, globals()[name])


if "torch" in sys.modules and __name__ == "pretended":
    sys.modules.setdefault("torch.cuda.pretended", sys.modules[__name__])
