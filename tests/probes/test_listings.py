"""Versions out of lists of packages, for the packages that the product tables name."""

import pytest

from gpudoctor.probes.report import Reader


@pytest.fixture(scope="module")
def reader(knowledge):
    return Reader(knowledge)


@pytest.mark.parametrize(
    ("text", "fact", "value"),
    [
        ("lmdeploy                  0.9.2", "lmdeploy.version", "0.9.2"),  # pip list
        ("lmdeploy==0.9.2", "lmdeploy.version", "0.9.2"),
        ("[pip3] flashinfer-python==0.3.1", "flashinfer.version", "0.3.1"),
        ("ucx                       1.15.0               ha0ee010_1    conda-forge", "ucx.version", "1.15.0"),
        ("ii  libnccl2  2.22.3-1+cuda12.5  amd64  NCCL Runtime", "nccl.version", "2.22.3"),
        ("hi  libnccl2:amd64  2.22.3-1+cuda12.5  amd64  NCCL Runtime", "nccl.version", "2.22.3"),
        ("ii  openmpi-bin  4.1.2-2ubuntu1  amd64  MPI", "openmpi.version", "4.1.2"),
        ("libnccl-2.22.3-1+cuda12.5.x86_64", "nccl.version", "2.22.3"),
        ("libfabric-aws-2.1.0amzn3.0-1.amzn2023.x86_64", "libfabric.version", "2.1.0amzn3.0"),
        ("Name: lmdeploy\nVersion: 0.9.2\nSummary: A toolset", "lmdeploy.version", "0.9.2"),
        ("Name: vllm\nVersion: 0.10.1+cu128\nSummary: Serving", "vllm.version", "0.10.1+cu128"),
    ],
)
def test_a_package_tells_the_version_of_its_product(reader, text, fact, value):
    assert (fact, value) in [(f.name, f.value) for f in reader.read([text.encode()], "x")]


@pytest.mark.parametrize(
    "text",
    [
        "un  libnccl2  <none>  <none>  (no description available)",
        "rc  libnccl2  2.22.3-1  amd64  removed",
        "Linux node1 5.14.0-427.13.1.el9_4.x86_64 #1 SMP",
        "Name: something-else\nVersion: 0.9.2\nSummary: A toolset",
        "lmdeploy is at 0.9.2",
        "the package lmdeploy 0.9.2 hangs",
    ],
)
def test_what_is_no_such_line(reader, text):
    assert not [f for f in reader.read([text.encode()], "x") if f.name.endswith((".version", ".in_use"))]
