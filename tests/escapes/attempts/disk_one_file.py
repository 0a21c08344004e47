"""Write one file that is too large."""

from probe import SCENE, escaped, refused, sleep, trying

written = 0
trying()
try:
    with open("large", "wb", buffering=0) as file:
        while written < SCENE["disk"]:
            written += file.write(b"x" * (1 << 20))
except OSError as error:
    refused({"written": written, "error": str(error)})
else:
    escaped({"written": written})
    sleep(3)
