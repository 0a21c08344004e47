"""doctor and config show: what works is tried for real, what is missing has its remedy, no secret is shown."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kg.config
from agents.cli.doctor import doctor
from kg.checks import run_checks
from kg.cli.doctor import config_show, mask
from kg.config import Settings, keys
from kg.embeddings.minilm import convert
from kg.errors import InputError, ServiceError
from kg.store import Store


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    """Settings are read anew, from an environment that the test may change."""
    kg.config.load_settings.cache_clear()
    monkeypatch.setenv("XKG_CONFIG", str(tmp_path / "xkg.toml"))
    yield monkeypatch
    kg.config.load_settings.cache_clear()


def shown(rows: list[dict[str, Any]], key: str) -> dict[str, Any]:
    return next(row for row in rows if row["key"] == key)


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.db
def test_all_is_well(store: Store, server_settings: Settings) -> None:
    result = CliRunner().invoke(doctor, ["--json"], catch_exceptions=False)
    answer = json.loads(result.stdout)
    states = {check["name"]: check["state"] for check in answer["checks"]}
    assert answer["ok"] is True
    for name in ("python", "home", "cache", "java", "neo4j", "model", "database", "schema", "vectors", "git"):
        assert states[name] == "ok", answer
    assert "arxiv" not in states


@pytest.mark.db
def test_vectors_of_another_model_are_told(store: Store, server_settings: Settings) -> None:
    store.write("schema/bind_index_info", model_id="other/1", dimension=384)
    checks = {check.name: check for check in run_checks(server_settings, online=False)}
    assert checks["vectors"].state == "missing"
    assert "other/1" in checks["vectors"].detail


def test_what_is_missing_is_named_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings().replace(home=tmp_path / "home", cache=tmp_path / "cache")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("kg.embeddings.minilm.PACKAGE", "no-such-package-of-weights")
    checks = {check.name: check for check in run_checks(settings, online=False)}
    for name in ("neo4j", "database", "model", "git"):
        assert checks[name].state == "missing"
        assert checks[name].mend
    assert checks["chromium"].state == "absent"
    assert not (tmp_path / "home").exists()


def test_a_database_that_does_not_answer_is_exit_code_3(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fresh.setenv("NEO4J_URI", f"bolt://127.0.0.1:{closed_port()}")
    fresh.setenv("NEO4J_PASSWORD", "not-shown")
    result = CliRunner().invoke(doctor)
    assert isinstance(result.exception, ServiceError)
    assert result.exception.exit_code == 3
    assert "MISSING  database" in result.stdout
    assert "not-shown" not in result.output
    assert "java" not in result.stdout


def test_online_asks_the_configured_hosts(tmp_path: Path) -> None:
    nobody = f"http://127.0.0.1:{closed_port()}"
    settings = Settings().replace(
        cache=tmp_path, neo4j__uri="bolt://127.0.0.1:1", arxiv__api=nobody, github__api=nobody
    )
    convert(settings.cache)
    checks = {check.name: check for check in run_checks(settings, online=True)}
    assert checks["arxiv"].state == checks["github"].state == "missing"
    assert nobody in checks["arxiv"].detail


def test_config_show_tells_value_and_source(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "xkg.toml").write_text('[server]\nheap = "1g"\n')
    fresh.setenv("XKG_ARXIV_INTERVAL", "4")
    fresh.setenv("NEO4J_PASSWORD", "not-shown")
    result = CliRunner().invoke(config_show, ["--json"], catch_exceptions=False)
    rows = json.loads(result.stdout)["settings"]
    assert {row["key"] for row in rows} == set(keys())
    heap, interval, password = (shown(rows, key) for key in ("server.heap", "arxiv.interval", "neo4j.password"))
    assert (heap["value"], heap["source"]) == ("1g", f"file ({tmp_path / 'xkg.toml'})")
    assert (interval["value"], interval["source"]) == (4.0, "environment (XKG_ARXIV_INTERVAL)")
    assert (password["value"], password["variable"]) == ("********", "XKG_NEO4J_PASSWORD")
    assert shown(rows, "embedding_model")["source"] == "default"
    assert "not-shown" not in result.output


def test_config_show_lists_the_keys_even_when_the_file_is_wrong(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "xkg.toml").write_text("[server]\nheep = 1\n")
    result = CliRunner().invoke(config_show)
    assert isinstance(result.exception, InputError)
    assert "server.heep" in str(result.exception)
    assert "server.heap = auto" in result.stdout


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("bolt://user:secret@host:7687/x@y", "bolt://********@host:7687/x@y"),
        ("https://host/a@b", "https://host/a@b"),
        ("plain", "plain"),
    ],
)
def test_masks(value: str, expected: str) -> None:
    assert mask(value) == expected
