"""Reach the world: public addresses, the cloud's metadata service, multicast and broadcast."""

import socket

from probe import SCENE, each


def tcp(host, port):
    return lambda: "connected" if socket.create_connection((host, port), timeout=3) else None


def udp(host, port):
    def act():
        link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        return link.sendto(b"x", (host, port))

    return act


tries = {"tcp %s" % host: tcp(host, port) for host, port in SCENE["outside"]}
tries.update(
    {"udp %s" % host: udp(host, 53) for host in ("1.1.1.1", "224.0.0.1", "255.255.255.255", "169.254.169.254")}
)
tries["tcp6"] = tcp("2606:4700:4700::1111", 443)
each({key: act for key, act in tries.items() if not SCENE["control"] or key.startswith("tcp ")})
