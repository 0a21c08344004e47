"""Write files that have no name any more, so that nobody who counts names sees them."""

import os

from probe import SCENE, escaped, refused, sleep, trying

written = 0
trying()
try:
    while written < SCENE["disk"]:
        file = os.open("gone", os.O_CREAT | os.O_WRONLY)
        os.unlink("gone")
        for _ in range(8):
            written += os.write(file, b"x" * (1 << 20))
        trying(written)
except OSError as error:
    refused({"written": written, "error": str(error)})
else:
    escaped({"written": written})
    sleep(3)
