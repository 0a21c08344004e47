"""The registry of tools for clients of the Model Context Protocol, over stdio and streamable HTTP, by its official SDK.

Nothing is decided here: a call is `agents.tools.call`, and what a client may see was set before it connected.
"""

from agents.mcp.server import described, make_server
from agents.mcp.serving import bound, serve_http, serve_stdio

__all__ = ["bound", "described", "make_server", "serve_http", "serve_stdio"]
