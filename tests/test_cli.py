"""The command line as a whole: every command loads, explains itself, and fails kindly."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import xkg

XKG = [sys.executable, "-m", "xkg"]


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, xkg; xkg.cli.main(['--help'], standalone_mode=False); print(list(sys.modules), file=sys.stderr)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for heavy in ("'neo4j'", "'numpy'", "'onnxruntime'", "'pydantic'", "'tree_sitter'"):
        assert heavy not in result.stderr


@pytest.mark.parametrize("words", sorted(xkg.COMMANDS), ids=" ".join)
def test_every_command_and_option_has_help(words: tuple[str, ...]) -> None:
    command = xkg._load(xkg.COMMANDS[words])
    assert command.help
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert [option.name for option in options if not option.help] == []
    assert "as_json" in {option.name for option in options}


@pytest.mark.parametrize("words", sorted(xkg.COMMANDS), ids=" ".join)
def test_every_number_of_a_command_is_one(words: tuple[str, ...]) -> None:
    options = [param for param in xkg._load(xkg.COMMANDS[words]).params if isinstance(param, click.Option)]
    for option in options:
        if "float" in option.type.name or "decimal" in option.type.name.lower():
            for wrong in ("nan", "inf", "-inf", "x"):
                with pytest.raises(click.BadParameter):
                    option.type.convert(wrong, option, None)


@pytest.mark.parametrize("option", ["--money", "--tokens", "--steps", "--seconds", "--repairs"])
@pytest.mark.parametrize("value", ["nan", "-1", "x"])
@pytest.mark.parametrize("command", ["run", "resume"])
def test_a_limit_of_an_agent_is_a_number(command: str, option: str, value: str) -> None:
    result = CliRunner().invoke(xkg.cli, ["agent", command, "x", option, value])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert option in result.output.splitlines()[-1]


def test_every_group_is_described() -> None:
    assert {words[0] for words in xkg.COMMANDS} == set(xkg.GROUPS) | set(xkg.SINGLES)


def test_an_unknown_command_is_a_usage_error() -> None:
    result = subprocess.run([*XKG, "papre", "list"], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "papre" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_bad_configuration_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "xkg.toml").write_text('colour = "blue"\n')
    env = {**os.environ, "XKG_CONFIG": str(tmp_path / "xkg.toml")}
    result = subprocess.run([*XKG, "paper", "list"], capture_output=True, text=True, env=env, check=False)
    assert result.returncode == 2
    assert "colour" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_an_empty_variable_is_one_that_is_not_set() -> None:
    env = {**os.environ, "XKG_HOME": "", "NEO4J_URI": ""}
    result = subprocess.run([*XKG, "db", "path"], capture_output=True, text=True, env=env, check=True)
    assert Path(result.stdout.strip()) != Path.cwd()
    assert Path(result.stdout.strip()).is_absolute()
