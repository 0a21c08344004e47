"""`xkg sandbox build`: the image that the docker backend runs in."""

from pathlib import Path

import click

from agents.execution.sandbox.docker_build import build
from agents.execution.sandbox.docker_image import BASE, Built
from kg.cli.common import emit, json_option, log
from kg.config import load_settings
from kg.errors import InputError


@click.command()
@click.option("--from", "image", metavar="IMAGE", help=f"Take this image of a registry, with a Python ({BASE}).")
@click.option(
    "--rootfs", type=click.Path(path_type=Path, exists=True), help="Take this root file system: tar or folder."
)
@click.option("--debootstrap", is_flag=True, help="Make a root file system with debootstrap, as root.")
@click.option("--rebuild", is_flag=True, help="Make it anew although it is there.")
@json_option
def sandbox_build(image: str | None, rootfs: Path | None, debootstrap: bool, rebuild: bool, as_json: bool) -> None:
    """Build the image of the docker sandbox.

    Without an option it is taken from a registry, or, where none answers, made with debootstrap. It holds a libc and
    libraries; the Python that code runs with is mounted from this machine.
    """
    if sum((image is not None, rootfs is not None, debootstrap)) > 1:
        raise InputError("--from, --rootfs and --debootstrap exclude each other", remedy="give one of them")
    built = build(load_settings(), image=image, rootfs=rootfs, debootstrap=debootstrap, rebuild=rebuild, tell=log.print)
    emit(built, as_json=as_json, text=lambda: _text(built))


def _text(built: Built) -> str:
    return f"{built.image}: {'built' if built.made else 'there already'}, by {built.way} ({built.id})"
