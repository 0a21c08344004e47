"""What a container writes, as the engine's attach stream brings it: stdout, stderr up to a cap, then the report."""

import hashlib
import json
import struct
from pathlib import Path
from typing import Any, BinaryIO

from agents.execution.sandbox.descriptors import Capture
from agents.execution.sandbox.models import Output, SandboxError
from agents.execution.sandbox.outputs import not_kept, open_kept

__all__ = ["Frames", "Report"]

HEADER = struct.Struct(">BxxxL")
MOST_REPORT = 64 * 1024 * 1024


class Report:
    """What process 1 tells: JSON, then the bytes of the outputs, which go to `keep` if it is given."""

    def __init__(self, keep: Path | None) -> None:
        self.keep = keep
        self.fields: dict[str, Any] | None = None
        self.outputs: tuple[Output, ...] = ()
        self._buffer = bytearray()
        self._waiting: list[Output] = []
        self._file: BinaryIO | None = None
        self._left = 0
        self._hash = hashlib.sha256()

    def complete(self) -> bool:
        """Whether all of it came."""
        return self.fields is not None and not self._waiting

    def feed(self, data: bytes) -> None:
        """Takes the next bytes. Raises SandboxError if an output can't be kept."""
        self._buffer += data
        if self.fields is None and not self._head():
            return
        while self._waiting and self._next():
            pass

    def close(self) -> None:
        """Lets go of an output that did not come to its end."""
        if self._file is not None:
            self._file.close()

    def _head(self) -> bool:
        length = int.from_bytes(self._buffer[:8], "big")
        if len(self._buffer) < 8 or len(self._buffer) < 8 + length:
            if len(self._buffer) > MOST_REPORT:
                raise SandboxError("the container's report is too long", remedy="`xkg sandbox doctor`")
            return False
        self.fields = json.loads(self._buffer[8 : 8 + length])
        del self._buffer[: 8 + length]
        self.outputs = tuple(sorted((Output(**one) for one in self.fields["outputs"]), key=lambda output: output.path))
        self._waiting = [Output(**one) for one in self.fields["outputs"]] if self.keep else []
        return True

    def _next(self) -> bool:
        """Moves what is there into the next output; False if more bytes are needed."""
        output = self._waiting[0]
        try:
            if self._file is None:
                self._file, self._left, self._hash = self._open(output.path), output.size, hashlib.sha256()
            part = bytes(self._buffer[: self._left])
            del self._buffer[: self._left]
            self._file.write(part)
            self._hash.update(part)
            self._left -= len(part)
            if self._left:
                return False
            self._file.close()
        except OSError as error:
            raise not_kept(output.path, self.keep, error) from error
        self._file = None
        if self._hash.hexdigest() != output.sha256:
            raise SandboxError(f"the output {output.path!r} came out of the container changed", remedy="run again")
        self._waiting.pop(0)
        return True

    def _open(self, path: str) -> BinaryIO:
        if self.keep is None or Path(path).is_absolute() or ".." in Path(path).parts:
            raise SandboxError(f"{path!r} is no place for an output", remedy="`xkg sandbox doctor`")
        return open_kept(self.keep, path)


class Frames:
    """Takes the bytes of an attach stream in any pieces (Docker API, "Attach to a container", stream format).

    On stderr everything behind `token` is the report; `reporting` says that it has begun.
    """

    def __init__(self, cap: int, token: bytes, report: Report) -> None:
        self.stdout, self.stderr, self.report = Capture(cap), Capture(cap), report
        self._token, self._held = token, b""
        self.reporting = False
        self._header = b""
        self._kind = self._left = 0

    def feed(self, data: bytes) -> None:
        """Takes the next bytes."""
        at = 0
        while at < len(data):
            if not self._left:
                part = data[at : at + HEADER.size - len(self._header)]
                self._header += part
                at += len(part)
                if len(self._header) == HEADER.size:
                    self._kind, self._left = HEADER.unpack(self._header)
                    self._header = b""
                continue
            part = data[at : at + self._left]
            at += len(part)
            self._left -= len(part)
            if self._kind == 2:
                self._stderr(part)
            else:
                self.stdout.add(part)

    def finish(self) -> None:
        """The stream is over: what was held back as the possible start of the token is stderr."""
        self.stderr.add(self._held)
        self._held = b""

    def flooded(self) -> bool:
        """Whether either was longer than its cap."""
        return self.stdout.over or self.stderr.over

    def _stderr(self, part: bytes) -> None:
        if self.reporting:
            self.report.feed(part)
            return
        before, token, behind = (self._held + part).partition(self._token)
        if token:
            self.reporting, self._held = True, b""
            self.stderr.add(before)
            self.report.feed(behind)
        else:
            keep = len(self._token) - 1
            self.stderr.add(before[:-keep])
            self._held = before[-keep:]
