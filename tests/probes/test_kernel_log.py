"""The kernel log in its real shapes: whose Xid it is, which GPU, what the driver wants, and NVSwitches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpudoctor.engine import Knowledge
from gpudoctor.probes.parsers import kernel_log

from .recognized import read_report

IGNORED = ("log.",)


def facts(text):
    """Every fact of the text with its value; a fact with two values is an error of the test."""
    found = {}
    for fact in read_report(text):
        if not fact.name.startswith(IGNORED):
            assert found.setdefault(fact.name, fact.value) == fact.value, fact
    return found


def numbers(text):
    """Which Xids and SXids the text holds."""
    return {name for name in facts(text) if name.rsplit(".", 1)[-1].isdigit()}


@pytest.mark.parametrize(
    "line, number, gpu",
    [
        (
            "[6781741.54] NVRM: Xid (PCI:0000:91:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
            79,
            "0000:91:00",
        ),
        (
            "[Sun Feb 23 16:24:18 2025] NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout "
            "after 6s of waiting for RPC response from GPU4 GSP! Expected function 103 (GSP_RM_ALLOC) (0x2081 0x4).",
            119,
            "0000:9b:00",
        ),
        (
            "kern  :warn  : 2025-01-21T04:41:44,283302+00:00 NVRM: Xid (PCI:0008:01:00): 149, NETIR_LINK_EVT Fatal XC0 "
            "i0 Link 08 (0x004505c6 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)",
            149,
            "0008:01:00",
        ),
        (
            "NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7194, Contained: CE User Channel (0x9).",
            94,
            "0000:01:00",
        ),
        ("[1.0] NVRM: Xid (0000:03:00): 62, 2027(3098) 00000000", 62, "0000:03:00"),
        ("NVRM: Xid (PCI:0000:3f:00): 46", 46, "0000:3f:00"),
    ],
)
def test_an_xid_that_accuses_a_gpu_names_it(line, number, gpu):
    found = facts(line + "\n")
    assert found[f"xid.{number}"] is True
    assert found["symptom.xid-error"] is True
    assert found["xid.gpus"] == gpu
    assert found["gpu.vendor"] == "nvidia"


@pytest.mark.parametrize(
    "line, number",
    [
        (
            "NVRM: Xid (PCI:0000:38:00): 13, pid='<unknown>', name=<unknown>, Graphics SM Warp Exception on "
            "(GPC 9, TPC 1, SM 1): Out Of Range Address",
            13,
        ),
        (
            "NVRM: Xid (PCI:0000:db:00): 31, pid=13641, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS "
            "GPCCLIENT_T1_10 faulted @ 0x7fd7_90743000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
            31,
        ),
        ("NVRM: Xid (PCI:0000:38:00): 43, pid=2924364, name=pt_main_thread, Ch 00000008", 43),
        ("NVRM: Xid (PCI:0000:38:00): 45, pid=1818990, name=python3, Ch 00000001", 45),
    ],
)
def test_an_xid_of_the_program_accuses_no_gpu(line, number):
    found = facts(line + "\n")
    assert found[f"xid.{number}"] is True
    assert "xid.gpus" not in found


def test_no_incident_takes_an_xid_of_the_program_for_broken_hardware():
    from gpudoctor.engine.rules.conditions import facts_of

    knowledge = Knowledge.load()
    program = {"xid.13", "xid.31", "xid.43", "xid.45"}
    blamed = set(facts_of(knowledge.vocabulary.spec("xid.hardware").derived[0].when))
    assert "xid.79" in blamed
    assert not program & blamed
    for incident in map(knowledge.incident, knowledge.incident_ids):
        if incident.family == "hardware":
            read = [
                f for c in (*incident.confirms, *(e.when for e in incident.suggests)) for f in facts_of(c)
            ]
            assert not program & set(read), incident.id


def test_several_gpus_are_listed_once_each_in_the_order_of_the_log():
    text = (
        "NVRM: Xid (PCI:0000:ED:00): 145, RLW_REMAP Nonfatal XC0 i0 Link 00 (0x00000004)\n"
        "NVRM: Xid (PCI:00000000:3B:00): 74, pid=1, name=p, NVLink: fatal error detected on link 14(0x0)\n"
        "NVRM: Xid (PCI:0000:ed:00): 145, RLW_REMAP Nonfatal XC0 i0 Link 01 (0x00000004)\n"
        "NVRM: Xid (PCI:0000:dc:00): 31, pid=1, name=p, MMU Fault\n"
    )
    listed = [fact for fact in read_report(text, where="dmesg.txt") if fact.name == "xid.gpus"]
    assert [fact.value for fact in listed] == ["0000:ed:00,0000:3b:00"]
    assert listed[0].origin.where == "dmesg.txt:1"


def test_a_cleanup_says_which_xid_caused_it():
    line = "kernel: NVRM: Xid (PCI:0000:dc:00): 45, pid=1818990, name=python3, Ch 00000001 caused by previous Xid 149\n"
    assert numbers(line) == {"xid.45", "xid.149"}


@pytest.mark.parametrize(
    "line, action",
    [
        ("changed from 0x0 (None) to 0x1 (GPU Reset Required)", "gpu_reset"),
        ("changed from 0x0 (None) to 0x2 (Node Reboot Required)", "node_reboot"),
        ("changed from 0x0 (None) to 0x2 (OS Reboot)", "node_reboot"),
        ("changed from 0x0 (None) to 0x1 (PF FLR)", "gpu_reset"),
        ("changed from 0x0 (None) to 0x3 (Drain P2P)", "drain_p2p"),
        ("changed from 0x1 (GPU Reset Required) to 0x4 (Drain and Reset)", "drain_and_reset"),
        ("changed from 0x2 (Node Reboot Required) to 0x0 (None)", None),
    ],
)
def test_what_the_driver_wants(line, action):
    found = facts(f"NVRM: Xid (PCI:0008:01:00): 154, GPU recovery action {line}\n")
    assert found["xid.154"] is True
    assert found.get("gpu.recovery_action") == action
    assert "xid.gpus" not in found


def test_the_last_action_of_the_log_counts():
    text = (
        "NVRM: Xid (PCI:0008:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)\n"
        "NVRM: Xid (PCI:0008:01:00): 154, GPU recovery action changed from 0x1 (PF FLR) to 0x2 (OS Reboot)\n"
    )
    assert facts(text)["gpu.recovery_action"] == "node_reboot"


@pytest.mark.parametrize("said, action", [("None", None), ("Reset", "gpu_reset"), ("Drain P2P", "drain_p2p")])
def test_nvidia_smi_says_it_too(said, action):
    assert facts(f"    GPU Recovery Action                   : {said}\n").get("gpu.recovery_action") == action


def test_a_fatal_error_of_a_switch():
    text = (
        "> [6781753.400584] nvidia-nvswitch1: SXid (PCI:0000:06:00.0): 20034, Fatal, Link 48 LTSSM Fault Up\n"
        "> [6781753.404848] nvidia-nvswitch2: SXid (PCI:0000:07:00.0): 20034, Severity 1 Engine instance 60\n"
    )
    found = facts(text)
    assert found["sxid.20034"] is True
    assert found["symptom.sxid-fatal"] is True
    assert found["sxid.switches"] == "0000:06:00,0000:07:00"


def test_a_switch_error_that_is_not_fatal():
    text = (
        "[   38.17] nvidia-nvswitch3: SXid (PCI:0000:04:00.0): 22013, Non-fatal, Link 44 Minion Link DLREQ interrupt\n"
        "[   38.18] nvidia-nvswitch3: SXid (PCI:0000:04:00.0): 22013, Data {0x0000002b, 0x0000002b, 0x00000000}\n"
    )
    found = facts(text)
    assert "symptom.sxid-fatal" not in found
    assert "symptom.xid-error" not in found


def test_a_person_may_name_a_number_without_its_address():
    assert numbers("after two hours dmesg says Xid 79, the card is gone\n") == {"xid.79"}
    assert numbers("dmesg on the node: XID 48\n") == {"xid.48"}
    assert numbers("Xid 94 bursts, Xid 154 GPU recovery action: Drain and Reset\n") == {"xid.94", "xid.154"}


@pytest.mark.parametrize(
    "line",
    [
        "Regular log content without Xid errors",
        "NVRM: Xid error: xyz, invalid data",
        "NVRM: GPU at PCI:0000:66:00: GPU-12345678-1234-5678-9abc-def012345678",
        "XidManager started 79 workers",
        "there is no Xid 79 in the kernel log",
        "we looked for ECC errors, without finding Xid 48 or the like",
        "If Xid 79 appears, reseat the card",
        "nor any XID: 48 of a GPU",
        "LOG: transaction XID 79 committed",
    ],
)
def test_lines_that_hold_no_number(line):
    assert numbers(line + "\n") == set()


@given(st.text(max_size=200))
def test_any_line_is_read_without_an_error(tail):
    line = ("NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from " + tail).replace("\n", " ")
    for found in kernel_log.parse([line], 0):
        assert isinstance(found.name, str)
        if found.name == "gpu.recovery_action":
            assert found.value in Knowledge.load().vocabulary.spec(found.name).values


@given(st.from_regex(r"(?:[0-9A-F]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}", fullmatch=True))
def test_an_address_has_one_shape(address):
    found = {f.name: f.value for f in kernel_log.parse([f"NVRM: Xid (PCI:{address}): 79, x"], 0)}
    domain, bus, device = found["xid.gpus"].split(":")
    assert (len(domain), len(bus), len(device)) == (4, 2, 2)
    assert found["xid.gpus"] == found["xid.gpus"].lower()


def test_a_card_with_fewer_lanes_than_its_slot():
    query = (
        "Attached GPUs                             : 2\n"
        "GPU 00000000:01:00.0\n"
        "    PCI\n"
        "        GPU Link Info\n"
        "            PCIe Generation\n"
        "                Max                       : 4\n"
        "                Current                   : 1\n"
        "            Link Width\n"
        "                Max                       : 16x\n"
        "                Current                   : {}x\n"
    )
    assert facts(query.format(8))["pcie.link_narrow"] is True
    assert "pcie.link_narrow" not in facts(query.format(16))
