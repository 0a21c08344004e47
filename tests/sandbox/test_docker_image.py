"""`xkg sandbox build` on a real engine: made once, by the way asked for, and only named when it works."""

import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agents.cli.sandbox_build import sandbox_build
from agents.execution.sandbox.docker_engine import connect
from agents.execution.sandbox.docker_image import IMAGE, bootstrap, built, pack
from kg.config import Settings
from kg.errors import InputError, XkgError

Command = Callable[..., Result]

pytestmark = pytest.mark.dockerd


@pytest.fixture
def identity(docker_settings: Settings) -> str:
    """The id of the image there is."""
    engine = connect(docker_settings)
    try:
        there = built(engine)
    finally:
        engine.close()
    assert there is not None
    return there.id


@pytest.fixture
def command(docker_settings: Settings, set_variables: Callable[..., None]) -> Command:
    set_variables(XKG_DOCKER_HOST=docker_settings.execution.docker_host)
    return lambda *words: CliRunner().invoke(sandbox_build, [*words, "--json"])


def error(result: Result) -> XkgError:
    assert isinstance(result.exception, XkgError), result.output
    return result.exception


def test_what_is_there_is_not_made_again(command: Command, identity: str) -> None:
    told = json.loads(command().stdout)
    assert (told["image"], told["id"], told["made"]) == (IMAGE, identity, False)


def test_a_tar_archive_is_no_other_file(command: Command, identity: str, tmp_path: Path) -> None:
    (tmp_path / "no.tar").write_text("no archive")
    assert error(command("--rootfs", str(tmp_path / "no.tar"))).exit_code == InputError.exit_code


def test_an_image_that_runs_nothing_does_not_get_the_name(command: Command, identity: str, tmp_path: Path) -> None:
    (tmp_path / "root" / "etc").mkdir(parents=True)
    failed = error(command("--rootfs", str(tmp_path / "root")))
    assert "python3" in failed.what
    assert json.loads(command().stdout)["id"] == identity


def test_one_way_at_a_time(command: Command) -> None:
    assert "exclude each other" in error(command("--from", "a", "--debootstrap")).what


def test_a_folder_serves_as_root_file_system(
    command: Command, identity: str, docker_settings: Settings, tmp_path: Path
) -> None:
    with tarfile.open(bootstrap(docker_settings)) as tar:
        tar.extractall(tmp_path / "root", filter="fully_trusted")  # noqa: S202 -- an archive of our own making
    told = json.loads(command("--rootfs", str(tmp_path / "root")).stdout)
    assert (told["way"], told["made"]) == ("root file system root", True)


def test_a_root_file_system_is_packed_without_what_gives_rights(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "usr/share/doc/x").mkdir(parents=True)
    (root / "usr/bin").mkdir()
    (root / "usr/bin/su").write_text("")
    (root / "usr/bin/su").chmod(0o6755)
    pack(root, tmp_path / "packed.tar")
    with tarfile.open(tmp_path / "packed.tar") as tar:
        members = {member.name: member for member in tar}
    assert members["./usr/bin/su"].mode == 0o755
    assert "./usr/share/doc/x" not in members
    assert {member.uname for member in members.values()} == {""}
