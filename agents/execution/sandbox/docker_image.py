"""The image of the docker backend: a libc, the libraries that Pythons and wheels need, and a Python for process 1.

It is known by `IMAGE`, whose tag is a hash of what it has to hold, so that a newer xkg asks for a newer image. Three
ways lead to it: an image of a registry, by default one pinned by its digest; `debootstrap`, which needs root; and the
root file system of one's own as a tar archive or a folder.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from agents.execution.sandbox.docker_engine import Engine, telling
from agents.execution.sandbox.models import SandboxError
from kg.config import Settings
from kg.errors import InputError
from kg.models.paper import Model

__all__ = ["BASE", "IMAGE", "REPOSITORY", "TAG", "Built", "bootstrap", "built", "import_rootfs", "pull"]

BASE = "python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b"
PACKAGES = ("python3-minimal", "libpython3-stdlib", "libgomp1")
SUITE = "bookworm"
LEFT_OUT = ("dev", "proc", "sys", "var/cache/apt", "var/lib/apt/lists", "var/log")
LEFT_OUT_SHARE = ("usr/share/doc", "usr/share/info", "usr/share/locale", "usr/share/man")
REPOSITORY = "xkg-sandbox"
TAG = hashlib.sha256(json.dumps([BASE, PACKAGES, SUITE]).encode()).hexdigest()[:12]
IMAGE = f"{REPOSITORY}:{TAG}"
WAY = "xkg.way"
BOOTSTRAP_SECONDS = 1800


class Built(Model):
    """The image there is: its name and id, the way it was made, and whether that was `made` just now."""

    image: str
    id: str
    way: str
    made: bool = False


def built(engine: Engine) -> Built | None:
    """The image, if the engine has it. Raises SandboxError."""
    with telling("the engine's images can't be listed"):
        if not engine.images(name=IMAGE):
            return None
        image = engine.inspect_image(IMAGE)
    config = image["Config"]
    if config.get("Volumes"):
        raise SandboxError(
            f"{IMAGE} declares volumes, which a run could fill without a limit", remedy="`xkg sandbox build --rebuild`"
        )
    way = (config.get("Labels") or {}).get(WAY) or next(iter(image["RepoDigests"]), "registry")
    return Built(image=IMAGE, id=image["Id"], way=way)


def pull(engine: Engine, image: str, tag: str) -> None:
    """Pull `image`, unless the engine has it, and name it by `tag`. Raises SandboxError if no registry answers."""
    with telling(f"{image} can't be had"):
        if not engine.images(name=image.partition("@")[0]):
            engine.pull(image)
        config = engine.inspect_image(image)["Config"]
        if config.get("Volumes"):
            raise SandboxError(
                f"{image} declares volumes, which a run could fill without a limit", remedy="take another"
            )
        engine.tag(image, REPOSITORY, tag, force=True)


def import_rootfs(engine: Engine, rootfs: Path, tag: str, way: str) -> None:
    """Import a root file system, a tar archive or a folder, and name it by `tag`.

    Raises SandboxError, and InputError if it is neither.
    """
    if rootfs.is_dir():
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder) / "rootfs.tar"
            pack(rootfs, archive)
            return import_rootfs(engine, archive, tag, way)
    if not tarfile.is_tarfile(rootfs):
        raise InputError(f"{rootfs} is no tar archive", remedy="give a tar archive or a folder with a root file system")
    with telling(f"{rootfs} can't be imported"):
        answer = engine.import_image(
            src=str(rootfs), repository=REPOSITORY, tag=tag, changes=[f"LABEL {WAY}={json.dumps(way)}"]
        )
        last = json.loads(answer.strip().splitlines()[-1])
    if "error" in last:
        raise SandboxError(
            f"{rootfs} can't be imported: {last['error']}", remedy="give a root file system as a tar archive"
        )
    return None


def bootstrap(settings: Settings, tell: Callable[[str], object] = lambda _: None) -> Path:
    """A root file system by `debootstrap` as a tar archive, kept in the cache. Raises SandboxError."""
    kept = settings.cache / "sandbox" / f"rootfs-{TAG}.tar"
    if kept.is_file():
        return kept
    if os.geteuid() or not shutil.which("debootstrap"):
        raise SandboxError(
            "debootstrap is not installed" if not os.geteuid() else "debootstrap needs root",
            remedy="install it (Debian: sudo apt install debootstrap) and run `sudo xkg sandbox build --debootstrap`",
        )
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent, prefix="debootstrap-") as folder:
        root = Path(folder) / "root"
        command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE, str(root)]
        tell("making a root file system with debootstrap, which takes a minute or two")
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=BOOTSTRAP_SECONDS)
        except (OSError, subprocess.SubprocessError) as error:
            said = (getattr(error, "stdout", "") or "").strip().splitlines()[-1:] or [str(error)]
            raise SandboxError(
                f"debootstrap failed: {said[0]}", remedy="see that Debian's mirrors are reachable"
            ) from error
        archive = Path(folder) / "rootfs.tar"
        pack(root, archive)
        archive.replace(kept)
    return kept


def pack(root: Path, archive: Path) -> None:
    """A root file system as a tar archive: no devices, no set-user-id, no documentation, nobody's names."""

    def kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        name = member.name.removeprefix("./")
        if member.isdev() or any(name.startswith(f"{folder}/") for folder in (*LEFT_OUT, *LEFT_OUT_SHARE)):
            return None
        member.mode &= 0o1777
        member.uname = member.gname = ""
        return member

    with tarfile.open(archive, "w") as tar:
        tar.add(root, ".", filter=kept)
