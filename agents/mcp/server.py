"""What the protocol asks for, answered from the registry, the graph and the prompts, always in the same order."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import anyio.to_thread
from anyio import CapacityLimiter
from mcp import MCPError, types
from mcp.server.lowlevel import Server

from agents.mcp.resources import PREFIXES, Body, list_papers, read_body
from agents.tools import TOOLS, Context, Tool, call, card
from kg.errors import InputError, XkgError
from prompts import Prompt, prompt

__all__ = ["described", "make_server"]

PROMPTS = ("plan_with_graph", "implement_with_graph")

OUTPUT = {
    "type": "object",
    "properties": {
        "ok": {"type": "boolean"},
        "data": {"type": "object"},
        "truncated": {"type": "boolean"},
        "next_cursor": {"type": "integer"},
        "total": {"type": "integer"},
        "error": {"type": "object"},
    },
    "required": ["ok"],
}
"""The envelope, as short as a schema can say it: it is told with every tool."""


def described(tool: Tool) -> types.Tool:
    """A tool as a client is told of it. What it destroys and whether it may be called again mean nothing of a tool that
    only reads (schema of the protocol, ToolAnnotations), and are not told of it: the list is part of every request."""
    changes = not tool.hints.read_only
    hints = types.ToolAnnotations(
        read_only_hint=tool.hints.read_only, destructive_hint=tool.hints.destructive if changes else None,
        idempotent_hint=tool.hints.idempotent if changes else None, open_world_hint=tool.hints.open_world,
    )  # fmt: skip
    return types.Tool(
        name=tool.name, description=tool.description, input_schema=tool.schema(), output_schema=OUTPUT,
        annotations=hints,
    )  # fmt: skip


def make_server(context: Context, tools: Mapping[str, Tool] = TOOLS) -> Server[Any]:
    """A server of `tools` for whoever may see what `context` shows. One call runs at a time."""
    one = CapacityLimiter(1)

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[described(tool) for tool in tools.values()])

    async def call_tool(_: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        if asked.name not in tools:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {asked.name[:100]!r}", {"tools": list(tools)})
        given = asked.arguments or {}
        envelope = await anyio.to_thread.run_sync(lambda: call(context, asked.name, given, tools), limiter=one)
        text = types.TextContent(type="text", text=envelope.text())
        return types.CallToolResult(content=[text], structured_content=envelope.value(), is_error=not envelope.ok)

    async def list_resources(_: Any, asked: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        papers, cursor = await _reading(lambda: list_papers(context, (asked and asked.cursor) or ""))
        resources = [
            types.Resource(uri=uri, name=name, title=title, mime_type="text/markdown") for uri, name, title in papers
        ]
        return types.ListResourcesResult(resources=resources, next_cursor=cursor or None)

    async def list_templates(_: Any, __: Any) -> types.ListResourceTemplatesResult:
        templates = [
            types.ResourceTemplate(
                uri_template=f"{prefix}{{id}}", name=kind.name, description=kind.purpose, mime_type=kind.mime_type
            )
            for prefix, kind in PREFIXES.items()
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(_: Any, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        body: Body = await _reading(lambda: read_body(context, asked.uri))
        contents = types.TextResourceContents(uri=asked.uri, mime_type=body.mime_type, text=body.text)
        return types.ReadResourceResult(contents=[contents])

    async def _reading(work: Any) -> Any:
        try:
            return await anyio.to_thread.run_sync(work, limiter=one)
        except InputError as error:
            raise MCPError(types.INVALID_PARAMS, error.what) from error
        except XkgError as error:
            raise MCPError(types.INTERNAL_ERROR, error.what) from error

    async def list_prompts(_: Any, __: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_told(prompt(name)) for name in PROMPTS])

    async def get_prompt(_: Any, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        if asked.name not in PROMPTS:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {asked.name[:100]!r}", {"prompts": list(PROMPTS)})
        found, given = prompt(asked.name), asked.arguments or {}
        if set(given) != set(found.inputs):
            raise MCPError(types.INVALID_PARAMS, f"{asked.name} takes {', '.join(found.inputs)}, all and no others")
        messages = found.render({name: context.store.blacklist.mask(text) for name, text in given.items()})
        text = types.TextContent(type="text", text=f"{messages.system}\n\n{messages.user}")
        return types.GetPromptResult(
            description=found.purpose, messages=[types.PromptMessage(role="user", content=text)]
        )

    return Server(
        "xkg", version=version("xkg"), instructions=card(),
        on_list_tools=list_tools, on_call_tool=call_tool, on_list_resources=list_resources,
        on_list_resource_templates=list_templates, on_read_resource=read_resource,
        on_list_prompts=list_prompts, on_get_prompt=get_prompt,
    )  # fmt: skip


def _told(one: Prompt) -> types.Prompt:
    arguments = [types.PromptArgument(name=name, required=True) for name in one.inputs]
    return types.Prompt(name=one.name, description=one.purpose, arguments=arguments)
