"""Configuration: flag > environment > `xkg.toml` > default, unknown keys refused.

Environment variables are ``XKG_<FIELD>``; for the database also the usual ``NEO4J_URI``, ``NEO4J_USERNAME``,
``NEO4J_PASSWORD`` and ``NEO4J_DATABASE``. `xkg.toml` is read from the working folder or from ``XKG_CONFIG``.
"""

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from kg.errors import InputError

__all__ = ["Settings", "config_file", "load_settings"]


def config_file() -> Path:
    """The configuration file of this run, whether or not it exists."""
    return Path(os.environ.get("XKG_CONFIG", "xkg.toml"))


def _db(name: str, *alternatives: str) -> AliasChoices:
    return AliasChoices(name, *(f"NEO4J_{a}" for a in alternatives))


class Settings(BaseSettings):
    """All that can be set. Every field has a working default; a field's description is its help."""

    model_config = SettingsConfigDict(
        env_prefix="XKG_", env_ignore_empty=True, extra="forbid", frozen=True, populate_by_name=True
    )

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("xkg")),
        description="Folder of the local server's data: one graph for each home.",
    )
    cache: Path = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("xkg")),
        description="Folder of what can be fetched or computed again: server jars, model, vectors, e-prints, clones.",
    )
    neo4j_uri: str | None = Field(
        None, validation_alias=_db("neo4j_uri", "URI"), description="Bolt address; without it the local server is used."
    )
    neo4j_username: str = Field(
        "neo4j", validation_alias=_db("neo4j_username", "USERNAME", "USER"), description="Database user."
    )
    neo4j_password: SecretStr | None = Field(
        None, validation_alias=_db("neo4j_password", "PASSWORD"), description="Database password."
    )
    neo4j_database: str | None = Field(
        None,
        validation_alias=_db("neo4j_database", "DATABASE"),
        description="Database name; the server's default if unset.",
    )
    server_heap: str = Field("512m", description="Heap of the local server, as the JVM writes it.")
    server_page_cache: str = Field("128m", description="Page cache of the local server.")
    server_idle_minutes: float = Field(
        30, gt=0, description="The local server stops after so many minutes without a command."
    )
    embedding_model: str = Field(
        "minilm", description="'minilm' (built in, no torch) or the name or folder of a sentence-transformers model."
    )
    arxiv_api: str = Field("https://export.arxiv.org/api/query", description="arXiv's query API.")
    arxiv_eprint: str = Field("https://export.arxiv.org/e-print", description="Where e-prints are fetched.")
    arxiv_oai: str = Field(
        "https://oaipmh.arxiv.org/oai",
        description="arXiv's OAI-PMH, the only place that tells licences; empty: not asked.",
    )
    arxiv_interval: float = Field(3.0, ge=0, description="Seconds between two requests to arXiv (its terms ask for 3).")
    github_api: str = Field("https://api.github.com", description="GitHub's REST API.")
    github_git: str = Field("https://github.com", description="Where repositories are cloned from.")
    retry_wait: float = Field(
        3.0, ge=0, description="Seconds before a failed request is tried again; doubles each time."
    )
    retry_total: float = Field(120.0, ge=0, description="Seconds that all tries of one request may take together.")
    repository_limit_mb: int = Field(500, gt=0, description="Megabytes that a cloned repository may have.")
    repository_seconds: float = Field(300.0, gt=0, description="Seconds that cloning a repository may take.")
    pythons: tuple[Path, ...] = Field((), description="Further Python programs to run code with, beside those found.")
    environment_limit_mb: int = Field(
        3000, gt=0, description="Megabytes of wheels that one Python environment for code may take."
    )
    torch_index: bool = Field(
        True, description="Ask PyTorch's own index for CPU builds of torch; otherwise the package index alone."
    )
    environment_seconds: float = Field(900.0, gt=0, description="Seconds that building one environment may take.")
    environments_mb: int = Field(
        20_000, gt=0, description="Megabytes of environments kept; `xkg environment prune` removes the longest unused."
    )
    verify_seconds: float = Field(1800.0, gt=0, description="Seconds that judging one repository's code may take.")
    verify_unit_seconds: float = Field(120.0, gt=0, description="Seconds that the mutation check of one unit may take.")
    verify_test_seconds: float = Field(30.0, gt=0, description="Seconds that one test may take.")
    verify_mutants: int = Field(12, gt=0, description="Mutants that a unit's test is held against, at most.")
    verify_share: float = Field(0.5, gt=0, le=1, description="Share of the mutants that a test must notice.")
    verify_memory_mb: int = Field(4096, gt=0, description="Megabytes of memory of a run that judges code.")
    block_seconds: float = Field(120.0, gt=0, description="Seconds that one run of an imported block may take.")
    block_total_seconds: float = Field(300.0, gt=0, description="Seconds that judging one imported block may take.")
    verify_repository_mb: int = Field(200, gt=0, description="Megabytes of a repository that go into the sandbox.")
    docker_host: str | None = Field(
        None,
        validation_alias=AliasChoices("docker_host", "XKG_DOCKER_HOST", "DOCKER_HOST"),
        description="The Docker engine's address, as DOCKER_HOST names it; unset: the default socket.",
    )
    github_token: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("github_token", "XKG_GITHUB_TOKEN", "GITHUB_TOKEN"),
        description="GitHub token.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 -- pydantic's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 -- pydantic's signature
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags (init), then the environment, then `xkg.toml`."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file())


@cache
def _load() -> Settings:
    try:
        return Settings()
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{config_file()} is not valid TOML: {error}", remedy="correct or remove it") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"configuration key {key!r}: {first['msg']}",
            where=f"{config_file()} or the environment",
            remedy="`xkg config show` lists the keys",
        ) from error


def load_settings(**flags: Any) -> Settings:
    """The settings of this process; `flags` (command-line options) win. Raises InputError for a bad key or value."""
    settings = _load()
    given = {key: value for key, value in flags.items() if value is not None}
    return settings.model_copy(update=given) if given else settings
