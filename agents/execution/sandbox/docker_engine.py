"""The Docker engine: reaching it, telling its failures in one sentence, and removing what dead supervisors left."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import requests
from docker import APIClient as Engine
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.utils import kwargs_from_env

from agents.execution.sandbox.models import SandboxError
from agents.execution.sandbox.owners import is_dead, this_process
from kg.config import Settings

__all__ = ["Engine", "connect", "labels", "sweep", "telling"]

API_SECONDS = 60
DEFAULT = "unix:///var/run/docker.sock"
RUN, OWNER, EXPIRES = "xkg.run", "xkg.owner", "xkg.expires"
GRACE = 120.0


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Raises what the SDK raises as SandboxError, in one sentence that starts with `what`."""
    try:
        yield
    except ImageNotFound as error:
        raise SandboxError(f"{what}: {error.explanation}", remedy="build it with `xkg sandbox build`") from error
    except APIError as error:
        raise SandboxError(f"{what}: {error.explanation or error}") from error
    except (DockerException, requests.RequestException, OSError) as error:
        raise SandboxError(
            f"{what}: no Docker engine answers: {_innermost(error)}",
            remedy="start Docker, or set DOCKER_HOST to its socket, and be in the group that may use it",
        ) from error


def connect(settings: Settings) -> Engine:
    """A client of the engine that is configured, else of the one at the default socket; for the caller to close.

    Raises SandboxError.
    """
    place = {**os.environ, "DOCKER_HOST": settings.execution.docker_host or DEFAULT}
    with telling("the Docker engine can't be used"):
        if place["DOCKER_HOST"].startswith("unix://"):
            with closing(socket.socket(socket.AF_UNIX)) as tried:  # the SDK leaks the socket of a failed attempt
                tried.connect(place["DOCKER_HOST"].removeprefix("unix://"))
        return Engine(**kwargs_from_env(environment=place), version="auto", timeout=API_SECONDS)


def _innermost(error: BaseException) -> str:
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return str(error)


def labels(run: str, seconds: float) -> dict[str, str]:
    """Labels of a container of this process that has no business to live longer than `seconds`."""
    return {RUN: run, OWNER: this_process(), EXPIRES: str(int(time.time() + seconds + GRACE))}


def _abandoned(marks: dict[str, str]) -> bool:
    """Whether the owner is dead, or, if it lives where we can't see it, whether the time it asked for is over."""
    owner, expires = marks.get(OWNER, ""), marks.get(EXPIRES, "")
    if not expires.isdigit() or time.time() > int(expires):
        return True
    return is_dead(owner)


def sweep(engine: Engine) -> int:
    """Remove the containers of supervisors that are no more; how many. Raises SandboxError."""
    removed = 0
    with telling("containers can't be listed"):
        found: list[dict[str, Any]] = engine.containers(all=True, filters={"label": RUN})
    for container in found:
        if _abandoned(container["Labels"]):
            with telling("a left container can't be removed"):
                removed += remove(engine, container["Id"])
    return removed


def remove(engine: Engine, container: str) -> bool:
    """Kill and remove a container; False if another process did. Raises the SDK's errors."""
    try:
        engine.remove_container(container, force=True, v=True)
    except NotFound:
        return False
    except APIError as error:
        if error.status_code != 409:  # its removal by another process is under way
            raise
        return False
    return True
