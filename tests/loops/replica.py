"""A scripted model that replicates the paper on heavy hitters: it answers each kind of question, and errs once."""

import json
import re
from collections.abc import Mapping
from typing import Any

BROKEN = '''"""Space-Saving and reservoir sampling."""

import random


def space_saving(stream, k):
    """Counters of at most k items: {item: count}."""
    counters = {}
    for item in stream:
        if item in counters:
            counters[item] += 1
        elif len(counters) < k:
            counters[item] = 1
        else:
            least = min(counters, key=lambda one: (counters[one], repr(one)))
            counters[item] = counter.pop(least) + 1
    return counters


def reservoir(stream, k, seed=0):
    """A uniform sample of k items."""
    draw, kept = random.Random(seed), []
    for number, item in enumerate(stream, start=1):
        if len(kept) < k:
            kept.append(item)
        elif draw.random() < k / number:
            kept[draw.randrange(k)] = item
    return kept
'''
WRONG, RIGHT = "counter.pop(least)", "counters.pop(least)"
RIGHT_TEXT = BROKEN.replace(WRONG, RIGHT)
TESTS = """from hitters import reservoir, space_saving


def test_counts_are_never_too_small():
    stream = [1, 2, 1, 3, 1, 4, 1]
    counters = space_saving(stream, 2)
    assert len(counters) == 2
    assert counters[1] >= 4
    assert sum(counters.values()) == len(stream)


def test_a_sample_has_k_items_of_the_stream():
    kept = reservoir(range(100), 7)
    assert len(kept) == 7 and set(kept) <= set(range(100))
"""
MAIN = """from hitters import space_saving

print("top item", max(space_saving([1, 1, 2, 3, 1], 2).items(), key=lambda one: one[1]))
"""
FILES = {"hitters.py": BROKEN, "test_hitters.py": TESTS, "main.py": MAIN}
REQUIREMENTS = {"hitters.py": ["R1", "R2"], "test_hitters.py": ["R1"], "main.py": ["R3"]}

PLAN: dict[str, Any] = {
    "overview": "Space-Saving against a reservoir sample of the same size.",
    "requirements": [
        {"id": "R1", "text": "Space-Saving with k counters", "section": "6"},
        {"id": "R2", "text": "reservoir sampling as the baseline", "section": "7"},
        {"id": "R3", "text": "the share of the top items that is found", "section": "8"},
    ],
    "files": [
        {
            "path": path, "purpose": f"what {path} is for", "requirements": REQUIREMENTS[path],
            "sections": ["Space-Saving"], "needs": [] if path == "hitters.py" else ["hitters.py"],
        }
        for path in reversed(FILES)
    ],
    "entry": "main.py",
}  # fmt: skip
INTERFACE = ["space_saving(stream, k) -> dict", "reservoir(stream, k, seed=0) -> list"]
MENDED = {"cause": "a name is misspelt", "changes": [{"path": "hitters.py", "old": WRONG, "new": RIGHT}]}


COMPARED = {
    "use": "adapt", "why": "it samples, too",
    "differences": [{"specified": "the sample is returned", "there": "it is kept in an object"}],
}  # fmt: skip


def kind(body: Mapping[str, Any]) -> str:
    """Which kind of answer a request asks for."""
    return str(body["response_format"]["json_schema"]["name"])


def user(body: Mapping[str, Any]) -> str:
    """What a request tells beside the instructions."""
    return str(body["messages"][1]["content"])


def papercoder(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to any question of papercoder."""
    asked = kind(body)
    if asked == "Plan":
        return PLAN
    if asked == "Mended":
        return MENDED
    if asked == "Compared":
        return COMPARED
    found = re.search(r"^(\S+\.py) \(the program is run by main\.py\)$", user(body), re.MULTILINE)
    assert found, user(body)
    path = found[1]
    if asked == "Written":
        return {"text": FILES[path], "used": [], "differences": []}
    look_for = ["reservoir sampling"] if path == "hitters.py" else []
    return {
        "facts": [{"what": "counters", "value": "k", "section": "6"}],
        "interface": INTERFACE if path == "hitters.py" else [],
        "steps": [f"the steps of {path}"], "assumptions": [], "look_for": look_for,
    }  # fmt: skip


BETTER = f"""{TESTS}

def test_a_short_stream_is_kept_whole_and_a_long_one_sampled():
    assert reservoir([5, 6, 7], 5) == [5, 6, 7]
    assert reservoir([10, 20, 30, 40, 50, 60], 3, seed=1) == [40, 50, 30]
    assert reservoir([10, 20, 30, 40, 50, 60], 3, seed=2) == [60, 20, 30]
"""
FEWER = TESTS[: TESTS.index("def test_counts")] + TESTS[TESTS.index("def test_a_") :]
WORSE = {"cause": "tests are fewer", "changes": [{"path": "test_hitters.py", "new": FEWER}]}
STRONGER = {"cause": "a test is too weak", "changes": [{"path": "test_hitters.py", "new": BETTER}]}


def iterative(body: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to any question of iterative: an attempt that is worse, one that mends, one that shows the rest."""
    if kind(body) != "Mended":
        return papercoder(body)
    tried = len(re.findall(r"^attempt \d+:", user(body), re.MULTILINE))
    return (WORSE, MENDED, STRONGER)[min(tried, 2)]


def action(tool: str, **arguments: Any) -> dict[str, Any]:
    """A step of the basic agent."""
    return {"thought": f"now {tool}", "tool": tool, "arguments": json.dumps(arguments)}


def new(path: str, text: str) -> dict[str, Any]:
    """An edit that makes a file."""
    return {"path": path, "new": text}


SPECIFY = action(
    "specify",
    requirements=[
        {**one, "files": [path for path, serves in REQUIREMENTS.items() if one["id"] in serves]}
        for one in PLAN["requirements"]
    ],
    facts=[{"what": "counters", "value": "k", "section": "6"}],
)
GET = action("get_code", code="streamsample/reservoir.py#Reservoir")
STEPS = (
    action("read_paper", section="Space-Saving"),
    action("find_techniques", query="reservoir sampling"),
    GET,
    SPECIFY,
    GET,
    action("no_such_tool"),
    {"thought": "", "tool": "workspace_run", "arguments": "{not JSON"},
    action("workspace_edit", edits=[new(path, text) for path, text in FILES.items()]),
    action("finish", summary="as it is"),
    action("workspace_edit", edits=[{"path": "hitters.py", "old": WRONG, "new": RIGHT}]),
    action("workspace_test"),
    action("finish", summary="counters and a sample"),
)
"""What the basic agent does, one after the other."""


def basic(body: Mapping[str, Any]) -> dict[str, Any]:
    """The step that follows those that were done; the last for ever."""
    if kind(body) == "Compared":
        return COMPARED
    done = len(re.findall(r"^> \w+ \{", user(body), re.MULTILINE))
    return STEPS[min(done, len(STEPS) - 1)]
