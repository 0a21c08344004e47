"""git as a subprocess that runs nothing of what it reads and tells nobody our secrets.

The user's and the system's configuration are left out; hooks, filters, file system monitors, submodules and links are
off; only the one protocol that is needed is allowed. What must be configured goes in by the environment, so that no
token is ever seen in an argument list, a file or a message.
"""

import base64
import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import cache

from pydantic import SecretStr

from kg.errors import InputError, ServiceError

__all__ = ["GitError", "run_git"]

_OFF = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.symlinks": "false",
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "core.sshCommand": "false",
    "core.askPass": "",
    "core.pager": "cat",
    "credential.helper": "",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
    "filter.lfs.smudge": "",
    "filter.lfs.process": "",
    "filter.lfs.required": "false",
    "fetch.unpackLimit": "1",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "transfer.bundleURI": "false",
    "advice.detachedHead": "false",
    "safe.directory": "*",
}
_POLL = 0.2


class GitError(Exception):
    """git failed; `message` is its last words, without secrets."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


def run_git(
    *arguments: str,
    protocol: str = "none",
    token: SecretStr | None = None,
    host: str = "",
    seconds: float = 60.0,
    check: Callable[[], None] = lambda: None,
    stdin: bytes = b"",
) -> bytes:
    """What ``git ARGUMENTS`` prints, given `stdin`.

    `protocol` is the only one allowed; `token` goes to addresses below `host` alone; `check` is called a few times a
    second and may raise to stop git (too large). Raises GitError when git fails or takes longer than `seconds`,
    InputError when it is not installed or too old to be made safe.
    """
    program = _program()
    config = dict(_OFF)
    config["http.followRedirects"] = "false" if token else "initial"
    if token:
        pair = base64.b64encode(f"x-access-token:{token.get_secret_value()}".encode()).decode()
        config[f"http.{host.rstrip('/')}/.extraHeader"] = f"Authorization: Basic {pair}"
    process = subprocess.Popen(
        [program, *arguments],
        env=_environment(config, protocol),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    return _watch(process, seconds, check, stdin)


@cache
def _program() -> str:
    program = shutil.which("git")
    if program is None:
        raise InputError("git is not installed", remedy="install it (Debian: apt install git), or give a local folder")
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(map(int, re.findall(r"\d+", output)[:2]))
    if version < (2, 31):
        raise InputError(
            f"{output.strip() or program} ignores settings in its environment", remedy="install git 2.31 or newer"
        )
    return program


def _watch(process: subprocess.Popen[bytes], seconds: float, check: Callable[[], None], stdin: bytes) -> bytes:
    deadline = time.monotonic() + seconds
    try:
        while True:
            try:
                out, errors = process.communicate(stdin, timeout=_POLL)
                break
            except subprocess.TimeoutExpired:
                check()
                if time.monotonic() > deadline:
                    raise GitError(f"took longer than {seconds:g} s") from None
    except BaseException:
        _end(process)
        raise
    if process.returncode:
        lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
        text = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
        if "No space left on device" in errors.decode("utf-8", "replace"):
            raise ServiceError("the disk is full", remedy="free space and run again")
        raise GitError(text.removeprefix("fatal: ").removeprefix("error: ")[:300] or f"exit code {process.returncode}")
    return out


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and its helpers, which share its process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
    process.communicate()


def _environment(config: dict[str, str], protocol: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key in _KEPT}
    settings = {"GIT_CONFIG_COUNT": str(len(config))}
    for index, (key, value) in enumerate(config.items()):
        settings[f"GIT_CONFIG_KEY_{index}"], settings[f"GIT_CONFIG_VALUE_{index}"] = key, value
    return kept | settings | {
        "GIT_ALLOW_PROTOCOL": protocol,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }  # fmt: skip


_KEPT = frozenset({
    "PATH", "TMPDIR", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy", "ALL_PROXY",
    "all_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "CURL_CA_BUNDLE",
})  # fmt: skip
