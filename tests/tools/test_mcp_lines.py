"""Lines on stdin that are no message of the protocol: whoever has sent one is not left waiting."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kg.config import Settings
from kg.store import Store

pytestmark = pytest.mark.db

Answered = Callable[[str], dict[str, Any]]
START = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}


def request(identifier: str, arguments: str, tool: str = "find_code") -> str:
    params = f'{{"name":"{tool}","arguments":{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":{identifier},"method":"tools/call","params":{params}}}'


@pytest.fixture(scope="module")
def answered(tool_graph: Store, server_settings: Settings) -> Iterator[Answered]:
    """Sends a line, and a ping behind it; gives what comes before the ping's answer, {} if nothing does."""
    env = {**os.environ, "XKG_HOME": str(server_settings.home)}
    command = [sys.executable, "-m", "xkg", "mcp"]
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sending, coming = process.stdin, process.stdout

        def send(line: str) -> None:
            sending.write(line.encode("utf-8", "surrogatepass") + b"\n")
            sending.flush()

        def ask(line: str) -> dict[str, Any]:
            send(line)
            found: dict[str, Any] = {}
            if '"arguments"' in line and "[" not in line and '{"a":' not in line:  # it takes longer than a ping does
                found = dict(json.loads(coming.readline()))
            send('{"jsonrpc":"2.0","id":"after","method":"ping"}')
            while (told := dict(json.loads(coming.readline()))).get("id") != "after":
                assert not found
                found = told
            return found

        send(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": START}))
        assert json.loads(coming.readline())["id"] == 0
        send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        try:
            yield ask
            sending.close()
            assert process.wait(60) == 0
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("line", "identifier", "code"),
    [
        ("garbage", None, -32700),
        ('{"jsonrpc":"2.0","id":4,"method":"ping"', 4, -32700),
        ('{"jsonrpc": "2.0", "id": "four", "method": "ping", "params": {"a": 01}}', "four", -32700),
        ('{"method":"ping","id":5,"jsonrpc":"2.0","params":{]', 5, -32700),
        (request("6", '{"a":' * 200 + "1" + "}" * 200), 6, -32700),
        (request("7", '{"query":' + "[" * 50_000 + "]" * 50_000 + "}"), 7, -32700),
        ('{"jsonrpc":"2.0","id":' + "9" * 5_000 + ',"method":"ping"}', None, -32700),
        ('{"jsonrpc":"2.0","id":"\\ud83d","method":"ping","params":{]', None, -32700),
        ('[{"jsonrpc":"2.0","id":8,"method":"ping"}]', None, -32600),
        ("5", None, -32600),
        ('{"id":9,"method":"ping"}', 9, -32600),
        ('{"jsonrpc":"2.0","id":10,"method":"ping","params":[1]}', 10, -32600),
        ('{"jsonrpc":"2.0","id":11,"result":5}', None, -32600),  # an answer: the number is one of ours
    ],
)  # fmt: skip
def test_what_is_no_message_is_answered(answered: Answered, line: str, identifier: Any, code: int) -> None:
    found = answered(line)
    assert (found["id"], found["error"]["code"]) == (identifier, code)
    assert 0 < len(found["error"]["message"]) < 300


@pytest.mark.parametrize("line", ["", "   ", "\t\r"])
def test_an_empty_line_says_nothing(answered: Answered, line: str) -> None:
    assert answered(line) == {}


def test_half_of_an_emoji_gets_the_tools_own_answer(answered: Answered) -> None:
    for query, number in ((r"reservoir \ud83d", 20), ("reservoir \ud83d", 21), (r"reservoir \ud83d\ude00", 22)):
        found = answered(request(str(number), f'{{"query":"{query}"}}'))
        assert found["id"] == number
        assert found["result"]["structuredContent"]["data"]["code"]
    found = answered(request("23", r'{"code":"\ud83d"}', "get_code"))
    assert found["result"]["structuredContent"]["error"]["kind"] in {"retry", "give_up"}
    found = answered(request(r'"\ud83d"', '{"query":"reservoir"}'))
    assert found["result"]["structuredContent"]["ok"]
