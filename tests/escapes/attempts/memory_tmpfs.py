"""Fill the folders that lie in memory: /tmp and /dev/shm, with files that have names and with files that have none."""

import os

from probe import SCENE, TOKEN, escaped, refused, sleep, trying

block = bytes(1 << 20)
held, errors = 0, {}
trying()
for folder in SCENE["writable"][1:]:
    for named in (True, False):
        try:
            while held < SCENE["memory"]:
                path = "%s/%s%d" % (folder, TOKEN, held)
                file = os.open(path, os.O_CREAT | os.O_WRONLY)
                if not named:
                    os.unlink(path)
                for _ in range(8):
                    held += os.write(file, block)
                if named:
                    os.close(file)
                trying(held)
        except OSError as error:
            errors["%s %s" % (folder, named)] = str(error)
if held < SCENE["memory"]:
    refused({"held": held, "errors": errors})
else:
    escaped({"held": held})
    sleep(3)
