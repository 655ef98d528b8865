import pytest

from gpudoctor.probes.machine.interfaces import probe
from gpudoctor.probes.machine.world import World

HEAD = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
ROUTES = (
    "ib0\t00000000\t0100000A\t0003\t0\t0\t200\t00000000\t0\t0\t0\n"
    "eno1\t00000000\tFE00A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
    "eno1\t0000A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
)
TRIE = (
    "Local:\n  +-- 0.0.0.0/0 3 0 5\n     +-- 127.0.0.0/8 2 0 2\n        |-- 127.0.0.1\n           /32 host LOCAL\n"
    "     |-- 192.168.0.7\n        /32 host LOCAL\n     |-- 192.168.0.255\n        /32 link BROADCAST\n"
    "     |-- 10.0.0.7\n        /32 host LOCAL\n"
)
ROUTE6 = (
    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 "
    "00000400 00000001 00000000 00000003     eth6\n"
    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 "
    "ffffffff 00000001 00000000 00200200       lo\n"
)


@pytest.fixture
def found(tmp_path):
    def run(files):
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return {finding[0]: finding[1] for finding in probe(World(str(tmp_path)))}

    return run


def test_the_default_route_of_lowest_metric(found):
    facts = found(
        {"proc/net/route": HEAD + ROUTES, "sys/class/net/eno1/mtu": "9000\n", "proc/net/fib_trie": TRIE}
    )
    assert facts == {
        "host.addresses": "10.0.0.7,192.168.0.7",
        "net.default_interface": "eno1",
        "net.default_mtu": 9000,
    }


def test_a_node_with_ipv6_only(found):
    facts = found({"proc/net/route": HEAD, "proc/net/ipv6_route": ROUTE6, "sys/class/net/eth6/mtu": "1500\n"})
    assert facts == {"net.default_interface": "eth6", "net.default_mtu": 1500}


def test_no_route_and_no_file_are_told(found):
    assert found({"proc/net/route": HEAD}) == {"net.default_interface": "there is no default route"}
    assert found({"proc/net/route": HEAD + ROUTES})["net.default_mtu"] == "absent"


def test_nothing_readable(tmp_path):
    (tmp_path / "proc").mkdir()
    (finding,) = probe(World(str(tmp_path)))
    assert finding.fact == "net.default_interface"
    assert "No such file" in finding.reason
