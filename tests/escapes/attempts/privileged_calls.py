"""Make the calls that are the administrator's, with arguments that would do nothing: reboot, modules, swap, clocks."""

import ctypes

from probe import SCENE, call, each, in_child

NUMBERS = {
    "reboot": (169, 0, 0, 0, 0),
    "init_module": (175, 0, 0, 0),
    "finit_module": (313, -1, 0, 0),
    "delete_module": (176, 0, 0),
    "kexec_load": (246, 0, 0, 0, 0),
    "swapon": (167, 0, 0),
    "swapoff": (168, 0),
    "acct": (163, 1),
    "quotactl": (179, 0, 0, 0, 0),
    "iopl": (172, 3),
    "ioperm": (173, 0, 1, 1),
    "syslog": (103, 3, 0, 0),
    "vhangup": (153,),
    "settimeofday": (164, 0, (ctypes.c_int * 2)(0, 0)),
    "clock_settime": (227, 0, (ctypes.c_long * 2)(-1, -1)),
    "adjtimex": (159, (ctypes.c_ulong * 64)(1 << 14)),
    "sethostname": (170, ctypes.c_char_p(b"owned"), 5),
    "setdomainname": (171, ctypes.c_char_p(b"owned"), 5),
    "fanotify_init": (300, 0, 0),
    "lookup_dcookie": (212, 0, 0, 0),
    "name_to_handle_at": (303, -100, 0, 0, 0, 0),
    "mbind": (237, 0, 0, 0, 0, 0, 0),
    "move_pages": (279, 1, 0, 0, 0, 0, 0),
    "kcmp": (312, 1, 1, 0, 0, 0),
    "nice": (141, 0, 0, -20),
    "real time": (144, 0, 1, (ctypes.c_int * 1)(1)),
    "io priority": (251, 1, 0, (1 << 13)),
    "lock memory": (151, 1),
}
SAFE_ON_HOST = {"syslog", "fanotify_init", "nice", "io priority", "kcmp"}
HARMLESS = ("mbind", "move_pages", "kcmp", "name_to_handle_at", "lock memory", "lookup_dcookie")
each(
    {
        key: lambda values=values: in_child(lambda: "%d" % call(*values))
        for key, values in NUMBERS.items()
        if key in SAFE_ON_HOST or not SCENE["control"]
    },
    harmless=HARMLESS,
)
