"""Settings: every variable that was ever documented, the file's tables, and what is said of a key that has moved."""

import os
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from kg.config import LlmPrice, LlmProfile, Settings, keys, load_settings, variables
from kg.errors import InputError

VARIABLES = """
home                            XKG_HOME
cache                           XKG_CACHE
embedding_model                 XKG_EMBEDDING_MODEL
blacklist                       XKG_BLACKLIST
neo4j.uri                       XKG_NEO4J_URI NEO4J_URI
neo4j.username                  XKG_NEO4J_USERNAME NEO4J_USERNAME NEO4J_USER
neo4j.password                  XKG_NEO4J_PASSWORD NEO4J_PASSWORD
neo4j.database                  XKG_NEO4J_DATABASE NEO4J_DATABASE
server.heap                     XKG_SERVER_HEAP
server.page_cache               XKG_SERVER_PAGE_CACHE
server.idle_minutes             XKG_SERVER_IDLE_MINUTES
arxiv.api                       XKG_ARXIV_API
arxiv.eprint                    XKG_ARXIV_EPRINT
arxiv.oai                       XKG_ARXIV_OAI
arxiv.interval                  XKG_ARXIV_INTERVAL
github.api                      XKG_GITHUB_API
github.git                      XKG_GITHUB_GIT
github.token                    XKG_GITHUB_TOKEN GITHUB_TOKEN
github.repository_limit_mb      XKG_REPOSITORY_LIMIT_MB
github.repository_seconds       XKG_REPOSITORY_SECONDS
network.retry_wait              XKG_RETRY_WAIT
network.retry_total             XKG_RETRY_TOTAL
execution.pythons               XKG_PYTHONS
execution.environment_limit_mb  XKG_ENVIRONMENT_LIMIT_MB
execution.torch_index           XKG_TORCH_INDEX
execution.environment_seconds   XKG_ENVIRONMENT_SECONDS
execution.environments_mb       XKG_ENVIRONMENTS_MB
execution.docker_host           XKG_DOCKER_HOST DOCKER_HOST
verify.seconds                  XKG_VERIFY_SECONDS
verify.unit_seconds             XKG_VERIFY_UNIT_SECONDS
verify.test_seconds             XKG_VERIFY_TEST_SECONDS
verify.mutants                  XKG_VERIFY_MUTANTS
verify.share                    XKG_VERIFY_SHARE
verify.written_share            XKG_VERIFY_WRITTEN_SHARE
verify.memory_mb                XKG_VERIFY_MEMORY_MB
verify.repository_mb            XKG_VERIFY_REPOSITORY_MB
verify.block_seconds            XKG_BLOCK_SECONDS
verify.block_total_seconds      XKG_BLOCK_TOTAL_SECONDS
llm.profile                     XKG_LLM_PROFILE
llm.profiles                    XKG_LLM_PROFILES
llm.prices                      XKG_LLM_PRICES
llm.run_tokens                  XKG_LLM_RUN_TOKENS
llm.run_money                   XKG_LLM_RUN_MONEY
llm.run_calls                   XKG_LLM_RUN_CALLS
llm.paper_tokens                XKG_LLM_PAPER_TOKENS
llm.paper_money                 XKG_LLM_PAPER_MONEY
llm.paper_calls                 XKG_LLM_PAPER_CALLS
llm.stage_tokens                XKG_LLM_STAGE_TOKENS
llm.stage_money                 XKG_LLM_STAGE_MONEY
llm.stage_calls                 XKG_LLM_STAGE_CALLS
"""
TOLD = [(line.split()[0], name) for line in VARIABLES.strip().splitlines() for name in line.split()[1:]]
FLAT = {name.removeprefix("XKG_").lower(): key for key, name in TOLD if name.startswith("XKG_") and "." in key}


TABLES = {
    "llm.profiles": ('{"mine": {"model": "m"}}', {"mine": LlmProfile(model="m")}),
    "llm.prices": ('{"m": {"input": 1, "output": "2"}}', {"m": LlmPrice(input=Decimal(1), output=Decimal(2))}),
}


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A process that nothing is configured for, in an empty folder."""
    named = {name for key in keys() for name in variables(key)}
    for name in named & set(os.environ):
        monkeypatch.delenv(name)
    monkeypatch.setenv("XKG_CONFIG", str(tmp_path / "xkg.toml"))
    load_settings.cache_clear()
    yield monkeypatch
    load_settings.cache_clear()


def value(settings: Settings, key: str) -> Any:
    group, _, name = key.rpartition(".")
    found = getattr(getattr(settings, group) if group else settings, name)
    return found.get_secret_value() if isinstance(found, SecretStr) else found


def sample(key: str) -> tuple[str, Any]:
    """What the environment may say for `key`, and the value that makes; never the default."""
    now = value(Settings(), key)
    if isinstance(now, bool):
        return "false", False
    if isinstance(now, dict):
        return TABLES[key]
    if isinstance(now, int | float | Decimal):
        return "0.75", None if isinstance(now, int) else type(now)("0.75")
    if isinstance(now, tuple):
        return '["/opt/python"]', (Path("/opt/python"),)
    return "/elsewhere", Path("/elsewhere") if isinstance(now, Path) else "/elsewhere"


@pytest.mark.parametrize(("key", "variable"), TOLD)
def test_a_documented_variable_works(bare: pytest.MonkeyPatch, key: str, variable: str) -> None:
    text, expected = sample(key)
    if expected is None:
        text, expected = "7", 7
    default = {one: value(Settings(), one) for one in keys()}
    bare.setenv(variable, text)
    assert {one: value(load_settings(), one) for one in keys()} == default | {key: expected}


def test_every_setting_has_a_variable_of_its_group(bare: pytest.MonkeyPatch) -> None:
    assert {key for key, _ in TOLD} <= set(keys())
    bare.setenv("XKG_GITHUB_REPOSITORY_LIMIT_MB", "7")
    bare.setenv("XKG_REPOSITORY_LIMIT_MB", "8")
    assert load_settings().github.repository_limit_mb == 7


def test_the_environment_wins_over_the_file_which_has_a_table_per_group(
    bare: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "xkg.toml").write_text('[server]\nheap = "1g"\npage_cache = "64m"\n')
    bare.setenv("XKG_SERVER_HEAP", "2g")
    assert (load_settings().server.heap, load_settings().server.page_cache) == ("2g", "64m")


@pytest.mark.parametrize(("flat", "key"), FLAT.items())
def test_a_key_from_before_the_groups_is_told_its_new_name(
    bare: pytest.MonkeyPatch, tmp_path: Path, flat: str, key: str
) -> None:
    (tmp_path / "xkg.toml").write_text(f"{flat} = 1\n")
    with pytest.raises(InputError, match=rf"'{flat}': it is called '{key}' now"):
        load_settings()


def test_a_list_that_is_none_is_told(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("XKG_PYTHONS", "/usr/bin/python3")
    with pytest.raises(InputError, match=r"execution\.pythons"):
        load_settings()


def test_replaced_values_are_checked() -> None:
    settings = Settings().replace(verify__mutants=3, home=Path("/h"), verify__share=1.0)
    assert (settings.verify.mutants, settings.verify.share, settings.home) == (3, 1.0, Path("/h"))
    with pytest.raises(ValueError, match="verify__mutant"):
        settings.replace(verify__mutant=3)
    for wrong in ({"verify__mutants": 0}, {"verify__share": 0.49}, {"verify__written_share": 0.1}):
        with pytest.raises(ValidationError):
            settings.replace(**wrong)
