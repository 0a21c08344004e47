"""Ask the kernel by netlink: the host's interfaces, its events, and a change of the routes."""

import os
import socket
import struct

from probe import SCENE, each


def interfaces():
    names = {name for _, name in socket.if_nameindex()} | set(
        os.listdir("/sys/class/net") if os.path.isdir("/sys/class/net") else ()
    )
    return sorted(names & set(SCENE["interfaces"])) or None


def talk(protocol, message):
    link = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol)
    link.bind((0, 0))
    link.send(message)
    link.settimeout(2)
    answer = link.recv(65536)
    kind, code = struct.unpack_from("=H", answer, 4)[0], struct.unpack_from("=i", answer, 16)[0]
    if kind == 2 and code < 0:
        raise OSError(-code, os.strerror(-code))
    return "answered"


def new_link():
    body = struct.pack("=BxHiII", 0, 0, 0, 0, 0) + struct.pack("=HH", 8, 3) + b"xkg\0"
    body += struct.pack("=HH", 16, 18) + struct.pack("=HH", 10, 1) + b"dummy\0\0\0"
    return talk(0, struct.pack("=IHHII", 16 + len(body), 16, 0x605, 1, 0) + body)


def audit():
    return talk(9, struct.pack("=IHHII", 16, 1000, 5, 1, 0))


def route():
    body = struct.pack("=BBBBBBBBI", 2, 0, 0, 0, 254, 4, 0, 1, 0) + struct.pack("=HHi", 8, 4, 1)
    return talk(0, struct.pack("=IHHII", 16 + len(body), 24, 0x605, 2, 0) + body)


def all_events():
    link = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15)
    link.bind((0, 1))
    return link.send(b"add@/devices/xkg\0ACTION=add\0") and None


if SCENE["control"]:
    each({"interfaces": interfaces})
else:
    each({"interfaces": interfaces, "new link": new_link, "audit": audit, "route": route, "events": all_events})
