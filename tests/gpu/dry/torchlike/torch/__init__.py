"""Stands before the real torch and pretends to have GPUs: FAKE_GPUS of them, masked by CUDA_VISIBLE_DEVICES.

A job of ranks that must meet (``GLOO``) gets the real torch, with gloo in the place of nccl; everything else gets this
module alone, which takes no seconds to import. What fails says so in the words of torch, CUDA and NCCL.
"""

import importlib
import os
import sys

GLOO = ("waits",)
"""Jobs whose ranks really speak to each other."""
_kind = next((word for word in reversed(getattr(sys, "orig_argv", sys.argv)) if not word.startswith("-")), "")
_here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

if _kind in GLOO:
    sys.path = [place for place in sys.path if os.path.abspath(place or ".") != _here]
    del sys.modules["torch"]
    real = importlib.import_module("torch")
    sys.path.append(_here)
    sys.path.append(os.path.join(_here, "torch", "cuda"))
    importlib.import_module("pretended").over_gloo(real)
else:
    from . import cuda, distributed, version  # noqa: F401
    from .cuda.pretended import CUDAError

    __version__ = "2.13.0"
    uint8 = "uint8"
    float32 = "float32"

    class Tensor:
        """As much of a tensor as the jobs use."""

        def __init__(self, values=(), stale=False):
            self.values, self.stale = values, stale

        def __getitem__(self, index):
            if any(not 0 <= i < len(self.values) for i in index.values):
                cuda.pretended.pending = CUDAError("device-side assert triggered")
                sys.stderr.write(
                    "/pytorch/aten/src/ATen/native/cuda/IndexKernel.cu:111: operator(): block: [0,0,0], "
                    "thread: [0,0,0] "
                    'Assertion `-sizes[i] <= index && index < sizes[i] && "index out of bounds"` failed.\n'
                )
            return Tensor()

        def fill_(self, value):
            if self.stale:
                cuda.pretended.pending = CUDAError("an illegal memory access was encountered")

        def cpu(self):
            cuda.synchronize()
            return self

        def cuda(self):
            return self

        def sum(self):
            return self

        def data_ptr(self):
            return 4096

    def _on_gpu(device):
        if device == "cuda" and not cuda.device_count():
            raise RuntimeError("No CUDA GPUs are available")

    def zeros(count, device="", dtype=""):
        _on_gpu(device)
        return Tensor([0] * count)

    ones = zeros

    def empty(count, device="", dtype=""):
        _on_gpu(device)
        if count > cuda.pretended.allowed():
            cuda.pretended.refuse(count)
        return Tensor()

    def tensor(values, device=""):
        return Tensor(values)

    def as_tensor(given, device=""):
        return Tensor(stale=True)
