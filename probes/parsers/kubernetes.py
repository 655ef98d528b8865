"""What a cluster says of its GPUs: images of the operators, labels and capacity of a node, pods that do not come up.

From ``kubectl describe``, ``kubectl get``, the logs of the operators' pods and the folders of must-gather.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_IMAGE = lazy_pattern(
    r"(?P<name>nvidia/(?:cloud-native/)?gpu-operator(?:-validator)?|nvidia/k8s-device-plugin"
    r"|nvidia/k8s/container-toolkit|rocm/k8s-device-plugin|rocm/gpu-operator):v?(?P<version>\d+(?:\.\d+){1,3})"
)
_PRODUCTS = {
    "nvidia/gpu-operator": "gpu_operator.version",
    "nvidia/gpu-operator-validator": "gpu_operator.version",
    "nvidia/cloud-native/gpu-operator": "gpu_operator.version",
    "nvidia/cloud-native/gpu-operator-validator": "gpu_operator.version",
    "nvidia/k8s-device-plugin": "k8s_device_plugin.version",
    "nvidia/k8s/container-toolkit": "nvidia_container_toolkit.version",
    "rocm/k8s-device-plugin": "amd_k8s_device_plugin.version",
    "rocm/gpu-operator": "amd_gpu_operator.version",
}
_LABEL = lazy_pattern(
    r"\bnvidia\.com/(?P<name>gpu\.product|gpu\.count|gpu\.memory|cuda\.driver-version\.full)[\"']?(?:=|: ?)[\"']?"
    r"(?P<value>[\w.-]{1,60})"
)
_LABELS = {
    "gpu.product": "gpu.model",
    "gpu.count": "gpu.count",
    "gpu.memory": "gpu.memory_mib",
    "cuda.driver-version.full": "driver.version",
}
_RESOURCE = lazy_pattern(
    r"^(?P<indent>\s*)['\"]?(?P<name>(?:nvidia|amd)\.com/gpu)['\"]?:\s*['\"]?(?P<count>\d{1,3})\b"
)
_BLOCK = lazy_pattern(r"^(?P<indent>\s*)(?P<name>Capacity|Allocatable|capacity|allocatable):\s*$")
_POD = lazy_pattern(
    r"(?:^|\s)(?P<pod>(?:pod/)?(?:nvidia|gpu-operator|gpu-feature|amd-gpu|amdgpu|device-plugin)[\w.-]{0,80})"
    r"\s+\d+/\d+\s+(?P<status>(?:Init:)?(?:CrashLoopBackOff|Error|RunContainerError|CreateContainerError"
    r"|CreateContainerConfigError|StartError|ImagePullBackOff|ErrImagePull)|Init:\d+/\d+)\s"
)


def parse_image(lines: Lines, at: int) -> Iterator[Found]:
    """The releases of the operators and their parts, by the images of their pods."""
    for found in _IMAGE.finditer(lines[at]):
        yield Found(_PRODUCTS[found["name"]], found["version"], at)


def parse_label(lines: Lines, at: int) -> Iterator[Found]:
    """The labels that GPU feature discovery gives a node."""
    mixed = any("nvidia.com/gpu.product" in line and "-MIG-" in line for line in lines)
    for found in _LABEL.finditer(lines[at]):
        name, value = found["name"], found["value"]
        yield Found("gpu.vendor", "nvidia", at)
        if name == "gpu.product":
            value = re.sub(r"-(?:SHARED|MIG-.*)$", "", value).replace("-", " ")
        elif mixed and name != "cuda.driver-version.full":
            continue  # of the parts of a GPU
        elif name in ("gpu.count", "gpu.memory") and not value.isdigit():
            continue
        yield Found(_LABELS[name], value, at)


def node_count(lines: Lines, at: int) -> tuple[str, int] | None:
    """Whether a line with a number of GPUs is that of a node, and in which block it stands: its name and the number."""
    found = _RESOURCE.search(lines[at])
    if not found:
        return None
    for line in reversed(lines[:at]):
        block = _BLOCK.search(line)
        if block and len(block["indent"]) < len(found["indent"]):
            return block["name"].lower(), int(found["count"])
        if line.strip() and len(line) - len(line.lstrip()) < len(found["indent"]):
            return None
    return None


def parse_node(lines: Lines, at: int) -> Iterator[Found]:
    """How many GPUs a node has, and whether it offers fewer than that."""
    here = node_count(lines, at)
    if here is None:
        return
    block, count = here
    if block == "capacity":
        yield Found("gpu.count", count, at)
        return
    whole = next((told[1] for told in (node_count(lines, n) for n in range(at)) if told), None)
    if whole is not None and count < whole:
        yield Found("symptom.gpu-marked-unhealthy", True, at)


def parse_pods(lines: Lines, at: int) -> Iterator[Found]:
    """A pod of a GPU operator that does not come up, in the list of pods."""
    found = _POD.search(lines[at])
    if found:
        yield Found("symptom.gpu-operand-not-ready", True, at)
