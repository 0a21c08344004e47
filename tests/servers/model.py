"""A model's server that plays a script, in OpenAI's protocol: what it says, and every way to break it."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from servers.scripted import Reply, Request, ScriptedServer

CHAT = "/v1/chat/completions"
USAGE = (11, 7)
"""Tokens in and out that a reply tells, where nothing else is said."""


@dataclass(frozen=True)
class Say:
    """One reply. `text` may be a value that is said as JSON; `usage` None is not told.

    Streams have a piece for each line. `cut` ends one after so many pieces without an end, `hang` pauses there for so
    many seconds before it goes on, `drip` sends so many comments 0.1 s apart first.
    """

    text: Any = "well"
    usage: tuple[int, int] | None = USAGE
    finish: str | None = "stop"
    refusal: str | None = None
    tools: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    choices: int | None = 1
    delay: float = 0.0
    cut: int | None = None
    hang: float = 0.0
    drip: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)

    def reply(self, body: Mapping[str, Any]) -> Reply:
        """The HTTP answer to a request, streamed where that asks for it."""
        told = self.text if isinstance(self.text, str | None) else json.dumps(self.text)
        if body.get("stream"):
            return self._stream(body, told or "")
        calls = [{"id": f"call_{n}", "type": "function", "function": _call(*tool)} for n, tool in enumerate(self.tools)]
        message = {"role": "assistant", "content": told, "refusal": self.refusal} | (
            {"tool_calls": calls} if calls else {}
        )
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        whole = _base(body, "chat.completion") | {"choices": None if self.choices is None else [choice] * self.choices}
        if self.usage:
            whole["usage"] = _usage(self.usage)
        return Reply(body=json.dumps(whole).encode(), headers=JSON | dict(self.headers), delay=self.delay)

    def _stream(self, body: Mapping[str, Any], told: str) -> Reply:
        def event(delta: Mapping[str, Any] | None, finish: str | None = None, **more: Any) -> bytes:
            choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
            return (
                f"data: {json.dumps(_base(body, 'chat.completion.chunk') | {'choices': choices} | more)}\n\n".encode()
            )

        lines = [event({"content": line}) for line in told.splitlines(keepends=True)] if self.choices else []
        first = event({"role": "assistant", "content": "", "refusal": None})
        declined = [event({"refusal": word}) for word in re.findall(r"\S+\s*", self.refusal or "")]
        pieces: list[bytes | float] = [*((b": still here\n\n", 0.1) * self.drip), first, *declined, *lines[: self.cut]]
        if self.hang:
            pieces.append(self.hang)
        if self.cut is None:
            pieces += [event({}, self.finish)]
            if self.usage and (body.get("stream_options") or {}).get("include_usage"):
                pieces.append(event(None, usage=_usage(self.usage)))
            pieces.append(b"data: [DONE]\n\n")
        return Reply(headers=STREAM | dict(self.headers), sized=False, delay=self.delay, pieces=pieces)


JSON = {"Content-Type": "application/json"}
STREAM = {"Content-Type": "text/event-stream"}

Saying = Say | Reply | str | dict[str, Any]
"""A string is said as it is, a dict as JSON, an HTTP reply is sent as it is."""


def status(code: int, said: str = "injected", **headers: str) -> Reply:
    """An HTTP error, as OpenAI words it."""
    body = json.dumps({"error": {"message": said, "type": "injected", "code": None}}).encode()
    return Reply(code, body, JSON | {name.replace("_", "-"): value for name, value in headers.items()})


PAGE = Reply(body=b"<html><body>Please log in</body></html>", headers={"Content-Type": "text/html"})
"""What a proxy says instead."""


class ModelServer(ScriptedServer):
    """`say(...)` sets what comes, the last for ever; a callable is given the request. `bodies` are the requests."""

    def say(self, *sayings: Saying | Callable[[dict[str, Any]], Saying]) -> None:
        self.play(CHAT, *(_answering(saying) for saying in sayings))

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.body) for request in self.asked(CHAT)]


def _answering(saying: Saying | Callable[[dict[str, Any]], Saying]) -> Callable[[Request], Reply]:
    def answer(request: Request) -> Reply:
        body = json.loads(request.body)
        said = saying(body) if callable(saying) else saying
        if isinstance(said, Reply):
            return said
        return (said if isinstance(said, Say) else Say(said)).reply(body)

    return answer


def _base(body: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": body["model"]}


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}


def _call(name: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    return {"name": name, "arguments": json.dumps(arguments)}
