"""What tools say, whatever they say: output of odd versions, of archives from anybody, of nobody."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpudoctor.engine.redaction import redact
from gpudoctor.probes.childend import ChildEnd
from gpudoctor.probes.machine import acs
from gpudoctor.probes.machine.finding import Known, Text, Unknown
from gpudoctor.probes.machine.rdma import gid_kind
from gpudoctor.probes.tools import read, tools

NVML = next(tool for tool in tools(True) if tool.name == "nvml")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(
    ["gpu", "call", "error", "name", "driver", "cuda", "count", "pair", "ancestor", "links", "mig", "arch"]
)
LINES = st.lists(st.dictionaries(KEYS, VALUES, max_size=5).map(json.dumps) | st.text(max_size=20), max_size=6)


def outcome(stdout, status=0, state="done", detail=""):
    return ChildEnd(status, stdout, "", 8.3, state, detail)


@settings(max_examples=150)
@given(LINES)
def test_no_answer_of_nvml_stops_the_round(lines):
    found = list(read(NVML, outcome("\n".join(lines))))
    assert all(isinstance(finding, (Known, Unknown, Text)) for finding in found)


def test_a_tool_that_hung_tells_what_it_said_before():
    said = '{"call": "nvmlInit"}\n{"init": true}\n{"driver": "550.54.15"}\n{"call": "nvmlDeviceGetName", "gpu": 1}\n'
    found = list(read(NVML, outcome(said, None, "abandoned", "state D (stuck in the kernel)")))
    assert found[0] == Known(
        "probe.hung", "NVML", "NVML", "nvmlDeviceGetName of GPU 1: state D (stuck in the kernel) for 8.3 s"
    )
    assert Known("driver.version", "550.54.15", "NVML", "nvmlSystemGetDriverVersion") in found


def test_a_driver_that_is_slow_is_not_taken_for_one_that_hangs():
    stuck = ChildEnd(None, "", "", 8.0, "abandoned", "state D (stuck in the kernel)", 7.5)
    slow = stuck._replace(silent=1.2)
    assert [f.value for f in read(NVML, stuck) if f.fact == "probe.hung_in_kernel"] == [True]
    assert [f.value for f in read(NVML, slow) if f.fact == "probe.hung_in_kernel"] == [False]


def test_a_tool_that_is_not_there_leaves_its_facts_open():
    smi = next(tool for tool in tools(True) if tool.name == "nvidia-smi")
    found = list(read(smi, outcome("", None, "missing")))
    assert {finding.fact for finding in found} == set(smi.facts)
    assert all(finding.reason == "nvidia-smi: absent: not installed here" for finding in found)


@settings(max_examples=150)
@given(st.binary(min_size=257, max_size=600))
def test_no_configuration_space_stops_the_decoder(config):
    word = acs.control(config)
    assert word is None or 0 <= word <= 0xFFFF


@given(st.text(max_size=60))
def test_redaction_loses_nothing_twice(text):
    once = redact(text)
    assert redact(once).count("[hidden]") <= once.count("[hidden]") + 1


def test_kinds_of_gids():
    empty, mapped, local = (
        "0000:0000:0000:0000:0000:0000:0000:0000",
        "0000:0000:0000:0000:0000:ffff:0a00:0001",
        "fe80:" * 8,
    )
    assert gid_kind("", "") == gid_kind(empty, "RoCE v2") == "empty"
    assert gid_kind(mapped, "IB/RoCE v1") == "rocev1"
    assert gid_kind(mapped, "RoCE v2") == "rocev2-ipv4"
    assert gid_kind(local[:-1], "RoCE v2") == "rocev2-link-local"
    assert gid_kind("2001:0db8:0000:0000:0000:0000:0000:0001", "RoCE v2") == "rocev2-ipv6"


@pytest.mark.parametrize(
    "text",
    [
        "export SIGNING_KEY=s3cr3tvalue",
        "MYAUTH='s3cr3tvalue'",
        "http_proxy=HTTP://user:s3cr3tvalue@proxy:3128",
        "cannot log in with password 's3cr3tvalue'",
        "Cookie: session=s3cr3tvalue; other=s3cr3tvalue",
        "{'Set-Cookie': 'session=s3cr3tvalue'}",
        "https://bucket/x?X-Amz-Signature=s3cr3tvalue",
        "-----BEGIN PRIVATE KEY-----\ns3cr3tvalue\n" + "x" * 9000,
    ],
)
def test_shapes_of_secrets(text):
    assert "s3cr3tvalue" not in redact(text)


@pytest.mark.parametrize("text", ["NCCL_IB_PKEY=0x7fff", "max_tokens=4096", "TOKENIZERS_PARALLELISM=false"])
def test_what_is_no_secret(text):
    assert redact(text) == text


@pytest.mark.parametrize("part", ["-", "-----BEGIN PRIVATE KEY-----"])
def test_redaction_takes_no_longer_than_its_text(part):
    text = part * (2_000_000 // len(part)) + "token"
    began = time.process_time()
    redact(text)
    assert time.process_time() - began < 4
