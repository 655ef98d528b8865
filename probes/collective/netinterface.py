"""The network interface of this machine that reaches an address, or that has it."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct

_SIOCGIFADDR = 0x8915
_NAME = 15


def interface_towards(address: str) -> str:
    """Name of the interface whose IPv4 address the kernel would use; empty where it cannot be told.

    No packet is sent: connecting a datagram socket only asks the routing table. A name is not resolved, since that
    may take half a minute.
    """
    try:
        ipaddress.IPv4Address(address)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect((address, 9))
            own = asked.getsockname()[0]
            for _, name in socket.if_nameindex():
                if _address_of(asked, name) == own:
                    return name
    except (OSError, ValueError):
        pass
    return ""


def _address_of(asked: socket.socket, name: str) -> str:
    try:
        answer = fcntl.ioctl(asked.fileno(), _SIOCGIFADDR, struct.pack("256s", name[:_NAME].encode()))
    except OSError:  # it has no IPv4 address
        return ""
    return socket.inet_ntoa(answer[20:24])
