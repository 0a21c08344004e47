"""`xkg llm doctor` and `xkg llm spent`, as commands, and the settings and pages that tell how they are set up."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking import GOOD, add
from click.testing import CliRunner, Result
from servers.model import PAGE, ModelServer, Say, status

from agents.cli.llm import WORDS, llm_doctor, llm_spent
from agents.llm import LLM
from kg.cli.doctor import config_show
from kg.config import LlmProfile, Settings, load_settings
from kg.errors import ServiceError

ROOT = Path(__file__).parents[2]
RIGHT = {"count": 5, "last": WORDS[-1], "common": "They are all birds."}


@pytest.fixture
def run(server: ModelServer, tmp_path: Path, set_variables: Callable[..., None]) -> Callable[..., Result]:
    """Runs a command with the scripted model as the profile ``here``, changed in some fields."""

    def ran(command: Any, *words: str, **fields: Any) -> Result:
        profile = {"model": "scripted", "base_url": server.base_url, "timeout": 5} | fields
        set_variables(
            XKG_HOME=tmp_path / "home", XKG_LLM_PROFILE="here", XKG_LLM_PROFILES=json.dumps({"here": profile}),
            XKG_LLM_PRICES=json.dumps({"scripted": {"input": "1.5", "output": 6}}), XKG_RETRY_WAIT="0.01",
        )  # fmt: skip
        return CliRunner().invoke(command, [*words])

    return ran


def checks(result: Result) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in json.loads(result.stdout)["checks"]}


@pytest.mark.parametrize("stream", [True, False])
def test_a_model_that_works(server: ModelServer, run: Callable[..., Result], stream: bool) -> None:
    server.say(Say(RIGHT, usage=(1000, 50)))
    found = checks(run(llm_doctor, "--json", stream=stream))
    assert {name: check["state"] for name, check in found.items()} == {
        "profile": "ok", "form": "ok", "reading": "ok", "streaming": "ok" if stream else "absent", "usage": "ok",
        "price": "ok", "speed": "ok",
    }  # fmt: skip
    assert "here: scripted by openai at 127.0.0.1:" in found["profile"]["detail"]
    assert found["usage"]["detail"] == "1000 tokens in, 50 out, as the server tells"
    assert found["price"]["detail"] == "this call cost 0.0018"
    run(llm_doctor)
    assert len(server.bodies) == 2, "no kept answer stands in for the call"
    assert all(word in server.bodies[0]["messages"][1]["content"] for word in WORDS)


@pytest.mark.parametrize(
    ("said", "fields", "name", "mend"),
    [
        (Say("five words"), {}, "form", '"prompt"'),
        (Say({"count": "some"}), {}, "form", '"prompt"'),
        (PAGE, {}, "answer", "base_url"),
        (status(401, "bad key"), {}, "answer", "api_key_env"),
        (Say(RIGHT), {"api_key_env": "NO_SUCH_KEY"}, "key", "export NO_SUCH_KEY"),
        (Say(RIGHT, finish="length"), {}, "answer", "max_output_tokens"),
    ],
)
def test_a_model_that_does_not(
    server: ModelServer, run: Callable[..., Result], said: Any, fields: dict[str, Any], name: str, mend: str
) -> None:
    server.say(said)
    result = run(llm_doctor, "--json", **fields)
    assert isinstance(result.exception, ServiceError)
    assert checks(result)[name]["state"] == "missing"
    assert mend in checks(result)[name]["mend"]


def test_what_is_only_poor_is_told(server: ModelServer, run: Callable[..., Result]) -> None:
    server.say(Say(RIGHT | {"count": 6}, usage=None))
    result = run(llm_doctor)
    assert result.exception is None
    assert "it sees 6 words of 5" in result.stdout
    assert "estimated by length" in result.stdout


def test_a_profile_that_is_missing_or_only_replays(run: Callable[..., Result], tmp_path: Path) -> None:
    result = run(llm_doctor, "--json", "--profile", "other")
    assert "no profile 'other'" in checks(result)["profile"]["detail"]
    replies = tmp_path / "some"
    assert checks(run(llm_doctor, "--json", replay="replay", replies=str(replies)))["replies"]["state"] == "missing"
    replies.mkdir()
    (replies / "a.json").write_text("{}")
    found = checks(run(llm_doctor, "--json", replay="replay", replies=str(replies)))
    assert found["replies"]["detail"].startswith("1 kept answers in ")


def test_what_was_spent(server: ModelServer, run: Callable[..., Result]) -> None:
    assert run(llm_spent).stdout == "no model was asked yet\n"
    server.say(Say(GOOD, usage=(1000, 100)), status(429), Say(GOOD, usage=(2000, 200)), Say("no", usage=None))
    settings = load_settings()
    add(LLM(settings, run="one"))
    add(LLM(settings, run="two"), "3 and 4", paper="local:b", stage="judging")
    with pytest.raises(ServiceError):
        add(LLM(settings, run="two"), "5 and 6", paper=None)
    found = json.loads(run(llm_spent, "--json").stdout)
    total = found["total"]
    assert (total["calls"], total["failed"], total["tokens_in"] > 3000, total["estimated"]) == (4, 2, True, 1)
    rows = {group: {row["name"]: row for row in some} for group, some in found["by"].items()}
    assert list(rows["run"]) == ["one", "two"]
    assert rows["paper"]["local:b"]["tokens_in"] == 2000
    assert (rows["stage"]["judging"]["calls"], rows["stage"]["judging"]["failed"]) == (2, 1)
    assert rows["run"]["one"]["cost"] == pytest.approx((1000 * 1.5 + 100 * 6) / 1e6)
    assert json.loads(run(llm_spent, "--json", "--run", "one").stdout)["total"]["tokens_out"] == 100
    text = run(llm_spent).stdout
    assert re.search(r"^local:b +2 +1 +2000 +200 +0\.0042$", text, re.MULTILINE)
    assert "1 calls are estimated" in text


def test_lost_calls_are_told_and_written_off(run: Callable[..., Result], tmp_path: Path) -> None:
    run(llm_spent)
    line = {
        "event": "reserve", "call": "c", "key": "k", "run": "r", "stage": "s", "paper": None, "model": "m",
        "prompt": "p", "tokens_in": 10, "tokens_out": 20, "cost": None, "at": "2026-01-01T00:00:00Z", "pid": 1,
        "born": 5.0,
    }  # fmt: skip
    (tmp_path / "home/llm").mkdir(parents=True)
    (tmp_path / "home/llm/ledger.jsonl").write_text(json.dumps(line) + "\n")
    assert "1 calls are of killed processes and count at their worst case" in run(llm_spent).stdout
    assert json.loads(run(llm_spent, "--json", "--write-off").stdout)["written_off"] == 1
    assert json.loads(run(llm_spent, "--json").stdout)["total"]["tokens_in"] == 0


def test_the_page_s_configuration_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/llm.md").read_text()
    blocks = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert blocks
    (tmp_path / "xkg.toml").write_text("\n".join(blocks))
    monkeypatch.setenv("XKG_CONFIG", str(tmp_path / "xkg.toml"))
    settings = Settings()
    assert settings.llm.profile in settings.llm.profiles
    assert settings.llm.prices.keys() <= {profile.model for profile in settings.llm.profiles.values()}
    told = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert told == set(LlmProfile.model_fields)
    for profile in tomllib.loads("\n".join(blocks))["llm"]["profiles"].values():
        assert profile.keys() <= told


def test_a_key_in_the_wrong_place_is_refused_and_not_repeated(
    run: Callable[..., Result],
) -> None:
    result = run(llm_doctor, api_key_env="sk-secret-123")
    assert "api_key_env" in str(result.exception)
    assert "secret" not in str(result.exception)


def test_the_configuration_in_force_names_the_profiles(run: Callable[..., Result]) -> None:
    rows = {row["key"]: row["value"] for row in json.loads(run(config_show, "--json").stdout)["settings"]}
    assert (rows["llm.profiles"], rows["llm.prices"], rows["llm.profile"]) == ("here", "scripted", "here")
