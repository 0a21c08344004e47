"""What `xkg doctor` prints, and `xkg config show`: what works here, and what is configured."""

from collections.abc import Iterable
from typing import Any

import click
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from kg.checks import Check
from kg.cli.common import emit, json_option
from kg.config import Settings, config_file, keys, load_settings, variable_in_force, variables
from kg.errors import InputError, ServiceError

__all__ = ["config_show", "report"]

MARKS = {"ok": "ok     ", "missing": "MISSING", "absent": "absent "}


def report(checks: Iterable[Check], *, as_json: bool) -> None:
    """Print what was tried. Raises ServiceError if something that is needed is missing."""
    tried = list(checks)
    missing = [check for check in tried if check.state == "missing"]
    emit({"ok": not missing, "checks": tried}, as_json=as_json, text=lambda: _text(tried))
    if missing:
        raise ServiceError(f"missing: {', '.join(check.name for check in missing)}", remedy=missing[0].mend)


def _text(checks: list[Check]) -> str:
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        lines.append(f"{MARKS[check.state]}  {check.name:<{width}}  {check.detail}")
        if check.state != "ok" and check.mend:
            lines.append(f"{'':7}  {'':{width}}  → {check.mend}")
    return "\n".join(lines)


@click.command()
@json_option
def config_show(as_json: bool) -> None:
    """Show every setting with its value, where that comes from, and what it means; secrets are masked.

    An environment variable wins over `xkg.toml`, that over the default.
    """
    problem: InputError | None = None
    settings: Settings | None = None
    try:
        settings = load_settings()
    except InputError as error:
        problem = error
    rows = [_setting(key, field, settings) for key, field in keys().items()]
    file = config_file()
    result = {"file": str(file), "file_exists": file.is_file(), "settings": rows}
    emit(result, as_json=as_json, text=lambda: _settings_text(rows))
    if problem:
        raise problem


def _setting(key: str, field: FieldInfo, settings: Settings | None) -> dict[str, Any]:
    group, _, name = key.rpartition(".")
    holder = getattr(settings, group) if settings and group else settings
    if variable := variable_in_force(key):
        source = f"environment ({variable})"
    elif holder is not None and name in holder.model_fields_set:
        source = f"file ({config_file()})"
    else:
        source = "default"
    value = getattr(holder, name) if holder is not None else field.get_default(call_default_factory=True)
    shown = (
        value
        if value is None or isinstance(value, int | float)
        else mask(" ".join(map(str, value)) if isinstance(value, tuple | dict) else value)
    )
    return {
        "key": key,
        "value": shown,
        "source": source,
        "variable": variables(key)[0],
        "description": field.description or "",
    }


def mask(value: object) -> str:
    """A value as text, without what is secret in it: all of a secret, the user part of an address."""
    if isinstance(value, SecretStr):
        return "********"
    text = str(value)
    scheme, separator, rest = text.partition("://")
    host, slash, path = rest.partition("/")
    if not separator or "@" not in host:
        return text
    return f"{scheme}://********@{host.rpartition('@')[2]}{slash}{path}"


def _settings_text(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        value = "(not set)" if row["value"] is None else row["value"]
        lines.append(f"{row['key']} = {value}\n    {row['source']}; {row['description']}")
    return "\n".join(lines)
