"""Use the kernel's cryptography interface, a way into drivers that nobody here needs."""

import socket

from probe import each


def bound():
    link = socket.socket(38, socket.SOCK_SEQPACKET)
    link.bind(("hash", "sha256"))
    return "bound"


each({"AF_ALG": bound})
