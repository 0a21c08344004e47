"""Find every place that can be written beside the three that a run is given."""

import os

from probe import SCENE, TOKEN, escaped, refused

own = [os.path.realpath(path) for path in SCENE["writable"]] + ["/dev/mqueue"]  # queues of its own namespace, no files
found, tried = [], 0
for folder, names, files in os.walk(SCENE["search"], followlinks=False):
    if folder in ("/proc", "/sys") or os.path.realpath(folder) in own:
        names[:] = []
        continue
    tried += 1
    names[:] = names[:2000]
    path = os.path.join(folder, TOKEN)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        found.append(folder)
        os.unlink(path)
    except OSError:
        pass
    for file in files[:50]:
        path = os.path.join(folder, file)
        if not os.path.islink(path) and os.path.isfile(path):
            try:
                os.close(os.open(path, os.O_WRONLY))
                found.append(path)
            except OSError:
                pass
    if tried > 20000 or len(found) > 3:
        break
if found:
    escaped(found[:5])
else:
    refused("%d folders" % tried)
