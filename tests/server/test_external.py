"""Any Neo4j by its address: here the run's own server, addressed as if it were somebody else's."""

import pytest
from pydantic import SecretStr

from kg.config import Settings
from kg.connection import Connection
from kg.errors import DatabaseError
from kg.opening import connect
from kg.server import LocalServer

pytestmark = pytest.mark.db


@pytest.fixture
def elsewhere(connection: Connection, server_settings: Settings) -> Settings:
    secret = LocalServer(server_settings).home.secret()
    return Settings().replace(neo4j__uri=connection.uri, neo4j__password=SecretStr(secret.password))


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_direct_and_routing_addresses(elsewhere: Settings, scheme: str) -> None:
    uri = str(elsewhere.neo4j.uri).replace("bolt", scheme)
    with connect(elsewhere.replace(neo4j__uri=uri, neo4j__database="neo4j")) as opened:
        assert opened.server_version.startswith("5.26")
        assert opened.driver.execute_query("RETURN 1 AS one", database_=opened.database).records[0]["one"] == 1


def test_a_wrong_password(elsewhere: Settings) -> None:
    wrong = elsewhere.replace(neo4j__password=SecretStr("something else"))
    with pytest.raises(DatabaseError, match=r"password is wrong.*NEO4J_PASSWORD") as caught:
        connect(wrong)
    assert "something else" not in str(caught.value)


def test_a_database_that_is_not_there(elsewhere: Settings) -> None:
    with pytest.raises(DatabaseError, match=r"no database of that name.*NEO4J_DATABASE"):
        connect(elsewhere.replace(neo4j__database="nosuch"))


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s", "neo4j+ssc"])
def test_tls_where_there_is_none(elsewhere: Settings, scheme: str) -> None:
    uri = str(elsewhere.neo4j.uri).replace("bolt", scheme)
    with pytest.raises(DatabaseError, match=r"does not speak TLS.*without \+s"):
        connect(elsewhere.replace(neo4j__uri=uri))


def test_the_web_port(elsewhere: Settings, server_settings: Settings) -> None:
    running = LocalServer(server_settings).find()
    assert running
    uri = running.browser_url.replace("http", "bolt").removesuffix("/browser/")
    with pytest.raises(DatabaseError, match="web port"):
        connect(elsewhere.replace(neo4j__uri=uri))
