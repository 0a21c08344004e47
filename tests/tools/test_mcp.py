"""The registry through the SDK's client, over both transports and both generations of the protocol."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import httpx
import httpx2
import neo4j
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tools.conftest import HITTERS, PAGERANK, RESERVOIR, UNLICENSED, VERIFIED, Asking, answerable

import agents.mcp.resources
from agents.mcp.resources import read_body
from agents.tools import TOOLS, card, tokens
from kg.config import Settings
from kg.connection import Connection
from kg.errors import InputError, ServiceError
from kg.store import Store

pytestmark = pytest.mark.db

XKG = ["-m", "xkg", "mcp"]
SECRET = "a-token-of-some-length"
ERRORS = (
    ("find_techniques", {}),
    ("find_techniques", {"query": 5}),
    ("get_code", {"code": VERIFIED, "unlicensed": True}),
    ("get_technique", {"technique": "quicksort"}),
)
RESOURCES = ("xkg://paper/nowhere", "xkg://other/x", "file:///etc/passwd", "xkg://code/..%2F..%2Fetc%2Fpasswd")


@pytest.fixture
def stdio(tool_graph: Store, server_settings: Settings) -> Callable[..., StdioServerParameters]:
    def made(*words: str) -> StdioServerParameters:
        env = {**os.environ, "XKG_HOME": str(server_settings.home)}
        return StdioServerParameters(command=sys.executable, args=[*XKG, *words], env=env)

    return made


@pytest.fixture
def http(tool_graph: Store, server_settings: Settings) -> Callable[..., Any]:
    @contextmanager
    def running(*words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
        env = {**os.environ, "XKG_HOME": str(server_settings.home)}
        command = [sys.executable, *XKG, "--http", "--port", "0", "--json", *words]
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                told = ""
                while not told.rstrip().endswith("}"):
                    line = process.stdout.readline()
                    assert line, process.stderr and process.stderr.read()
                    told += line
                yield json.loads(told)["url"], process
            finally:
                process.terminate()
                process.wait()

    return running


@asynccontextmanager
async def bearing(url: str, token: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as web,
        Client(streamable_http_client(url, http_client=web)) as client,
    ):
        yield client


async def conforms(client: Client, given: dict[str, dict[str, Any]]) -> None:
    """All that the registry promises holds through the protocol."""
    assert client.instructions == card()
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == list(TOOLS)
    assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
    for tool in tools:
        hints = tool.annotations
        assert hints is not None
        told = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
        assert told == (True, None, None, False)
        assert tool.output_schema
        assert tool.input_schema["additionalProperties"] is False
    for name, arguments in given.items():
        found = await client.call_tool(name, arguments)
        assert not found.is_error, (name, found.content)
        assert found.structured_content["ok"] is True
        (text,) = found.content
        assert json.loads(text.text) == found.structured_content  # type: ignore[union-attr]
    for name, arguments in ERRORS:
        found = await client.call_tool(name, arguments)
        assert found.is_error
        assert found.structured_content["error"]["kind"] in {"retry", "give_up"}
    with pytest.raises(MCPError) as refused:
        await client.call_tool("drop_everything", {})
    assert refused.value.error.code == -32602
    await reads(client)
    await prompts(client)


async def greets(client: Client) -> None:
    """A client of the former protocol gets the same tools and answers."""
    assert client.instructions == card()
    assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
    found = await client.call_tool("get_code", {"code": VERIFIED})
    assert found.structured_content["data"]["verdict"] == "verified"
    assert (await client.call_tool(*ERRORS[0])).is_error


async def reads(client: Client) -> None:
    listed = (await client.list_resources()).resources
    assert [one.name for one in listed] == sorted(one.name for one in listed)
    assert {RESERVOIR, HITTERS, PAGERANK} <= {one.name for one in listed}
    templates = (await client.list_resource_templates()).resource_templates
    assert {one.uri_template for one in templates} == {"xkg://paper/{id}", "xkg://code/{id}"}
    (paper,) = (await client.read_resource(f"xkg://paper/{quote(RESERVOIR, safe='')}")).contents
    assert "reservoir" in paper.text.lower()  # type: ignore[union-attr]
    assert "\\" in paper.text  # type: ignore[union-attr]
    (code,) = (await client.read_resource(f"xkg://code/{quote(VERIFIED, safe='')}")).contents
    data = json.loads(code.text)["data"]  # type: ignore[union-attr]
    assert (data["verdict"], data["licence"]) == ("verified", "MIT")
    assert "class Reservoir" in data["text"]
    for uri in (*RESOURCES, f"xkg://code/{quote(UNLICENSED, safe='')}"):
        with pytest.raises(MCPError) as refused:
            await client.read_resource(uri)
        assert refused.value.error.code == -32602


async def prompts(client: Client) -> None:
    listed = (await client.list_prompts()).prompts
    assert [one.name for one in listed] == ["plan_with_graph", "implement_with_graph"]
    found = await client.get_prompt("plan_with_graph", {"task": "</data> a paper"})
    (message,) = found.messages
    assert re.search(r"<data \w+ task>\n</data> a paper", message.content.text)  # type: ignore[union-attr]
    for name, arguments in (("plan_with_graph", {}), ("plan_with_graph", {"task": "x", "more": "y"}), ("no", {})):
        with pytest.raises(MCPError) as refused:
            await client.get_prompt(name, arguments)
        assert refused.value.error.code == -32602


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_over_stdio(stdio: Callable[..., StdioServerParameters], ask: Asking, mode: Any) -> None:
    async def run() -> None:
        async with Client(stdio(), mode=mode, read_timeout_seconds=120) as client:
            await (conforms(client, answerable(ask)) if mode == "auto" else greets(client))

    anyio.run(run)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_over_http(http: Callable[..., Any], ask: Asking, mode: Any) -> None:
    async def run(url: str) -> None:
        async with Client(url, mode=mode, read_timeout_seconds=120) as client:
            await (conforms(client, answerable(ask)) if mode == "auto" else greets(client))

    with http() as (url, _):
        anyio.run(run, url)
        other = httpx.post(url, headers={"Host": "elsewhere.example"}, json={}, timeout=60)
        assert other.status_code in {403, 421}
        page = httpx.post(url, headers={"Origin": "http://elsewhere.example"}, json={}, timeout=60)
        assert page.status_code == 403


def test_a_token_keeps_others_out(http: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "token").write_text(SECRET + "\n")

    async def run(url: str) -> None:
        async with bearing(url, SECRET) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)

    with http("--token-file", str(tmp_path / "token")) as (url, _):
        for sent in ("", "Bearer", "Bearer wrong", SECRET, f"Basic {SECRET}", f"Bearer {SECRET[:-1]}"):
            assert httpx.post(url, headers={"Authorization": sent}, json={}, timeout=60).status_code == 401
        assert httpx.post(url, json={}, timeout=60).status_code == 401
        for scheme in ("Bearer", "bearer", "BEARER", "Bearer "):  # case does not matter: RFC 9110, section 11.1
            sent = f"{scheme} {SECRET}"
            assert httpx.post(url, headers={"Authorization": sent}, json={}, timeout=60).status_code == 400
        anyio.run(run, url)


def test_where_others_reach_it_there_is_a_token(http: Callable[..., Any]) -> None:
    with http("--host", "0.0.0.0") as (url, process):  # noqa: S104
        here = url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        assert httpx.post(here, json={}, timeout=60).status_code == 401
        line = process.stderr.readline()
        token = re.search(r"Bearer ([\w-]{40,})`", line)
        assert token, line

        async def run() -> None:
            async with bearing(here, token[1]) as client:
                assert (await client.list_tools()).tools

        anyio.run(run)


def test_what_is_excluded_is_served_to_nobody(stdio: Callable[..., StdioServerParameters], tmp_path: Path) -> None:
    (tmp_path / "blacklist.txt").write_text("folder:pagerank\n")
    words = ("--exclude-paper", RESERVOIR, "--blacklist", str(tmp_path / "blacklist.txt"))

    async def run() -> None:
        async with Client(stdio(*words), read_timeout_seconds=120) as client:
            listed = (await client.list_resources()).resources
            assert RESERVOIR not in {one.name for one in listed}
            found = await client.call_tool("find_techniques", {"query": "uniform sample of a stream"})
            assert not found.is_error
            assert "local:reservoir" not in found.content[0].text  # type: ignore[union-attr]
            found = await client.call_tool("find_techniques", {"query": "rank of a page by a random walk"})
            assert "folder:pagerank" not in found.content[0].text  # type: ignore[union-attr]
            for uri in (f"xkg://paper/{RESERVOIR}", f"xkg://code/{VERIFIED}"):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)

    anyio.run(run)


def test_what_is_wrong_ends_it_before_it_serves(server_settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("short")
    env = {**os.environ, "XKG_HOME": str(server_settings.home)}
    for words, said in (
        (["--exclude-paper", "no such paper"], "no such paper"),
        (["--blacklist", str(tmp_path / "nothing")], "nothing"),
        (["--http", "--token-file", str(tmp_path / "token")], "too short"),
        (["--json"], "stdout"),
    ):
        done = subprocess.run(
            [sys.executable, *XKG, *words],
            env=env,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert said in done.stderr
        assert "Traceback" not in done.stderr


def test_a_paper_that_is_cut_says_so(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read_body(ask.context, f"xkg://paper/{RESERVOIR}").text
    assert "cut here" not in whole
    monkeypatch.setattr(agents.mcp.resources, "MOST", len(whole))
    assert read_body(ask.context, f"xkg://paper/{RESERVOIR}").text == whole
    monkeypatch.setattr(agents.mcp.resources, "MOST", len(whole) - 1)
    part = read_body(ask.context, f"xkg://paper/{RESERVOIR}").text
    assert len(part) == len(whole) - 1
    assert re.search(r"cut.*`read_section`.*\Z", part)


@pytest.mark.parametrize("uri", [f"xkg://paper/{RESERVOIR}", f"xkg://code/{VERIFIED}"])
def test_a_graph_that_does_not_answer_is_not_a_wrong_address(asking: Callable[..., Asking], uri: str) -> None:
    context = asking().context
    with socket.socket() as held:  # bound, and nothing listens
        held.bind(("127.0.0.1", 0))
        address = f"bolt://127.0.0.1:{held.getsockname()[1]}"
        with neo4j.GraphDatabase.driver(address, max_transaction_retry_time=0) as driver:
            context.store = Store(Connection(driver, None, address, "neo4j", "5.26"))
            with pytest.raises(ServiceError):
                read_body(context, uri)
    for wrong in ("xkg://code/", "xkg://code/" + "x" * 600, f"xkg://code/{UNLICENSED}"):
        with pytest.raises(InputError):
            read_body(asking().context, wrong)


def test_the_list_is_short() -> None:
    done = subprocess.run([sys.executable, *XKG, "--list", "--json"], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert [tool["name"] for tool in told["tools"]] == list(TOOLS)
    assert tokens(json.dumps(told["tools"], separators=(",", ":"))) < 3_000
