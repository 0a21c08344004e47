"""What all tests share: the layers and what they need, what runs beside what, and one real Neo4j.

A test that needs more than Python carries the mark of its layer. Where that layer's needs are missing, a person's run
skips it and says so at the end, with the command that would run it; with ``CI=true`` it fails.

`make test` runs the tests in several processes (``-n``, pytest-xdist), in lanes: what is in one lane runs one after
another in one process, lanes run beside each other. The lanes:

- ``database`` and ``whole``: all that uses a Neo4j, which each test finds empty; each of the two has its own;
- ``docker``: all that uses a Docker engine, whose containers it counts; the engine and its image are made there;
- ``sandbox``: what measures the limits of bubblewrap or looks for what a run leaves on the host, one at a time;
- each other file is a lane of its own: the unit tests, and those whose runs in a sandbox nothing but they look at.

The long lanes begin first, then long files, those that kill, and those that need more than Python. Tests must
therefore stand alone: the order in which lanes run is nobody's to rely on.
``--soak`` makes the crash tests kill at many more points (`make soak`).
"""

import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from sandbox.orphans import adopt_orphans
from servers import dockerd

import kg.config
from kg.config import Settings
from kg.connection import Connection
from kg.embeddings import Embedder, open_embedder
from kg.opening import connect, open_store
from kg.store import Store

hypothesis.settings.register_profile("untimed", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("untimed")
"""A machine that does other things beside is no fault of ours."""


@dataclass(frozen=True)
class Layer:
    """`missing()` tells what is not there, or an empty string; `command` would put it there."""

    missing: Callable[[], str]
    command: str
    required_in_ci: bool = True


def _missing_server() -> str:
    from kg.server.jars import missing_jars

    return "the local Neo4j is not installed" if missing_jars(_settings().cache) else ""


def _missing_program(*names: str) -> Callable[[], str]:
    return lambda: "" if any(shutil.which(name) for name in names) else f"{names[0]} is not installed"


def _missing_engine() -> str:
    return "" if _engine_answers() else dockerd.missing()


def _engine_answers() -> bool:
    from agents.execution.sandbox import SandboxError
    from agents.execution.sandbox.docker_engine import connect as connect_engine

    try:
        connect_engine(_settings()).close()
    except SandboxError:
        return False
    return True


@cache
def _missing_bubblewrap() -> str:
    from agents.execution.sandbox import SandboxError, open_sandbox

    try:
        open_sandbox(_settings(), "bubblewrap")
    except SandboxError as error:
        return str(error.what)
    return ""


LAYERS = {
    "db": Layer(_missing_server, "xkg setup"),
    "browser": Layer(_missing_program("chromium", "chromium-browser", "google-chrome"), "sudo apt install chromium"),
    "docker": Layer(_missing_program("docker-compose"), "sudo apt install docker-compose"),
    "sandbox": Layer(_missing_bubblewrap, "sudo apt install bubblewrap"),
    "bwrap": Layer(_missing_program("bwrap"), "sudo apt install bubblewrap"),
    "dockerd": Layer(_missing_engine, "sudo apt install docker.io debootstrap"),
    "torch": Layer(
        lambda: "" if find_spec("sentence_transformers") else "the torch extra is not installed",
        "make test-torch",
        False,
    ),
    "py2neo": Layer(
        lambda: "" if find_spec("py2neo") else "the py2neo extra is not installed",
        ".venv/bin/pip install py2neo==2021.2.4",
        False,
    ),
}

NOT_RUN = "not run"
"""The property of a skipped test's report that names a layer; reports come back from every process."""

DATABASE = ("test_fixture", "test_external", "test_browser_page", "test_cli_db")
LANES = {
    "whole": ("tests/e2e/",),
    "database": (
        *(f"tests/{folder}/" for folder in ("store", "search", "tools", "loops", "verdicts", "injection")),
        *(f"tests/server/{name}." for name in DATABASE),
        *(f"tests/crash/test_crash_{name}." for name in ("write", "verify", "judged")),
    ),
    "docker": (),
    "sandbox": ("tests/sandbox/", "tests/escapes/"),
}
LONG = ("tests/traps/test_narrow", "tests/traps/")
DOCKER_WORDS = ("docker", "container", "of_the_image", "memory_for_less_than_a_python")
DOCKER_FOLDERS = (*LANES["sandbox"], "tests/blocks/", "tests/crash/")
_seconds: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="kill at many more points in the crash tests")


@pytest.fixture(scope="session")
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether crash tests are to try many points instead of a few."""
    return bool(request.config.getoption("--soak"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the lanes that last long first, then the files that need more than Python."""
    astray = [item.nodeid for item in items if item.get_closest_marker("dockerd") and _lane(item.nodeid) != "docker"]
    if astray:
        raise pytest.UsageError(f"these need a Docker engine and their names are of another lane: {astray}")
    if hasattr(config, "workerinput"):
        order = {lane: place for place, lane in enumerate(LANES)}
        items.sort(
            key=lambda item: (
                order.get(_lane(item.nodeid), len(order)),
                next((place for place, start in enumerate(LONG) if item.nodeid.startswith(start)), len(LONG)),
                not item.get_closest_marker("crash"),
                not any(map(item.get_closest_marker, LAYERS)),
            )
        )


def _lane(nodeid: str) -> str:
    """The lane of a test: one of `LANES`, else its file. By name only: who hands out the tests sees no marks."""
    file = nodeid.partition("::")[0]
    if file.startswith(DOCKER_FOLDERS) and any(word in nodeid for word in DOCKER_WORDS):
        return "docker"
    return next((lane for lane, places in LANES.items() if file.startswith(places)), file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Whole lanes go to a process."""
    from xdist.scheduler import LoadScopeScheduling

    class Lanes(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _lane(nodeid)

    return Lanes(config, log) if config.getoption("dist") == "loadscope" else None


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count the seconds of each lane."""
    lane = _lane(report.nodeid)
    _seconds[lane if lane in LANES else "others"] += report.duration


def _settings() -> Settings:
    return kg.config.load_settings()


@pytest.fixture
def orphans_are_ours() -> Iterator[None]:
    """For the test alone: what a killed process leaves behind becomes a child of this one, so that none is missed."""
    with adopt_orphans():
        yield


@pytest.fixture(scope="session", autouse=True)
def _own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No setting of the person who runs the tests reaches them, but for the cache, where the jars are.

    Nor an ignored interrupt, as a shell's background jobs inherit it: children that are interrupted must notice.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    mine = {name: value for name, value in os.environ.items() if name.startswith(("XKG_", "NEO4J_"))}
    home = tmp_path_factory.mktemp("home", numbered=True)
    with pytest.MonkeyPatch.context() as patch:
        for name in mine.keys() - {"XKG_CACHE"}:
            patch.delenv(name)
        patch.setenv("XKG_HOME", str(home))
        patch.setenv("XKG_CONFIG", str(home / "no.toml"))
        patch.setenv("XKG_SERVER_IDLE_MINUTES", "5")
        kg.config.load_settings.cache_clear()
        yield
    kg.config.load_settings.cache_clear()


@pytest.fixture
def set_variables() -> Iterator[Callable[..., None]]:
    """Sets environment variables for the test alone, and what the commands read of them is read anew."""
    with pytest.MonkeyPatch.context() as patch:

        def set_all(**values: object) -> None:
            for name, value in values.items():
                if value is not None:
                    patch.setenv(name, str(value))
            kg.config.load_settings.cache_clear()

        yield set_all
    kg.config.load_settings.cache_clear()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip, or fail in CI, a test whose layers' needs are missing."""
    missing = {
        name: reason for name, layer in LAYERS.items() if item.get_closest_marker(name) and (reason := layer.missing())
    }
    if not missing:
        return
    told = "; ".join(f"{reason}: `{LAYERS[name].command}` mends it" for name, reason in missing.items())
    if os.environ.get("CI") == "true" and all(LAYERS[name].required_in_ci for name in missing):
        pytest.fail(told, pytrace=False)
    item.user_properties += [(NOT_RUN, name) for name in missing]
    pytest.skip(told)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how long each lane took, and plainly what was not run, with the command that would run it."""
    skipped = terminalreporter.stats.get("skipped", [])
    not_run = Counter(name for report in skipped for kind, name in report.user_properties if kind == NOT_RUN)
    if len(_seconds) > 1:
        terminalreporter.write_line("; ".join(f"{lane}: {seconds:.0f} s" for lane, seconds in _seconds.most_common()))
    for name, count in sorted(not_run.items()):
        layer = LAYERS[name]
        text = f"NOT RUN: {count} tests of layer '{name}': {layer.missing()}; `{layer.command}` makes it run"
        terminalreporter.write_line(text, yellow=True)


@pytest.fixture(scope="session")
def docker_settings(_own_environment: None) -> Iterator[Settings]:
    """Settings with a Docker engine that has the sandbox's image: the person's, else one of the run's own."""
    from agents.execution.sandbox.docker_build import build

    with ExitStack() as stack:
        settings = _settings()
        if not _engine_answers():
            settings = settings.replace(execution__docker_host=stack.enter_context(dockerd.dockerd()))
        build(settings)
        yield settings


@pytest.fixture(scope="session")
def server_settings(_own_environment: None) -> Iterator[Settings]:
    """Settings of a home with a running server: one for the whole run, stopped at its end whatever happens."""
    from kg.server import LocalServer

    settings = _settings()
    server = LocalServer(settings)
    try:
        server.ensure()
        yield settings
    finally:
        server.stop()


@pytest.fixture(scope="session")
def _session_connection(server_settings: Settings) -> Iterator[Connection]:
    """Held open for the whole run, so that the server is never idle."""
    with connect(server_settings) as opened:
        yield opened


@pytest.fixture(scope="session")
def _schema(server_settings: Settings, _session_connection: Connection) -> frozenset[str]:
    _wipe(_session_connection)
    _migrate(server_settings)
    return _schema_of(_session_connection)


@pytest.fixture(scope="session")
def emptied(
    server_settings: Settings, _session_connection: Connection, _schema: frozenset[str]
) -> Callable[[], Connection]:
    """Empties the graph of the run's server: for fixtures of a whole file."""

    def empty() -> Connection:
        _run(_session_connection, "MATCH (n) WHERE NOT n:Migration DETACH DELETE n")
        if _schema_of(_session_connection) != _schema or not _run(_session_connection, "MATCH (m:Migration) RETURN m"):
            _wipe(_session_connection)
            _migrate(server_settings)
        return _session_connection

    return empty


@pytest.fixture
def connection(emptied: Callable[[], Connection]) -> Connection:
    """The run's server with an empty graph whose schema is in place."""
    return emptied()


@pytest.fixture
def store(connection: Connection) -> Store:
    """An empty graph with its schema, on the run's server."""
    return Store(connection)


@pytest.fixture(scope="session")
def embedder(_own_environment: None) -> Embedder:
    """The built-in model with its cache, loaded once."""
    return open_embedder(_settings())


@pytest.fixture
def blank_connection(_session_connection: Connection) -> Connection:
    """The run's server with nothing in it at all, as a first migration finds it."""
    _wipe(_session_connection)
    return _session_connection


@pytest.fixture
def neo4j_home(server_settings: Settings) -> Path:
    """The home of the run's server."""
    return server_settings.home


def _run(connection: Connection, statement: str) -> list[dict[str, object]]:
    return connection.driver.execute_query(statement, database_=connection.database).records  # type: ignore[return-value]


def _schema_of(connection: Connection) -> frozenset[str]:
    indexes = _run(connection, "SHOW INDEXES YIELD name, type, options RETURN name, type, options")
    return frozenset(f"{row['name']} {row['type']} {row['options']}" for row in indexes)


def _wipe(connection: Connection) -> None:
    _run(connection, "MATCH (n) DETACH DELETE n")
    for row in _run(connection, "SHOW CONSTRAINTS YIELD name"):
        _run(connection, f"DROP CONSTRAINT `{row['name']}`")
    for row in _run(connection, "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        _run(connection, f"DROP INDEX `{row['name']}`")


def _migrate(settings: Settings) -> None:
    with open_store(settings):
        pass
