"""OpenAI's protocol by LangChain, with what it leaves out of a stream: the words by which a model declines."""

from typing import Any

from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI

__all__ = ["OpenAIChat"]


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
