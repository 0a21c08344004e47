"""Language models: one client for all calls, its kept answers, and the ledger of what they cost.

A prompt is a file in `prompts/` (its package tells the form); its reply is a pydantic model::

    class Sighting(BaseModel):
        count: int
        last: str

    llm = LLM(load_settings(), profile, run=run_id)          # a name out of xkg.toml, or None: the default one
    answer = llm.ask("doctor", {"least": 3, "words": words}, Sighting, stage="doctor", paper=None)
    answer.value.count, answer.usage.tokens_out, answer.cached, answer.model, answer.prompt_sha256

What can go wrong is drawn in `agents.llm.errors`: `BrokenReply` (with its `fault` and `text`) is worth another question
that names what was wrong; `ModelUnavailable` and `BudgetExceeded` end the work, and running again resumes it from the
kept answers. docs/llm.md says how profiles, prices and limits are set.
"""

from agents.llm.client import CHARACTERS_A_TOKEN, LLM, Answer, likely_tokens, most_tokens, shortened, size
from agents.llm.errors import (
    BrokenReply,
    BudgetExceeded,
    Fault,
    ModelError,
    ModelUnavailable,
    ProfileError,
    PromptTooLong,
    ReplayMiss,
)
from agents.llm.profiles import find_profile, limits_text

__all__ = [
    "CHARACTERS_A_TOKEN",
    "LLM",
    "Answer",
    "BrokenReply",
    "BudgetExceeded",
    "Fault",
    "ModelError",
    "ModelUnavailable",
    "ProfileError",
    "PromptTooLong",
    "ReplayMiss",
    "find_profile",
    "likely_tokens",
    "limits_text",
    "most_tokens",
    "shortened",
    "size",
]
