"""What people say about their machine in their own words: "2x RTX 4090, driver 545.29.06, vLLM 0.7.2, TP=4".

Only for short texts. A product and its number must stand side by side; a bare word counts where it can mean
nothing else. What is named beside a comparison ("works with", "fine on") is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Found, Lines
from .rocm_smi import INTEGRATED

MENTIONED = (
    "cuda.version",
    "gpu.arch",
    "gpu.count",
    "gpu.model",
    "gpu.vendor",
    "node.count",
    "parallel.tensor",
    "virtualization",
)
"""Facts that may come from what a person mentions."""


_V = r"[ =:]{0,3}v?(\d{1,6}(?:\.\d{1,20}){1,3}(?:\.?(?:rc|dev|post|a|b)\d*){0,3}(?:\+[\w.]{1,60})?)"
_VERSIONS = tuple(
    (fact, re.compile(rf"(?<![\w./+-])(?:{name}){_V}", re.IGNORECASE | re.ASCII))
    for fact, name in (
        ("vllm.version", r"vllm|vllm/vllm-openai:"),
        ("sglang.version", r"sglang"),
        ("torch.version", r"(?<!build )(?:py)?torch"),
        ("nccl.version", r"nccl(?: version)?|nvidia-nccl-cu\d+"),
        ("rccl.version", r"rccl(?: version)?"),
        ("ray.version", r"ray"),
        ("rocm.version", r"rocm(?: version)?"),
        ("cuda.version", r"(?<!\+)cuda(?: toolkit)?"),
        ("driver.version", r"(?:nvidia )?driver(?: version)?:?"),
        ("deepspeed.version", r"deepspeed"),
        ("openrlhf.version", r"openrlhf"),
        ("transformers.version", r"transformers"),
        ("accelerate.version", r"accelerate"),
        ("gpustack.version", r"gpustack"),
        ("tensorrt_llm.version", r"tensorrt-llm"),
        ("kernel.version", r"kernel"),
    )
)
_CUDA_MAJOR = re.compile(r"\bCUDA (8|9|1[0-3])\b(?![.\w-])")
_MODEL = re.compile(
    r"(?<![#\w-])(?:(\d{1,2}) ?[x×] ?)?((?:NVIDIA |AMD )?(?:GeForce |Tesla |Quadro |Instinct |Radeon )?"
    r"(?:RTX (?:PRO )?[A-Z]?\d{4}(?: ?(?:Ti|SUPER|D))?(?: (?:Ada|Blackwell)(?: Generation)?(?: Max-Q)?)?"
    r"|GTX \d{3,4}(?: Ti)?|TITAN [A-Z]\w?|(?:AI )?P(?:RO|ro) [RW]\d{4}|(?:RX|PRO W|R9) ?\w{4,5}(?: XTX?)?"
    r"|MI(?:8|25|50|60|1\d0|2[15]0|3\d\d)[AX]?"
    r"|(?:A(?:10G?|16|2|30|40|100|800)|H(?:20|100|200|800)|B(?:100|200|300)|GB(?:200|300)|GH200|L(?:4|20|40S?)"
    r"|T4|V100S?|P(?:4|40|100)|K80)(?: ?(?:PCIe|SXM\d?|NVL|HBM3|\d{2,3} ?GB))*"
    r"|GB10|Strix Halo))(?![\w-])",
    re.ASCII,
)
_TP = re.compile(r"(?:tensor[-_ ]parallel(?:[-_ ]size)?|--?tp(?:-size)?|\bTP)[ =:]{1,3}(\d{1,3})\b")
_TP_CN = re.compile(r"(\d{1,2})\s*路张量并行")
_NODES = re.compile(
    r"(?<![\w.-])(?<!Adding )(?<!Removing )(\d{1,4})[ -]?nodes?\b(?! ?-?GPU)|--nnodes[= ](\d{1,4})\b",
    re.IGNORECASE,
)
_WORDS = {"two": 2, "three": 3, "four": 4}
_NODE_WORDS = re.compile(r"\b(two|three|four)[ -]nodes?\b|over (two|three|four) nodes", re.IGNORECASE)
_ARCH = re.compile(r"\b(gfx(?:9\d[0-9a-f]|1[0-2]\d{2}|803|90[0-9a-f])|sm_\d{2,3})\b")

_LAUNCHERS = (
    ("device_map", r"device_map|accelerate库实现模型并行"),
    (
        "ray",
        r"\bopenrlhf\b|\bverl\b|\bray (?:start|actors?|executor|cluster|worker|job)\b|with ray\b|\bray \d"
        r"|\bray status\b|\bRay instance\b|\bray\.init\b"
        r"|distributed-executor-backend[= \"']+ray|RayWorker|Ray框架",
    ),
    ("deepspeed", r"\bdeepspeed\b|\bzero-?[23]\b"),
    ("sglang", r"\bsglang\b"),
    ("vllm", r"\bvllm\b"),
    ("accelerate", r"\baccelerate launch\b|\baccelerator\.|Distributed environment: "),
    ("torchrun", r"\btorchrun\b|torch\.distributed\.(?:launch|run)\b"),
    ("slurm", r"\bsbatch\b|\bsrun\b"),
    ("mpirun", r"\bmpirun\b"),
)
_RUNTIMES = (
    ("kubernetes", r"\bkube(?:ctl|flow|rnetes)\b|\bpods?\b|\bhelm\b|\bEKS\b"),
    (
        "docker",
        r"\bdocker (?:run|compose|image|container)\b|\bin docker\b|\bdocker\b.{0,30}container"
        r"|running container|\bcontainers? image\b|network_mode: host|nvcr\.io/|\bimage \S+/\S+|Docker环境",
    ),
    ("slurm", r"\bsbatch\b|\bsrun\b|\bslurm\b"),
    ("wsl", r"\bWSL2?\b"),
)
_VM = re.compile(
    r"\b(?:KVM|QEMU|Proxmox|ESXi|Hyper-V|libvirt)\b|\b(?:GPUs?|PCIe?|VFIO) (?:are )?(?:passthrough|passed through)"
    r"|\b(?:guest (?:VM|OS|kernel)|(?:in|inside|of) (?:the |a |our )?(?:guest|VMs?)\b|VM with\b|VMs on\b)"
    r"|virtual machine|^Hypervisor vendor:|^Virtualization type: +full",
    re.IGNORECASE | re.ASCII,
)
_NO_VM = re.compile(
    r"^Virtualization: |\bVM inv eng\b|\bKVM(?: is)? not\b|\bbare[- ]metal\b|no VM\b", re.IGNORECASE
)
_AMD = re.compile(
    r"\bAMD (?:GPUs?|Instinct|Radeon|MI\d)|\bROCm\b|\brocm-?\d|\bRCCL\b|\bgfx\d|\bMI[23]\d{2}|\bRadeon\b"
    r"|\bhip[A-Z]\w+|HIP error|\bHIP GPUs"
    r"|\bamdgpu\b|/dev/kfd|HSA_STATUS|ROCR_VISIBLE",
    re.ASCII,
)
_NVIDIA = re.compile(
    r"\bNVIDIA\b(?! ?(?:ConnectX|BlueField|Mellanox))|\bnvidia-peermem\b|\bGeForce\b|\bRTX\b|\bGTX\b"
    r"|\bnvidia-smi\b|\bG?H(?:20|100|200|800)\b|\b(?:A[18]00|V100S?|G?B[123]00|L40S?|L4|T4|Tesla|TITAN)\b|\bCUDA \d"
    r"|\bNVRM\b|\bNVLink\b|\bcudaGetDeviceCount|NVML|\bGB10\b",
    re.ASCII,
)
_ELSEWHERE = re.compile(
    r"\b(?:works?|fine|ok|runs|right|no (?:problems?|issues?)) (?:with|on)\b|\balso (?:on|with)\b"
    r"|another (?:user|machine)|same board",
    re.IGNORECASE,
)
_OUTPUT = re.compile(r"\(UUID: |^\|.*\|\s*$")
"""Lines of tools that have a parser of their own."""
_FINE = re.compile(
    r" (?:(?:is|are|was|were|runs?) )?(?:fine|ok|okay|works?|good|unaffected)\b(?! on)", re.IGNORECASE
)
_TURN = re.compile(r"\bbut\b|\bwhile\b|\bwhereas\b|\bhowever\b|; |\. |但|，而", re.IGNORECASE)
"""Where a clause about another machine ends."""


def read_mentions(lines: Lines) -> Iterator[Found]:
    """Facts in a short text, at most one statement of each from each line."""
    vendor = ""
    for number, line in enumerate(lines):
        if _AMD.search(line):
            vendor = "amd"
            yield Found("gpu.vendor", "amd", number)
            break
    if not vendor:
        for number, line in enumerate(lines):
            if _NVIDIA.search(line):
                yield Found("gpu.vendor", "nvidia", number)
                break
    yield from _first(lines, "launcher", _LAUNCHERS)
    yield from _most(lines, "runtime", _RUNTIMES)
    named = False
    for number, line in enumerate(lines):
        for found in _line(line, number):
            named = named or found.name == "gpu.model"
            yield found
    if not named:  # a comparison is all that is said of the GPU: the same model with fewer of them, mostly
        for number, line in enumerate(lines):
            if not _OUTPUT.search(line) and (model := _model(line)) and _ELSEWHERE.search(line):
                yield Found("gpu.model", model[2].strip(), number)
                return


def _first(lines: Lines, fact: str, choices: tuple[tuple[str, str], ...]) -> Iterator[Found]:
    for value, expression in choices:
        places = _places(lines, expression)
        if places:
            yield Found(fact, value, places[0])
            return


def _most(lines: Lines, fact: str, choices: tuple[tuple[str, str], ...]) -> Iterator[Found]:
    """The choice that most lines speak of; a single stray word does not outweigh the rest."""
    places = {value: _places(lines, expression) for value, expression in choices}
    value = max(places, key=lambda name: len(places[name]))
    if places[value]:
        yield Found(fact, value, places[value][0])


def _places(lines: Lines, expression: str) -> list[int]:
    pattern = re.compile(expression, re.IGNORECASE | re.ASCII)
    return [number for number, line in enumerate(lines) if pattern.search(line)]


def _model(text: str) -> re.Match[str] | None:
    for model in _MODEL.finditer(text):
        if (len(model[2]) > 2 or model[1]) and not _FINE.match(text, model.end()):
            return model
    return None


def _of_this_machine(line: str) -> str:
    """The line without its clause on what works elsewhere."""
    cut = _ELSEWHERE.search(line)
    if not cut:
        return line
    turn = _TURN.search(line, cut.end())
    return line[: cut.start()] + (" " + line[turn.start() :] if turn else "")


def _line(line: str, number: int) -> Iterator[Found]:
    said = _of_this_machine(line)
    for fact, pattern in _VERSIONS:
        found = pattern.search(said)
        if found:
            yield Found(fact, found[1], number)
    toolkit = _CUDA_MAJOR.search(said)
    if toolkit:
        yield Found("cuda.version", toolkit[1], number)
    model = None if _OUTPUT.search(line) else _model(said)
    if model:
        yield Found("gpu.model", model[2].strip(), number)
        if model[1]:
            yield Found("gpu.count", int(model[1]), number)
    arch = _ARCH.search(said)
    if arch and arch[1] not in INTEGRATED:
        yield Found("gpu.arch", arch[1], number)
    tensor = _TP.search(said) or _TP_CN.search(said)
    if tensor:
        yield Found("parallel.tensor", int(tensor[1]), number)
    nodes = _NODES.search(said)
    if nodes:
        yield Found("node.count", int(nodes[1] or nodes[2]), number)
    elif words := _NODE_WORDS.search(said):
        yield Found("node.count", _WORDS[(words[1] or words[2]).lower()], number)
    if _VM.search(said) and not _NO_VM.search(line):
        yield Found("virtualization", "vm", number)
