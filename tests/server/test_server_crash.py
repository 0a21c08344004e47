"""kill -9 of the server in the middle of writes: what was acknowledged is there, and nothing by half."""

import threading

import psutil
import pytest
from neo4j.exceptions import DriverError, Neo4jError

from kg.opening import connect
from tests.server.conftest import OwnServer

pytestmark = [pytest.mark.db, pytest.mark.crash]

KILLS = ((20, 0.05), (5, 0.3))
"""Each: acknowledged writes, and seconds between them and the kill."""

TWO_STATEMENTS = (
    "CREATE (:Paper {id: $id})",
    "MATCH (p:Paper {id: $id}) CREATE (p)-[:HAS_TECHNIQUE]->(:Technique {id: $id})",
)


def write_until_killed(own_server: OwnServer, last: int, writes: int, seconds: float) -> int:
    """Write transactions of two statements, numbered from `last` + 1; the server is killed `seconds` after `writes`
    of them were acknowledged. Returns the number of the last acknowledged one."""
    acknowledged = last
    with connect(own_server.settings) as connection:
        running = own_server.find()
        assert running
        killer = threading.Timer(seconds, psutil.Process(running.server_pid).kill)
        try:
            while True:
                with connection.driver.session() as session, session.begin_transaction() as transaction:
                    for statement in TWO_STATEMENTS:
                        transaction.run(statement, id=acknowledged + 1)
                    transaction.commit()
                acknowledged += 1
                if acknowledged == last + writes:
                    killer.start()
        except (DriverError, Neo4jError):
            killer.join()
    return acknowledged


def test_acknowledged_writes_survive_kill_9(own_server: OwnServer) -> None:
    stored = 0
    for writes, seconds in KILLS:
        acknowledged = write_until_killed(own_server, stored, writes, seconds)
        with connect(own_server.settings) as connection:
            papers = connection.driver.execute_query(
                "MATCH (p:Paper) RETURN p.id AS id, count{(p)-[:HAS_TECHNIQUE]->(:Technique)} AS techniques"
            ).records
            techniques = connection.driver.execute_query("MATCH (t:Technique) RETURN count(t) AS n").records[0]["n"]
        stored = max(row["id"] for row in papers)
        assert sorted(row["id"] for row in papers) == list(range(1, stored + 1))
        assert {row["techniques"] for row in papers} == {1}
        assert techniques == len(papers)
        assert stored in (acknowledged, acknowledged + 1)  # one may be stored whose acknowledgement was lost
