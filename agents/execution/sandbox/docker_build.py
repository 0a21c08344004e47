"""Making the image of the docker backend, by the way that is asked for or the first that goes, proven by a test run."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from docker.errors import APIError

from agents.execution.sandbox.choose import probe
from agents.execution.sandbox.docker_backend import DockerSandbox
from agents.execution.sandbox.docker_engine import Engine, telling
from agents.execution.sandbox.docker_image import (
    BASE,
    IMAGE,
    REPOSITORY,
    TAG,
    Built,
    bootstrap,
    built,
    import_rootfs,
    pull,
)
from agents.execution.sandbox.models import SandboxError
from kg.config import Settings

__all__ = ["build"]

Tell = Callable[[str], object]


def build(
    settings: Settings,
    *,
    image: str | None = None,
    rootfs: Path | None = None,
    debootstrap: bool = False,
    rebuild: bool = False,
    tell: Tell = lambda _: None,
) -> Built:
    """The image, made unless it is there: from `image`, from `rootfs`, by debootstrap, or by the first way that goes.

    It only gets its name when a test run in it went well. Raises SandboxError, naming each way that was tried.
    """
    sandbox = DockerSandbox(settings)
    engine = sandbox.engine
    there = built(engine)
    if there and not (rebuild or image or rootfs or debootstrap):
        return there
    with _fresh(engine) as fresh:
        if image is not None:
            pull(engine, image, fresh)
        elif rootfs is not None:
            import_rootfs(engine, rootfs, fresh, f"root file system {rootfs.resolve().name}")
        elif debootstrap:
            import_rootfs(engine, bootstrap(settings, tell), fresh, "debootstrap")
        else:
            _first_way(engine, settings, fresh, tell)
        sandbox.image = f"{REPOSITORY}:{fresh}"
        probe(sandbox)
        with telling("the image can't be named"):
            engine.tag(sandbox.image, REPOSITORY, TAG, force=True)
    made = built(engine)
    if made is None:
        raise SandboxError(f"the engine does not keep {IMAGE}", remedy="see its log")
    if there and there.id != made.id:
        _forget(engine, there.id)
    return made.model_copy(update={"made": True})


def _first_way(engine: Engine, settings: Settings, tag: str, tell: Tell) -> None:
    try:
        tell(f"asking a registry for {BASE}")
        pull(engine, BASE, tag)
    except SandboxError as first:
        tell(first.what)
        try:
            import_rootfs(engine, bootstrap(settings, tell), tag, "debootstrap")
        except SandboxError as second:
            raise SandboxError(f"{first.what}; {second.what}", remedy=second.remedy) from second


@contextmanager
def _fresh(engine: Engine) -> Iterator[str]:
    """A tag for an image that has yet to prove itself; gone at the end."""
    tag = f"new-{os.getpid()}"
    try:
        yield tag
    finally:
        _forget(engine, f"{REPOSITORY}:{tag}")


def _forget(engine: Engine, image: str) -> None:
    """Take away a name, and the image if it was its last and nothing runs in it."""
    with telling("the old image can't be removed"):
        if image.startswith("sha256:") or engine.images(name=image):
            try:
                engine.remove_image(image)
            except APIError as error:
                if error.status_code not in (404, 409):
                    raise
