import pytest

from gpudoctor.engine import FactError
from gpudoctor.engine.facts.values import parse_value, show_value
from gpudoctor.engine.model import FactSpec

VENDOR = FactSpec("gpu.vendor", "choice", "Vendor", ("nvidia", "amd", "intel", "none"))
FLAG = FactSpec("gpu.mig", "bool", "MIG")
SIZE = FactSpec("shm.size_bytes", "int", "Size", unit="bytes")
COUNT = FactSpec("gpu.count", "int", "Count")
VERSION = FactSpec("vllm.version", "version", "vLLM")
VARIABLE = FactSpec("env.NCCL_DEBUG", "text", "Debug")


@pytest.mark.parametrize(
    ("spec", "raw", "value"),
    [
        (VENDOR, "AMD", "amd"),
        (FLAG, "yes", True),
        (FLAG, "0", False),
        (FLAG, False, False),
        (SIZE, "64M", 67108864),
        (SIZE, "1GiB", 1 << 30),
        (SIZE, "67108864", 67108864),
        (SIZE, "unlimited", -1),
        (COUNT, "8", 8),
        (COUNT, 8, 8),
        (VERSION, "6.10", "6.10"),
        (VARIABLE, "", ""),
    ],
)
def test_values_are_typed(spec, raw, value):
    assert parse_value(spec, raw) == value
    assert type(parse_value(spec, raw)) is type(value)


@pytest.mark.parametrize(
    ("spec", "raw", "message"),
    [
        (VENDOR, "nvida", 'gpu.vendor must be nvidia, amd, intel or none, not "nvida"'),
        (FLAG, "perhaps", 'gpu.mig must be true or false, not "perhaps"'),
        (COUNT, "eight", 'gpu.count must be a whole number, not "eight"'),
        (COUNT, "8G", 'gpu.count must be a whole number, not "8G"'),
        (SIZE, "big", 'shm.size_bytes must be a size in bytes such as 67108864 or 64M, not "big"'),
        (VERSION, "new", 'vllm.version must be a version such as 2.21.5, not "new"'),
        (COUNT, [1], "a fact has one value, not a list"),
    ],
)
def test_refusals_say_what_is_allowed(spec, raw, message):
    with pytest.raises(FactError) as error:
        parse_value(spec, raw)
    assert str(error.value) == message


def test_values_are_shown_as_people_write_them():
    assert show_value(FLAG, True) == "yes"
    assert show_value(SIZE, 67108864) == "64 MiB"
    assert show_value(SIZE, -1) == "unlimited"


@pytest.mark.parametrize(
    ("spec", "raw"),
    [(COUNT, "9" * 5000), (SIZE, "9" * 400 + "k"), (VERSION, "9" * 5000), (VERSION, "1." + "9" * 5000)],
)
def test_numbers_without_end_are_refused(spec, raw):
    with pytest.raises(FactError):
        parse_value(spec, raw)
