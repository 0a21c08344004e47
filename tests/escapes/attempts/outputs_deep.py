"""Leave folders nested two thousand deep, longer than any path may be, with a file at the bottom."""

import os

from probe import done

depth = 0
try:
    for _ in range(2000):
        os.mkdir("d" * 50)
        os.chdir("d" * 50)
        depth += 1
    with open("bottom", "w") as file:
        file.write("x")
except OSError:
    pass
done(depth)
