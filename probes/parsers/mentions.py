"""What people say about their machine in their own words: "2x RTX 4090, driver 545.29.06, vLLM 0.7.2, TP=4".

Only for short texts. A product and its number must stand side by side; a bare word counts where it can mean
nothing else. What is named beside a comparison ("works with", "fine on") is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import compiled, lazy_pattern
from ...engine.vendors import AMD, INTEL, NVIDIA, VENDORS
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
    (
        fact,
        fact.partition(".")[0].partition("_")[0],
        lazy_pattern(rf"(?<![\w./+-])(?:{name}){_V}", re.IGNORECASE | re.ASCII),
    )
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
"""A fact, the word without which its expression cannot be found, and the expression."""
_CUDA_MAJOR = lazy_pattern(r"\bCUDA (8|9|1[0-3])\b(?![.\w-])")
_COUNT = (
    r"(?:(?P<times>\d{1,2}) ?[x×] ?|(?P<plain>[23468]|16) |(?P<word>two|three|four|six|eight|dual) "
    r"|(?P<cn>[两二三四八2-8]) ?[张块] ?)"
)
_MAKERS = "|".join(vendor.makers for vendor in VENDORS)
_MODELS = "|".join(vendor.models for vendor in VENDORS)
_MODEL = lazy_pattern(
    rf"(?<![#\w.-]){_COUNT}?(?P<maker>{_MAKERS})(?P<model>{_MODELS})(?:s\b)?(?![\w-])",
    re.ASCII | re.IGNORECASE,
)
_BARE = lazy_pattern(
    rf"(?<![#\w.-]){_COUNT}(?:{'|'.join(f'(?P<{v.name}>{v.bare[0]})' for v in VENDORS)})(?:s\b)?(?![\w-])",
    re.ASCII | re.IGNORECASE,
)
_NUMBERS = {
    "two": 2, "dual": 2, "three": 3, "four": 4, "six": 6, "eight": 8, "两": 2, "二": 2, "三": 3, "四": 4, "八": 8,
}  # fmt: skip
_NUMBERED = lazy_pattern(
    r"(?:^\s+|\b(?:gpus?|ranks?|nodes?|devices?|cards?|cuda|rocm|ids?|index|slot|version|driver|v)\s*|[=:|,\]]\s*)$",
    re.IGNORECASE,
)
"""What stands before a number that is no count."""
_TP = lazy_pattern(r"(?:tensor[-_ ]parallel(?:[-_ ]size)?|--?tp(?:-size)?|\bTP)[ =:]{1,3}(\d{1,3})\b")
_TP_CN = lazy_pattern(r"(\d{1,2})\s*路张量并行")
_NODES = lazy_pattern(
    r"(?<![\w.-])(?<!Adding )(?<!Removing )(\d{1,4})[ -]?nodes?\b(?! ?-?GPU| are available)|--nnodes[= ](\d{1,4})\b",
    re.IGNORECASE,
)
_WORDS = {"two": 2, "three": 3, "four": 4}
_NODE_WORDS = lazy_pattern(r"\b(two|three|four)[ -]nodes?\b|over (two|three|four) nodes", re.IGNORECASE)
_ARCH = lazy_pattern(r"\b(gfx(?:9\d[0-9a-f]|1[0-2]\d{2}|803|90[0-9a-f])|sm_\d{2,3})\b")

_LAUNCHERS = (
    ("device_map", ("device_map", "accelerate"), r"device_map|accelerate库实现模型并行"),
    (
        "ray",
        ("openrlhf", "verl", "ray"),
        r"\bopenrlhf\b|\bverl\b|\bray (?:start|actors?|executor|cluster|worker|job)\b|with ray\b(?!/)|\bray \d"
        r"|\bray status\b|\bRay instance\b|\bray\.init\b"
        r"|distributed-executor-backend[= \"']+ray|RayWorker|Ray框架",
    ),
    ("deepspeed", ("deepspeed", "zero"), r"\bdeepspeed\b|\bzero-?[23]\b"),
    ("sglang", ("sglang",), r"\bsglang\b"),
    ("vllm", ("vllm",), r"\bvllm\b"),
    (
        "accelerate",
        ("accelerat", "distributed environment"),
        r"\baccelerate launch\b|\baccelerator\.|Distributed environment: ",
    ),
    ("torchrun", ("torch",), r"\btorchrun\b|torch\.distributed\.(?:launch|run)\b"),
    ("slurm", ("sbatch", "srun"), r"\bsbatch\b|\bsrun\b"),
    ("mpirun", ("mpirun",), r"\bmpirun\b"),
)
"""A launcher, the words without which its expression is not found, and the expression."""
_RUNTIMES = (
    ("kubernetes", ("kube", "pod", "helm", "eks"), r"\bkube(?:ctl|flow|rnetes)\b|\bpods?\b|\bhelm\b|\bEKS\b"),
    (
        "docker",
        ("docker", "container", "network_mode", "nvcr.io", "image"),
        r"\bdocker (?:run|compose|image|container)\b|\bin docker\b|\bdocker\b.{0,30}container"
        r"|running container|\bcontainers? image\b|network_mode: host|nvcr\.io/|\bimage \S+/\S+|Docker环境",
    ),
    ("slurm", ("sbatch", "srun", "slurm"), r"\bsbatch\b|\bsrun\b|\bslurm\b"),
    ("wsl", ("wsl",), r"\bWSL2?\b"),
)
_NAME_OF_ELSE = lazy_pattern(
    r"\b[a-z]{2,10}://\S{1,300}|(?<![\w.:/-])(?:~|\.{1,2})?(?:/[\w.@+=-]{1,100}){2,40}/?"
    r"|\b(?:docker\d{1,3}|docker_gwbridge|br-\w{1,16}|veth\w{1,16}|cni\d{1,3}|flannel\.\d{1,3}|cali\w{1,16}"
    r"|kube-ipvs\d|virbr\d{1,3})\b",
    re.IGNORECASE,
)
"""Addresses, paths and names of interfaces: what a word in them is called after need not run here."""
_VM = lazy_pattern(
    r"\b(?:KVM|QEMU|Proxmox|ESXi|Hyper-V|libvirt)\b|\b(?:GPUs?|PCIe?|VFIO) (?:are )?(?:passthrough|passed through)"
    r"|\b(?:guest (?:VM|OS|kernel)|(?:in|inside|of) (?:the |a |our )?(?:guest|VMs?)\b|VM with\b|VMs on\b)"
    r"|virtual machine|^Hypervisor vendor:|^Virtualization type: +full",
    re.IGNORECASE | re.ASCII,
)
_OF_VMS = (
    "kvm",
    "qemu",
    "proxmox",
    "esxi",
    "hyper-v",
    "libvirt",
    "pass",
    "guest",
    "vm",
    "virtual",
    "hypervisor",
)
"""Without which it is not found."""
_NO_VM = lazy_pattern(
    r"^Virtualization: |\bVM inv eng\b|\bKVM(?: is)? not\b|\bbare[- ]metal\b|no VM\b", re.IGNORECASE
)
_OF_VENDORS = tuple((vendor.name, lazy_pattern(vendor.words, re.ASCII)) for vendor in (AMD, INTEL, NVIDIA))
"""In the order in which they are believed: NVIDIA's words are also in the mouth of the others' users."""
_ELSEWHERE = lazy_pattern(
    r"\b(?:works?|fine|ok|runs|right|no (?:problems?|issues?)) (?:with|on)\b|\balso (?:on|with)\b"
    r"|another (?:user|machine)|same board",
    re.IGNORECASE,
)
_OF_ELSEWHERE = (" with", " on", "another ", "same board")
_OUTPUT = lazy_pattern(r"\(UUID: |^\|.*\|\s*$")
"""Lines of tools that have a parser of their own."""
_FINE = lazy_pattern(
    r" (?:(?:is|are|was|were|runs?) )?(?:fine|ok|okay|works?|good|unaffected)\b(?! on)", re.IGNORECASE
)
_TURN = lazy_pattern(r"\bbut\b|\bwhile\b|\bwhereas\b|\bhowever\b|; |\. |但|，而", re.IGNORECASE)
"""Where a clause about another machine ends."""


def read_mentions(lines: Lines) -> Iterator[Found]:
    """Facts in a short text, at most one statement of each from each line."""
    vendor = next(_vendor(lines), None)
    if vendor:
        yield vendor
    yield from _first(lines, "launcher", _LAUNCHERS)
    yield from _most(lines, "runtime", _RUNTIMES)
    named = False
    for number, line in enumerate(lines):
        for found in _line(line, number):
            if found.name == "gpu.model" and not named:
                named = True
                maker = maker_of(str(found.value))
                if maker and not vendor:
                    yield Found("gpu.vendor", maker, number)
            yield found
    if not named:  # a comparison is all that is said of the GPU: the same model with fewer of them, mostly
        for number, line in enumerate(lines):
            if not _OUTPUT.search(line) and (model := _model(line)) and _ELSEWHERE.search(line):
                yield Found("gpu.model", model[1], number)
                return


Choices = tuple[tuple[str, tuple[str, ...], str], ...]


def _first(lines: Lines, fact: str, choices: Choices) -> Iterator[Found]:
    text = "\n".join(lines).lower()
    for value, words, expression in choices:
        places = _places(lines, expression) if any(word in text for word in words) else []
        if places:
            yield Found(fact, value, places[0])
            return


def _most(lines: Lines, fact: str, choices: Choices) -> Iterator[Found]:
    """The choice that most lines speak of; a single stray word does not outweigh the rest."""
    text = "\n".join(lines).lower()
    places = {
        value: _places(lines, expression) if any(word in text for word in words) else []
        for value, words, expression in choices
    }
    value = max(places, key=lambda name: len(places[name]))
    if places[value]:
        yield Found(fact, value, places[value][0])


def _places(lines: Lines, expression: str) -> list[int]:
    """The lines that hold it outside of the names of other things."""
    pattern = compiled(expression, re.IGNORECASE | re.ASCII)
    return [
        number
        for number, line in enumerate(lines)
        if pattern.search(line) and pattern.search(_NAME_OF_ELSE.sub(" ", line))
    ]


_ASIDE = lazy_pattern(r"\bhttps?://\S+|^\s*(?:#(?!SBATCH)|//|<!--).*")
"""Addresses and comments: they tell whose GPUs these are where nothing else does, but are no proof to show."""


def _vendor(lines: Lines) -> Iterator[Found]:
    for name, words in _OF_VENDORS:
        places = [number for number, line in enumerate(lines) if words.search(line)]
        said = (number for number in places if words.search(_ASIDE.sub("", lines[number])))
        if places:
            yield Found("gpu.vendor", name, next(said, places[0]))


def maker_of(model: str) -> str:
    """Whose name of a model this is; empty where it is nobody's."""
    return next((v.name for v, names in _BY_VENDOR if names.search(model)), "")


_BY_VENDOR = tuple(
    (v, lazy_pattern(rf"(?<![\w-])(?:{v.models})(?![\w-])", re.ASCII | re.IGNORECASE))
    for v in (INTEL, AMD, NVIDIA)
)


def _model(text: str) -> tuple[int, str] | None:
    """How many GPUs (0 where that is not said) of which model."""
    for found in _MODEL.finditer(text):
        name, count = found["model"], _count(found)
        # Two letters, and short names in small letters, are words of something else as well.
        sure = found["maker"] or any(c.isupper() for c in name) or len(name) > 4
        if (count or (sure and len(name) > 2)) and not _FINE.match(text, found.end()):
            return count, (found["maker"] + name).strip()
    for found in _BARE.finditer(text):
        vendor = next(v for v in VENDORS if found[v.name])
        count = _count(found)
        if count and not _FINE.match(text, found.end()):
            return count, vendor.bare[1] + found[vendor.name].strip()
    return None


def _count(found: re.Match[str]) -> int:
    if found["plain"]:
        return 0 if _NUMBERED.search(found.string, 0, found.start()) else int(found["plain"])
    said = found["times"] or found["word"] or found["cn"]
    return (_NUMBERS.get(said.lower()) or int(said)) if said else 0


def _of_this_machine(line: str) -> str:
    """The line without its clause on what works elsewhere."""
    lowered = line.lower()
    if not any(word in lowered for word in _OF_ELSEWHERE):
        return line
    cut = _ELSEWHERE.search(line)
    if not cut:
        return line
    turn = _TURN.search(line, cut.end())
    return line[: cut.start()] + (" " + line[turn.start() :] if turn else "")


_FROM = lazy_pattern(r"\bfrom (?:the )?$", re.IGNORECASE)
_UPDATED = lazy_pattern(r" to (?:[A-Za-z]{1,12} )?v?(\d{1,4}(?:\.\d{1,6}){1,3})\b")
"""An update "from ROCm 1.2 to 1.3": what is in use now stands behind."""


def _line(line: str, number: int) -> Iterator[Found]:
    said = _of_this_machine(line)
    lowered = said.lower()
    for fact, product, pattern in _VERSIONS:
        found = pattern.search(said) if product in lowered else None
        if found:
            newer = _UPDATED.match(said, found.end(1))
            came_from = _FROM.search(said, max(0, found.start() - 12), found.start())
            yield Found(fact, newer[1] if newer and came_from else found[1], number)
    toolkit = _CUDA_MAJOR.search(said) if "CUDA " in said else None
    if toolkit:
        yield Found("cuda.version", toolkit[1], number)
    model = None if _OUTPUT.search(line) else _model(said)
    if model:
        yield Found("gpu.model", model[1], number)
        if model[0]:
            yield Found("gpu.count", model[0], number)
    arch = _ARCH.search(said)
    if arch and arch[1] not in INTEGRATED:
        yield Found("gpu.arch", arch[1], number)
    tensor = (_TP.search(said) if "t" in lowered else None) or (
        None if said.isascii() else _TP_CN.search(said)
    )
    if tensor:
        yield Found("parallel.tensor", int(tensor[1]), number)
    nodes = _NODES.search(said) if "node" in lowered else None
    if nodes:
        yield Found("node.count", int(nodes[1] or nodes[2]), number)
    elif words := _NODE_WORDS.search(said) if "node" in lowered else None:
        yield Found("node.count", _WORDS[(words[1] or words[2]).lower()], number)
    if any(word in lowered for word in _OF_VMS) and _VM.search(said) and not _NO_VM.search(line):
        yield Found("virtualization", "vm", number)
