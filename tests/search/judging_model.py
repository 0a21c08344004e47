"""A scripted model for judged searches: what it is asked, and answers made from the labels that it is shown."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from servers.model import ModelServer, Saying

from agents.llm import LLM
from kg.config import LlmProfile, Settings

TASK = "Estimate which items of a stream are frequent, in little memory"
SOUGHT = [
    {"name": "Reservoir sampling", "query": "keep a uniform sample of a stream of unknown length"},
    {"name": "Bloom filter", "query": "answer set membership approximately with a bit array"},
]
BODY = dict[str, Any]


def step(body: BODY) -> str:
    """Which of the two questions a request is."""
    return {"Decomposition": "decompose", "Reranking": "rerank"}[body["response_format"]["json_schema"]["name"]]


def user(body: BODY) -> str:
    """The user's part of a request."""
    return str(body["messages"][1]["content"])


def labels(body: BODY) -> dict[str, str]:
    """The labels that stand in a request, each with the rest of its line."""
    return dict(re.findall(r"^\[([TC]\d+)\] (.*)$", user(body), re.MULTILINE))


def label_of(body: BODY, name: str) -> str:
    """The label of the hit whose line holds `name`."""
    return next(label for label, line in labels(body).items() if name in line)


def kept(hit: str, relevance: str = "direct", **more: Any) -> BODY:
    return {"hit": hit, "relevance": relevance, "why": f"why {hit}", "guidance": f"use {hit}", **more}


def rejected(hit: str, reason: str = "other problem") -> BODY:
    return {"hit": hit, "reason": reason, "why": f"no {hit}"}


def all_kept(body: BODY) -> BODY:
    return {"kept": [kept(label) for label in labels(body)], "rejected": []}


def playing(server: ModelServer, decomposed: Saying | list[BODY], reranked: Saying | Callable[[BODY], Saying]) -> None:
    """Let the server answer the first question with these techniques and the second by this function, for ever."""

    def answer(body: BODY) -> Saying:
        if step(body) == "decompose":
            return {"techniques": decomposed} if isinstance(decomposed, list) else decomposed
        return reranked(body) if callable(reranked) else reranked

    server.say(answer)


def asked(server: ModelServer, question: str) -> Iterator[BODY]:
    return (body for body in server.bodies if step(body) == question)


def with_model(settings: Settings, server: ModelServer, folder: Path, **fields: Any) -> Settings:
    """The settings with the profile ``it`` that leads to the server; its answers are kept in `folder`."""
    profile = {"model": "scripted", "base_url": server.base_url, "timeout": 20, "tries": 1, "replies": folder} | fields
    return settings.replace(
        network__retry_wait=0.01, llm__profile="it", llm__profiles={"it": LlmProfile.model_validate(profile)}
    )


def client(settings: Settings, **limits: Any) -> LLM:
    return LLM(settings.replace(**{f"llm__{name}": value for name, value in limits.items()}))
