"""Send datagrams to the host's UDP listeners; sending may seem to work, so the host says what arrived."""

import socket

from probe import SCENE, TOKEN, done

answers = {}
for host, port in SCENE["udp"]:
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(kind, socket.SOCK_DGRAM) as link:
        try:
            link.sendto(TOKEN.encode(), (host, port))
            answers[host] = "sent"
        except OSError as error:
            answers[host] = str(error)
done(answers)
