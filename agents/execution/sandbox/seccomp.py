"""The system calls that a run may not make, as a seccomp program in classic BPF.

A list of denials: whatever reaches far into the kernel (mounts, namespaces, tracing, other processes' memory, bpf,
io_uring, keys, modules, the clock) or gets round a limit. Assembled here because the libraries that do it need a
libseccomp that a machine may lack. Numbers are those of Linux for x86-64 and aarch64; the format is that of
``linux/filter.h`` and ``linux/seccomp.h``.
"""

import platform
import struct

__all__ = ["HIDDEN_MEMORY", "program"]

HIDDEN_MEMORY = ("memfd_create", "shmget")
"""Calls that hold memory which no process shows as its own: denied where memory is counted process by process."""

CALLS: dict[str, tuple[int, int]] = {
    # name: (x86-64, aarch64); -1 where there is none
    "_sysctl": (156, -1),
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "create_module": (174, -1),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, -1),
    "iopl": (172, -1),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "listmount": (458, 458),
    "lookup_dcookie": (212, 18),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "modify_ldt": (154, -1),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "query_module": (178, -1),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "statmount": (457, 457),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "sysfs": (139, -1),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "uselib": (134, -1),
    "userfaultfd": (323, 282),
    "ustat": (136, -1),
    "vhangup": (153, 58),
}
CLONE, CLONE3 = (56, 220), (435, 435)
IOCTL, PERSONALITY = (16, 29), (135, 92)
SOCKET, SOCKETPAIR, SETSOCKOPT = (41, 198), (53, 199), (54, 208)

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7), "arm64": (1, 0xC00000B7)}
X32 = 0x40000000
NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of ``clone``."""
TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: typing into a terminal that someone else reads."""
FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET and AF_INET6: what is in a network namespace of one's own."""
SOL_SOCKET, SO_SNDBUF, SO_RCVBUF = 1, 7, 8
PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
"""Linux, 32 bit, either with the version of 2.6, and the question which one it is."""

LOAD, EQUAL, GREATER, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT, THIRD_ARGUMENT = 0, 4, 16, 24, 32


def program(machine: str | None = None, *, hidden_memory: bool = True) -> bytes | None:
    """The filter as an array of ``struct sock_filter`` for `machine` (as `platform.machine()` says it; None: this one).

    `hidden_memory` allows `HIDDEN_MEMORY`, and sockets with large buffers (else asking for one does nothing, as asking
    for more than the system's most does). None if the machine is of a kind whose numbers are not known here.
    """
    known = ARCHITECTURES.get(machine or platform.machine())
    if known is None:
        return None
    column, architecture = known
    code = [_load(ARCHITECTURE), _jump(EQUAL, architecture, 1, 0), _error(ENOSYS), _load(NUMBER)]
    if column == 0:
        code += [_jump(GREATER, X32, 0, 1), _error(ENOSYS)]
    denied = [name for name in CALLS if not (hidden_memory and name in HIDDEN_MEMORY)]
    for name in denied:
        if (number := CALLS[name][column]) >= 0:
            code += [_jump(EQUAL, number, 0, 1), _error(EPERM)]
    code += [_jump(EQUAL, CLONE3[column], 0, 1), _error(ENOSYS)]
    code += _argument(CLONE[column], FIRST_ARGUMENT, [_jump(ANY_BIT, NAMESPACES, 0, 1), _error(EPERM)])
    for command in TERMINAL:
        code += _argument(IOCTL[column], SECOND_ARGUMENT, [_jump(EQUAL, command, 0, 1), _error(EPERM)])
    for call in (SOCKET, SOCKETPAIR):
        code += _argument(call[column], FIRST_ARGUMENT, _unless(FAMILIES, EAFNOSUPPORT))
    if not hidden_memory:
        code += _argument(SETSOCKOPT[column], SECOND_ARGUMENT, _buffer_sizes())
    code += _argument(PERSONALITY[column], FIRST_ARGUMENT, _unless(PERSONALITIES, EPERM))
    return b"".join([*code, _return(ALLOW)])


def _argument(number: int, offset: int, check: list[bytes]) -> list[bytes]:
    """`check`, done with an argument's low half in the accumulator, if the call is `number`; the number is put back."""
    body = [_load(offset), *check, _load(NUMBER)]
    return [_jump(EQUAL, number, 0, len(body)), *body]


def _buffer_sizes() -> list[bytes]:
    check = [_load(THIRD_ARGUMENT), _jump(EQUAL, SO_SNDBUF, 1, 0), _jump(EQUAL, SO_RCVBUF, 0, 1), _error(0)]
    return [_jump(EQUAL, SOL_SOCKET, 0, len(check)), *check]


def _unless(values: tuple[int, ...], error: int) -> list[bytes]:
    left = range(len(values), 0, -1)
    return [*(_jump(EQUAL, value, more, 0) for value, more in zip(values, left, strict=True)), _error(error)]


def _load(offset: int) -> bytes:
    return struct.pack("=HBBI", LOAD, 0, 0, offset)


def _jump(test: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("=HBBI", test, if_true, if_false, value)


def _return(action: int) -> bytes:
    return struct.pack("=HBBI", RETURN, 0, 0, action)


def _error(number: int) -> bytes:
    return _return(ERROR | number)
