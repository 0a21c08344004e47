"""Open every setting of the kernel in /proc/sys and /sys for writing."""

import os

from probe import SCENE, escaped, refused

opened, tried = [], 0
TOPS = ("/proc/sys", "/sys", "/proc/irq", "/proc/bus", "/proc/acpi", "/proc/fs")
for top in TOPS[:1] if SCENE["control"] else TOPS:
    for folder, names, files in os.walk(top):
        if folder.count("/") > 7:
            names[:] = []
        for file in files:
            if tried > 60000:
                break
            tried += 1
            try:
                os.close(os.open(os.path.join(folder, file), os.O_WRONLY | os.O_NONBLOCK))
                opened.append(os.path.join(folder, file))
            except OSError:
                pass
if opened:
    escaped({"opened": opened[:20], "of": tried})
else:
    refused("%d files" % tried)
