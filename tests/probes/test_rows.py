"""Counters of RDMA ports, services as systemctl shows them, and releases that differ between ranks."""

import pytest

from gpudoctor.engine import Session
from gpudoctor.engine.facts.factsfile import statements_from
from gpudoctor.probes.report import Reader

STATUS = """\
● nvidia-fabricmanager.service - NVIDIA fabric manager service
     Loaded: loaded (/lib/systemd/system/nvidia-fabricmanager.service; enabled; preset: enabled)
    Drop-In: /etc/systemd/system/nvidia-fabricmanager.service.d
             └─override.conf
     Active: {} since Tue 2026-01-06 10:11:12 UTC; 5min ago
    Process: 1234 ExecStart=/usr/bin/nv-fabricmanager -c /usr/share/nvidia/nvswitch/fabricmanager.cfg
"""


@pytest.fixture(scope="module")
def reader(knowledge):
    return Reader(knowledge)


def read(reader, *texts):
    if len(texts) == 1:
        return {f.name: f.value for f in reader.read([texts[0].encode()], "report")}
    return {f.name: f.value for f in reader.read_all([(name, [text.encode()]) for name, text in texts])}


def diagnosis(knowledge, reader, report="", **facts):
    session = Session(knowledge)
    named = {name.replace("__", "."): value for name, value in facts.items()}
    for statement in statements_from(named, "facts", knowledge.vocabulary.spec):
        session.add(statement)
    for fact in reader.read([report.encode()], "report"):
        session.add(fact)
    document = session.diagnosis().to_dict()
    session.close()
    return document


def leads(document):
    return [(one["id"], one["standing"]) for one in document["incidents"][:1]]


@pytest.mark.parametrize(
    ("line", "fact", "value"),
    [
        ("/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error:417", "rdma.symbol_errors", 417),
        ("/sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_wait:90211", "rdma.xmit_wait", 90211),
        ("/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence:12", "rdma.out_of_sequence", 12),
        ("SymbolErrorCounter:..............23", "rdma.symbol_errors", 23),
        ("PortXmitDiscards:................0", "rdma.xmit_discards", 0),
        ("   GUID 0x1 port 1: [SymbolErrorCounter == 65535] [PortXmitWait == 1200]", "rdma.xmit_wait", 1200),
        ("link mlx5_0/1 local_ack_timeout_err 7 packet_seq_err 0", "rdma.ack_timeouts", 7),
    ],
)
def test_counters_of_a_port(reader, line, fact, value):
    assert read(reader, line)[fact] == value


def test_the_worst_port_counts(reader):
    text = "\n".join(
        f"/sys/class/infiniband/mlx5_{i}/ports/1/counters/symbol_error:{i * 7}" for i in range(4)
    )
    assert read(reader, text)["rdma.symbol_errors"] == 21


@pytest.mark.parametrize(
    ("facts", "incident"),
    [
        ({"rdma.symbol_errors": 40, "symptom.ib-completion-error-12": True}, "rdma-link-flap"),
        (
            {
                "node.count": 2,
                "net.fabric": "roce",
                "rdma.out_of_sequence": 500,
                "rdma.ack_timeouts": 9,
                "symptom.slow-collectives": True,
            },
            "roce-lossy-fabric",
        ),
    ],
)
def test_counters_over_their_threshold_speak_for_an_incident(knowledge, reader, facts, incident):
    document = diagnosis(
        knowledge, reader, **{name.replace(".", "__"): value for name, value in facts.items()}
    )
    assert incident in [one["id"] for one in document["incidents"][:2]]


def test_a_few_symbol_errors_are_below_the_threshold(knowledge, reader):
    document = diagnosis(knowledge, reader, rdma__symbol_errors=3)
    assert document["incidents"] == []


@pytest.mark.parametrize(
    ("state", "value"),
    [
        ("failed (Result: exit-code)", "stopped"),
        ("inactive (dead)", "stopped"),
        ("active (running)", "running"),
        ("activating (start)", None),
    ],
)
def test_the_fabric_manager_as_systemctl_shows_it(reader, state, value):
    assert read(reader, STATUS.format(state)).get("service.fabric_manager") == value


def test_a_stopped_fabric_manager_leads_on_a_machine_with_switches(knowledge, reader):
    facts = {"gpu__model": "NVIDIA H100 80GB HBM3", "virtualization": "none"}
    document = diagnosis(knowledge, reader, STATUS.format("inactive (dead)"), **facts)
    assert leads(document) == [("fabric-manager-down", "possible")]  # a board with four GPUs has no switches
    facts["nvswitch__visible"] = True
    document = diagnosis(knowledge, reader, STATUS.format("inactive (dead)"), **facts)
    assert leads(document) == [("fabric-manager-down", "likely")]
    document = diagnosis(knowledge, reader, STATUS.format("active (running)"), **facts)
    assert "fabric-manager-down" not in [one["id"] for one in document["incidents"]]


def test_ray_with_fewer_gpus_than_the_machine(knowledge, reader):
    document = diagnosis(knowledge, reader, ray__gpu_total=0, gpu__count=8)
    assert leads(document) == [("ray-gpus-not-registered", "likely")]
    assert "ray-gpus-not-free" not in [one["id"] for one in document["incidents"]]
    document = diagnosis(knowledge, reader, ray__gpu_total=8, gpu__count=8)
    assert document["incidents"] == []


TWO = "node1:11:11 [0] NCCL INFO NCCL version {}\nnode2:12:12 [0] NCCL INFO NCCL version {}\n"


def test_releases_that_differ_between_ranks(knowledge, reader):
    different = TWO.format("2.21.5+cuda12.4", "2.26.2+cuda12.4")
    assert read(reader, different)["skew.nccl.version"] is True
    document = diagnosis(knowledge, reader, different)
    assert "nccl-version-mismatch-ranks" in [one["id"] for one in document["incidents"]]


@pytest.mark.parametrize(
    "report",
    [
        TWO.format("2.21.5+cuda12.4", "2.21.5+cuda12.8"),
        "node1:1:1 [0] NCCL INFO NCCL version 2.21.5+cuda12.4\nnode1:9:9 [0] NCCL INFO NCCL version 2.26.2+cuda12.4",
        "NCCL version 2.21.5+cuda12.4\nNCCL version 2.26.2+cuda12.4",
    ],
)
def test_releases_that_say_nothing_of_ranks(reader, report):
    assert "skew.nccl.version" not in read(reader, report)
