"""Who makes GPUs: everything that is told of a vendor in one record, so that another one is one more record.

Pure data without imports of ours: it is read before anything else, and by children that have only the probes.
What a vendor's tools and files say is read by its modules in ``probes/machine`` and ``probes/parsers``.
"""

from collections.abc import Callable

from .tuples import NamedTuple


class Numbering(NamedTuple):
    """How a product writes a release as one integer."""

    product: str
    least: int
    """The smallest integer that is written so."""
    major: int
    minor: int
    patch: bool
    """Whether what is left is the third number."""


class VendorCommands(NamedTuple):
    """Expressions for commands of a vendor's tools, by what they do; for those who check remedies."""

    looking: str
    """Begin a command that only looks."""
    looking_as_root: str
    """The same behind ``sudo``."""
    resetting: str
    """Can cost the work on a GPU."""
    flashing: str
    """Change firmware."""
    working: str
    """Give the GPUs work to do."""
    installing: str = ""
    """The tool's name, where one installs the driver."""
    undone: tuple[tuple[str, str, str], ...] = ()
    """What changes a setting, what takes it back, and that in words."""


class Vendor(NamedTuple):
    """One maker of GPUs."""

    name: str
    """As the fact ``gpu.vendor`` has it."""
    pci: str
    """The vendor id on the PCI bus."""
    inside: tuple[str, ...]
    """Device ids of graphics inside processors."""
    inside_bus: str
    """The PCI bus on which only such graphics sit; empty where nothing can be told from the bus."""
    tools: tuple[str, ...]
    """Names of the tools of a round that only speak of this vendor's GPUs."""
    nodes: tuple[tuple[str, str], ...]
    """Device files, one for each GPU, and the file without which they do not count."""
    api: str
    """The module of torch that speaks to its GPUs: ``torch.cuda``."""
    build: str
    """The field of ``torch/version.py`` that is set in its builds."""
    built_for: str
    """The value of ``torch.build`` for such a build."""
    backend: str
    """The backend of ``torch.distributed`` for its GPUs."""
    library: str
    """The package whose version is that of its collective library, as in ``nccl.version``."""
    fork_of: str
    """The library whose release numbers and variables it shares; empty for one of its own."""
    platform: str
    """The product that programs for its GPUs are built on, as in ``rocm.version``."""
    numberings: tuple[Numbering, ...]
    """Integers that stand for releases of its products; the first that fits counts."""
    builds: tuple[str, ...]
    """Products of which a third number from 1000 on is a build and no patch release."""
    family: str
    """The family of incidents of its runtime; empty where those stand in families of all vendors."""
    masks: tuple[str, ...]
    """Variables that hide GPUs from a process."""
    prefixes: tuple[str, ...]
    """How the names of its variables begin; one without an underscore at its end is a whole name."""
    whole: tuple[str, ...]
    """Those of them of which every name counts, known or misspelt."""
    words: str
    """Expression for words that can only mean its GPUs; upper and lower case matter."""
    makers: str
    """Expression for what stands before the name of a model, each part with its blank."""
    models: str
    """Expression for the names of models; case does not matter."""
    bare: tuple[str, str]
    """Expression for numbers that name a model only with a count ("2x4090"), and what belongs before them."""
    kernel: str
    """What its driver puts before a message in the kernel's log, without the colon; empty where that tells nothing."""
    trace: str
    """Expression for what its collective library puts before a message; empty where a fork writes like its origin."""
    remarks: str
    """Expression for how messages of its runtime begin that read like sentences, in lower case."""
    p2p_switch: str
    """The variable that switches peer-to-peer off and that people name for doing so; empty where a fork shares it."""
    open: tuple[str, ...]
    """Variables named like secrets that hold none."""
    tool: str
    """The command that people type to see its GPUs."""
    commands: VendorCommands


NVIDIA = Vendor(
    name="nvidia",
    pci="10de",
    inside=(),
    inside_bus="",
    tools=("nvml", "nvidia-smi", "nvidia-topology"),
    nodes=(("/dev/nvidia[0-9]*", ""),),
    api="cuda",
    build="cuda",
    built_for="cuda",
    backend="nccl",
    library="nccl",
    fork_of="",
    platform="cuda",
    numberings=(
        # NCCL_VERSION_CODE: 1000 x major below 2.9, 10000 x major from 2.9 on (nccl.h).
        Numbering("nccl", 10000, 10000, 100, True),
        Numbering("nccl", 2000, 1000, 100, True),
        Numbering("cuda", 1000, 1000, 10, False),  # CUDA_VERSION: 1000 x major + 10 x minor
    ),
    builds=(),
    family="",
    masks=("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"),
    prefixes=("NCCL_", "NVSHMEM_", "CUDA_", "NVIDIA_", "GGML_CUDA_"),
    whole=("NCCL_", "NVSHMEM_"),
    words=(
        r"\bNVIDIA\b(?! ?(?:ConnectX|BlueField|Mellanox))|\bnvidia-peermem\b|\bGeForce\b|\bRTX\b|\bGTX\b"
        r"|\bnvidia-smi\b|\bG?H(?:20|100|200|800)\b|\b(?:A[18]00|V100S?|G?B[123]00|L40S?|L4|T4|Tesla|TITAN)\b"
        r"|\bCUDA \d|\bNVRM\b|\bNVLink\b|\bcudaGetDeviceCount|NVML|\bGB10\b"
    ),
    makers=r"(?:NVIDIA )?(?:GeForce |Tesla |Quadro )?",
    models=(
        r"RTX ?(?:PRO )?[A-Z]?\d{4}(?: ?(?:Ti|SUPER|D))?(?: (?:Ada|Blackwell)(?: Generation)?(?: Max-Q)?)?"
        r"|GTX \d{3,4}(?: Ti)?|TITAN [A-Z]\w?"
        r"|(?:A(?:10G?|16|2|30|40|100|800)|H(?:20|100|200|800)|B(?:100|200|300)|GB(?:200|300)|GH200|L(?:4|20|40S?)"
        r"|T4|V100S?|P(?:4|40|100)|K80)(?: ?(?:PCIe|SXM\d?|NVL|HBM3|\d{2,3} ?GB))*"
        r"|GB10"
    ),
    bare=(r"[2345]0[5-9]0(?: ?Ti)?(?: SUPER| D)?", "RTX "),
    kernel="NVRM",
    trace=r"NCCL (?:INFO|WARN)",
    remarks=r"some nccl operations|cuda (?:kernel errors|error)",
    p2p_switch="NCCL_P2P_DISABLE",
    open=("NCCL_IB_PKEY",),
    tool="nvidia-smi",
    commands=VendorCommands(
        looking=r"nvidia-smi(?!.*(?:\s-(?:c|pm|rgc|rmc|lgc|mig|pl|e|r)\b|-reset|\s-srs|-dci|-cgi))",
        looking_as_root=r"nvidia-smi\s+(?:-q|topo|-L|--query)|nvidia-bug-report|dcgmi\s+(?:diag|health|discovery)",
        resetting=r"\bnvidia-smi\b.*(?:--gpu-reset|\s-r\b)",
        flashing="",
        working=r"\bdcgmi\s+diag\b|\bnvbandwidth\b|p2pBandwidthLatencyTest|\bdeviceQuery\b|\bnccl-test",
        undone=(
            (
                r"\bnvidia-smi\b.*\s-(?:lgc|lmc|ac)\b",
                r"\bnvidia-smi\b.*\s-(?:rgc|rmc|rac)\b",
                "nvidia-smi -rgc",
            ),
            (
                r"\bnvidia-smi\b.*\s-(?:c|pm|mig|pl|e)\s",
                r"\bnvidia-smi\b.*\s-(?:c|pm|mig|pl|e)\s",
                "nvidia-smi with the old value",
            ),
        ),
    ),
)
AMD = Vendor(
    name="amd",
    pci="1002",
    inside=(
        "15d8", "15dd", "1636", "1638", "164c", "1681", "15bf", "15c8", "1900", "1506", "164e", "13c0", "164d",
        "150e", "1586",
    ),
    inside_bus="",
    tools=("amd-smi", "amd-topology"),
    nodes=(("/dev/dri/renderD*", "/dev/kfd"),),
    api="cuda",
    build="hip",
    built_for="rocm",
    backend="nccl",
    library="rccl",
    fork_of="nccl",
    platform="rocm",
    numberings=(Numbering("rccl", 10000, 10000, 100, True), Numbering("rccl", 2000, 1000, 100, True)),
    builds=("rocm", "hip"),  # 6.3.42133, as HIP prints ROCm 6.3
    family="rocm-runtime",
    masks=("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "CUDA_VISIBLE_DEVICES"),
    prefixes=("RCCL_", "HSA_", "HIP_", "ROCR_", "ROCM_", "AMD_", "GPU_"),
    whole=("RCCL_", "HSA_"),
    words=(
        r"\bAMD (?:GPUs?|Instinct|Radeon|MI\d)|\bROCm\b|\brocm-?\d|\bRCCL\b|\bgfx\d|\bMI[23]\d{2}|\bRadeon\b"
        r"|\bhip[A-Z]\w+|HIP error|\bHIP GPUs|\bamdgpu\b|/dev/kfd|HSA_STATUS|ROCR_VISIBLE"
    ),
    makers=r"(?:AMD )?(?:Instinct |Radeon )?",
    models=(
        r"(?:AI )?PRO [RW]\d{4}|(?:RX|PRO W|R9) ?\w{4,5}(?: XTX?)?"
        r"|MI(?:8|25|50|60|1\d0|2[15]0|3\d\d)[AX]?|Strix Halo"
    ),
    bare=(r"7900 ?XTX?|9070(?: ?XT)?|6[89]00 ?XT", "RX "),
    kernel="",
    trace="",
    remarks=r"hip (?:kernel errors|error)",
    p2p_switch="",
    open=(),
    tool="rocm-smi",
    commands=VendorCommands(
        looking=r"rocm-smi|amd-smi|rocminfo|rocm_agent_enumerator",
        looking_as_root=r"amd-smi\s+(?:static|metric|list)",
        resetting=r"\bamd-smi\s+reset\b|--gpureset\b",
        flashing="",
        working=r"rocm[-_]bandwidth[-_]test|\bTransferBench\b|\brvs\b",
        installing="amdgpu-install",
    ),
)  # fmt: skip
INTEL = Vendor(
    name="intel",
    pci="8086",
    inside=(),
    inside_bus="00",
    tools=("xpu-smi", "xpu-topology"),
    nodes=(("/dev/dri/renderD*", "/sys/module/xe"), ("/dev/dri/renderD*", "/sys/module/i915")),
    api="xpu",
    build="xpu",
    built_for="xpu",
    backend="xccl",
    library="oneccl",
    fork_of="",
    platform="intel_compute_runtime",
    numberings=(),
    builds=(),
    family="",
    masks=("ZE_AFFINITY_MASK", "ONEAPI_DEVICE_SELECTOR"),
    prefixes=("CCL_", "ZE_", "ZES_", "ZEX_", "SYCL_", "ONEAPI_", "UR_", "NEOReadDebugKeys"),
    whole=("CCL_", "ZE_", "ZES_", "ZEX_", "SYCL_", "ONEAPI_", "UR_"),
    words=(
        r"\bIntel(?:\(R\))? (?:Arc|Data Center GPU|GPUs?\b|XPUs?\b)|\bArc(?:\(TM\))? (?:Pro )?[AB]\d{2,3}\b"
        r"|\bone[cC][cC][lL]\b|\bxpu-smi\b|\btorch\.xpu\b|\bxccl\b|\bBattlemage\b|\bPonte Vecchio\b"
        r"|\bData Center GPU (?:Max|Flex)\b"
    ),
    makers=r"(?:Intel(?:\(R\))? )?",
    models=(
        r"Arc(?:\(TM\))? (?:Pro )?[AB]\d{2,3}M?(?: Graphics)?"
        r"|(?:Data Center GPU )?(?:Max (?:1100|1350|1450|1550)C?|Flex (?:140|170))"
    ),
    bare=(r"[AB](?:50|60|70|310|380|570|580|750|770)", "Arc "),
    kernel="",
    trace="",
    remarks="",
    p2p_switch="",
    open=(),
    tool="xpu-smi",
    commands=VendorCommands(
        looking=r"xpu-smi",
        looking_as_root=r"xpu-smi\s+(?:discovery|diag|health)",
        resetting="",
        flashing=r"\bigsc\s+fw\s+update\b|\bxpu-smi\s+updatefw\b",
        working=r"\bzeperf|ze_peer",
    ),
)
VENDORS = (NVIDIA, AMD, INTEL)
MASKS = tuple(dict.fromkeys(mask for vendor in VENDORS for mask in vendor.masks))
"""The variables by which a process sees a part of the devices only."""


def by_name(name: str) -> Vendor | None:
    """The vendor of this name."""
    return next((vendor for vendor in VENDORS if vendor.name == name), None)


def by_pci(vendor_id: str) -> Vendor | None:
    """The vendor of this PCI id."""
    return next((vendor for vendor in VENDORS if vendor.pci == vendor_id), None)


def prefixes(whole: bool = False) -> tuple[str, ...]:
    """How the variables of all vendors begin; with ``whole`` those of which every name counts."""
    return tuple(p for vendor in VENDORS for p in (vendor.whole if whole else vendor.prefixes))


def alternatives(of: Callable[[Vendor], str]) -> str:
    """One expression that any of the vendors' own makes true, such as ``nvidia-smi|rocm-smi``."""
    return "|".join(expression for vendor in VENDORS if (expression := of(vendor)))
