"""uv as a subprocess: wheels only, in a folder of its own, within a time, its failures as one short sentence."""

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import uv

from agents.execution.environments.models import EnvironmentFailed
from kg.errors import ServiceError

__all__ = ["NoNetwork", "Unresolvable", "certificates", "indexes", "run_uv"]

_MIRRORED = {
    "PIP_INDEX_URL": "UV_DEFAULT_INDEX",
    "PIP_EXTRA_INDEX_URL": "UV_INDEX",
    "PIP_FIND_LINKS": "UV_FIND_LINKS",
    "PIP_CERT": "SSL_CERT_FILE",
}
"""uv doesn't read pip's variables; who has set them means both."""

_KEPT = re.compile(
    r"PATH|HOME|USER|TMPDIR|XDG_\w+|LD_LIBRARY_PATH|SSL_CERT_\w+|(HTTPS?|ALL|NO)_PROXY|(https?|all|no)_proxy|NETRC"
    r"|UV_(CACHE_DIR|DEFAULT_INDEX|INDEX\w*|EXTRA_INDEX_URL|FIND_LINKS|OFFLINE|NATIVE_TLS|SYSTEM_CERTS"
    r"|KEYRING_PROVIDER|HTTP_\w+|CONFIG_FILE|INSECURE_HOST|CONCURRENT_\w+)"
)
_OFFLINE = re.compile(
    r"dns error|error sending request|Connect\b|connection|timed out|Failed to fetch|tls|network connectivity", re.I
)
_CHATTER = re.compile(r"^(warning:|hint:|\s*$|Using |Resolved |× No solution)")
_NO_WHEELS = re.compile(r"([A-Za-z0-9][\w.-]*?)((?:[<>=!~]=?=?[\w.*+!]+,?)*) ha(?:s|ve) no (?:usable )?wheels")
_LARGEST_FILE = 4 << 30
"""Bytes of one file that uv may write: more than any library's wheel holds, less than a disk."""
_RESERVE = 500_000_000
"""Bytes that uv leaves free."""
_POLL = 1.0
_PYPI = "https://pypi.org/simple/"
_ALWAYS = ("--no-progress", "--color", "never")


class Unresolvable(EnvironmentFailed):
    """These requirements can't be met together, or one of them not at all. `without_wheels` are requirements of which
    there are sources alone."""

    def __init__(self, what: str, without_wheels: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.without_wheels = without_wheels


class NoNetwork(ServiceError):
    """No package index can be reached."""


def run_uv(
    *arguments: str,
    folder: Path,
    seconds: float,
    more: Mapping[str, str] | None = None,
    largest: int = _LARGEST_FILE,
) -> str:
    """What ``uv ARGUMENTS`` (of ``uv pip``) prints when run in `folder`, where no configuration of a repository lies.

    Raises Unresolvable with uv's reason in short, NoNetwork, ServiceError when the disk is nearly full, or
    EnvironmentFailed after `seconds` and for a file of more than `largest` bytes.
    """
    process = subprocess.Popen(
        [uv.find_uv_bin(), *arguments, *_ALWAYS, *(["--no-index"] if _no_index() else [])],
        cwd=folder,
        env=_environment() | dict(more or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    _limit(process.pid, largest)
    deadline = time.monotonic() + seconds
    try:
        while True:
            try:
                out, errors = process.communicate(timeout=_POLL)
                break
            except subprocess.TimeoutExpired:
                _check(folder, deadline, seconds)
    finally:
        process.kill()
        process.communicate()
    if process.returncode == 0:
        return out.decode("utf-8", "replace")
    output = errors.decode("utf-8", "replace")
    if process.returncode == -signal.SIGXFSZ or "os error 27" in output:
        raise EnvironmentFailed(f"a wheel holds a file of more than {largest / 1e6:,.0f} MB")
    raise _failure(output)


def _check(folder: Path, deadline: float, seconds: float) -> None:
    if time.monotonic() > deadline:
        raise EnvironmentFailed(
            f"uv did not end within {seconds:.0f} s",
            remedy="raise `execution.environment_seconds`, or run again: it resumes",
        )
    if shutil.disk_usage(folder).free < _RESERVE:
        raise ServiceError("the disk is nearly full", where="uv", remedy="free space (`xkg environment prune`)")


def _failure(output: str) -> EnvironmentFailed | ServiceError:
    if re.search(r"No space left|os error 28", output):
        return ServiceError("the disk is full", where="uv", remedy="free space (`xkg environment prune`), run again")
    if "No solution found" not in output and _OFFLINE.search(output):
        return NoNetwork(
            "no package index can be reached", where=_short(output), remedy="go online, or set UV_FIND_LINKS"
        )
    found = _NO_WHEELS.findall(re.sub(r"[\s│╰─▶×]+", " ", output))
    return Unresolvable(_short(output), tuple(dict.fromkeys(f"{name}{version}".rstrip(",") for name, version in found)))


def _short(output: str) -> str:
    """uv's reasons in one line of at most 300 characters, from the end of its chain of reasons."""
    lines = [line for line in output.splitlines() if not _CHATTER.match(line.lstrip(" ╰─▶│"))]
    text = re.sub(r"[\s│╰─▶×]+", " ", " ".join(lines)).strip().removeprefix("error: ")
    text = re.sub(r" ?(And|So|hint:|Because) ", lambda found: f" {found[1].lower()} ", text).strip()
    return text if len(text) <= 300 else f"{text[:140]} … {text[-150:]}"


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
    for theirs, ours in _MIRRORED.items():
        value = os.environ.get(theirs, "")
        if value and ours not in kept:
            kept[ours] = ",".join(value.split()) if ours == "UV_FIND_LINKS" else value
    return kept | {"UV_NO_BUILD": "1", "UV_PYTHON_DOWNLOADS": "never", "UV_LINK_MODE": "hardlink", "LC_ALL": "C.UTF-8"}


def indexes() -> tuple[list[str], list[Path]]:
    """The addresses of the package indexes that uv would ask, and the folders that it would look into."""
    known = _environment()
    named = " ".join(known.get(name, "") for name in ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_EXTRA_INDEX_URL")).split()
    urls = [re.sub(r"^[\w.-]+=", "", one) for one in named]
    if not known.get("UV_DEFAULT_INDEX"):
        urls.append(_PYPI)
    folders = [Path(one.removeprefix("file://")) for one in known.get("UV_FIND_LINKS", "").split(",") if one]
    return [] if _no_index() else urls, [folder for folder in folders if folder.is_dir()]


def certificates() -> str | None:
    """The file of certificates that uv trusts, if one is named."""
    return _environment().get("SSL_CERT_FILE") or None


def _no_index() -> bool:
    """Whether only folders of wheels may be looked at; uv knows this as an option alone."""
    output = os.environ.get("UV_NO_INDEX") or os.environ.get("PIP_NO_INDEX") or ""
    return output.lower() not in ("", "0", "false", "no", "off")


def _limit(pid: int, largest: int) -> None:
    """No single file may fill the disk, and uv is nice to the others."""
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, largest))
        os.setpriority(os.PRIO_PROCESS, pid, 5)
