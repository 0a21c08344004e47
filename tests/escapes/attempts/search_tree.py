"""Walk everything that can be reached for a file of a run beside this one."""

import os

from probe import SCENE, escaped, refused

found, folders = [], 0
for folder, names, files in os.walk(SCENE["search"], followlinks=False):
    if folder.startswith("/proc/") and folder.count("/") > 2:
        names[:] = []
        continue
    if folder in ("/sys", "/usr", "/opt/python"):  # mounts that are older than the run beside this one
        names[:] = []
    folders += 1
    found += [os.path.join(folder, file) for file in files if SCENE["neighbour"] in file]
    if folders > 30000:
        break
if found:
    escaped(found[:3])
else:
    refused("%d folders searched" % folders)
