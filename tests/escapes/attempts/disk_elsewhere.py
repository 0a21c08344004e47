"""Fill every place that can be written, wherever it is, with a few files each."""

import os

from probe import SCENE, TOKEN, escaped, refused, sleep, trying

places = []
for folder, names, _ in () if SCENE["control"] else os.walk("/", followlinks=False):
    if folder in ("/proc", "/sys"):
        names[:] = []
    elif os.access(folder, os.W_OK) and not folder.startswith(tuple(SCENE["writable"])):
        places.append(folder)
if SCENE["control"]:
    places = ["."]
trying(places)
written, errors = 0, {}
for folder in places:
    try:
        while written < SCENE["disk"]:
            with open("%s/%s%d" % (folder, TOKEN, written), "wb") as file:
                written += file.write(b"x" * (4 << 20))
    except OSError as error:
        errors[folder] = str(error)
if written >= SCENE["disk"]:
    escaped({"written": written, "places": places})
    sleep(3)
else:
    refused({"written": written, "places": places, "errors": errors})
