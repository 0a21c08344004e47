"""How the supervisor of a container reads from its socket."""

import socket
from pathlib import Path

from agents.execution.sandbox.docker_stream import HEADER, Frames, Report
from agents.execution.sandbox.docker_supervise import SIP, _Watched

CAP = 1 << 10
PART = b"y" * 65536
TURNS = 20


def _fill(writer: socket.socket) -> int:
    """As many frames of stderr as the socket takes; how many bytes that are."""
    written = 0
    frame = HEADER.pack(2, len(PART)) + PART
    try:
        while True:
            written += writer.send(frame[written % len(frame) :])
    except BlockingIOError:
        return written


def test_a_flood_that_is_being_ended_is_sipped_so_that_its_writer_must_wait(tmp_path: Path) -> None:
    """However late process 1 hears of it: it said all of six mebibytes once, when the machine was busy."""
    ours, writer = socket.socketpair()
    with ours, writer:
        ours.setblocking(False)
        writer.setblocking(False)
        watched = _Watched(ours, memoryview(b""), Frames(CAP, b"token", Report(tmp_path)), wall=60)
        _fill(writer)
        while watched.limit is None:
            assert watched.turn()
        assert watched.limit == "output"
        _fill(writer)
        taken = 0
        for _ in range(TURNS):
            assert watched.turn()
            taken += _fill(writer)
        assert 0 < taken <= (TURNS + 4) * SIP
