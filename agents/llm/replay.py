"""Kept answers: one JSON file each, to be read, committed and replayed, byte for byte, on any machine.

A file is ``<prompt>/<key>.json`` in the profile's folder. Its key is the digest of all that the answer depends on: the
model's name, the parameters, the prompt's file, what was rendered from it, the form that was asked for, and the number
of the sample. It holds no address, key, path or time. A reply that is no answer is kept with its fault, for those who
replay alone: what was recorded goes the same way again. Whoever may ask, asks anew.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from agents.llm.errors import BrokenReply, Fault, ReplayMiss
from agents.llm.ledger import Usage
from agents.llm.structured import asked_in_words, form_of, schema_sha256
from kg.config import LlmProfile
from kg.files import disk_errors, write_file
from kg.models.paper import Model
from prompts import Messages, Prompt

__all__ = ["Asked", "Kept", "Replies", "asked"]


class Kept(Model):
    """A reply as it lies on disk: what was asked, in digests and names, and the reply's text by its lines; `fault` is
    why it is no answer, None if it is one."""

    model: str
    parameters: dict[str, Any]
    prompt: str
    version: int
    prompt_sha256: str
    input_sha256: str
    schema_sha256: str | None
    sample: int
    usage: Usage
    fault: Fault | None = None
    reply: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """One question to one model, ready to be sent: what its answer depends on, and the key that follows from it."""

    prompt: Prompt
    profile: LlmProfile
    messages: Messages
    schema: type[BaseModel] | None
    sample: int

    @property
    def sent(self) -> str:
        """All text that the model will see, the enforced schema among it."""
        enforced = self.schema and not asked_in_words(self.schema, self.profile)
        form = json.dumps(self.schema.model_json_schema()) if self.schema and enforced else ""
        return f"{self.messages.system}\n{self.messages.user}\n{form}"

    @property
    def parts(self) -> dict[str, Any]:
        """All that an answer depends on, as it is kept beside it."""
        profile, told = self.profile, f"{self.messages.system}\0{self.messages.user}"
        form = form_of(self.schema, profile) if self.schema else None
        return {
            "model": profile.model,
            "parameters": {
                "max_output_tokens": profile.max_output_tokens,
                "structured": form,
                "temperature": profile.temperature,
                **({"list_items": profile.list_items} if form == "json_schema" and profile.list_items else {}),
            },
            "prompt": self.prompt.name,
            "version": self.prompt.version,
            "prompt_sha256": self.prompt.sha256,
            "input_sha256": hashlib.sha256(told.encode()).hexdigest(),
            "schema_sha256": schema_sha256(self.schema),
            "sample": self.sample,
        }

    @property
    def key(self) -> str:
        """The digest of `parts`, as 32 hex digits."""
        return hashlib.sha256(json.dumps(self.parts, sort_keys=True).encode()).hexdigest()[:32]


def asked(
    prompt: Prompt, profile: LlmProfile, inputs: dict[str, Any], schema: type[BaseModel] | None, sample: int
) -> Asked:
    """The question, rendered. Raises ValueError where the inputs or the schema are not those that the prompt names."""
    if prompt.output != (schema.__name__ if schema else "text"):
        raise ValueError(f"prompt {prompt.name!r} answers with {prompt.output}, not {schema and schema.__name__}")
    messages = prompt.render(inputs)
    if schema:
        messages = Messages(messages.system + asked_in_words(schema, profile), messages.user)
    return Asked(prompt, profile, messages, schema, sample)


class Replies:
    """The folder of kept answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _file(self, question: Asked) -> Path:
        return self.folder / question.prompt.name / f"{question.key}.json"

    def find(self, question: Asked) -> tuple[str, Usage] | None:
        """The kept text and what it used; None if no answer is kept, or the file no longer says what it answers."""
        kept = self._kept(question)
        return ("\n".join(kept.reply), kept.usage) if kept and kept.fault is None else None

    def need(self, question: Asked) -> tuple[str, Usage]:
        """The same, where the model may not be asked. Raises BrokenReply for a reply that was none, and ReplayMiss."""
        kept = self._kept(question)
        if kept and kept.fault is None:
            return "\n".join(kept.reply), kept.usage
        if kept and kept.fault:
            raise BrokenReply(
                f"the recorded reply is no answer ({kept.fault})", fault=kept.fault, text="\n".join(kept.reply)
            )
        raise ReplayMiss(
            f"no answer of {question.profile.model} to prompt {question.prompt.name!r} is kept for this input",
            where=str(self._file(question)),
            remedy='ask the model once: `replay = "record"` in its profile',
        )

    def keep(self, question: Asked, text: str, usage: Usage, fault: Fault | None = None) -> None:
        """Write a reply, whole or not at all; it is on the disk when this returns."""
        kept = Kept(**question.parts, usage=usage, fault=fault, reply=tuple(text.split("\n")))
        told = kept.model_dump_json(indent=1, exclude=None if fault else {"fault"})
        with disk_errors(self.folder):
            write_file(self._file(question), told + "\n")

    def _kept(self, question: Asked) -> Kept | None:
        try:
            kept = Kept.model_validate_json(self._file(question).read_bytes())
        except (OSError, ValidationError):
            return None
        return kept if kept.model_dump(exclude={"usage", "fault", "reply"}) == question.parts else None
