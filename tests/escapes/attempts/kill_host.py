"""Kill a process of the host by its number, its group, its thread, and through a handle."""

import os
import signal

from probe import SCENE, call, each

VICTIM, LAUNCHER = SCENE["victim"], SCENE["launcher"]
each(
    {
        "kill": lambda: os.kill(VICTIM, signal.SIGKILL) or "sent",
        "kill group": lambda: os.killpg(VICTIM, signal.SIGKILL) or "sent",
        "tgkill": lambda: call(234, VICTIM, VICTIM, 9) or "sent",
        "pidfd": lambda: call(434, VICTIM, 0),
        "queue": lambda: call(129, VICTIM, 9, (__import__("ctypes").c_char * 128)()) or "sent",
        "launcher": lambda: os.kill(LAUNCHER, 0) or "reached",
        "launcher's group": lambda: os.killpg(SCENE["launcher_group"], 0) or "reached",
    }
)
