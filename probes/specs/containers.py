"""What images, devices and settings say, whoever writes them down: Docker, Compose, Podman or Kubernetes."""

from __future__ import annotations

import re

from .launch import Draft

_RELEASES = {
    "vllm/vllm-openai": "vllm.version",
    "lmsysorg/sglang": "sglang.version",
    "rayproject/ray": "ray.version",
    "rayproject/ray-llm": "ray.version",
    "rayproject/ray-ml": "ray.version",
    "ollama/ollama": "ollama.version",
    "ghcr.io/huggingface/text-generation-inference": "tgi.version",
    "pytorch/pytorch": "torch.version",
    "openmmlab/lmdeploy": "lmdeploy.version",
    "nvcr.io/nvidia/k8s-device-plugin": "k8s_device_plugin.version",
}
_TAG = re.compile(r"v?(\d+\.\d+(?:\.\d+)?(?:\.?(?:post|rc)\d+)?)(?=$|[-_])")
_ENGINE_IMAGES = (("vllm", re.compile(r"(?:^|/)vllm-openai(?::|$|@)")),)
_WITHOUT_GPU = re.compile(r"(?i)cpu|xpu|tpu|neuron|gaudi|hpu|habana|ascend|npu")


def read_image(image: str, draft: Draft, line: int) -> None:
    """The product and release that an image is named after, and what it starts by itself."""
    name, _, tag = image.partition("@")[0].removeprefix("docker.io/").partition(":")
    draft.say("spec.image", image, line)
    fact = _RELEASES.get(name)
    found = _TAG.match(tag)
    if fact and found:
        draft.say(fact, found[1], line)
    for engine, sign in _ENGINE_IMAGES:
        if sign.search(image):
            draft.say("launcher", engine, line)
    if _WITHOUT_GPU.search(image):
        draft.say("spec.gpu_access", True, line)  # of another kind, which the image brings its own way to


def read_device(device: str, draft: Draft, line: int) -> None:
    """A device that a container is given."""
    path = device.partition(":")[0]
    if path == "/dev/kfd":
        draft.say("spec.kfd", True, line)
        draft.say("gpu.vendor", "amd", line)
    elif path.startswith("/dev/dri"):
        draft.say("spec.dri", True, line)
    elif path.startswith("/dev/infiniband"):
        draft.say("container.infiniband", True, line)
        draft.say("spec.rdma", True, line)
    if path.startswith(
        ("/dev/kfd", "/dev/dri", "/dev/nvidia", "nvidia.com/", "amd.com/", "/dev/accel", "/dev/dav")
    ):
        draft.say("spec.gpu_access", True, line)


def read_mount(source: str, target: str, draft: Draft, line: int) -> None:
    """A folder that a container is given."""
    if target.rstrip("/") == "/dev/shm":
        draft.say("container.shm", "host" if source.startswith("/dev/shm") else "set", line)
    elif target.rstrip("/") == "/dev":
        for device in ("/dev/kfd", "/dev/dri", "/dev/infiniband"):
            read_device(device, draft, line)
    elif target.startswith("/dev/"):
        read_device(target, draft, line)


def read_limit(text: str, draft: Draft, line: int) -> None:
    """``memlock=-1:-1`` and its like."""
    name, _, value = text.partition("=")
    first = value.partition(":")[0].strip()
    if name == "memlock" and first:
        draft.say("spec.memlock", "raised", line)


def read_capability(name: str, draft: Draft, line: int) -> None:
    """A right that a container is given."""
    if name.upper().removeprefix("CAP_") in ("IPC_LOCK", "ALL", "SYS_ADMIN"):
        draft.say("spec.memlock", "raised", line)


def left_out(draft: Draft) -> None:
    """What holds where nothing was said, once everything was read."""
    line = draft.line
    if draft.value("spec.gpus") != "1":  # one GPU is one rank here, whatever the size of the whole job
        draft.say("container.shm", "default", line)
    draft.say("container.privileged", False, line)
    if draft.value("container.privileged") == "true":
        draft.say("spec.memlock", "raised", line)
        draft.say("spec.gpu_access", True, line)
    else:
        draft.say("container.infiniband", False, line)
        if draft.value("spec.dri") or draft.value("spec.kfd"):
            draft.say("spec.kfd", False, line)
            draft.say("spec.dri", False, line)
    draft.say("spec.memlock", "default", line)
    for name in ("NVIDIA_VISIBLE_DEVICES", "AMD_VISIBLE_DEVICES"):
        if draft.setting(name) not in (None, "", "void", "none"):
            draft.say("spec.gpu_access", True, line)
    draft.say("spec.gpu_access", False, line)
