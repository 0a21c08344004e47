"""What holds on this machine: each protection of each backend, found by trying to get past it."""

import contextlib
import json
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from agents.execution.sandbox.choose import PREFERENCE, open_sandbox
from agents.execution.sandbox.models import Backend, Limits, Protection, Result, RunSpec, Sandbox, SandboxError
from agents.execution.sandbox.places import PROTECTIONS
from kg.config import Settings
from kg.models.paper import Model

__all__ = ["Examined", "Finding", "examine", "findings"]

MIB = 1024 * 1024
TIGHT: dict[str, Limits] = {
    "wall": Limits(wall=0.5),
    "cpu": Limits(cpu=0.3),
    "memory": Limits(memory=64 * MIB),
    "pids": Limits(pids=16),
    "disk": Limits(disk=2 * MIB),
    "output": Limits(output=64 * 1024),
}
"""The limit under which a protection is tried; `inside/probe.py` exceeds it."""
WAIT_SECONDS = 10.0


class Finding(Model):
    """Whether a protection `holds`, and `how`: the mechanism, or what got past it."""

    protection: Protection
    holds: bool
    how: str


class Examined(Model):
    """A backend: whether it `works` at all, why not, the command that would `mend` it, and what it protects."""

    backend: Backend
    works: bool
    reason: str = ""
    mend: str = ""
    findings: tuple[Finding, ...] = ()

    @property
    def sound(self) -> bool:
        """Whether it works and everything holds."""
        return self.works and all(finding.holds for finding in self.findings)


def examine(settings: Settings) -> Iterator[Examined]:
    """Each backend in the order of preference; ``unsafe-local`` is left out, as nothing holds there by design."""
    for name in PREFERENCE:
        try:
            sandbox = open_sandbox(settings, name)
            found = tuple(findings(sandbox, settings))
        except SandboxError as error:
            yield Examined(backend=name, works=False, reason=error.what, mend=error.remedy)
            continue
        yield Examined(backend=name, works=True, findings=found)


def findings(sandbox: Sandbox, settings: Settings) -> Iterator[Finding]:
    """Try each protection of `sandbox`. Raises SandboxError if a run can't be started."""
    with _bait(settings) as bait:
        for protection in PROTECTIONS:
            limits = TIGHT.get(protection, Limits())
            spec = RunSpec(
                argv=("python3", "probe.py", protection, json.dumps(bait)),
                files={"probe.py": (files("agents.execution.sandbox") / "inside" / "probe.py").read_bytes()},
                limits=limits.model_copy(update={"wall": min(limits.wall, WAIT_SECONDS)}),
                waive=frozenset(PROTECTIONS),
            )
            yield _finding(protection, sandbox.run(spec))


def _finding(protection: Protection, result: Result) -> Finding:
    report = result.stdout.strip()
    if report == "HOLDS" or (protection in TIGHT and result.limit == protection):
        holds = protection in result.enforced
        return Finding(protection=protection, holds=holds, how=result.enforced.get(protection, "not enforced"))
    how = report[:200] or result.stderr.strip()[-200:] or f"the probe ended with {result.exit_code or result.signal}"
    return Finding(protection=protection, holds=False, how=how)


@contextmanager
def _bait(settings: Settings) -> Iterator[dict[str, Any]]:
    """What a run must not reach: a listening socket, an abstract one, a process with a word, and private paths."""
    word = f"xkg-bait-{secrets.token_hex(8)}"
    sleeper = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)", word])
    try:
        with socket.create_server(("127.0.0.1", 0)) as listening, contextlib.ExitStack() as stack:
            if sys.platform == "linux":
                abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
                abstract.bind(f"\0{word}")
                abstract.listen()
            secret = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="xkg-bait-")))
            secret.chmod(0o755)
            private = [secret, Path.home(), settings.home.absolute(), settings.cache.absolute()]
            private += [Path(sys.prefix)] if sys.prefix != sys.base_prefix else []
            paths = [path for path in private if not path.is_relative_to("/usr") and len(path.parts) > 1]
            paths += map(Path, ("/root", "/home", "/etc/shadow", "/var", "/run/docker.sock", "/sys/kernel"))
            port = listening.getsockname()[1]
            yield {"word": word, "port": port, "abstract": word, "paths": _identities(paths)}
    finally:
        sleeper.kill()
        sleeper.wait()


def _identities(paths: list[Path]) -> dict[str, tuple[int, int]]:
    """Device and inode of each of the paths that is there, which say whether a run sees this one or one of its own."""
    found = {}
    for path in paths:
        with contextlib.suppress(OSError):
            about = path.stat()
            found[str(path)] = (about.st_dev, about.st_ino)
    return found
