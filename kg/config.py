"""Configuration: flag > environment > `xkg.toml` > default, unknown keys refused.

Settings come in groups. `xkg.toml`, read from the working folder or from ``XKG_CONFIG``, has a table per group; the
environment's variable is ``XKG_<GROUP>_<FIELD>``, and `OTHER_VARIABLES` has further names that some fields answer to.
"""

import json
import os
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import platformdirs
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from kg.errors import InputError

__all__ = [
    "AUTOMATIC",
    "LlmPrice",
    "LlmProfile",
    "LlmSettings",
    "Settings",
    "check_outside",
    "config_file",
    "keys",
    "load_settings",
    "variable_in_force",
    "variables",
]

OTHER_VARIABLES = {
    "neo4j.uri": ("NEO4J_URI",),
    "neo4j.username": ("NEO4J_USERNAME", "NEO4J_USER"),
    "neo4j.password": ("NEO4J_PASSWORD",),
    "neo4j.database": ("NEO4J_DATABASE",),
    "github.token": ("GITHUB_TOKEN",),
    "github.repository_limit_mb": ("XKG_REPOSITORY_LIMIT_MB",),
    "github.repository_seconds": ("XKG_REPOSITORY_SECONDS",),
    "network.retry_wait": ("XKG_RETRY_WAIT",),
    "network.retry_total": ("XKG_RETRY_TOTAL",),
    "execution.docker_host": ("XKG_DOCKER_HOST", "DOCKER_HOST"),
    "execution.pythons": ("XKG_PYTHONS",),
    "execution.environment_limit_mb": ("XKG_ENVIRONMENT_LIMIT_MB",),
    "execution.environment_seconds": ("XKG_ENVIRONMENT_SECONDS",),
    "execution.environments_mb": ("XKG_ENVIRONMENTS_MB",),
    "execution.torch_index": ("XKG_TORCH_INDEX",),
    "verify.block_seconds": ("XKG_BLOCK_SECONDS",),
    "verify.block_total_seconds": ("XKG_BLOCK_TOTAL_SECONDS",),
}
"""Further variables of a field: those of other programs, and those from before a field had a group."""


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _listed(value: object) -> object:
    """A list or table that the environment gives as JSON."""
    return json.loads(value) if isinstance(value, str) else value


def _paths(value: object) -> object:
    """One path, or several: in the environment a JSON list, or separated as PATH's are."""
    if isinstance(value, str):
        return json.loads(value) if value.startswith("[") else value.split(os.pathsep)
    return value


class Neo4jSettings(_Group):
    """Where the graph is, if not in the local server."""

    uri: str | None = Field(None, description="Bolt address; without it the local server is used.")
    username: str = Field("neo4j", description="Database user.")
    password: SecretStr | None = Field(None, description="Database password.")
    database: str | None = Field(None, description="Database name; the server's default if unset.")


AUTOMATIC = "auto"
"""Stands for a size that the local server chooses at each start."""


class ServerSettings(_Group):
    """The local server."""

    heap: str = Field(
        AUTOMATIC, description="Heap of the local server, as the JVM writes it; auto: as its store and the machine ask."
    )
    page_cache: str = Field(
        AUTOMATIC, description="Page cache of the local server, as Neo4j writes it; auto: as for the heap."
    )
    idle_minutes: float = Field(30, gt=0, description="The local server stops after so many minutes without a command.")


class ArxivSettings(_Group):
    """Where papers are fetched."""

    api: str = Field("https://export.arxiv.org/api/query", description="arXiv's query API.")
    eprint: str = Field("https://export.arxiv.org/e-print", description="Where e-prints are fetched.")
    oai: str = Field(
        "https://oaipmh.arxiv.org/oai",
        description="arXiv's OAI-PMH, the only place that tells licences; empty: not asked.",
    )
    interval: float = Field(3.0, ge=0, description="Seconds between two requests to arXiv (its terms ask for 3).")


class GithubSettings(_Group):
    """Where repositories are fetched, and how much of them."""

    api: str = Field("https://api.github.com", description="GitHub's REST API.")
    git: str = Field("https://github.com", description="Where repositories are cloned from.")
    token: SecretStr | None = Field(None, description="GitHub token.")
    repository_limit_mb: int = Field(500, gt=0, description="Megabytes that a cloned repository may have.")
    repository_seconds: float = Field(300.0, gt=0, description="Seconds that cloning a repository may take.")


class NetworkSettings(_Group):
    """What holds for every request."""

    retry_wait: float = Field(
        3.0, ge=0, description="Seconds before a failed request is tried again; doubles each time."
    )
    retry_total: float = Field(120.0, ge=0, description="Seconds that all tries of one request may take together.")


class ExecutionSettings(_Group):
    """The sandbox and the environments that code runs in."""

    sandbox: Literal["bubblewrap", "docker"] | None = Field(
        None, description="The only sandbox to use; unset: bubblewrap where it works, else docker."
    )
    docker_host: str | None = Field(
        None, description="The Docker engine's address, as DOCKER_HOST names it; unset: the default socket."
    )
    pythons: Annotated[tuple[Path, ...], BeforeValidator(_listed)] = Field(
        (), description="Further Python programs to run code with, beside those found; in the environment a JSON list."
    )
    environment_limit_mb: int = Field(
        3000, gt=0, description="Megabytes of wheels that one Python environment for code may take."
    )
    environment_seconds: float = Field(900.0, gt=0, description="Seconds that building one environment may take.")
    environments_mb: int = Field(
        20_000, gt=0, description="Megabytes of environments kept; `xkg environment prune` removes the longest unused."
    )
    torch_index: bool = Field(
        True, description="Ask PyTorch's own index for CPU builds of torch; otherwise the package index alone."
    )


class VerifySettings(_Group):
    """The limits within which code is judged."""

    seconds: float = Field(3600.0, gt=0, description="Seconds that judging one repository's code may take.")
    unit_seconds: float = Field(240.0, gt=0, description="Seconds that the mutation check of one unit may take.")
    test_seconds: float = Field(30.0, gt=0, description="Seconds that one test may take.")
    mutants: int = Field(12, gt=0, description="Mutants that a unit's test is held against, at most.")
    share: float = Field(0.5, ge=0.5, le=1, description="Share of the mutants that a test must notice.")
    written_share: float = Field(0.6, ge=0.5, le=1, description="Share that tests which a model writes must notice.")
    memory_mb: int = Field(4096, gt=0, description="Megabytes of memory of a run that judges code.")
    repository_mb: int = Field(200, gt=0, description="Megabytes of a repository that go into the sandbox.")
    block_seconds: float = Field(120.0, gt=0, description="Seconds that one run of an imported block may take.")
    block_total_seconds: float = Field(300.0, gt=0, description="Seconds that judging one imported block may take.")


class LlmProfile(_Group):
    """A language model as it is to be asked: the table ``[llm.profiles.NAME]``. No key stands here, only its place."""

    model: str = Field(min_length=1, description="The model's name, as its provider calls it.")
    provider: str = Field(
        "openai", description="LangChain's name of the provider; openai: all that speak its protocol."
    )
    base_url: str | None = Field(None, description="Address of the API, up to /v1; unset: the provider's own.")
    api_key_env: str | None = Field(
        None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="Environment variable that holds the key; never the key."
    )
    temperature: float | None = Field(None, ge=0, description="Sampling temperature; unset: not sent.")
    max_output_tokens: int = Field(8192, gt=0, description="Tokens that one reply may have.")
    context_tokens: int = Field(128_000, gt=0, description="Tokens that a prompt and its reply may have together.")
    timeout: float = Field(600.0, gt=0, description="Seconds that one reply may take, from the request to its end.")
    structured: Literal["json_schema", "json_object", "prompt"] = Field(
        "json_schema",
        description="How JSON is asked for: by its schema, enforced by the server; as some JSON; in words alone.",
    )
    list_items: int | None = Field(
        None, gt=0, description="Entries of each list in a reply, where the server enforces its schema; unset: any."
    )
    code: Literal["json", "block"] = Field(
        "json",
        description="Where a whole file of code stands in a reply: in its JSON; or before it, as a fenced block.",
    )
    stream: bool = Field(True, description="Whether replies are streamed.")
    requests_per_minute: float = Field(0, ge=0, description="Requests a minute of this process; 0: as they come.")
    concurrency: int = Field(4, gt=0, description="Calls of this process at the same time.")
    tries: int = Field(5, gt=0, description="Tries of a call that is limited (429), fails (5xx), or gets no answer.")
    replay: Literal["record", "replay", "off"] = Field(
        "record",
        description="record: known answers replayed, new ones kept; replay: the model is never asked; off: neither.",
    )
    replies: Path | None = Field(None, description="Folder of kept answers, from xkg.toml on; unset: at home.")


class LlmPrice(_Group):
    """What a model costs: the table ``[llm.prices."MODEL"]``, per million tokens, in one currency for all models."""

    input: Decimal = Field(ge=0, description="Price of a million tokens of prompts.")
    output: Decimal = Field(ge=0, description="Price of a million tokens of replies.")


class LlmSettings(_Group):
    """Language models and what they may spend: a limit of 0 is none; a paper's and a stage's hold within a run."""

    profile: str | None = Field(None, description="The profile used where none is named; unset: no model is used.")
    profiles: Annotated[dict[str, LlmProfile], BeforeValidator(_listed)] = Field(
        {}, description="Models by a name of your own, a table each; in the environment a JSON object."
    )
    prices: Annotated[dict[str, LlmPrice], BeforeValidator(_listed)] = Field(
        {}, description="Prices by model, a table each: input and output per million tokens."
    )
    run_tokens: int = Field(10_000_000, ge=0, description="Tokens that one run may use, prompts and replies together.")
    run_money: Decimal = Field(Decimal(0), ge=0, description="Money that one run may cost.")
    run_calls: int = Field(0, ge=0, description="Requests that one run may make, failed ones among them.")
    paper_tokens: int = Field(1_000_000, ge=0, description="Tokens that one paper may use.")
    paper_money: Decimal = Field(Decimal(0), ge=0, description="Money that one paper may cost.")
    paper_calls: int = Field(0, ge=0, description="Requests that one paper may need.")
    stage_tokens: int = Field(0, ge=0, description="Tokens that one stage may use.")
    stage_money: Decimal = Field(Decimal(0), ge=0, description="Money that one stage may cost.")
    stage_calls: int = Field(0, ge=0, description="Requests that one stage may make.")


class TechniqueSettings(_Group):
    """How techniques are found in a paper where a model judges."""

    retrieved: int = Field(
        5, ge=0, description="Passages of the paper, nearest in meaning, whose sentences enrich a definition; 0: none."
    )


class ImplementationSettings(_Group):
    """What a model is shown of the code of a repository, where it judges which unit implements a technique."""

    candidates: int = Field(
        10, ge=1, le=16, description="Units of the ranking that are shown for one technique, at first."
    )
    body: int = Field(
        2_200, ge=500, description="Characters of a unit's body that are shown, where the model did not ask for more."
    )


class SearchSettings(_Group):
    """How a task is searched for where a model judges."""

    techniques: int = Field(5, ge=0, description="Techniques that a task is taken apart into, at most; 0: it is not.")


class Settings(BaseSettings):
    """All that can be set. Every field has a working default; a field's description is its help."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True)

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("xkg")),
        description="Folder of the local server's data: one graph for each home.",
    )
    cache: Path = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir("xkg")),
        description="Folder of what can be fetched or computed again: server jars, model, vectors, e-prints, clones.",
    )
    embedding_model: str = Field(
        "minilm", description="'minilm' (built in, no torch) or the name or folder of a sentence-transformers model."
    )
    blacklist: Annotated[tuple[Path, ...], BeforeValidator(_paths)] = Field(
        (),
        description="Files that name what may not be acquired, found or shown: addresses and paper ids, one a line; "
        "several as a list, in the environment as in PATH.",
    )
    neo4j: Neo4jSettings = Neo4jSettings()
    server: ServerSettings = ServerSettings()
    arxiv: ArxivSettings = ArxivSettings()
    github: GithubSettings = GithubSettings()
    network: NetworkSettings = NetworkSettings()
    execution: ExecutionSettings = ExecutionSettings()
    verify: VerifySettings = VerifySettings()
    llm: LlmSettings = LlmSettings()
    techniques: TechniqueSettings = TechniqueSettings()
    implementations: ImplementationSettings = ImplementationSettings()
    search: SearchSettings = SearchSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 -- pydantic's signature
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 -- pydantic's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 -- pydantic's signature
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags (init), then the environment, then `xkg.toml`."""
        environment = InitSettingsSource(settings_cls, init_kwargs=_environment())
        return init_settings, environment, TomlConfigSettingsSource(settings_cls, config_file())

    def replace(self, **changes: Any) -> Self:
        """These settings with other values: ``replace(home=folder, verify__mutants=3)``, two underscores after a group.

        Raises ValidationError for a value that does not fit, ValueError for a key that does not exist.
        """
        fields: dict[str, Any] = {}
        for key, value in changes.items():
            group, _, field = key.rpartition("__")
            if f"{group}.{field}".lstrip(".") not in keys():
                raise ValueError(f"no such setting: {key}")
            if group:
                now = fields.get(group, getattr(self, group))
                fields[group] = type(now)(**{**dict(now), field: value})
            else:
                fields[field] = value
        return self.model_copy(update=fields)


def _environment() -> dict[str, Any]:
    """What the environment sets, by any of the names in `variables`. An empty variable sets nothing."""
    values: dict[str, Any] = {}
    for key in keys():
        if name := variable_in_force(key):
            group, _, field = key.rpartition(".")
            (values.setdefault(group, {}) if group else values)[field] = os.environ[name]
    return values


def config_file() -> Path:
    """The configuration file of this run, whether or not it exists."""
    return Path(os.environ.get("XKG_CONFIG", "xkg.toml"))


def check_outside(folder: Path) -> None:
    """Raises InputError where this run found its settings, which nobody named, in a `folder` that is to be read and
    judged: who wrote that would say how, and which server is told of it."""
    file = config_file()
    if "XKG_CONFIG" not in os.environ and file.is_file() and file.resolve().is_relative_to(folder.resolve()):
        raise InputError(
            f"{file} would set how what lies around it is read and judged",
            where=str(folder),
            remedy="run xkg from a folder outside of it, or name a file of settings in XKG_CONFIG",
        )


@cache
def keys() -> dict[str, FieldInfo]:
    """Every setting by its key, ``group.field`` or ``field``, with its type, default and description."""
    return dict(_fields(Settings, ""))


def _fields(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, FieldInfo]]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, _Group):
            yield from _fields(field.annotation, f"{name}.")
        else:
            yield prefix + name, field


def variables(key: str) -> tuple[str, ...]:
    """The environment's variables for the setting `key`; the first that is set wins."""
    return f"XKG_{key.replace('.', '_').upper()}", *OTHER_VARIABLES.get(key, ())


def variable_in_force(key: str) -> str | None:
    """The variable that sets `key`, as the environment spells it; None if none does."""
    there = {name.upper(): name for name, value in os.environ.items() if value}
    return next((there[name] for name in variables(key) if name in there), None)


@cache
def load_settings() -> Settings:
    """The settings of this process. Raises InputError for a bad key or value."""
    try:
        return Settings()
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{config_file()} is not valid TOML: {error}", remedy="correct or remove it") from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        moved = next((new for new in keys() if new != key and f"XKG_{key.upper()}" in variables(new)), None)
        raise InputError(
            f"configuration key {key!r}: {f'it is called {moved!r} now' if moved else first['msg']}",
            where=f"{config_file()} or the environment",
            remedy="`xkg config show` lists the keys",
        ) from error
