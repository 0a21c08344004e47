"""What is not a usable Neo4j is named as such, with a remedy, over real sockets."""

import contextlib
import socket
from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from kg.config import Settings
from kg.database_errors import as_database_error, check_uri, refuse_wrong_server
from kg.errors import DatabaseError
from kg.opening import connect
from tests.servers.bolt import bolt_server, tcp_server

PASSWORD = "geheim-und-lang"


def complaint(uri: str) -> str:
    """The sentence that connecting to `uri` ends with."""
    settings = Settings().replace(neo4j__uri=uri, neo4j__password=SecretStr(PASSWORD))
    with pytest.raises(DatabaseError) as caught, connect(settings):
        pass
    text = str(caught.value)
    assert "\n" not in text
    assert PASSWORD not in text
    assert caught.value.remedy
    assert caught.value.exit_code == 3
    return text


@contextlib.contextmanager
def closed_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    yield port


def web(connection: socket.socket) -> None:
    connection.recv(100)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


def other_protocol(connection: socket.socket) -> None:
    connection.recv(100)
    connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_nothing_listens(scheme: str) -> None:
    with closed_port() as port:
        assert "nothing listens there" in complaint(f"{scheme}://127.0.0.1:{port}")


def test_no_such_host() -> None:
    assert "no such host" in complaint("bolt://no-such-host.invalid")


def test_a_web_server() -> None:
    with tcp_server(web) as port:
        assert "web port" in complaint(f"bolt://127.0.0.1:{port}")


def test_another_protocol() -> None:
    with tcp_server(other_protocol) as port:
        assert "no Neo4j" in complaint(f"bolt://127.0.0.1:{port}")


@pytest.mark.parametrize("agent", ["Neo4j/4.4.9", "Neo4j/5.12.0"])
def test_too_old(agent: str) -> None:
    with bolt_server(agent) as port:
        text = complaint(f"bolt://127.0.0.1:{port}")
    assert f"{agent.replace('/', ' ')}, too old: 5.26 or newer is needed" in text


@pytest.mark.parametrize("agent", ["Neo4j/v5.11.0 compatible graph database server - Other", "FalkorDB/1.0"])
def test_another_product_that_speaks_bolt(agent: str) -> None:
    with bolt_server(agent) as port:
        assert f"not a Neo4j: it calls itself '{agent}'" in complaint(f"bolt://127.0.0.1:{port}")


@pytest.mark.parametrize("agent", ["Neo4j/5.26.30", "Neo4j/5.27-aura", "Neo4j/2025.01.0", "Neo4j/2026.08.1"])
def test_recent_ones_are_accepted(agent: str) -> None:
    refuse_wrong_server(agent, "bolt://host")


@pytest.mark.parametrize(
    "uri", ["", "localhost:7687", "http://host:7474", "bolt://", "bolt://host:99999", "bolt://host:x", "neo4j+ssl://h"]
)
def test_an_address_that_is_none(uri: str) -> None:
    assert "is not a database address" in complaint(uri)


def test_a_password_in_the_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(DatabaseError) as caught:
        check_uri(f"bolt://neo4j:{PASSWORD}@host:7687")
    assert PASSWORD not in str(caught.value)


def test_a_mistake_of_ours_is_not_told_as_the_databases() -> None:
    from neo4j.exceptions import Neo4jError

    error = Neo4jError._hydrate_neo4j(code="Neo.ClientError.Statement.SyntaxError", message="Invalid input")
    assert as_database_error(error, "bolt://host") is None
