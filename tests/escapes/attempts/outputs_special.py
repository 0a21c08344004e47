"""Leave things that are no files as outputs: pipes that wait for a reader, sockets, devices; and set-user-id ones."""

import os
import socket
import stat

from probe import done

os.mkfifo("pipe")
os.mkfifo("-")
socket.socket(socket.AF_UNIX).bind("socket")
try:
    os.mknod("device", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
except OSError:
    pass
with open("honest", "w") as file:
    file.write("honest")
with open("program", "w") as file:
    file.write("#!/bin/sh\nid\n")
os.chmod("program", 0o6777)
done()
