"""Make files without end that hold nothing: they have no size, but each takes its place in the file system."""

import os

from probe import SCENE, escaped, refused, sleep, trying

trying()
made = 0
try:
    while made < SCENE["files"]:
        os.close(os.open("%060d" % made, os.O_CREAT))
        made += 1
except OSError as error:
    refused({"made": made, "error": str(error)})
else:
    escaped({"made": made})
    sleep(3)
