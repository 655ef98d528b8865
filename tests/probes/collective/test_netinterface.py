"""Which interface reaches an address, asked of the kernel's routing table."""

from __future__ import annotations

import socket

from gpudoctor.probes.collective.netinterface import interface_towards


def test_the_loopback_reaches_itself():
    assert interface_towards("127.0.0.1") in {name for _, name in socket.if_nameindex()}
    assert interface_towards("127.0.0.1").startswith("lo")


def test_what_cannot_be_resolved_or_reached_gives_nothing():
    assert interface_towards("no-such-host.invalid") == ""
    assert interface_towards("") == ""
