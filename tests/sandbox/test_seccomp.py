"""The filter of system calls, judged by running it as the kernel would, on both machines."""

import struct

import pytest
from boxes import python

from agents.execution.sandbox.bubblewrap import BubblewrapSandbox
from agents.execution.sandbox.seccomp import CALLS, CLONE, CLONE3, HIDDEN_MEMORY, IOCTL, PERSONALITY, SOCKET, program

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
ALLOW, EPERM, ENOSYS, EAFNOSUPPORT = 0x7FFF0000, 0x50001, 0x50026, 0x50061
READ = (0, 63)


def decide(code: bytes, number: int, architecture: int, *arguments: int) -> int:
    """What the program returns for a call: classic BPF on ``struct seccomp_data``."""
    signed = number - (1 << 32 if number >= 1 << 31 else 0)
    data = struct.pack("=iIQ6Q", signed, architecture, 0, *(*arguments, *[0] * 6)[:6])
    lines = list(struct.iter_unpack("=HBBI", code))
    place = accumulator = 0
    while True:
        operation, yes, no, value = lines[place]
        place += 1
        if operation == 0x20:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif operation == 0x06:
            return int(value)
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[operation]
            place += yes if holds else no


@pytest.fixture(params=MACHINES)
def machine(request: pytest.FixtureRequest) -> tuple[bytes, int, int]:
    """The program, the column of the tables, and the number of the architecture."""
    code = program(request.param)
    assert code is not None
    return code, *MACHINES[request.param]


def test_every_denied_call_is_denied(machine: tuple[bytes, int, int]) -> None:
    code, column, architecture = machine
    for name, numbers in CALLS.items():
        if numbers[column] >= 0 and name not in HIDDEN_MEMORY:
            assert decide(code, numbers[column], architecture) == EPERM, name
    assert decide(code, CLONE3[column], architecture) == ENOSYS


def test_what_programs_do_is_allowed(machine: tuple[bytes, int, int]) -> None:
    code, column, architecture = machine
    for name in HIDDEN_MEMORY:
        assert decide(code, CALLS[name][column], architecture) == ALLOW
    assert decide(code, READ[column], architecture) == ALLOW
    assert decide(code, CLONE[column], architecture, 0x3D0F00) == ALLOW  # as a thread is started
    assert decide(code, IOCTL[column], architecture, 0, 0x5401) == ALLOW
    assert decide(code, PERSONALITY[column], architecture, 0xFFFFFFFF) == ALLOW
    assert [decide(code, SOCKET[column], architecture, family) for family in (1, 2, 10)] == [ALLOW] * 3


def test_arguments_are_looked_at(machine: tuple[bytes, int, int]) -> None:
    code, column, architecture = machine
    for bit in (17, 25, 26, 27, 28, 29, 30):
        assert decide(code, CLONE[column], architecture, 1 << bit | 17) == EPERM
    for command in (0x5412, 0x541C, 0xFFFFFFFF00005412):
        assert decide(code, IOCTL[column], architecture, 0, command) == EPERM
    assert {decide(code, SOCKET[column], architecture, family) for family in (0, 3, 16, 17, 38, 40)} == {EAFNOSUPPORT}
    assert decide(code, PERSONALITY[column], architecture, 0x0040000) == EPERM


def test_other_ways_to_call_are_closed(machine: tuple[bytes, int, int]) -> None:
    code, _, architecture = machine
    assert decide(code, 0, 0x40000003) == ENOSYS  # 32 bit
    if architecture == MACHINES["x86_64"][1]:
        assert decide(code, 0x40000000 | 101, architecture) == ENOSYS  # x32
        assert decide(code, 0xFFFFFFFF, architecture) == ENOSYS


def test_hidden_memory_can_be_denied() -> None:
    code = program("x86_64", hidden_memory=False)
    assert code is not None
    for name in HIDDEN_MEMORY:
        assert decide(code, CALLS[name][0], MACHINES["x86_64"][1]) == EPERM


def test_an_unknown_machine_has_no_filter() -> None:
    assert program("riscv64") is None


@pytest.mark.sandbox
def test_the_kernel_holds_to_it(every_bubblewrap: BubblewrapSandbox) -> None:
    """Calls that need no privilege outside fail inside, by number, whatever a library would do."""
    code = """if True:
        import ctypes, errno, os, platform, socket
        libc = ctypes.CDLL(None, use_errno=True)
        column = 0 if platform.machine() == "x86_64" else 1
        for numbers in ((272, 97), (101, 117), (425, 425), (323, 282), (435, 435), (310, 270), (248, 217)):
            ctypes.set_errno(0)
            done = libc.syscall(ctypes.c_long(numbers[column]), 0x10000000, 0, 0, 0, 0, 0)
            print(done, errno.errorcode.get(ctypes.get_errno()))
        for family in (16, 17, 38, 40):
            try: print(socket.socket(family, socket.SOCK_RAW))
            except OSError as error: print(errno.errorcode[error.errno])
    """
    result = python(every_bubblewrap, code)
    expected = ["-1 EPERM"] * 4 + ["-1 ENOSYS"] + ["-1 EPERM"] * 2 + ["EAFNOSUPPORT"] * 4
    assert result.stdout.splitlines() == expected, result.stderr
