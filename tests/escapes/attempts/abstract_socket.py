"""Connect to the host's abstract unix sockets, which have no path and belong to the network namespace."""

import socket

from probe import SCENE, TOKEN, each


def talk(address):
    def act():
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(3)
            link.connect(address)
            link.sendall(TOKEN.encode())
            return "connected"

    return act


def seen():
    with open("/proc/net/unix") as file:
        return next((line.strip() for line in file if SCENE["abstract"] in line), None)


each({"connect": talk("\0" + SCENE["abstract"]), "listed": seen})
