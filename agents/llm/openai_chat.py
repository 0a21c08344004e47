"""OpenAI's protocol by LangChain, with what it lacks: the words by which a model declines in a stream, and an end to a
reply that has none."""

from collections.abc import AsyncIterator
from typing import Any, cast

import httpx2
from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI

from agents.llm.errors import TooMuch

__all__ = ["OpenAIChat", "bounded"]


class OpenAIChat(ChatOpenAI):
    """LangChain's model, whose streamed messages also have `additional_kwargs["refusal"]`, as its whole ones do."""

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        for choice in (chunk.get("choices") or ())[:1]:
            if made and (refusal := (choice.get("delta") or {}).get("refusal")):
                made.message.additional_kwargs["refusal"] = refusal
        return made


def bounded(most: int) -> httpx2.AsyncClient:
    """A client that asks for replies that are not packed, and raises TooMuch from one of more than `most` bytes. It is
    led nowhere else: each request counts, and goes to the address that its profile names."""

    async def bound(response: httpx2.Response) -> None:
        packed = response.headers.get("content-encoding", "identity")
        if packed != "identity":
            raise TooMuch(f"it is packed by {packed}, which was not asked for")
        response.stream = _Bounded(cast(httpx2.AsyncByteStream, response.stream), most)

    return httpx2.AsyncClient(
        event_hooks={"response": [bound]}, headers={"Accept-Encoding": "identity"}, follow_redirects=False
    )


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, most: int) -> None:
        self.stream, self.left = stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self.stream:
            self.left -= len(piece)
            if self.left < 0:
                raise TooMuch("it has more bytes than its tokens can have")
            yield piece

    async def aclose(self) -> None:
        await self.stream.aclose()
