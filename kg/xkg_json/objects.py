"""JSON objects whose known keys become properties and whose other content is kept as it is."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from kg.errors import InputError
from kg.models.record import Scalar

__all__ = ["DEFAULT_KEYS", "KEYS", "REST", "Object", "parse", "restore"]

KEYS, REST = "xkg_json_keys", "xkg_json_rest"
"""Properties: the keys of the object in their order; a JSON object of the values that no other property holds."""

DEFAULT_KEYS = {
    "paper": ("paper_title", "paper_abstract", "paper_references", "techniques", "resources", "findings", "code_file",
              "code_overview"),
    "technique": ("name", "description", "weight", "code", "components"),
    "code": ("implementation", "test", "documentation", "package"),
}  # fmt: skip
"""The keys of an object that no file gave."""


def parse(text: str, name: str) -> dict[str, Any]:
    """The object that a file holds. Raises InputError for anything else, for NaN and for a key that occurs twice."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
            raise ValueError(f"the key {twice!r} occurs twice in one object")
        return found

    try:
        value = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except RecursionError as error:
        raise InputError(f"{name} is nested too deeply", remedy="leave the file out") from error
    except ValueError as error:
        raise InputError(f"{name} is not valid JSON: {error}", remedy="correct it or leave it out") from error
    if not isinstance(value, dict):
        raise InputError(f"{name} is not an xKG graph: its top is no object", remedy="leave the file out")
    return value


class Object:
    """One JSON object being read: what is taken becomes a property, what is not is its `rest`."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self._value = value
        self._taken: set[str] = set()

    def take(self, key: str, fits: Callable[[Any], bool], default: Any) -> Any:
        """The value of `key` if it is there and fits, else `default`."""
        if key not in self._value or not fits(self._value[key]):
            return default
        self._taken.add(key)
        return self._value[key]

    def text(self, key: str) -> str:
        """A string, or "" if there is none that a database can hold."""
        return str(self.take(key, is_text, ""))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        return tuple(self.take(key, lambda v: isinstance(v, list) and all(map(is_text, v)), ()))

    def number(self, key: str) -> float:
        """A finite floating-point number; 0.0 if there is none (1 is not 1.0 in JSON's writing)."""
        return float(self.take(key, lambda v: type(v) is float and math.isfinite(v), 0.0))

    def kept(self) -> dict[str, Scalar]:
        """The properties that restore order and rest."""
        rest = {key: value for key, value in self._value.items() if key not in self._taken}
        keys = tuple(key for key in self._value if is_text(key))
        if len(keys) != len(self._value):
            raise InputError("a key holds half a surrogate pair, which is no Unicode text", remedy="correct the file")
        return {KEYS: keys, REST: json.dumps(rest) if rest else None}


def is_text(value: Any) -> bool:
    """Whether a value is a string of whole Unicode characters (JSON's escapes can write half ones)."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def restore(keys: tuple[str, ...], rest: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The object again: `keys` in order, each from `rest` if it is there, else from `values`."""
    kept = json.loads(rest) if rest else {}
    return {key: kept[key] if key in kept else values[key] for key in keys if key in kept or key in values}
