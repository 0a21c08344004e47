"""`xkg mcp`."""

import json
import secrets
from pathlib import Path
from typing import Any

import click

from agents.tools import LIMIT_TOKENS, TOOLS, Excluded, open_context, tokens
from agents.tools.cypher import TOOLS_WITH_CYPHER, check_open
from agents.tools.envelope import LEAST_TOKENS
from kg.cli.common import emit, json_option, log
from kg.cli.search_filters import exclude_options
from kg.config import Settings, load_settings
from kg.errors import InputError

__all__ = ["mcp"]

SHORTEST = 16
"""Characters of a token that is not guessed."""


@click.command()
@click.option("--http", is_flag=True, help="Serve streamable HTTP at /mcp instead of stdin and stdout.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: where to listen.")
@click.option("--port", default=8365, show_default=True, type=click.IntRange(0, 65535), help="The same; 0: a free one.")
@click.option(
    "--token-file", type=click.Path(path_type=Path),
    help="With --http: a file with the token that clients must send. Where others reach the host and none is given, "
    "one is made and told.",
)  # fmt: skip
@click.option(
    "--blacklist", type=click.Path(path_type=Path), multiple=True,
    help="A file that names what must not be found, besides those of the setting. May be given more than once.",
)  # fmt: skip
@exclude_options
@click.option(
    "--limit-tokens", default=LIMIT_TOKENS, show_default=True, type=click.IntRange(LEAST_TOKENS, 100_000),
    help="The most that one answer of a tool has; resources come whole.",
)  # fmt: skip
@click.option("--include-unlicensed", is_flag=True, help="Also show the text of code whose source states no licence.")
@click.option(
    "--allow-cypher", is_flag=True,
    help="Also a tool for Cypher statements that read. It shows all of the graph: with --include-unlicensed alone, and "
    "with nothing excluded.",
)  # fmt: skip
@click.option("--list", "only_list", is_flag=True, help="Print the tools that are served, and what they cost, and end.")
@json_option
def mcp(
    http: bool, host: str, port: int, token_file: Path | None, blacklist: tuple[Path, ...], limit_tokens: int,
    include_unlicensed: bool, allow_cypher: bool, only_list: bool, as_json: bool, excluded: Excluded,
) -> None:  # fmt: skip
    """Serve the graph's tools to agents by the Model Context Protocol, over stdio or HTTP.

    What is excluded is left out by the queries, whatever a client asks. Remarks go to stderr. `xkg skill install`
    writes the configuration for clients.
    """
    from agents.mcp import make_server, serve_http, serve_stdio
    from agents.mcp.serving import PATH, bound

    if only_list:
        listed = _listed()
        emit(listed, as_json=as_json, text=lambda: _list_text(listed))
        return
    if as_json and not http:
        raise click.UsageError("--json goes with --list or --http: on stdio, stdout is the protocol's")
    settings = _settings(blacklist)
    token = _token(host, token_file) if http else ""
    options = {"limit_tokens": limit_tokens, "unlicensed": include_unlicensed}
    with open_context(settings, excluded, **options) as context:
        if allow_cypher:
            check_open(context)
        server = make_server(context, TOOLS_WITH_CYPHER if allow_cypher else TOOLS)
        if not http:
            serve_stdio(server)
            return
        with bound(host, port) as listening:
            address, taken = listening.getsockname()[:2]
            url = f"http://{f'[{address}]' if ':' in address else address}:{taken}{PATH}"
            emit({"url": url}, as_json=as_json, text=lambda: url)
            if token and token_file is None:
                log.print(f"clients must send `Authorization: Bearer {token}`", markup=False)
            serve_http(server, listening, token)


def _settings(blacklist: tuple[Path, ...]) -> Settings:
    settings = load_settings()
    return settings.replace(blacklist=(*settings.blacklist, *blacklist)) if blacklist else settings


def _token(host: str, file: Path | None) -> str:
    """What clients must send; "" where nobody but this machine reaches the host and none is asked for."""
    from agents.mcp.serving import is_loopback

    if file is None:
        return "" if is_loopback(host) else secrets.token_urlsafe(32)
    try:
        token = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} can't be read as a token", remedy="give a file with one line of ASCII") from error
    if len(token) < SHORTEST:
        raise InputError(f"the token in {file} is too short", remedy=f"give {SHORTEST} characters or more")
    return token


def _listed() -> dict[str, Any]:
    from agents.mcp import described

    tools = [described(tool).model_dump(mode="json", by_alias=True, exclude_none=True) for tool in TOOLS.values()]
    return {"tools": tools, "tokens": tokens(json.dumps(tools, separators=(",", ":")))}


def _list_text(listed: dict[str, Any]) -> str:
    lines = [f"{tool['name']}\n    {tool['description']}" for tool in listed["tools"]]
    return "\n".join([*lines, f"about {listed['tokens']} tokens"])
