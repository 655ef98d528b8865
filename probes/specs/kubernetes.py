"""Kubernetes: every pod template of a document, whatever the kind around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.facts.yamltext import Document, Path
from .containers import left_out, read_capability, read_device, read_image, read_mount
from .launch import KUBERNETES, Draft, Launch, size, text_line, whole
from .programs import read_command
from .shellwords import Word

_PLAIN = frozenset(
    [
        "Pod",
        "Deployment",
        "StatefulSet",
        "DaemonSet",
        "Job",
        "CronJob",
        "ReplicaSet",
        "PyTorchJob",
        "MPIJob",
        "TFJob",
        "JAXJob",
        "PaddleJob",
        "XGBoostJob",
        "LeaderWorkerSet",
        "JobSet",
        "TrainingRuntime",
        "ClusterTrainingRuntime",
        "RayCluster",
        "RayJob",
        "RayService",
    ]
)
"""Kinds whose pods run as they are written; of others an operator may add to a template what it lacks."""
_RAY = ("RayCluster", "RayJob", "RayService")
_ONE_POD = ("Pod", "Deployment", "ReplicaSet", "DaemonSet")
_GPUS = {"nvidia.com/": "nvidia", "amd.com/gpu": "amd", "gpu.intel.com/": "intel"}
_OTHER_ACCELERATORS = (
    "google.com/tpu",
    "aws.amazon.com/neuron",
    "habana.ai/",
    "huawei.com/",
    "cloud-tpus.google.com/",
)
_RDMA = ("rdma/", "nvidia.com/hostdev", "nvidia.com/mlnx", "openshift.io/", "mellanox.com/")


def read_manifest(document: Document) -> Iterator[Launch]:
    """The containers of one document that may work with GPUs."""
    data = document.data
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        return
    if data["kind"] == "List" and isinstance(data.get("items"), list):
        for number, item in enumerate(data["items"]):
            if isinstance(item, dict) and isinstance(item.get("kind"), str):
                yield from _of_kind(document, item["kind"], item, ("items", number))
        return
    yield from _of_kind(document, data["kind"], data, ())


def service_names(document: Document) -> Iterator[tuple[str, int]]:
    """The Services of a document: their names become variables of every pod of the namespace."""
    data = document.data
    if isinstance(data, dict) and data.get("kind") == "Service":
        name = _at(data, "metadata", "name")
        if isinstance(name, str):
            yield name, document.line(("metadata", "name"))


def _of_kind(document: Document, kind: str, data: dict[str, Any], path: Path) -> Iterator[Launch]:
    nodes = _nodes(kind, data)
    for place, pod in _pods(data, path):
        containers = pod.get("containers")
        for number, container in enumerate(containers if isinstance(containers, list) else ()):
            if isinstance(container, dict):
                inside = (*place, "containers", number)
                draft = _container(document, kind, pod, place, container, inside)
                _count(nodes, kind, draft)
                yield draft.finished()


def _pods(data: Any, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every mapping with a list of containers."""
    if isinstance(data, dict):
        listed = data.get("containers")
        if isinstance(listed, list) and any(isinstance(one, dict) and "image" in one for one in listed):
            yield path, data
        for key, value in data.items():
            if key not in ("containers", "initContainers"):
                yield from _pods(value, (*path, key))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from _pods(value, (*path, number))


def _nodes(kind: str, data: dict[str, Any]) -> int | None:
    """On how many nodes one job runs: 1, more, or None where it is not known."""
    if kind in _ONE_POD:
        return 1
    if kind == "LeaderWorkerSet":
        return whole(_at(data, "spec", "leaderWorkerTemplate", "size"))
    if kind == "PyTorchJob":
        replicas = _at(data, "spec", "pytorchReplicaSpecs")
        if isinstance(replicas, dict):
            counts = [whole(_at(one, "replicas") or "1") for one in replicas.values()]
            return sum(n for n in counts if n) if all(counts) else None
    if kind == "MPIJob":
        return whole(_at(data, "spec", "mpiReplicaSpecs", "Worker", "replicas"))
    if kind == "Job":
        return whole(_at(data, "spec", "parallelism") or "1")
    return None


def _count(nodes: int | None, kind: str, draft: Draft) -> None:
    elsewhere = draft.value("spec.nodes_elsewhere")
    if nodes and nodes > 1:
        draft.say("node.count", nodes, draft.line)
    elif nodes == 1 and not elsewhere:
        draft.say("node.count", 1, draft.line)


def _at(data: Any, *path: str) -> Any:
    """What stands at a path of keys, or None."""
    for step in path:
        data = data.get(step) if isinstance(data, dict) else None
    return data


def _container(
    document: Document, kind: str, pod: dict[str, Any], place: Path, container: dict[str, Any], inside: Path
) -> Draft:
    line = document.line(inside)
    draft = Draft(KUBERNETES, str(container.get("name") or ""), line)
    draft.say("runtime", "kubernetes", line)
    if isinstance(container.get("image"), str):
        read_image(container["image"], draft, document.line((*inside, "image")))
    _pod(document, pod, place, draft)
    _resources(document, container, inside, draft)
    _security(document, container, inside, draft)
    _mounts(document, pod, container, inside, draft)
    _environment(document, container, inside, draft)
    _command(document, container, inside, draft)
    if kind in _RAY:
        draft.say("container.shm", "set", line)  # KubeRay mounts one of its own
        draft.say("spec.nodes_elsewhere", True, line)
    left_out(draft)
    if kind not in _PLAIN or _claims(pod, container):
        for fact in ("container.shm", "spec.gpu_access", "spec.memlock", "container.infiniband"):
            if draft.value(fact) in ("default", "false"):
                draft.drop(fact)
    if _for_another_accelerator(container) and draft.value("container.shm") == "default":
        draft.drop(
            "container.shm"
        )  # the default is too small for NCCL and RCCL; of other libraries we know nothing
    return draft


def _for_another_accelerator(container: dict[str, Any]) -> bool:
    """Whether the container asks for accelerators that are no GPUs, and for no GPU."""
    groups = [_at(container, "resources", group) for group in ("limits", "requests")]
    names = [str(name) for listed in groups if isinstance(listed, dict) for name in listed]
    return any(name.startswith(_OTHER_ACCELERATORS) for name in names) and not any(
        name.startswith(tuple(_GPUS)) for name in names
    )


def _claims(pod: dict[str, Any], container: dict[str, Any]) -> bool:
    return bool(pod.get("resourceClaims") or _at(container, "resources", "claims"))


def _pod(document: Document, pod: dict[str, Any], place: Path, draft: Draft) -> None:
    if pod.get("hostIPC") == "true":
        draft.say("container.shm", "host", document.line((*place, "hostIPC")))
    line = document.line((*place, "hostNetwork"))
    host = pod.get("hostNetwork") == "true"
    draft.say("container.network", "host" if host else "other", line)
    if host:
        draft.say("spec.cluster_names", pod.get("dnsPolicy") in ("ClusterFirstWithHostNet", "None"), line)
    draft.say("spec.service_links", pod.get("enableServiceLinks") != "false", document.line(place))


def _resources(document: Document, container: dict[str, Any], inside: Path, draft: Draft) -> None:
    for group in ("limits", "requests"):
        listed = _at(container, "resources", group)
        for name, amount in listed.items() if isinstance(listed, dict) else ():
            line = document.line((*inside, "resources", group, name))
            count = whole(str(amount))
            vendor = next((v for start, v in _GPUS.items() if name.startswith(start)), "")
            if name.startswith(_OTHER_ACCELERATORS):
                draft.say("spec.gpu_access", True, line)
            elif vendor and not name.startswith(_RDMA):
                draft.say("spec.gpu_access", True, line)
                draft.say("gpu.vendor", vendor, line)
                if count is not None and name in ("nvidia.com/gpu", "amd.com/gpu"):
                    draft.say("spec.gpus", count, line)
            if name.startswith(_RDMA):
                draft.say("spec.rdma", True, line)
                draft.say("container.infiniband", True, line)
            elif name == "vpc.amazonaws.com/efa":
                draft.say("net.fabric", "efa", line)
                draft.say("container.infiniband", True, line)
                draft.say("spec.memlock", "raised", line)  # the device plugin's pods run without it


def _security(document: Document, container: dict[str, Any], inside: Path, draft: Draft) -> None:
    context = container.get("securityContext")
    if not isinstance(context, dict):
        return
    if context.get("privileged") == "true":
        draft.say("container.privileged", True, document.line((*inside, "securityContext", "privileged")))
    added = _at(context, "capabilities", "add")
    for number, name in enumerate(added if isinstance(added, list) else ()):
        path = (*inside, "securityContext", "capabilities", "add", number)
        read_capability(str(name), draft, document.line(path))


def _mounts(
    document: Document, pod: dict[str, Any], container: dict[str, Any], inside: Path, draft: Draft
) -> None:
    volumes = pod.get("volumes")
    listed = [v for v in volumes if isinstance(v, dict)] if isinstance(volumes, list) else []
    known = {str(volume.get("name")): volume for volume in listed}
    mounts = container.get("volumeMounts")
    for number, mount in enumerate(mounts if isinstance(mounts, list) else ()):
        if not isinstance(mount, dict) or not isinstance(mount.get("mountPath"), str):
            continue
        line = document.line((*inside, "volumeMounts", number))
        volume = known.get(str(mount.get("name")), {})
        source = str(_at(volume, "hostPath", "path") or "")
        if mount["mountPath"].startswith("/dev/") and mount["mountPath"].rstrip("/") != "/dev/shm" and source:
            read_device(source, draft, line)
        elif mount["mountPath"].startswith("/dev"):
            read_mount(source, mount["mountPath"], draft, line)
            limit = _at(volume, "emptyDir", "sizeLimit")
            memory = _at(volume, "emptyDir", "medium") == "Memory"
            if (
                mount["mountPath"].rstrip("/") == "/dev/shm"
                and memory
                and limit
                and (number_ := size(str(limit)))
            ):
                draft.say("shm.size_bytes", number_, line)
        if "nvidia" in mount["mountPath"] or "tcpx" in mount["mountPath"]:
            draft.say("spec.gpu_access", True, line)


def _environment(document: Document, container: dict[str, Any], inside: Path, draft: Draft) -> None:
    listed = container.get("env")
    for number, one in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get("value"), str):
            draft.set(one["name"], one["value"], document.line((*inside, "env", number)))


def _command(document: Document, container: dict[str, Any], inside: Path, draft: Draft) -> None:
    words: list[Word] = []
    for key in ("command", "args"):
        listed = container.get(key)
        for number, one in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(one, str):
                words.append(Word(one, text_line(one, document.line((*inside, key, number)))))
    if draft.value("launcher") == "vllm" and not container.get("command") and words:
        words = [Word("vllm", words[0].line), Word("serve", words[0].line), *words]
    if words:
        read_command(words, draft)
