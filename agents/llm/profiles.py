"""Profiles: which model, at which address, with which key. LangChain is loaded when a model is first asked."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agents.llm.errors import ProfileError
from kg.config import LlmProfile, LlmSettings, Settings, config_file

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["api_key", "chat_model", "find_profile", "limits_text", "place", "replies_folder", "request_options"]


_ENVELOPE, _LONGEST_PIECE = 1_000_000, 2_000
"""Bytes of a reply beside its tokens, and of each token with what a stream puts around it: far more than any has."""


def find_profile(settings: Settings, name: str | None = None) -> tuple[str, LlmProfile]:
    """The profile of that name, or the default one, with its name. Raises ProfileError."""
    known = ", ".join(sorted(settings.llm.profiles)) or "none"
    wanted = name or settings.llm.profile
    if wanted is None:
        raise ProfileError(
            "no language model is configured",
            remedy=f"name one with --profile or XKG_LLM_PROFILE (known: {known}); docs/llm.md shows how to make one",
        )
    if wanted not in settings.llm.profiles:
        raise ProfileError(
            f"there is no profile {wanted!r} of a language model (known: {known})",
            where=str(config_file()),
            remedy=f"add the table [llm.profiles.{wanted}] with at least `model`",
        )
    profile = settings.llm.profiles[wanted]
    if profile.provider != "openai" and profile.structured != "prompt":
        raise ProfileError(
            f"profile {wanted!r}: {profile.structured} is of OpenAI's protocol, and its provider is {profile.provider}",
            where=str(config_file()),
            remedy='set `structured = "prompt"`',
        )
    return wanted, profile


def limits_text(settings: LlmSettings) -> str:
    """What a run may spend, in words."""
    limits = [
        f"{limit:,} {unit}".replace(",", " ") + {"run": "", "paper": " a paper", "stage": " a stage"}[scope]
        for scope in ("run", "paper", "stage")
        for unit in ("tokens", "money", "calls")
        if (limit := getattr(settings, f"{scope}_{unit}"))
    ]
    return f"a run may use {', '.join(limits)}" if limits else "no limit is set"


def api_key(profile: LlmProfile) -> str | None:
    """The key, from the environment; None where none is named and the provider's library looks for its own.

    Raises ProfileError. A server at an address of your own gets no key that was not named for it.
    """
    if profile.api_key_env:
        if key := os.environ.get(profile.api_key_env, "").strip():
            return key
        raise ProfileError(
            f"the key of {profile.model} is missing: {profile.api_key_env} is not set",
            remedy=f"export {profile.api_key_env}=…, or name another variable in `api_key_env`",
        )
    return "none" if profile.base_url else None


def place(profile: LlmProfile) -> str:
    """Where the model is, as errors say it: without what an address may hold of secrets."""
    parts = urlsplit(profile.base_url or "")
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or profile.provider


def replies_folder(settings: Settings, profile: LlmProfile) -> Path:
    """The folder of the profile's kept answers; a relative one starts where xkg.toml lies."""
    return config_file().parent / profile.replies if profile.replies else settings.home / "llm" / "replies"


def chat_model(profile: LlmProfile) -> "BaseChatModel":
    """LangChain's model of a profile: no retries, cache or limit of its own. Raises ProfileError."""
    from langchain.chat_models import init_chat_model

    options: dict[str, Any] = {"timeout": profile.timeout, "max_retries": 0, "cache": False}
    if profile.temperature is not None:
        options["temperature"] = profile.temperature
    if profile.base_url:
        options["base_url"] = profile.base_url
    if key := api_key(profile):
        options["api_key"] = key
    if profile.provider == "openai":  # a connection for each call: an idle one may be closed when it is used again
        options["default_headers"] = {"Connection": "close"}
        options |= {"stream_usage": True, "stream_chunk_timeout": None, "use_responses_api": False}
    if not _in_body(profile):
        options["max_tokens"] = profile.max_output_tokens
    try:
        if profile.provider == "openai":
            from agents.llm.openai_chat import OpenAIChat, bounded

            most = _ENVELOPE + _LONGEST_PIECE * profile.max_output_tokens
            return OpenAIChat(model=profile.model, http_async_client=bounded(most), **options)
        model: BaseChatModel = init_chat_model(profile.model, model_provider=profile.provider, **options)
        return model
    except Exception as error:  # any provider's own complaint about key, options or a library
        told = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ProfileError(
            f"{profile.provider}'s model {profile.model} can't be set up: {told}",
            remedy="see to provider, model and api_key_env of its profile; a provider's library is langchain-PROVIDER",
        ) from error


def request_options(profile: LlmProfile, response_format: dict[str, Any] | None) -> dict[str, Any]:
    """What goes into the request beside the messages.

    The limit of tokens is called ``max_tokens`` by most servers that speak OpenAI's protocol, and otherwise by OpenAI.
    """
    body: dict[str, Any] = {"max_tokens": profile.max_output_tokens} if _in_body(profile) else {}
    if response_format:
        body["response_format"] = response_format
    return {"extra_body": body} if body else {}


def _in_body(profile: LlmProfile) -> bool:
    return profile.provider == "openai" and profile.base_url is not None
