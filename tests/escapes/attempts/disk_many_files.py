"""Write files none of which is large, in as many folders."""

import os

from probe import SCENE, escaped, refused, sleep, trying

written = 0
trying()
try:
    while written < SCENE["disk"]:
        os.mkdir("d%d" % written)
        with open("d%d/f" % written, "wb") as file:
            written += file.write(b"x" * (1 << 20))
except OSError as error:
    refused({"written": written, "error": str(error)})
else:
    escaped({"written": written})
    sleep(3)
