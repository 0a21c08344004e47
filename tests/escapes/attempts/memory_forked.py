"""Take memory in sixteen processes, each of them modest."""

import os

from probe import SCENE, TOKEN, child, escaped, refused, sleep, trying

SHARE = SCENE["memory"] // 16
readable, writable = os.pipe()


def take():
    block = bytearray(b"x") * SHARE
    os.write(writable, b"+")
    sleep(30)
    return block


trying()
children = [child(take) for _ in range(16)]
os.close(writable)
count = 0
while count < 16:
    got = os.read(readable, 16)
    if not got:
        break
    count += len(got)
    trying(count * SHARE)
if count == 16:
    sleep(3)
    escaped({"held": count * SHARE, "by": TOKEN})
else:
    refused({"held": count * SHARE})
