"""Open sockets that see or forge packets: raw, packet, and what a network namespace's owner could do with them."""

import socket

from probe import c, each

each(
    {
        "raw icmp": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
        "raw ip": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW),
        "raw icmp6": lambda: socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6),
        "packet": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)),
        "packet dgram": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3)),
        "bind to device": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).setsockopt(1, 25, b"eth0\0") or 1,
        "setns": lambda: c("setns", open("/proc/1/ns/net").fileno(), 0) or "joined",
    },
    harmless=("setns",),
)
