"""Asks NVML about every GPU, in a process that may hang: each call is announced before it is made.

A script, run with the folder of ``pynvml`` as its argument. One JSON object a line; the last line of a process
that hung names the call and the GPU.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from typing import Any

_MISMATCH = 18
_ANCESTORS = {0: "pix", 10: "pix", 20: "pxb", 30: "phb", 40: "node", 50: "sys"}


def say(**line: Any) -> None:
    """One line, at once."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Everything, in the order in which it is least likely to hang."""
    sys.path.append(sys.argv[1])
    try:
        nvml: Any = importlib.import_module("pynvml")
    except ImportError as error:
        say(error=-1, name="ImportError", call="import", text=str(error))
        return

    def ask(call: str, *arguments: Any, **place: Any) -> Any:
        """The answer, or None where the driver has none; other errors are reported."""
        function: Callable[..., Any] | None = getattr(nvml, call, None)
        if function is None:
            return None
        say(call=call, **place)
        try:
            return function(*arguments)
        except nvml.NVMLError as error:
            code = int(getattr(error, "value", -1))
            # Not supported, and a function that this driver does not have, are no errors.
            if code not in (nvml.NVML_ERROR_NOT_SUPPORTED, nvml.NVML_ERROR_FUNCTION_NOT_FOUND):
                say(error=code, name=type(error).__name__, call=call, text=_words(nvml, code), **place)
        except Exception as error:  # a change of the package or an odd driver: the other answers count
            say(error=-2, name=type(error).__name__, call=call, text=str(error)[:200], **place)
        return None

    say(call="nvmlInit")
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        code = int(getattr(error, "value", -1))
        # This one is known by the words of nvidia-smi, not by those of the package.
        text = "Driver/library version mismatch" if code == _MISMATCH else _words(nvml, code)
        say(error=code, name=type(error).__name__, call="nvmlInit", text=text)
        return
    say(init=True)
    cuda = ask("nvmlSystemGetCudaDriverVersion_v2")
    say(
        driver=_text(ask("nvmlSystemGetDriverVersion")),
        cuda=f"{cuda // 1000}.{cuda % 1000 // 10}" if cuda else None,
    )
    count = ask("nvmlDeviceGetCount")
    say(count=count)
    handles = {}
    for index in range(count or 0):
        say(gpu=index, begin=True)
        handle = ask("nvmlDeviceGetHandleByIndex", index, gpu=index)
        if handle is not None:
            handles[index] = handle
            say(gpu=index, **_identity(ask, handle, index))
            say(gpu=index, **_condition(nvml, ask, handle, index))
    _pairs(nvml, ask, handles)
    say(done=True)


def _identity(ask: Callable[..., Any], handle: Any, index: int) -> dict[str, Any]:
    bus = ask("nvmlDeviceGetPciInfo", handle, gpu=index)
    capability = ask("nvmlDeviceGetCudaComputeCapability", handle, gpu=index)
    return {
        "name": _text(ask("nvmlDeviceGetName", handle, gpu=index)),
        "uuid": _text(ask("nvmlDeviceGetUUID", handle, gpu=index)),
        "bus": _text(getattr(bus, "busId", None)),
        "arch": "sm_{}{}".format(*capability) if capability else None,
    }


def _condition(nvml: Any, ask: Callable[..., Any], handle: Any, index: int) -> dict[str, Any]:
    def of(call: str, *arguments: Any) -> Any:
        return ask(call, handle, *arguments, gpu=index)

    mig, memory, bar = (
        of("nvmlDeviceGetMigMode"),
        of("nvmlDeviceGetMemoryInfo"),
        of("nvmlDeviceGetBAR1MemoryInfo"),
    )
    uncorrected = of(
        "nvmlDeviceGetTotalEccErrors", nvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED, nvml.NVML_VOLATILE_ECC
    )
    rows = of("nvmlDeviceGetRemappedRows")
    links = []
    for link in range(getattr(nvml, "NVML_NVLINK_MAX_LINKS", 18)):
        state = of("nvmlDeviceGetNvLinkState", link)
        if state is None:
            break
        links.append(int(state))
    return {
        "mig": bool(mig[0]) if mig else None,
        "compute_mode": of("nvmlDeviceGetComputeMode"),
        "display": of("nvmlDeviceGetDisplayActive"),
        "memory": getattr(memory, "total", None),
        "bar": getattr(bar, "bar1Total", None),
        "uncorrected": uncorrected,
        "remap_pending": bool(rows[2]) if rows else None,
        "remap_failed": bool(rows[3]) if rows else None,
        "links": links,
        # No rule reads them; they stand in captures, beside those that a job had.
        "clocks": _clocks(nvml, of),
    }


def _clocks(nvml: Any, of: Callable[..., Any]) -> list[Any] | None:
    """The highest of the processors and of the memory in MHz."""
    found = [of("nvmlDeviceGetMaxClockInfo", number) for number in (nvml.NVML_CLOCK_SM, nvml.NVML_CLOCK_MEM)]
    return None if found == [None, None] else found


def _pairs(nvml: Any, ask: Callable[..., Any], handles: dict[int, Any]) -> None:
    for one, first in handles.items():
        for other, second in handles.items():
            if one >= other:
                continue
            place = {"gpu": one, "other": other}
            ancestor = ask("nvmlDeviceGetTopologyCommonAncestor", first, second, **place)
            say(
                pair=[one, other],
                ancestor=_ANCESTORS.get(ancestor),
                nvlink=_status(nvml, ask, first, second, "NVML_P2P_CAPS_INDEX_NVLINK", place),
                read=_status(nvml, ask, first, second, "NVML_P2P_CAPS_INDEX_READ", place),
            )


def _status(
    nvml: Any, ask: Callable[..., Any], first: Any, second: Any, index: str, place: dict[str, int]
) -> Any:
    number = getattr(nvml, index)
    # In releases of nvidia-ml-py that were tried these constants are tuples of one.
    number = number[0] if isinstance(number, tuple) else number
    status = ask("nvmlDeviceGetP2PStatus", first, second, number, **place)
    allowed = nvml.NVML_P2P_STATUS_OK
    return None if status is None else status == (allowed[0] if isinstance(allowed, tuple) else allowed)


def _text(value: Any) -> str | None:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _words(nvml: Any, code: int) -> str:
    try:
        return str(nvml.NVMLError(code))
    except Exception:  # the library that would tell is not there
        return ""


if __name__ == "__main__":
    main()
