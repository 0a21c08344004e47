"""The home folder: what is private, what is kept, what is refused."""

import socket
import stat
from pathlib import Path

import pytest

from kg.errors import DatabaseError
from kg.server.home import ServerHome


@pytest.fixture
def home(tmp_path: Path) -> ServerHome:
    made = ServerHome(tmp_path / "home")
    made.make()
    return made


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_secrets_are_the_owners_alone(home: ServerHome) -> None:
    secret = home.secret()
    assert (mode(home.root), mode(home.secrets)) == (0o700, 0o600)
    assert len(secret.password) >= 32
    assert secret.password not in repr(secret)
    assert home.secret() == secret


def test_an_open_folder_is_closed(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o755)
    home = ServerHome(tmp_path / "home")
    home.make()
    assert mode(home.root) == 0o700


@pytest.mark.parametrize("damage", ["", "not json", "[]", "{}"])
def test_a_lost_password_of_a_graph_is_told(home: ServerHome, damage: str) -> None:
    home.secret()
    (home.data / "databases" / "system").mkdir(parents=True)
    home.secrets.write_text(damage)
    with pytest.raises(DatabaseError, match=r"password .* is lost.*`xkg db reset`"):
        home.secret()


def test_ports_are_kept_and_changed_when_taken(home: ServerHome) -> None:
    first, taken = home.choose_ports()
    assert taken == ()
    assert home.choose_ports() == (first, ())
    with socket.create_server(("127.0.0.1", first.http)):
        other, taken = home.choose_ports()
    assert taken == (first.http,)
    assert first.http not in (other.http, other.bolt)
    assert home.ports() == other


def test_damaged_ports_are_chosen_anew(home: ServerHome) -> None:
    home.ports_file.write_text('{"bolt": ')
    assert home.choose_ports()[1] == ()
    home.ports_file.write_text('{"bolt": 1}')
    assert home.choose_ports()[0].bolt > 1


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="XKG_HOME"):
        ServerHome(tmp_path / "file" / "home").make()
