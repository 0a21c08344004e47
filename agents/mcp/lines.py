"""Lines on stdin that are no message of the protocol, and what is said to them.

The SDK reads lines, and for one that it can't parse hands an exception on, to nobody: its sender would wait for ever.
The exception holds the line, so it is answered here as JSON-RPC 2.0 wants it (section 5.1, and examples in section 7).
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from mcp import types
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

__all__ = ["answer_to", "mended"]

_BEGINNING = re.compile(
    r'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(?P<id>-?\d{1,18}|"[^"\\]*")\s*[,}]'
)
"""How a request begins whose id stands before what can't be read."""


def mended(error: Exception) -> SessionMessage | None:
    """The message that a line is if a half of a surrogate pair in its texts is read as U+FFFD, as bytes that are not
    UTF-8 are: clients cut texts in the midst of an emoji. None if it is no message for all that."""
    try:
        text = json.dumps(json.loads(_line(error)), ensure_ascii=False)
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return SessionMessage(jsonrpc_message_adapter.validate_json(whole, by_name=False))
    except (ValueError, RecursionError):
        return None


def answer_to(error: Exception) -> SessionMessage | None:
    """What the sender of a line is told that is no message. None for an empty one."""
    line = _line(error)
    if line.isspace():
        return None
    if line:
        found = _BEGINNING.match(line)
        return _refusal(
            json.loads(found["id"]) if found else None, types.PARSE_ERROR, "this line can't be read as JSON"
        )
    return _refusal(_asked_by(error), types.INVALID_REQUEST, "this is no JSON-RPC 2.0 request: send one object a line")


def _line(error: Exception) -> str:
    """The line if it is no JSON, else ""."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return str(first["input"]) if first["type"] == "json_invalid" else ""
    return ""


def _asked_by(error: Exception) -> str | int | None:
    """The id of an object that is meant as a request: one with a method, as ids of answers are the receiver's."""
    found = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    whole = next((one["input"] for one in found if one["type"] == "missing" and len(one["loc"]) == 2), None)
    given: Any = whole.get("id") if isinstance(whole, Mapping) and "method" in whole else None
    return given if isinstance(given, str) or type(given) is int else None


def _refusal(identifier: str | int | None, code: int, message: str) -> SessionMessage:
    told = types.ErrorData(code=code, message=message)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=identifier, error=told))
