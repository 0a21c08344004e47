"""Who made what can outlive its maker (a control group, a container, a folder), so that it is swept when he is dead.

The name of a process is one that no other bears: that of this boot, its pid namespace, number and time of start. It
consists of letters, digits and dashes, and can be part of the name of a file.
"""

import os
import re
from pathlib import Path

__all__ = ["PATTERN", "is_dead", "this_process"]

PATTERN = r"[0-9a-f]+-\d+-\d+-\d+"


def this_process() -> str:
    """The name of this process. Raises OSError where there is no /proc."""
    return _name(os.getpid())


def is_dead(owner: str) -> bool:
    """Whether the process of that name has ended. False where we can't see it (another boot, another namespace)."""
    if not re.fullmatch(PATTERN, owner):
        return False
    place, pid, _ = owner.rsplit("-", 2)
    if not this_process().startswith(f"{place}-"):
        return False
    try:
        return _name(int(pid)) != owner
    except OSError:
        return True


def _name(pid: int) -> str:
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().partition("-")[0]
    space = Path("/proc/self/ns/pid").stat().st_ino
    started = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return f"{boot}-{space}-{pid}-{started}"
