"""Find the launcher's secrets in the environment, in all the ways in which a process can see it."""

import os

from probe import SCENE, each, holds_secret, read


def on_stack():
    with open("/proc/self/maps") as file:
        low, high = next(line for line in file if "[stack]" in line).split()[0].split("-")
    with open("/proc/self/mem", "rb") as memory:
        memory.seek(int(low, 16))
        return holds_secret(memory.read(int(high, 16) - int(low, 16)))


extra = sorted(set(os.environ) - set(SCENE["allowed_environment"]))
each(
    {
        "os.environ": lambda: holds_secret(repr(dict(os.environ))),
        "/proc/self/environ": lambda: holds_secret(read("/proc/self/environ", 1 << 20)),
        "stack": on_stack,
        "more than was given": lambda: [n for n in extra if n.startswith(("XKG", "NEO4J", "AWS", "GITHUB"))] or None,
    }
)
