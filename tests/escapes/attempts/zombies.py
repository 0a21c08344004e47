"""Leave 300 dead children unburied; they count as processes too."""

import os

from probe import escaped, refused, trying

trying()
started = 0
try:
    while started < 300:
        if os.fork() == 0:
            os._exit(0)
        started += 1
except OSError as error:
    refused({"started": started, "error": str(error)})
else:
    escaped({"started": started})
