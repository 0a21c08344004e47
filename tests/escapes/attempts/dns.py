"""Ask for a name: by the system's resolver, and by a query of its own to a server that would answer."""

import socket

from probe import SCENE, TOKEN, each

QUERY = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00" + b"\x07example\x03org\x00\x00\x01\x00\x01"


def ask(host, port):
    def act():
        link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        link.settimeout(2)
        link.sendto(QUERY + TOKEN.encode(), (host, port))
        return link.recv(100)

    return act


def resolve():
    return socket.getaddrinfo("example.org", 80)


servers = [tuple(server) for server in SCENE["dns"]]
try:
    with open("/etc/resolv.conf") as file:
        servers += [(line.split()[1], 53) for line in file if line.startswith("nameserver")]
except OSError:
    pass
each(dict({"resolve": resolve}, **{"%s:%d" % server: ask(*server) for server in servers}))
