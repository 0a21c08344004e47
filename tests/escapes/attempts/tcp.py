"""Reach the host's TCP listeners, on its loopback and on its other addresses."""

import socket

from probe import SCENE, TOKEN, each


def talk(host, port):
    def act():
        with socket.create_connection((host, port), timeout=3) as link:
            link.sendall(TOKEN.encode())
            return "connected"

    return act


each({"%s:%d" % (host, port): talk(host, port) for host, port in SCENE["tcp"]})
