"""What the options of `xkg sandbox run` bring in from the host, and what they may not."""

import re
import stat
from pathlib import Path
from typing import Any

import click

from agents.execution.sandbox.places import check_mount
from kg.config import Settings
from kg.errors import InputError

__all__ = ["SIZE", "mounts", "read_inputs", "variables"]

MIB = 1024 * 1024
LARGEST_INPUT = 1024 * MIB
FORBIDDEN = ("/proc", "/sys", "/dev", "/run", "/var/run", "/boot", "/etc")
SECRET = (".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc", ".config", ".git-credentials", ".pypirc")
MOST_LOOKED_AT = 200_000
UNITS = {"": MIB, "K": 1024, "M": MIB, "G": 1024 * MIB, "T": 1024 * 1024 * MIB, "B": 1}


class _Size(click.ParamType[int]):
    """Bytes; a bare number is MiB, and K, M, G, T (with or without iB) and B say it themselves."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:([KMGT])(?:i?B)?|(B))?", str(value).strip(), re.IGNORECASE)
        size = int(float(match[1]) * UNITS[(match[2] or match[3] or "").upper()]) if match else 0
        if size < 1:
            self.fail(f"{value!r} is no size: give MiB (512) or a unit (512M, 2G).", param, ctx)
        return size


SIZE = _Size()


def read_inputs(paths: tuple[Path, ...]) -> dict[str, bytes]:
    """The files of `paths` by their base names. Raises InputError for what is no file, twice there or too large."""
    found: dict[str, bytes] = {}
    left = LARGEST_INPUT
    for path in paths:
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise InputError(f"--in {path} is not a file", remedy="give files; a folder can be seen with --ro")
            left -= path.stat().st_size
            if left < 0:
                raise InputError(f"--in {path} is too large", remedy=f"give up to {LARGEST_INPUT // MIB} MiB in all")
            if path.name in found:
                raise InputError(f"two files of --in are called {path.name}", remedy="rename one")
            found[path.name] = path.read_bytes()
        except OSError as error:
            raise InputError(f"--in {path} can't be read: {error.strerror}", remedy="name another file") from error
    return found


def variables(given: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE pairs. Raises InputError for anything else."""
    pairs = [text.partition("=") for text in given]
    for text, (name, equals, _) in zip(given, pairs, strict=True):
        if not equals or not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
            raise InputError(f"--env {text!r} is not NAME=VALUE", remedy="write it so")
    return {name: value for name, _, value in pairs}


def mounts(settings: Settings, paths: tuple[Path, ...]) -> dict[str, Path]:
    """Absolute path → folder or file of the host. Raises InputError for what must not be seen inside."""
    found = {}
    for path in paths:
        inside = path.absolute()
        try:
            source = path.resolve(strict=True)
        except OSError as error:
            raise InputError(f"--ro {path} can't be read: {error.strerror}", remedy="name another path") from error
        check_mount(str(inside))
        for place in (inside, source):
            _check_secret(settings, path, place)
        _check_sockets(path, source)
        found[str(inside)] = source
    return found


def _check_secret(settings: Settings, path: Path, place: Path) -> None:
    home = Path.home().resolve()
    forbidden = [Path(name) for name in FORBIDDEN] + [home / name for name in SECRET]
    forbidden += [settings.home.absolute(), settings.home.resolve()]
    holds = next((secret for secret in forbidden if place.is_relative_to(secret) or secret.is_relative_to(place)), None)
    if holds is None and home.is_relative_to(place):
        holds = home
    if holds:
        raise InputError(f"--ro {path} would show {holds} to foreign code", remedy="name what it needs and no more")


def _check_sockets(path: Path, source: Path) -> None:
    """A socket or pipe can be spoken to through a read-only mount, so a folder with one is not mounted."""
    looked = 0
    folders = [source]
    while folders:
        place = folders.pop()
        mode = place.lstat().st_mode
        try:
            entries = sorted(place.iterdir()) if stat.S_ISDIR(mode) else []
        except OSError as error:
            raise InputError(f"--ro {path} can't be read: {error}", remedy="name another path") from error
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
            raise InputError(f"--ro {path} holds {place}, no file or folder", remedy="name a folder without it")
        looked += len(entries)
        if looked > MOST_LOOKED_AT:
            raise InputError(f"--ro {path} holds more than {MOST_LOOKED_AT} files", remedy="name a smaller folder")
        folders += entries
