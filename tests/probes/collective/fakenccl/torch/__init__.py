"""Stands before the real torch (CPU) and makes of it one with GPUs whose transports break as told.

FAKE_GPUS: how many. FAKE_BREAKS: hang, wrong or error, when a broken transport is used. FAKE_CURE: the setting
under which it is not used, as NAME=VALUE. FAKE_PAIRS: device pairs that are broken, as 1-3,2-3; all if empty.
FAKE_COPY=corrupt spoils copies between GPUs. FAKE_DEAF=1: the log shows P2P whatever is set.
"""

import importlib
import json
import os
import sys
import time
import types

_here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path = [place for place in sys.path if os.path.abspath(place or ".") != _here]
del sys.modules["torch"]
torch = importlib.import_module("torch")
dist = importlib.import_module("torch.distributed")

API = os.environ.get("FAKE_API", "cuda")
CURE = os.environ.get("FAKE_CURE", "NCCL_P2P_DISABLE=1").partition("=")
BREAKS = os.environ.get("FAKE_BREAKS", "")
PAIRS = [tuple(map(int, p.split("-"))) for p in os.environ.get("FAKE_PAIRS", "").split(",") if p]
_real = {name: getattr(dist, name) for name in ("init_process_group", "all_reduce")}


def _say(line):
    path = os.environ.get("NCCL_DEBUG_FILE", "").replace("%h", "host").replace("%p", str(os.getpid()))
    if path:
        with open(path, "a") as file:
            file.write(f"host:{os.getpid()}:{os.getpid()} [0] NCCL INFO {line}\n")


def _devices():
    with open(sys.argv[1]) as file:
        return json.load(file)["devices"]


def _broken():
    if os.environ.get(CURE[0]) == CURE[2] or len(_devices()) < 2:
        return False
    return not PAIRS or any(set(pair) <= set(_devices()) for pair in PAIRS)


def init_process_group(backend, device_id=None, **more):
    assert backend == {"cuda": "nccl", "xpu": "xccl"}[API]
    assert device_id is None or device_id.type == API
    devices = _devices()
    if len(set(devices)) < len(devices):
        _say(f"WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device {devices[0]}000")
        raise RuntimeError("NCCL error: invalid usage (run with NCCL_DEBUG=WARN for details)")
    _real["init_process_group"]("gloo", **more)
    deaf = os.environ.get("FAKE_DEAF")
    off = [os.environ.get(f"NCCL_{name}_DISABLE") == "1" and not deaf for name in ("P2P", "SHM")]
    via = "P2P/CUMEM" if not off[0] else "SHM/direct/direct" if not off[1] else "NET/Socket/0"
    _say(f"Channel 00/0 : 0[0] -> 1[1] via {via}")


def all_reduce(tensor, *arguments, **more):
    if _broken() and BREAKS == "hang":
        while True:
            time.sleep(1)
    if _broken() and BREAKS == "error":
        raise RuntimeError("CUDA error: an illegal memory access was encountered")
    _real["all_reduce"](tensor, *arguments, **more)
    if _broken() and BREAKS == "wrong":
        tensor[tensor.numel() // 2 :] = 0


def _copy(self, other, *arguments, **more):
    torch.Tensor.copy_with_right_data(self, other, *arguments, **more)
    if os.environ.get("FAKE_COPY") == "corrupt":
        self[self.numel() // 2 :] = 0
    return self


def _properties(device):
    if API == "xpu":
        return types.SimpleNamespace(name="Intel(R) Fake GPU", total_memory=24 << 30)
    return types.SimpleNamespace(
        name="NVIDIA Fake GPU", major=8, minor=9, total_memory=24 << 30, uuid=f"fake-{device}"
    )


dist.init_process_group, dist.all_reduce = init_process_group, all_reduce
setattr(torch.version, API, "12.8")
torch.Tensor.copy_with_right_data = torch.Tensor.copy_
torch.Tensor.copy_ = _copy
setattr(torch.Tensor, API, lambda self, device=None: self.clone())
for _name, _value in {
    "is_available": lambda: True,
    "device_count": lambda: int(os.environ["FAKE_GPUS"]),
    "get_device_properties": _properties,
    "set_device": lambda device: None,
    "synchronize": lambda device=None: None,
    "set_per_process_memory_fraction": lambda fraction, device=None: None,
    "can_device_access_peer": lambda one, other: True,
}.items():
    setattr(getattr(torch, API), _name, _value)
for _name in ("set_per_process_memory_fraction", "can_device_access_peer") if API == "xpu" else ():
    delattr(torch.xpu, _name)  # older releases of torch do not have them
torch.cuda.nccl.version = lambda: (2, 27, 3)
