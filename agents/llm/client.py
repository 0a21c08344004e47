"""The one client that asks language models. See the package for how to use it."""

import string
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, cached_property
from typing import Any, Generic, TypeVar, overload
from uuid import uuid4

from pydantic import BaseModel

from agents.llm.errors import BrokenReply, Fault, ModelError, ModelUnavailable, PromptTooLong
from agents.llm.ledger import ANSWERED, INTERRUPTED, Ledger, Usage, cost
from agents.llm.profiles import find_profile, replies_folder
from agents.llm.replay import Asked, Replies, asked
from agents.llm.sending import Failed, Reply, Sender, judged
from agents.llm.structured import form_of, read
from kg.caching import locked
from kg.config import Settings
from kg.errors import RemoteError
from kg.retrying import patiently
from prompts import Prompt
from prompts import prompt as prompt_of

__all__ = ["CHARACTERS_A_TOKEN", "LLM", "Answer", "likely_tokens", "most_tokens", "shortened", "size"]

CHARACTERS_A_TOKEN = 3
"""Of formulas and code; fewer than most tokenizers need for prose."""
_PLAIN = (string.ascii_letters + " \n").encode()

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A valid answer. `usage` and `cost` (None without a price) are what it took when it was given; where `cached`,
    nothing was spent now. `broken` replies before it were none. `model` and `prompt_sha256` are its provenance. Times
    are seconds, 0 where cached."""

    value: T
    text: str
    usage: Usage
    cost: Decimal | None
    cached: bool
    model: str
    prompt: str
    prompt_sha256: str
    key: str
    seconds: float = 0.0
    first: float = 0.0
    broken: int = 0


def likely_tokens(text: str) -> int:
    """Tokens of a text as they are counted where a server does not tell: a token for four bytes."""
    return -(-len(text.encode()) // 4)


def most_tokens(text: str) -> int:
    """Tokens that a text may have: one for two letters or blanks, one for each digit or sign, one for each byte of what
    is not ASCII, and some for the form of the messages. Prose has one for about four, code one for about three."""
    bytes_ = text.encode("utf-8", "replace")
    plain = len(bytes_) - len(bytes_.translate(None, _PLAIN))
    return len(bytes_) - plain + -(-plain // 2) + 64


def size(text: str) -> int:
    """How long a text is where prompts are planned, at three characters a token: its characters, or more where these
    are rare ones, of which each is a token."""
    return max(len(text), CHARACTERS_A_TOKEN * likely_tokens(text))


def shortened(text: str, most: int) -> str:
    """The beginning of a text, of at most that `size`."""
    if size(text) <= most:
        return text
    kept = text.encode("utf-8", "replace")[: most * 4 // CHARACTERS_A_TOKEN].decode("utf-8", "ignore")
    return kept[:most]


class LLM:
    """Asks the model of one profile for one run. Stateless between calls, and safe to share among threads.

    `profile` is a name (the settings' default if None); calls of one `run` share its limits, and a run that goes on
    after a crash under the same name goes on with what it had left. Raises ProfileError.
    """

    def __init__(self, settings: Settings, profile: str | None = None, *, run: str | None = None) -> None:
        self.name, self.profile = find_profile(settings, profile)
        self.run = run or f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{uuid4().hex[:6]}"
        self.ledger = Ledger(settings.home / "llm")
        self._settings = settings
        self._replies = Replies(replies_folder(settings, self.profile))

    @overload
    def ask(
        self,
        prompt: str | Prompt,
        inputs: Mapping[str, Any],
        schema: type[M],
        *,
        stage: str,
        paper: str | None = None,
        sample: int = 0,
        again: int = 0,
        seconds: float | None = None,
    ) -> Answer[M]: ...

    @overload
    def ask(
        self, prompt: str | Prompt, inputs: Mapping[str, Any], schema: None = None, *, stage: str,
        paper: str | None = None, sample: int = 0, again: int = 0, seconds: float | None = None,
    ) -> Answer[str]: ...  # fmt: skip

    def ask(
        self,
        prompt: str | Prompt,
        inputs: Mapping[str, Any],
        schema: type[BaseModel] | None = None,
        *,
        stage: str,
        paper: str | None = None,
        sample: int = 0,
        again: int = 0,
        seconds: float | None = None,
    ) -> Answer[Any]:
        """The model's answer to a prompt: a value of the type `schema`, or text without one.

        `stage` and `paper` are whom it is counted for; another `sample` is another answer to the same question. A reply
        that is no answer is asked for up to `again` times more, as the samples that follow; the first of them that is
        kept is the answer. After `seconds` no further try is begun. Raises the errors of `agents.llm.errors`, and
        ValueError where inputs or schema are not those of the prompt.
        """
        question = asked(
            prompt_of(prompt) if isinstance(prompt, str) else prompt, self.profile, dict(inputs), schema, sample
        )
        questions = [replace(question, sample=number) for number in range(sample, sample + again + 1)]
        if kept := next((kept for one in questions if (kept := self._kept(one))), None):
            return kept
        if self.profile.replay != "replay":
            self._fits(question)
        for broken, one in enumerate(questions):
            try:
                return replace(self._asked(one, stage, paper, seconds), broken=broken)
            except BrokenReply:
                if one is questions[-1]:
                    raise
        raise AssertionError("there is at least one question")

    def _asked(self, question: Asked, stage: str, paper: str | None, seconds: float | None) -> Answer[Any]:
        if self.profile.replay == "replay":
            return self._answer(question, *self._replies.need(question))
        with locked(self._settings.home, f"model call {question.key[:3]}"):  # the same question is not paid twice
            return self._kept(question) or self._call(question, stage, paper, seconds)

    def _kept(self, question: Asked) -> Answer[Any] | None:
        """A kept answer that is still valid. Settles the call that brought it, if that was killed before it could."""
        found = self._replies.find(question) if self.profile.replay != "off" else None
        if found is None:
            return None
        text, usage = found
        try:
            answer = self._answer(question, text, usage)
        except BrokenReply:  # its type has become stricter than its schema says
            return None
        if self.profile.replay == "record":
            self.ledger.found(question.key, self._settings.llm, usage)
        return answer

    def _fits(self, question: Asked) -> None:
        needs = likely_tokens(question.sent) + self.profile.max_output_tokens
        if needs > self.profile.context_tokens:
            raise PromptTooLong(
                f"prompt {question.prompt.name!r} and its reply need about {needs} tokens, {self.profile.model} has "
                f"{self.profile.context_tokens}",
                remedy="shorten what is asked, or see to context_tokens and max_output_tokens of the profile",
            )

    def _call(self, question: Asked, stage: str, paper: str | None, seconds: float | None) -> Answer[Any]:
        """Ask the model, again where that may help."""
        tries, network = self.profile.tries, self._settings.network
        total = network.retry_total + tries * self.profile.timeout
        try:
            return patiently(
                self._settings,
                f"asking {self.profile.model}",
                lambda: self._try(question, stage, paper),
                tries=tries,
                total=total if seconds is None else min(total, seconds),
            )
        except RemoteError as error:
            if not isinstance(error.__cause__, Failed):
                raise
            fault, where = error.__cause__.fault, self._sender.where
            raise ModelUnavailable(error.what, fault=fault, where=where, remedy=error.remedy) from error

    def _try(self, question: Asked, stage: str, paper: str | None) -> Answer[Any]:
        """One request. Its answer is kept before it is settled, so that whoever is killed between finds both again."""
        sender, limits, reply = self._sender, self._settings.llm, Reply()
        with _gate(self.name, self.profile.concurrency, self.profile.requests_per_minute).turn():
            most = Usage(
                tokens_in=most_tokens(question.sent), tokens_out=self.profile.max_output_tokens, estimated=True
            )
            reserved = self.ledger.reserve(
                limits, most, key=question.key, run=self.run, stage=stage, paper=paper, model=self.profile.model,
                prompt=question.prompt.name,
            )  # fmt: skip
            outcome, used = INTERRUPTED, most
            try:
                reply.restart()
                sender.send(question, reply)
                used = _used(question, reply)
                judged(reply, sender.where)
                answer = self._answer(question, reply.text, used, reply)
                if self.profile.replay == "record":
                    self._replies.keep(question, reply.text, used)
                outcome = ANSWERED
                return answer
            except (Failed, ModelError) as error:
                outcome, used = error.fault, _charged(error, question, reply) or used
                if isinstance(error, BrokenReply) and self.profile.replay == "record":
                    self._replies.keep(question, reply.text, used, error.fault)
                raise
            except PromptTooLong:
                outcome, used = Fault.REFUSED, Usage(tokens_in=0, tokens_out=0)
                raise
            finally:
                self.ledger.settle(reserved, limits, outcome, used, reply.seconds)

    @cached_property
    def _sender(self) -> Sender:
        return Sender(self.profile)

    def _answer(self, question: Asked, text: str, usage: Usage, reply: Reply | None = None) -> Answer[Any]:
        """The value in a text, with what is known of it. Raises BrokenReply."""
        price = self._settings.llm.prices.get(self.profile.model)
        return Answer(
            value=read(text, question.schema, form_of(question.schema, self.profile)) if question.schema else text,
            text=text,
            usage=usage,
            cost=cost(price, usage),
            cached=reply is None,
            model=self.profile.model,
            prompt=question.prompt.name,
            prompt_sha256=question.prompt.sha256,
            key=question.key,
            seconds=reply.seconds if reply else 0.0,
            first=reply.first if reply else 0.0,
        )


def _used(question: Asked, reply: Reply) -> Usage:
    """What a reply took: as the server told, else by the length of the texts."""
    tokens_in, tokens_out = likely_tokens(question.sent), likely_tokens(reply.text)
    return reply.usage or Usage(tokens_in=tokens_in, tokens_out=tokens_out, estimated=True)


def _charged(error: Failed | ModelError, question: Asked, reply: Reply) -> Usage | None:
    """What a failed call took; None: nobody knows, so that its worst case counts."""
    if reply.usage or (isinstance(error, BrokenReply) and reply.text):
        return _used(question, reply)
    free = isinstance(error, ModelUnavailable) or (isinstance(error, Failed) and not error.charged)
    return Usage(tokens_in=0, tokens_out=0) if free else None


class _Gate:
    """So many calls of this process at a time, and so many a minute."""

    def __init__(self, concurrency: int, requests_per_minute: float) -> None:
        from langchain_core.rate_limiters import InMemoryRateLimiter

        self._places = threading.BoundedSemaphore(concurrency)
        self._pace = (
            InMemoryRateLimiter(
                requests_per_second=requests_per_minute / 60, check_every_n_seconds=0.02, max_bucket_size=1
            )
            if requests_per_minute
            else None
        )

    @contextmanager
    def turn(self) -> Iterator[None]:
        with self._places:
            if self._pace:
                self._pace.acquire()
            yield


@cache
def _gate(name: str, concurrency: int, requests_per_minute: float) -> _Gate:  # noqa: ARG001 -- one for each profile
    return _Gate(concurrency, requests_per_minute)
