"""Statements that nobody here has written: planned before they run, run for reading, and rolled back whatever they do.

Four walls stand one behind the other: the text (one statement, nothing that leads out of this database), the plan that
the server makes of it (it reads, and calls no procedure but those that are allowed), a transaction of READ access mode
with a time limit, and a rollback. The server's own refusals come as InputError. A server does not look at its clock
within one expression: so the asker waits by a clock of his own, and asks nothing more while one goes on.
"""

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

import neo4j
from neo4j.exceptions import BrokenRecordError, Neo4jError

from kg.connection import Connection, database_errors
from kg.errors import DatabaseError, InputError

__all__ = ["ALLOWED", "LONGEST", "ROWS", "SECONDS", "read_freely"]

SECONDS = 5.0
PATIENCE = 10.0
"""Seconds after which nobody waits any longer for a statement that the server goes on with."""
ROWS = 200
FETCHED = 20
WIDE = 500_000
"""Characters of rows: more than anybody is shown, and little enough to be had at once."""
LONGEST = 4_000
"""Characters of a statement."""
DEEPEST = 20
"""Levels of a parameter."""

ALLOWED = frozenset({
    "db.labels", "db.relationshiptypes", "db.propertykeys", "db.schema.visualization", "db.schema.nodetypeproperties",
    "db.schema.reltypeproperties", "db.index.fulltext.querynodes",
})  # fmt: skip
"""Procedures that only tell what is in the graph, in lower case. (Scores of nearness to vectors of the asker's own
making would tell a vector number by number.)"""

READING = "r"
VECTOR = "embedding"
OPERATORS = re.compile(
    r"LoadCSV|Terminate|Show|Set[A-Z]|Create|Delete|Merge|Remove|Foreach|Transaction|Index.*Drop", re.I
)
"""Operators of a plan that do something other than read nodes."""
ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")
NO_CODE = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:``|[^`])*`|//[^\n\r]*|/\*.*?\*/""", re.DOTALL)
"""Strings, quoted names and comments."""
WORDS = re.compile(r"(?<![.:$\w])(?:USE\s+\w|LOAD\s+CSV|IN\s+(?:\w+\s+)?(?:CONCURRENT\s+)?TRANSACTIONS)", re.IGNORECASE)
"""What leads out of one database and one transaction. Other statements that do more than read begin otherwise."""
COUNTED = re.compile(r"\bUNWIND\s+range\s*\((?:\s*-?\d{1,4}\s*,){1,2}\s*-?\d{1,4}\s*\)", re.IGNORECASE)
"""Rows that are counted out."""
MADE = re.compile(r"(?<![.:$\w])(?:range|reduce)\s*\(", re.IGNORECASE)
"""Lists made of nothing, in one step: the server does not look at its clock meanwhile, nor the driver that reads it."""
GROWING = re.compile(r"(?<![.:$\w])replace\s*\(", re.IGNORECASE)
"""A text put in for each letter of another one, again and again, fills any memory within a second."""
JOINED = re.compile(r"\+|\|\|")
MOST_JOINED = 10
"""How often texts and lists may be joined: each time what there is can become twice as long."""
PLAIN = re.compile(r"[\t\n\r\x20-\x7e]*")
"""Outside of strings and quoted names: what else a server takes for a letter or for a space is its own affair."""
VECTORS = re.compile(rf"(?<!\$)\b{VECTOR}\b")
BEFORE_A_LIST = "IN|UNWIND|RETURN|WITH|WHERE|THEN|ELSE|WHEN|AND|OR|XOR|BY"
AS_NAMES = re.compile(rf"(?:[(\[,|]|\bAS\s)\s*(?:{BEFORE_A_LIST})\b", re.IGNORECASE)
"""Words of the language where only names stand: what follows them could not be told from a list."""
TAKEN = re.compile(
    rf"(?:(?!(?<![\w$#@.])(?:{BEFORE_A_LIST})(?![\w$#@]))(?<![\w$#@])[\w$#@]+|[)\]}}])"
    r"\s*\[(?!\s*(?:-?\d+|-?\d*\s*\.\.\s*-?\d*)\s*\])",
    re.IGNORECASE,
)
"""An element taken by something else than written numbers, which may be a property by a name that is computed."""
ADDED = re.compile(
    r"(?<![.$\w])(?!(?:point|date|datetime|time|localtime|localdatetime|duration)\.)(?:[a-z_]\w*\.)+\w+\(", re.I
)
"""Functions of a namespace, which a server may have been given: the plan of a statement does not tell of them."""
CALLED = re.compile(r"\bCALL\s+[\w.\s]+\(", re.IGNORECASE)
"""Procedures, of which the plan does."""
FIRST = re.compile(r"\s*(?:MATCH|OPTIONAL|WITH|UNWIND|RETURN|CALL)\b", re.IGNORECASE)
Rows = tuple[list[dict[str, Any]], bool]
_TURN = threading.Lock()
"""Held as long as a statement runs, so that a program that asks again and again keeps one of a server's threads."""


def read_freely(
    connection: Connection, text: str, parameters: Mapping[str, Any], lost: Callable[[], object] = bool
) -> Rows:
    """At most ROWS rows of a statement, and whether there are more. Vectors are left out of what it returns.

    `lost` is called where a statement has taken its server with it, which may be after nobody waits any more.

    Raises InputError for whatever may not be run, fails, or lasts longer than SECONDS (PATIENCE where the server can't
    break it off), and if an earlier one of this program does not end within PATIENCE; DatabaseError without a server.
    """
    _refuse_text(text)
    _refuse_values(parameters, "the parameters")
    return _by_the_clock(lambda: _read(connection, text, parameters), lost)


def _by_the_clock(read: Callable[[], Rows], lost: Callable[[], object]) -> Rows:
    if not _TURN.acquire(timeout=PATIENCE):
        raise InputError(
            "an earlier statement is still running",
            remedy="use the other tools meanwhile: within one expression the server can't break it off",
        )
    answer: Future[Rows] = Future()

    def run() -> None:
        try:
            answer.set_result(read())
        except Exception as error:  # noqa: BLE001 -- whatever it is, the asker raises it
            answer.set_exception(error)
            if isinstance(error, DatabaseError):
                lost()
        finally:
            _TURN.release()

    try:
        threading.Thread(target=run, name="free-cypher", daemon=True).start()
    except RuntimeError:
        _TURN.release()
        raise
    try:
        return answer.result(PATIENCE)
    except TimeoutError as error:
        raise InputError(
            f"the statement did not end within {PATIENCE:g} seconds",
            remedy="ask for less: one expression of it makes or goes through too much",
        ) from error


def _read(connection: Connection, text: str, parameters: Mapping[str, Any]) -> Rows:
    with database_errors(connection.uri):
        try:
            with connection.driver.session(
                database=connection.database, default_access_mode=neo4j.READ_ACCESS, fetch_size=FETCHED
            ) as session:
                with session.begin_transaction(timeout=SECONDS) as planning:
                    summary = planning.run(f"EXPLAIN {text}", dict(parameters)).consume()
                    planning.rollback()
                _refuse_plan(summary)
                with session.begin_transaction(timeout=SECONDS) as reading:
                    rows, more = _taken(reading.run(text, dict(parameters)))
                    reading.rollback()
        except Neo4jError as error:
            raise InputError(_said(error), remedy="correct the statement") from error
        except BrokenRecordError as error:
            raise InputError(
                f"what it returns has no form here: {error.__cause__}", remedy="return a string of it"
            ) from error
    return rows, more


def _taken(result: neo4j.Result) -> Rows:
    """The first rows, and whether there are more: no more than ROWS, and none behind those that are WIDE together."""
    rows, width = list[dict[str, Any]](), 0
    for row in result:
        if len(rows) == ROWS or width > WIDE:
            return rows, True
        rows.append({key: _plain(value) for key, value in zip(row.keys(), row.values(), strict=True)})
        width += len(str(rows[-1]))
    return rows, False


def _refuse_text(text: str) -> None:
    if len(text) > LONGEST:
        raise InputError(f"the statement has {len(text)} characters", remedy=f"give at most {LONGEST}")
    if ESCAPE.search(text):
        raise InputError("the statement has escapes of the form \\uXXXX", remedy="write the characters themselves")
    bare = NO_CODE.sub(" ", text)
    if ";" in bare:
        raise InputError("more than one statement", remedy="give one, without a semicolon")
    if word := WORDS.search(bare):
        raise InputError(f"{word[0]} may not be used here", remedy="only read: MATCH … RETURN …")
    if not PLAIN.fullmatch(bare):
        raise InputError("characters beyond ASCII", remedy="write them in strings, or in names between backticks")
    named = re.sub(r"\s*\.\s*", ".", NO_CODE.sub(_unquoted, text))
    if MADE.search(COUNTED.sub(" ", named)):
        raise InputError(
            "`range` and `reduce` make lists that no limit of time ends",
            remedy="only rows may be counted out so, straight behind UNWIND, with numbers below 10,000",
        )
    if GROWING.search(named) or len(JOINED.findall(named)) > MOST_JOINED:
        raise InputError(
            f"`replace`, or more than {MOST_JOINED} times + or ||, may make a text that no memory holds",
            remedy="return the parts, and put them together yourself",
        )
    if added := ADDED.search(re.sub(r"\s+\(", "(", CALLED.sub(" ", named))):
        raise InputError(f"{added[0]}) is a function that the server was given", remedy="use Cypher's own")
    if "=~" in named:
        raise InputError("patterns may take a server without end", remedy="use CONTAINS, STARTS WITH or ENDS WITH")
    if VECTORS.search(named):
        raise InputError(f"the property `{VECTOR}` is given to nobody", remedy="search by the tools that find things")
    if AS_NAMES.search(named) or TAKEN.search(named):
        raise InputError(
            "something is taken by a name that is computed",
            remedy="write `x.name`, or numbers as in `xs[0]` and `xs[1..3]`, and name nothing as Cypher's own words",
        )
    if not FIRST.match(bare):
        raise InputError("the statement does not begin as one that reads", remedy="only read: MATCH … RETURN …")


def _refuse_values(value: Any, name: str, depth: int = 0) -> None:
    """What the protocol has no form for: whole numbers beyond 64 bits, and halves of characters."""
    if depth > DEEPEST:
        raise InputError(f"{name}: nested more than {DEEPEST} deep", remedy="give flat lists and maps")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InputError(f"{name}: a number beyond 64 bits", remedy="give it as a string or as a decimal number")
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InputError(f"{name}: half of a character (a lone surrogate)", remedy="give whole characters")
    if isinstance(value, Mapping):
        for key, item in value.items():
            _refuse_values(str(key), "a parameter's name")
            _refuse_values(item, ascii(key), depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_values(item, name, depth + 1)


def _unquoted(found: re.Match[str]) -> str:
    """A name that is quoted is a name, of whatever it is made; of a string it is told that there is one."""
    if found[0].startswith("`"):
        return f" {re.sub(r'[^0-9A-Za-z_]', '_', found[0][1:-1])} "
    return " " if found[0].startswith("/") else " '' "


def _refuse_plan(summary: neo4j.ResultSummary) -> None:
    if summary.query_type != READING:
        raise InputError("the statement does more than read", remedy="only read: MATCH … RETURN …")
    if not summary.plan:
        raise InputError("the server made no plan of the statement", remedy="only read: MATCH … RETURN …")
    for operator in _operators(summary.plan):
        name, details = str(operator.get("operatorType", "")), str((operator.get("args") or {}).get("Details", ""))
        if name.startswith("ProcedureCall"):
            called = details.partition("(")[0].strip().lower()
            if called not in ALLOWED:
                raise InputError(
                    f"the procedure {called} may not be called", remedy=f"allowed: {', '.join(sorted(ALLOWED))}"
                )
        elif OPERATORS.search(name):
            raise InputError(f"{name.partition('@')[0]} may not be done", remedy="only read: MATCH … RETURN …")


def _operators(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for child in plan.get("children") or ():
        yield from _operators(child)


def _plain(value: Any) -> Any:
    """What JSON has: nodes and relationships as their properties, without vectors and whatever else is as long."""
    if isinstance(value, neo4j.graph.Entity):
        value = dict(value.items())
    if isinstance(value, neo4j.graph.Path):
        value = [*value.nodes, *value.relationships]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items() if key != VECTOR and not _vector(item)}
    if isinstance(value, list | tuple):
        return None if _vector(value) else [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def _vector(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) > 32 and all(isinstance(item, float) for item in value)


def _said(error: Neo4jError) -> str:
    return f"the server refuses it: {(error.message or str(error)).splitlines()[0][:300]}"
