"""Wheels of packages that are published as sources alone: built in the sandbox, as building runs what they bring."""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import requests
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version
from pypi_simple import (
    DigestMismatchError,
    DistributionPackage,
    NoSuchProjectError,
    PyPISimple,
    UnsupportedContentTypeError,
    UnsupportedRepoVersionError,
)

from agents.execution.environments.models import EnvironmentFailed
from agents.execution.environments.uv import NoNetwork, certificates, indexes, run_uv
from agents.execution.sandbox import Limits, Result, RunSpec, SandboxError, open_sandbox
from agents.execution.sandbox.interpreter import Interpreter
from kg.caching import building, locked
from kg.config import Settings
from kg.models.paper import Model

__all__ = ["BUILT", "build_wheel"]

BUILT = "built"
"""The folder of the cache's environments for wheels that were built here."""
_TOOLS = ("pip", "setuptools<81", "wheel", "setuptools-scm", "pbr", "flit-core", "poetry-core", "hatchling")
"""What nearly all packages are built with; those that need more are not built."""
_OLDER = ("pip<24.1", "setuptools<66", "wheel<0.40")
"""The last that take what later ones refuse: versions and requirements that are none."""
_SITE = "/opt/build"
_SECONDS = 120.0
_MIB = 1024 * 1024
_LARGEST = 50 * _MIB
"""Bytes of sources, and of the wheel that comes of them."""
_PATIENCE = 30.0
"""Seconds in which an index must answer."""
_VARIABLES = {"PYTHONPATH": _SITE, "SOURCE_DATE_EPOCH": "946684800", "PYTHONHASHSEED": "0"}
"""For the same wheel each time: a cache may be lost, and a lock holds its hash."""
_REASON = "failed.txt"
_ERROR = re.compile(r"error (in|:)|ERROR: |(\w+\.)*\w*(Error|Exception|Exit)\b", re.I)
_OF_PIP = re.compile(r"[a-z]+(-[a-z]+)+$")
"""pip's words for that something failed, which do not tell what."""
_NO_PAGE = (
    requests.RequestException, NoSuchProjectError, UnsupportedContentTypeError, UnsupportedRepoVersionError, ValueError,
)  # fmt: skip


class _Sources(Model):
    """A source distribution: its file's name, version and place, in an index or (`path`) in a folder of this machine;
    `digest` tells it from all others, `uploaded` is the day that an index says."""

    file: str
    version: str
    digest: str
    uploaded: date | None = None
    path: Path | None = None
    package: Any = None


def build_wheel(wanted: str, python: Interpreter, settings: Settings, before: date | None = None) -> Path:
    """A wheel for `python` of the newest sources that meet `wanted`, built in the sandbox without network, and kept.

    With `before` they are the newest of that day, if there were any. A build that fails is remembered, too. Raises
    EnvironmentFailed where there are no sources, no sandbox, or no wheel came of them: what a build needs beyond the
    usual tools is not fetched.
    """
    try:
        requirement = Requirement(wanted)
    except InvalidRequirement as error:
        raise EnvironmentFailed(f"{wanted} is no requirement") from error
    name = canonicalize_name(requirement.name)
    published = list(_published(requirement, python))
    dated = [one for one in published if before and one.uploaded and one.uploaded <= before]
    sources = max(dated or published, key=lambda one: Version(one.version), default=None)
    if sources is None:
        raise EnvironmentFailed(f"there are no sources of {wanted} for Python {python.version}")
    final = settings.cache / "environments" / BUILT / f"{name}-{sources.version}@{python.minor}@{sources.digest[:16]}"
    with locked(settings.cache, f"built wheel {final.name}"):
        if not final.is_dir():
            with building(final) as new:
                _build(name, sources, python, settings, new)
    if (final / _REASON).is_file():
        raise EnvironmentFailed(f"{name} {sources.version} can't be built: {(final / _REASON).read_text('utf-8')}")
    return next(final.glob("*.whl"))


def _published(requirement: Requirement, python: Interpreter) -> Iterator[_Sources]:
    """Sources that meet a requirement and this Python; final releases alone, unless it names another."""
    name = canonicalize_name(requirement.name)
    urls, folders = indexes()
    early = bool(requirement.specifier.prereleases)
    for folder in folders:
        for path in sorted(folder.glob("*.tar.gz")):
            version = _version(path.name, name)
            if version and requirement.specifier.contains(version, prereleases=early):
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                yield _Sources(file=path.name, version=str(version), digest=digest, path=path)
    for package in (one for url in urls for one in _listed(url, name)):
        version = _version(package.filename, name)
        fits = (
            version
            and requirement.specifier.contains(version, prereleases=early)
            and _fits(package.requires_python, python)
        )
        if fits and not package.is_yanked and package.digests.get("sha256"):
            yield _Sources(
                file=package.filename,
                version=str(version),
                digest=package.digests["sha256"],
                uploaded=package.upload_time.date() if package.upload_time else None,
                package=package,
            )


def _listed(url: str, name: str) -> list[DistributionPackage]:
    """What an index has of a project; nothing where it does not know it. Raises NoNetwork where it does not answer:
    what is kept of a resolution must not rest on that."""
    with _client(url) as client:
        try:
            return client.get_project_page(name, timeout=_PATIENCE).packages
        except (requests.ConnectionError, requests.Timeout) as error:
            raise NoNetwork("a package index can't be reached", remedy="go online, or set UV_FIND_LINKS") from error
        except _NO_PAGE:
            return []


def _client(url: str) -> PyPISimple:
    session = requests.Session()
    session.verify = certificates() or True
    return PyPISimple(url, session=session)


def _version(file: str, name: str) -> Version | None:
    """The version of a project's source distribution by the name of its file; None for other files."""
    try:
        found, version = parse_sdist_filename(file)
    except InvalidSdistFilename:
        return None
    return version if found == name and file.endswith(".tar.gz") else None


def _fits(asked: str | None, python: Interpreter) -> bool:
    try:
        return SpecifierSet(asked or "").contains(python.version, prereleases=True)
    except InvalidSpecifier:
        return True


def _build(name: str, sources: _Sources, python: Interpreter, settings: Settings, folder: Path) -> None:
    """Leave the wheel in `folder`, or the reason why there is none."""
    archive = folder / sources.file
    _fetch(sources, archive)
    said = ""
    for tools in (_TOOLS, _OLDER) if python.key < (3, 12) else (_TOOLS,):
        result = _made(archive, _tools(tools, python, settings), python, settings)
        made = [one for one in result.outputs if one.size <= _LARGEST]
        right = [one.path for one in made if _is_of(Path(one.path).name, name, sources.version)]
        if result.passed and len(right) == 1:
            (folder / right[0]).rename(folder / Path(right[0]).name)
            break
        errors = [
            line
            for line in map(str.strip, result.stderr.splitlines())
            if _ERROR.match(line) and not _OF_PIP.search(line)
        ]
        said = said or (errors or ["no wheel of it was made"])[-1]
        if result.limit:
            said = f"it reached the limit of {result.limit}"
            break
    if not any(folder.glob("*.whl")):
        (folder / _REASON).write_text(said[:200], encoding="utf-8")
    archive.unlink()
    shutil.rmtree(folder / "made", ignore_errors=True)


def _made(archive: Path, tools: Path, python: Interpreter, settings: Settings) -> Result:
    """What came of building: wheels are left in the folder ``made`` beside the archive."""
    command = ("wheel", "--no-index", "--no-deps", "--no-build-isolation", "--no-cache-dir", "--wheel-dir", "made")
    inside = f"/in/{archive.name}"
    spec = RunSpec(
        argv=("python3", "-m", "pip", "--disable-pip-version-check", *command, inside),
        read_only={_SITE: tools, inside: archive},
        environment=_VARIABLES,
        python=python.executable,
        limits=Limits(wall=_SECONDS, disk=8 * _LARGEST),
        outputs=("made/*.whl",),
        keep=archive.parent,
    )
    try:
        return open_sandbox(settings).run(spec)
    except SandboxError as error:
        raise EnvironmentFailed(f"{archive.name} can't be built: {error.what}") from error


def _is_of(file: str, name: str, version: str) -> bool:
    try:
        found, made, _, _ = parse_wheel_filename(file)
    except InvalidWheelFilename:
        return False
    return found == name and made == Version(version)


class _Bounded:
    """Ends a download that grows too large (pypi_simple's ProgressTracker)."""

    def __init__(self, _: int | None) -> None:
        self.left = _LARGEST

    def __enter__(self) -> "_Bounded":
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def update(self, increment: int) -> None:
        self.left -= increment
        if self.left < 0:
            raise OSError(f"more than {_LARGEST / 1e6:,.0f} MB")


def _fetch(sources: _Sources, target: Path) -> None:
    """The archive, whole and with the hash that its index says."""
    if sources.path:
        shutil.copyfile(sources.path, target)
        return
    with _client(sources.package.url) as client:
        try:
            client.download_package(sources.package, target, progress=_Bounded, timeout=_PATIENCE)
        except (requests.ConnectionError, requests.Timeout) as error:
            raise NoNetwork("a package index can't be reached", remedy="go online, or run again") from error
        except (requests.RequestException, DigestMismatchError, OSError) as error:
            raise EnvironmentFailed(f"{sources.file} can't be fetched: {' '.join(str(error).split())[:200]}") from error


def _tools(names: tuple[str, ...], python: Interpreter, settings: Settings) -> Path:
    """A folder with what packages are built with, installed once for a Python."""
    key = hashlib.sha256(" ".join((python.version, *names)).encode()).hexdigest()[:16]
    final = settings.cache / "environments" / BUILT / f"tools@{key}"
    with locked(settings.cache, f"build tools {key}"):
        if not final.is_dir():
            with building(final) as new:
                run_uv(
                    "pip", "install", *names, "--target", f"site-{os.getpid()}", "--no-build", "--quiet",
                    "--python", str(python.executable), folder=new, seconds=settings.execution.environment_seconds,
                )  # fmt: skip
                (new / f"site-{os.getpid()}").rename(new / "site")
    return final / "site"
