"""From a reply's text to a value of the type that was asked for.

There is one reading for all classes of models, those whose server enforces a schema and those that are only asked for
JSON in words: the JSON is found in the text, bare or fenced, before or after other words, and validated by pydantic.
A form whose `BLOCK` names one of its fields takes this, too, from a fenced block of code that stands outside of JSON.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from markdown_it import MarkdownIt
from pydantic import BaseModel, ValidationError

from agents.llm.errors import BrokenReply, Fault
from kg.config import LlmProfile

__all__ = ["asked_in_words", "bounded", "form_of", "json_values", "read", "response_format", "schema_sha256"]

T = TypeVar("T", bound=BaseModel)

_SHOWN = 300
"""Characters of a complaint that an error repeats."""
_FAILED = 50
"""Things that look like JSON objects and are none, after which a reply is not searched any further."""
_OBJECT = re.compile(r"\{\s*[\"}]")
_BRACE = re.compile(r"[{}]")
_LINE_END = re.compile(r"\r\n?|\n")


def schema_sha256(schema: type[BaseModel] | None) -> str | None:
    """The digest of what a model of this type may be; None for text."""
    return hashlib.sha256(_shown(schema).encode()).hexdigest() if schema else None


def form_of(schema: type[BaseModel], profile: LlmProfile) -> str:
    """How a reply of this type is asked for: as `structured` of the profile says, or in words, its code as a block."""
    return "block" if profile.code == "block" and _block(schema) else profile.structured


def asked_in_words(schema: type[BaseModel], profile: LlmProfile) -> str:
    """What the system's part says of the form of the reply; nothing where the server enforces it."""
    form = form_of(schema, profile)
    if form == "json_schema":
        return ""
    if form == "block":
        return (
            f"\n\nThe form of your reply, in place of the one object: first `{_block(schema)}`, whole, as one block of "
            "code between ```python and ```; then the rest as one JSON object that is valid by this JSON schema, of "
            f"which it is an instance and not a copy:\n{_shown(schema, without=_block(schema))}"
        )
    return (
        "\n\nReply with one JSON object and nothing else. It must be valid by this JSON schema, of which it is an "
        f"instance and not a copy:\n{_shown(schema)}"
    )


def _block(schema: type[BaseModel]) -> str:
    return str(getattr(schema, "BLOCK", ""))


def _shown(schema: type[BaseModel], without: str = "") -> str:
    form = schema.model_json_schema()
    if without:  # and without the schema's own title, which small models copy
        form = {key: value for key, value in form.items() if key != "title"}
        form["properties"] = {key: value for key, value in form["properties"].items() if key != without}
        form["required"] = [key for key in form.get("required", ()) if key != without]
    return json.dumps(form, ensure_ascii=False, sort_keys=True)


def response_format(schema: type[BaseModel], profile: LlmProfile) -> dict[str, Any] | None:
    """The parameter ``response_format`` of OpenAI's protocol; None where the form is asked for in words alone."""
    asked = form_of(schema, profile)
    if asked in {"prompt", "block"}:
        return None
    if asked == "json_object":
        return {"type": "json_object"}
    from langchain_core.utils.function_calling import convert_to_json_schema

    form = convert_to_json_schema(schema, strict=True)
    form = bounded(form, profile.list_items) if profile.list_items else form
    return {"type": "json_schema", "json_schema": {"name": schema.__name__, "strict": True, "schema": form}}


def bounded(schema: Any, items: int) -> Any:
    """A JSON schema whose lists end after `items` entries, or where they end by it anyway, or must go on to.

    A small model that repeats itself fills a list to the last token that it may write, and the answer is lost.
    """
    if isinstance(schema, list):
        return [bounded(each, items) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: bounded(value, items) for key, value in schema.items()}
    if found.get("type") == "array":
        most = max(items, found.get("minItems", 0))
        found["maxItems"] = min(most, found.get("maxItems", most))
    return found


def read(text: str, schema: type[T], form: str = "prompt") -> T:
    """The value in a reply: the last JSON object that fits. Raises BrokenReply if none is there, or none fits.

    Where the reply was asked for in the `form` "block" (see `form_of`), its longest block of code is the `BLOCK` of
    these, whatever they say there; in other forms only if none of them fits without.
    """
    complaint: ValidationError | None = None
    blocks, rest = _fenced(text) if _block(schema) else ([], text)
    plain = list(json_values(text))
    given = {_block(schema): max(blocks, key=len)} if blocks else {}
    beside = [given, *({**value, **given} for value in json_values(rest))] if given else []
    for value in reversed([*plain, *beside] if form == "block" else [*beside, *plain]):
        try:
            return schema.model_validate_json(json.dumps(value))
        except ValidationError as error:
            complaint = complaint or error
    if complaint is None:
        raise BrokenReply("the reply holds no whole JSON object", fault=Fault.NOT_JSON, text=text)
    first = complaint.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"])) or "the whole"
    raise BrokenReply(
        f"the reply is no {schema.__name__}: {place}: {first['msg'][:_SHOWN]} ({complaint.error_count()} in all)",
        fault=Fault.WRONG_SCHEMA,
        text=text,
    ) from complaint


def _fenced(text: str) -> tuple[list[str], str]:
    """The fenced blocks of a text that hold no JSON, and the text without them; one that does not end is none."""
    lines, blocks, cut = _LINE_END.split(text), list[str](), set[int]()
    for token in MarkdownIt("zero").enable("fence").parse(text):
        first, last = token.map or (0, 0)
        json_said = token.info.strip().lower().startswith("json") or token.content.lstrip()[:1] == "{"
        ended = lines[last - 1].strip() == token.markup and last - first > 1
        if token.type == "fence" and ended and token.content.strip() and not json_said:
            blocks.append(token.content)
            cut.update(range(first, last))
    return blocks, "\n".join(line for number, line in enumerate(lines) if number not in cut)


def json_values(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text that are in no other, in their order.

    What stands inside of an object that is cut, or goes on in a way that is no JSON, is no value of its own: half an
    answer is none. Takes time linear in the text, as it gives up after `_FAILED` such objects.
    """
    decoder, at, failed = json.JSONDecoder(), text.find("{"), 0
    while at >= 0 and failed < _FAILED:
        end = at + 1
        if _OBJECT.match(text, at):
            try:
                value, end = decoder.raw_decode(text, at)
                yield value
            except (ValueError, RecursionError):
                end, failed = _closing(text, at), failed + 1
        at = text.find("{", end)


def _closing(text: str, at: int) -> int:
    """The place after the brace that closes the one at `at`, braces in strings counted too; the text's end if none."""
    depth = 0
    for brace in _BRACE.finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return len(text)
