"""What Neo4j Browser is told by the configuration, and the guide that it fetches."""

import json

import httpx

import cypher
from kg.models.labels import VERDICTS
from kg.server.guide import SLIDES, browser_conf, guide_page, serve_guide, style


def test_the_style_is_one_command_without_semicolons() -> None:
    lines = browser_conf("http://127.0.0.1:1/guide.html").splitlines()
    commands = lines[1].partition("=")[2].split("; ")
    assert json.loads(commands[0].removeprefix("style ")) == json.loads(style())
    assert commands[1:] == ["clear", "guide http://127.0.0.1:1/guide.html"]


def test_every_verdict_has_a_colour_of_its_own_and_cited_works_are_faint() -> None:
    rules = json.loads(style())
    colours = {rules[f"node.{label}"]["color"] for label in ("Code", *VERDICTS.values())}
    assert len(colours) == len(VERDICTS) + 1
    assert int(rules["node.CitedWork"]["diameter"][:-2]) < int(rules["node.Paper"]["diameter"][:-2]) / 2


def test_the_guide_shows_every_saved_query_and_is_served_to_any_page() -> None:
    saved = {name.partition("/")[2] for name in cypher.queries() if name.startswith("browser/")}
    assert {name for _, names in SLIDES for name in names} == saved
    guide = serve_guide()
    guide.start()
    answer = httpx.get(guide.address, timeout=30)
    assert answer.text == guide_page()
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
