"""End at once, with a grandchild that holds stdout and stderr open."""

import os

from probe import child, done, sleep


def grandchild():
    os.setsid()
    child(lambda: sleep(60))


os.waitpid(child(grandchild), 0)
done("the grandchild holds the pipes")
