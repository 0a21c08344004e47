"""Take memory in one process, page by page, up to SCENE's `memory` bytes, and stay."""

from probe import SCENE, escaped, refused, sleep, trying

STEP = 8 << 20
held = []
trying()
try:
    while len(held) * STEP < SCENE["memory"]:
        held.append(bytearray(b"x") * STEP)
        if len(held) % 8 == 0:
            trying(len(held) * STEP)
except MemoryError:
    refused({"held": len(held) * STEP})
else:
    sleep(3)
    escaped({"held": len(held) * STEP})
