"""No sandbox at all: a plain process of the user, for those who insist; nothing is protected, as the result says."""

import contextlib
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import psutil

from agents.execution.sandbox.descriptors import PipeCapture
from agents.execution.sandbox.interpreter import find_interpreter
from agents.execution.sandbox.models import Backend, LimitName, Result, RunSpec
from agents.execution.sandbox.outputs import collect
from agents.execution.sandbox.places import DEFAULTS, PROTECTIONS, PYTHON, check_inputs

__all__ = ["UnsafeLocal"]

TICK = 0.02


class UnsafeLocal:
    """Runs the command with all that the user may do. Time and output are ended at their limit, as far as it lets us.

    The places of a sandbox are replaced by those of the host in arguments and environment: ``/work``, ``/opt/python``
    and the read-only mounts.
    """

    name: Backend = "unsafe-local"

    def capabilities(self) -> dict[str, str]:
        """Nothing."""
        return {}

    def run(self, spec: RunSpec) -> Result:
        """See the protocol."""
        check_inputs(spec)
        with tempfile.TemporaryDirectory(prefix="xkg-unsafe-", ignore_cleanup_errors=True) as folder:
            work = Path(folder).resolve()
            for name, content in spec.files.items():
                (work / name).parent.mkdir(parents=True, exist_ok=True)
                (work / name).write_bytes(content)
            return _run(spec, work)


def _run(spec: RunSpec, work: Path) -> Result:
    python = find_interpreter(spec.python)
    places = {**{inside: str(path) for inside, path in spec.read_only.items()}, "/work": str(work)}
    places[PYTHON] = str(python.prefix)
    given = {**DEFAULTS, "HOME": str(work), "TMPDIR": str(work), **spec.environment}
    began = time.monotonic()
    with tempfile.TemporaryFile() as stdin:
        stdin.write(spec.stdin)
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                [_here(argument, places) for argument in spec.argv],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=work / spec.cwd,
                env={name: _here(value, places) for name, value in given.items()},
                start_new_session=True,
            )
        except OSError as error:
            return _result(spec, work, (began, 0.0), 127, None, "", f"sandbox: {spec.argv[0]}: {error.strerror}\n")
    assert process.stdout is not None and process.stderr is not None  # noqa: S101 -- both are pipes
    with process, process.stdout, process.stderr:
        streams = [PipeCapture(stream.fileno(), spec.limits.output) for stream in (process.stdout, process.stderr)]
        limit, cpu = _watch(process, streams, began + spec.limits.wall)
        _kill(process)
        for stream in streams:
            stream.drain()
    return _result(spec, work, (began, cpu), process.returncode, limit, *(stream.text() for stream in streams))


def _watch(
    process: "subprocess.Popen[bytes]", streams: list[PipeCapture], deadline: float
) -> tuple[LimitName | None, float]:
    """The limit that was passed, and the processor time that was seen."""
    cpu = 0.0
    while process.poll() is None:
        for stream in streams:
            stream.pump()
        with contextlib.suppress(psutil.NoSuchProcess):
            cpu = sum(psutil.Process(process.pid).cpu_times()[:4])
        if any(stream.over for stream in streams):
            return "output", cpu
        if time.monotonic() > deadline:
            return "wall", cpu
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(TICK)
    return None, cpu


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """What is in its session and below it; a process that left both can't be found."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
    process.wait()


def _result(
    spec: RunSpec, work: Path, times: tuple[float, float], code: int, limit: LimitName | None, stdout: str, stderr: str
) -> Result:
    wall = time.monotonic() - times[0]
    folder = os.open(work, os.O_RDONLY | os.O_DIRECTORY)
    try:
        most = spec.limits.disk + sum(map(len, spec.files.values()))
        collected = collect(folder, spec.outputs, spec.files, most, spec.keep)
    finally:
        os.close(folder)
    return Result(
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        limit=limit or ("disk" if collected.more else None),
        stdout=stdout,
        stderr=stderr,
        wall_s=wall,
        cpu_s=times[1],
        outputs=collected.outputs,
        enforced={},
        waived=PROTECTIONS,
        backend="unsafe-local",
    )


def _here(text: str, places: Mapping[str, str]) -> str:
    """`text` with each place of a sandbox, where it stands as a path, replaced by that of the host."""
    names = "|".join(re.escape(name) for name in sorted(places, key=len, reverse=True))
    return re.sub(rf"(?<![\w/.])({names})(?![\w.-])", lambda match: places[match[1]], text)
