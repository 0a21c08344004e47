"""Statements of an agent's own: what has been published as ways round a read-only tool, and what honest ones keep."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from store_samples import fill

from agents.tools import Context, Excluded, call
from agents.tools.cypher import TOOLS_WITH_CYPHER
from kg import free_reading
from kg.config import Settings
from kg.connection import Connection
from kg.embeddings import Embedder
from kg.free_reading import ROWS
from kg.store import Store

pytestmark = pytest.mark.db

REFUSED = (
    "CREATE (n:Wrong)",
    "MERGE (n:Wrong {id: 1}) RETURN n",
    "MATCH (n) SET n.wrong = 1 RETURN n",
    "MATCH (n) REMOVE n:Paper",
    "MATCH (n) DETACH DELETE n",
    "FOREACH (x IN [1] | CREATE (:Wrong))",
    "UNWIND [1] AS x FOREACH (y IN [x] | CREATE (:Wrong))",
    "WITH 1 AS x CREATE (n:Wrong) RETURN n",
    "MATCH (p:Paper) CALL (p) { CREATE (n:Wrong) RETURN n } RETURN n",
    "RETURN 1; CREATE (n:Wrong)",
    "RETURN 1 ;",
    "RETURN 1 // ;\nCREATE (n:Wrong)",
    "/* MATCH */ CREATE (n:Wrong)",
    "// MATCH (n)\nCREATE (n:Wrong)",
    "RETURN '\\'' /* ' */ CREATE (n:Wrong) //'",
    "\\u0043REATE (n:Wrong)",
    "MATCH (n) \\u0053ET n.wrong = 1",
    "MATCH (n) /\\u002a */ SET n.wrong = 1",
    "RETURN '\\u0027 CREATE (n:Wrong) //'",
    "CALL dbms.listConfig() YIELD name, value RETURN name, value",
    "CALL dbms.components()",
    "CALL `dbms`.`components`()",
    "CALL dbms.killQuery('1')",
    "CALL dbms.setConfigValue('a', 'b')",
    "CALL dbms.security.listUsers()",
    "CALL db.createLabel('Wrong')",
    "CALL db.clearQueryCaches()",
    "CALL db.create.setNodeVectorProperty(null, 'x', [1.0])",
    "CALL db.awaitIndexes(1)",
    "CALL tx.setMetaData({a: 1})",
    "CALL apoc.load.json('http://127.0.0.1/') YIELD value RETURN value",
    "CALL apoc.cypher.doIt('CREATE (n:Wrong)', {})",
    "MATCH (n) CALL db.createLabel('Wrong') RETURN n",
    "CALL { CALL dbms.components() YIELD name RETURN name } RETURN name",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "LOAD  /* x */  CSV FROM 'http://127.0.0.1/' AS line RETURN line",
    "CALL { LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line } RETURN line",
    "MATCH (n) LOAD CSV WITH HEADERS FROM 'file:///etc/passwd' AS line RETURN line",
    "USE system SHOW USERS",
    "USE neo4j MATCH (n) RETURN n",
    "CALL { USE system MATCH (n) RETURN n } RETURN n",
    "MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS",
    "MATCH (n) CALL (n) { DETACH DELETE n } IN 4 CONCURRENT TRANSACTIONS OF 10 ROWS",
    "MATCH (n) CALL (n) { RETURN 1 AS x } IN /* x */ TRANSACTIONS RETURN x",
    "SHOW TRANSACTIONS",
    "SHOW SETTINGS YIELD name, value",
    "SHOW USERS",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "EXPLAIN MATCH (n) RETURN n",
    "PROFILE MATCH (n) RETURN n",
    "CYPHER 5 MATCH (n) RETURN n",
    "CYPHER runtime=slotted CREATE (n:Wrong)",
    "CREATE INDEX wrong FOR (n:Wrong) ON (n.id)",
    "DROP INDEX technique_vector",
    "DROP CONSTRAINT paper_id IF EXISTS",
    "ALTER USER neo4j SET PASSWORD 'wrongwrong'",
    "CREATE USER wrong SET PASSWORD 'wrongwrong'",
    "START DATABASE neo4j",
    "BEGIN",
    ":param x => 1",
    "MATCH (n",
    "RETURN $missing",
    "UNWIND range(1, 100000000000) AS x UNWIND range(1, 1000) AS y RETURN count(*)",
    "RETURN range(1, 30000000) AS r",
    "RETURN `range`(1, 30000000) AS r",
    "RETURN range /* x */ (1, 30000000) AS r",
    "UNWIND range(1, 200) AS x RETURN collect { UNWIND range(1, 100000) AS y RETURN y } AS z",
    "RETURN replace(replace('aaaa', 'a', 'aaaaaaaa'), 'a', 'aaaaaaaa') AS text",
    "RETURN REPLACE ('a', 'a', 'b') AS text",
    "WITH 'aaaa' AS s " + "WITH s + s AS s " * 11 + "RETURN size(s) AS n",
    "WITH 'aaaa' AS s " + "WITH s || s AS s " * 11 + "RETURN size(s) AS n",
    "RETURN reduce(s = 0, i IN range(1, 2000000000) | s + i) AS s",
    "UNWIND range(1, $n) AS x RETURN x",
    "MATCH (t:Technique) RETURN toStringList(t.embedding) AS x",
    "MATCH (t:Technique) RETURN [x IN t.`embedding` | toString(x)] AS x",
    "MATCH (t:Technique) UNWIND t /* x */ . embedding AS x RETURN x",
    "MATCH (t:Technique) UNWIND t['embed' + 'ding'] AS x RETURN x",
    "MATCH (t:Technique) UNWIND t[$k] AS x RETURN x",
    "MATCH (t:Technique) UNWIND keys(t) AS k RETURN k, [x IN [t[k]] | x][0] AS x",
    "MATCH (t:Technique) RETURN [k IN keys(t) | [t.id, properties(t) [k]]] AS x",
    "MATCH (t:Technique) RETURN [k IN keys(t) | [t.id, t {.*}[k]]] AS x",
    "MATCH (in:Technique) RETURN [k IN keys(in) | [k, in[k]]] AS x",
    "MATCH (`in`:Technique) RETURN [k IN keys(`in`) | [k, `in`[k]]] AS x",
    "MATCH (t:Technique) WITH t AS unwind RETURN [k IN keys(unwind) | [k, unwind[k]]] AS x",
    "MATCH (t:Technique) WITH collect(t) AS ts RETURN [k IN keys(ts[0]) | [k, ts[0][k]]] AS x",
    "MATCH (t:Technique) WITH [t] AS ts RETURN [or IN ts | [k IN keys(or) | [k, or[k]]]] AS x",
    "MATCH (t:Technique) RETURN t['embedding'] AS x",
    "MATCH (t:Technique) WITH t AS`in` RETURN `in`['embedding'] AS x",
    "MATCH (`t-`:Technique) RETURN [k IN keys(`t-`) | [k, `t-`[k]]] AS x",
    "MATCH (t:Technique) WITH {in: t} AS m RETURN [k IN keys(m.in) | [k, m.in[k]]] AS x",
    "MATCH (t:Technique) WITH {in: t} AS m RETURN [k IN keys(m.in) | [k, m . in [k]]] AS x",
    "MATCH (t€:Technique) RETURN [k IN keys(t€) | [k, t€[k]]] AS x",
    "MATCH (t:Technique) RETURN [k IN keys(t) | [k, t\u180e[k]]] AS x",
    "MATCH (in$:Technique) RETURN [k IN keys(in$) | [k, in$[k]]] AS x",
    "MATCH (t:Technique) RETURN [k IN keys(t) | [k, CASE WHEN true THEN t END[k]]] AS x",
    "MATCH (t:Technique) CALL db.index.vector.queryNodes('technique_vector', 5, t.embedding) YIELD score RETURN score",
    "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' =~ '(a+)+\\\\1' AS x",
    "MATCH (t:Technique) WHERE t.name =~ $pattern RETURN t",
    "RETURN substring('a', -1) AS x",
    "RETURN left('a', -1) AS x",
    "RETURN round(1.5, 1, 'SIDEWAYS') AS x",
    "RETURN date({year: 999999999}) AS x",
    "RETURN localdatetime({year: -999999999}) AS x",
    "MATCH (a:Paper) MATCH p = shortestPath((a)-[*]-(a)) RETURN p",
    "",
    "x" * 4_001,
)
HONEST: tuple[tuple[str, dict[str, Any], Callable[[list[Any]], bool]], ...] = (
    ("MATCH (p:Paper) RETURN p.id AS id ORDER BY id", {}, lambda rows: len(rows) >= 2),
    ("// papers\nMATCH (p:Paper {id: $id}) RETURN p.title", {"id": "arxiv:2001.00001"}, lambda rows: len(rows) == 1),
    ("MATCH (s:Section) RETURN s.start AS start LIMIT 1", {}, lambda rows: "start" in rows[0]),
    ("RETURN 'CREATE (n); USE x // LOAD CSV' AS text", {}, lambda rows: rows[0]["text"].startswith("CREATE")),
    ("CALL db.labels() YIELD label RETURN label ORDER BY label", {}, lambda rows: {"label": "Paper"} in rows),
    ("MATCH (p:Paper) WHERE EXISTS { (p)-[:HAS_TECHNIQUE]->() } RETURN p.id AS id", {}, bool),
    ("MATCH path = (:Paper)-[:HAS_TECHNIQUE]->(t) RETURN path LIMIT 1", {}, lambda rows: bool(rows[0]["path"])),
    ("CALL db.index.fulltext.queryNodes('technique_text', 'sampling') YIELD node, score RETURN node.id", {}, bool),
    ("OPTIONAL MATCH (n:Nothing) RETURN n", {}, lambda rows: rows == [{}]),
    ("UNWIND range(1, 1000) AS x RETURN x", {}, lambda rows: len(rows) == ROWS),
    ("MATCH (p:Paper) WHERE p.id IN ['arxiv:2001.00001'] RETURN [1, 2][0] AS x", {}, lambda rows: rows == [{"x": 1}]),
    ("MATCH (p:Paper) WHERE p.title <> 'ä' RETURN p.id AS `größe` LIMIT 1", {}, lambda rows: bool(rows[0]["größe"])),
    ("MATCH (t:Technique) WITH collect(t.name) AS names RETURN names[0..2] AS x", {}, lambda rows: bool(rows[0]["x"])),
    ("MATCH (t:Technique) RETURN labels(t)[0], [x IN [1, 2] WHERE x > 1 | x] AS x LIMIT 1", {}, bool),
    ("MATCH (a)-[r:HAS_TECHNIQUE|IMPLEMENTED_BY*1..2]->(b) RETURN count(*), [a IN [1] | a]", {}, bool),
    ("MATCH (p:`Paper`) RETURN p . `id` AS x, [1, 2, 3][ 1 .. ] AS y LIMIT 1", {}, lambda rows: rows[0]["y"] == [2, 3]),
    ("RETURN duration.between(date('2020-01-01'), date . truncate('year', date('2021-05-05'))) AS x", {}, bool),
    ("MATCH (p:Paper) WHERE p.id IN ['a'] OR p.year > (1 + 1) RETURN count(p) AS n", {}, bool),
    ("WITH 1 AS x RETURN CASE WHEN x = 1 THEN [1] ELSE [2] END AS x", {}, lambda rows: rows == [{"x": [1]}]),
    ("RETURN 'a replace(b) + c' + '+++++++++++' AS x", {}, lambda rows: rows == [{"x": "a replace(b) + c+++++++++++"}]),
    ("RETURN 'a =~ b' AS x // =~", {}, lambda rows: rows == [{"x": "a =~ b"}]),
    ("MATCH (c:Code) RETURN c", {}, lambda rows: all("embedding" not in row["c"] for row in rows)),
)  # fmt: skip


@pytest.fixture
def open_context(store: Store, embedder: Embedder, server_settings: Settings) -> Context:
    fill(store)
    return Context(store, server_settings, embedder, unlicensed=True, limit_tokens=60_000)


def state(connection: Connection) -> Any:
    counts = connection.driver.execute_query("MATCH (n) RETURN count(n) AS n, sum(size(keys(n))) AS keys").records
    schema = connection.driver.execute_query("SHOW INDEXES YIELD name RETURN collect(name) AS names").records
    return counts[0].data(), sorted(schema[0]["names"])


def test_nothing_but_reading_is_done(open_context: Context, connection: Connection) -> None:
    before = state(connection)
    done = {}
    for statement in REFUSED:
        given = call(open_context, "read_cypher", {"statement": statement}, TOOLS_WITH_CYPHER)
        if given.ok or given.error is None or given.error.kind != "retry":
            done[statement] = given.text()
    assert done == {}
    assert state(connection) == before


def test_what_honest_statements_get(open_context: Context) -> None:
    for statement, parameters, right in HONEST:
        asked = {"statement": statement, "parameters": parameters}
        given = call(open_context, "read_cypher", asked, TOOLS_WITH_CYPHER)
        assert given.ok, (statement, given.error)
        assert given.data is not None
        assert right(given.data["rows"]), (statement, given.data)
        assert '"embedding"' not in json.dumps(given.data)


@pytest.mark.parametrize(
    "function", ["apoc.any.property(t, 'x')", "`apoc` . convert.toJson (t)", "genai.vector.encode('')"]
)
def test_functions_that_a_server_was_given_are_not_used(open_context: Context, function: str) -> None:
    asked = {"statement": f"MATCH (t:Technique) RETURN {function} AS x"}
    error = call(open_context, "read_cypher", asked, TOOLS_WITH_CYPHER).error
    assert error is not None
    assert "a function that the server was given" in error.message


def test_nobody_waits_for_an_expression_that_the_server_cannot_break_off(
    open_context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(free_reading, "PATIENCE", 0.3)
    doubled = " ".join("WITH l + l AS l" for _ in range(9))
    counted = f"WITH $l AS l {doubled} RETURN size([x IN l WHERE all(y IN l WHERE y < 3 + x)]) AS n"
    long = {"statement": counted, "parameters": {"l": [1, 2] * 8}}
    short = {"statement": "RETURN 1 AS x"}
    said = [call(open_context, "read_cypher", asked, TOOLS_WITH_CYPHER) for asked in (long, short)]
    assert [(given.error.kind, given.error.message[:25]) for given in said if given.error] == [
        ("retry", "the statement did not end"),
        ("retry", "an earlier statement is s"),
    ]
    monkeypatch.setattr(free_reading, "PATIENCE", 120)
    assert call(open_context, "read_cypher", short, TOOLS_WITH_CYPHER).ok


def nested(levels: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    return inner


@pytest.mark.parametrize("wrong", [2**63, -(2**64), "a\ud800", ["b", {"\udfff": 1}], {"c": [2**70]}, nested(900)])
def test_a_parameter_that_has_no_form_is_said_to_have_none(open_context: Context, wrong: object) -> None:
    asked = {"statement": "RETURN $x AS x", "parameters": {"x": wrong}}
    error = call(open_context, "read_cypher", asked, TOOLS_WITH_CYPHER).error
    assert error is not None
    assert error.kind == "retry"
    assert call(open_context, "read_cypher", {**asked, "parameters": {"x": 2**63 - 1}}, TOOLS_WITH_CYPHER).ok


def test_a_statement_of_half_a_character_is_refused(open_context: Context) -> None:
    error = call(open_context, "read_cypher", {"statement": "RETURN '\ud800'"}, TOOLS_WITH_CYPHER).error
    assert error is not None
    assert error.kind == "retry"


def test_nobody_from_whom_something_is_kept_may_ask_freely(
    open_context: Context, store: Store, embedder: Embedder, server_settings: Settings
) -> None:
    asked = {"statement": "MATCH (n) RETURN n"}
    for context in (
        Context(store, server_settings, embedder),
        Context(store, server_settings, embedder, Excluded(repositories=("o/bloom",)), unlicensed=True),
    ):
        error = call(context, "read_cypher", asked, TOOLS_WITH_CYPHER).error
        assert error is not None
        assert error.kind == "give_up"
    error = call(open_context, "read_cypher", asked).error
    assert error is not None
    assert "no tool" in error.message


def test_wide_rows_end_where_nobody_is_shown_more(store: Store, connection: Connection) -> None:
    connection.driver.execute_query("UNWIND range(1, 150) AS n CREATE (:Wide {n: n, text: $text})", text="x" * 100_000)
    rows, more = free_reading.read_freely(connection, "MATCH (w:Wide) RETURN w.text AS text", {})
    assert more
    assert 5 <= len(rows) <= 7
    assert free_reading.read_freely(connection, "MATCH (w:Wide) RETURN w.n AS n", {})[1] is False
