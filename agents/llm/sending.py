"""One request to a model, and what came of it.

Requests run in one event loop, in a thread of its own, so that each has a hard deadline however slowly its bytes drip.
OpenAI's `response_format` goes into the request as it is and the reply is read by us: the library's own parsing would
lose the text, and what it cost, wherever the two don't fit.
"""

import asyncio
import os
import threading
import time
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from agents.llm.errors import BrokenReply, Fault, ModelUnavailable, PromptTooLong, TooMuch
from agents.llm.ledger import Usage
from agents.llm.profiles import api_key, chat_model, place, request_options
from agents.llm.replay import Asked
from agents.llm.structured import response_format
from kg.config import LlmProfile
from kg.retrying import Again, Unreachable, retry_after

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage
    from langchain_core.outputs import ChatGeneration

__all__ = ["Failed", "NoConnection", "Reply", "Sender", "judged"]

T = TypeVar("T")

_LONGEST_TOKEN = 32
"""Characters of a token, at the very most and on average: a stream that is longer than its limit of tokens is ended."""
_SHOWN = 300
"""Characters of a server's message that an error repeats."""
_LENGTHS = {"length", "max_tokens", "model_length"}
_TOO_LONG = {"context_length_exceeded", "exceed_context_size_error"}
_FILTERS = {"content_filter", "safety", "recitation", "prohibited_content", "blocklist"}
"""Why a reply ended, or was not begun, in the words of several providers."""


_MOST = 1_000_000_000
"""Tokens of a prompt or a reply that no model has."""


@dataclass
class Reply:
    """What a model has said so far, and how it went. `usage` None: the server did not tell. Times are seconds."""

    text: str = ""
    finish: str = ""
    refusal: str = ""
    usage: Usage | None = None
    first: float = 0.0
    seconds: float = 0.0
    started: float = field(default_factory=time.monotonic, repr=False)

    def restart(self) -> None:
        """Let its time begin now."""
        self.started = time.monotonic()

    def add(self, message: "BaseMessage") -> None:
        """Take in a whole message, or the next piece of one."""
        text = str(message.text)
        if text and not self.text:
            self.first = time.monotonic() - self.started
        self.text += text.encode("utf-8", "replace").decode()
        told = message.response_metadata
        self.finish = str(told.get("finish_reason") or told.get("stop_reason") or self.finish).lower()
        self.refusal += str(message.additional_kwargs.get("refusal") or "")
        used = getattr(message, "usage_metadata", None)
        if used:
            self.take_usage(used["input_tokens"], used["output_tokens"])
        self.seconds = time.monotonic() - self.started

    def take_usage(self, tokens_in: int, tokens_out: int) -> None:
        """Believe what the server says it used, unless it can't be: less than nothing would be paid back, and no reply
        has so many that all later sums are of it alone."""
        if 0 < tokens_in < _MOST and 0 <= tokens_out < _MOST:
            self.usage = Usage(tokens_in=tokens_in, tokens_out=tokens_out)


class Failed(Again):
    """A try that brought no reply, in a way that may pass; `charged`: the model may have worked for it all the same."""

    def __init__(self, fault: Fault, reason: str, *, charged: bool, wait: float | None = None) -> None:
        self.fault, self.charged = fault, charged
        super().__init__(reason, wait)


class NoConnection(Failed, Unreachable):
    """No connection came about."""


class Sender:
    """Sends questions to the model of one profile. Making one raises ProfileError."""

    def __init__(self, profile: LlmProfile) -> None:
        self.profile, self.where = profile, place(profile)
        self._key = api_key(profile) or ""
        self._model = chat_model(profile)

    def send(self, question: Asked, reply: Reply) -> None:
        """Ask, and put what comes into `reply`, whose content is then still to be judged.

        Raises Failed for what may pass, ModelUnavailable for a refusal, PromptTooLong, and BrokenReply for what is no
        reply at all.
        """
        options = request_options(
            self.profile, response_format(question.schema, self.profile) if question.schema else None
        )
        try:
            _run(self._ask(question, options, reply))
        except (Failed, BrokenReply):
            raise
        except Exception as error:  # what a library makes of what a server sends may be anything
            if isinstance(endless := _root(error), TooMuch):
                raise self._broken(f"the reply does not end ({endless})", Fault.LENGTH, reply) from error
            raise self._told(error, reply) from error
        finally:
            reply.seconds = time.monotonic() - reply.started

    async def _ask(self, question: Asked, options: dict[str, Any], reply: Reply) -> None:
        from langchain_core.messages import HumanMessage, SystemMessage

        messages = [SystemMessage(question.messages.system), HumanMessage(question.messages.user)]
        try:
            async with asyncio.timeout(self.profile.timeout):
                if self.profile.stream:
                    await self._stream(messages, options, reply)
                else:
                    await self._whole(messages, options, reply)
        except TimeoutError as error:
            raise self._late(reply) from error

    async def _stream(self, messages: "list[BaseMessage]", options: dict[str, Any], reply: Reply) -> None:
        stream = cast("AsyncGenerator[BaseMessage, None]", self._model.astream(messages, **options))
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                reply.add(piece)
                if len(reply.text) > _LONGEST_TOKEN * self.profile.max_output_tokens:
                    raise self._broken("the reply does not end", Fault.LENGTH, reply)
        if not reply.finish:
            raise self._broken("the stream was cut", Fault.CUT, reply)

    async def _whole(self, messages: "list[BaseMessage]", options: dict[str, Any], reply: Reply) -> None:
        result = await self._model.agenerate([messages], **options)
        for generation in result.generations[0][:1]:
            reply.add(cast("ChatGeneration", generation).message)
        told = (result.llm_output or {}).get("token_usage") or {}
        if reply.usage is None:
            reply.take_usage(told.get("prompt_tokens") or 0, told.get("completion_tokens") or 0)

    def _late(self, reply: Reply) -> Failed:
        heard = "the reply stopped half-way" if reply.text else "nothing was heard"
        return Failed(Fault.TIMEOUT, f"no whole reply in {self.profile.timeout:g} s, {heard}", charged=True)

    def _told(self, error: Exception, reply: Reply) -> Exception:
        """What a library's error means."""
        from langchain_core import exceptions as known

        response = getattr(error, "response", None)
        status = getattr(response, "status_code", 0)
        said = self._message(error)
        codes = {getattr(error, "code", None), getattr(error, "type", None)}
        if isinstance(error, known.ContextOverflowError) or codes & _TOO_LONG:
            return PromptTooLong(f"{self.profile.model} says that the prompt is too long", where=self.where)
        if status == 408 or isinstance(error, known.ModelTimeoutError):
            return self._late(reply)
        for fault, fits, kind in (
            (Fault.LIMITED, status == 429, known.ModelRateLimitError),
            (Fault.FAILING, status >= 500, known.ModelAPIError),
        ):
            if fits or isinstance(error, kind):
                wait = retry_after(response.headers.get("retry-after")) if response is not None else None
                return Failed(fault, f"the server is {fault} ({said})", charged=False, wait=wait)
        if isinstance(error, known.ModelConnectionError):
            return self._unconnected(error, reply)
        if status >= 300:
            what, remedy = "refuses the request", "see to model, api_key_env and structured of its profile"
            if status < 400:
                what, remedy = "is said to be elsewhere, and no prompt is sent on", "set base_url to the address itself"
            return ModelUnavailable(
                f"{self.profile.model} {what} ({said})", fault=Fault.REFUSED, where=self.where, remedy=remedy
            )
        what, remedy = "what came with status 200 is no reply", "base_url leads to an API of OpenAI's kind, up to /v1?"
        return self._broken(f"{what} ({said})", Fault.NOT_A_REPLY, reply, remedy)

    def _unconnected(self, error: Exception, reply: Reply) -> Exception:
        if "Connect" in type(_root(error)).__name__:
            return NoConnection(Fault.UNREACHABLE, f"no connection to {self.where}", charged=False)
        if not reply.text:
            return Failed(Fault.DISCONNECTED, "the connection was lost before a reply", charged=True)
        return self._broken("the stream was cut", Fault.CUT, reply)

    def _broken(self, what: str, fault: Fault, reply: Reply, remedy: str = "") -> BrokenReply:
        return BrokenReply(what, fault=fault, text=reply.text, where=self.where, remedy=remedy)

    def _message(self, error: Exception) -> str:
        """An error's first line, without our key."""
        text = next(iter(str(error).splitlines()), "") or type(error).__name__
        return (text.replace(self._key, "********") if self._key else text)[:_SHOWN]


def judged(reply: Reply, where: str) -> None:
    """Raises BrokenReply for a reply that is whole as a message and still no answer."""

    def broken(what: str, fault: Fault, remedy: str = "") -> BrokenReply:
        return BrokenReply(what, fault=fault, text=reply.text, where=where, remedy=remedy)

    if reply.refusal:
        raise broken(f"the model declines: {reply.refusal[:_SHOWN]}", Fault.REFUSAL)
    if reply.finish in _FILTERS:
        raise broken("the provider's filter took the reply back", Fault.FILTERED)
    if reply.finish in _LENGTHS:
        raise broken(
            "the reply reached the limit of its tokens", Fault.LENGTH, "raise max_output_tokens of its profile"
        )
    if not reply.text.strip():
        raise broken("the reply is empty", Fault.EMPTY)


def _root(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


_loops: dict[int, asyncio.AbstractEventLoop] = {}
_starting = threading.Lock()


def _run(asking: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, run in this process's loop; whoever waits may be interrupted, which ends it."""
    with _starting:
        if os.getpid() not in _loops:
            loop = _loops[os.getpid()] = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="model calls", daemon=True).start()
    future = asyncio.run_coroutine_threadsafe(asking, _loops[os.getpid()])
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
