"""`xkg code run`: a piece of the graph's code, alone with what it needs, in the sandbox."""

import json
import shutil
from pathlib import Path

import pytest
from e2e.command import EXAMPLES, Cli

pytestmark = [pytest.mark.db, pytest.mark.e2e, pytest.mark.sandbox]

STATEMENTS = ("import os", "print(os.getcwd(), os.path.exists('/root'), uniformity_statistic([5, 5], 10, 1))")


def test_a_unit_is_imported_with_what_it_needs_and_a_persons_statements_are_run(cli: Cli) -> None:
    cli.run("ingest", "corpus", EXAMPLES / "corpus.toml", "--only", "reservoir")
    assert cli.run("code", "run", "merge.py#merge_reservoirs").stdout.startswith("function merge_reservoirs(left")
    done = cli.run("code", "run", "estimate.py#uniformity_statistic", "--", *STATEMENTS)
    assert done.stdout == "/work False 0.0\n"
    steering = "print('\\x1b]0;x\\x07', '\\x9b31m', '\\u202e')"
    assert (
        cli.run("code", "run", "uniformity_statistic", "--", steering).stdout == "\ufffd]0;x\ufffd \ufffd31m \ufffd\n"
    )
    told = json.loads(cli.run("code", "run", "uniformity_statistic", "--json", "--", "raise SystemExit(7)").stdout)
    assert told["exit_code"] == 7
    assert cli.run("code", "run", "uniformity_statistic", "--time", "1", "--", "while True: pass", code=124)


def test_a_unit_whose_verdict_is_stale_is_run(cli: Cli, tmp_path: Path) -> None:
    paper = tmp_path / "pagerank"
    shutil.copytree(EXAMPLES / "pagerank", paper)
    ingest = ("ingest", "paper", paper / "paper", "--repo", paper / "code")
    cli.run(*ingest)
    told = cli.run("code", "verify", "push.py#forward_push").stderr
    assert "making an environment, and importing what is asked for in it" in told
    assert "running its tests in the environment" in told
    push = paper / "code/walkrank/push.py"
    push.write_text(push.read_text().replace('    """', "    # slower\n" + '    """\\x1b[31m', 1))
    cli.run(*ingest)
    told = json.loads(cli.run("code", "show", "push.py#forward_push", "--json").stdout)
    assert (told["verdict"], told["verdict_reason"]) == ("stale", "the code has changed since")
    call = ("code", "run", "push.py#forward_push", "--", "print(forward_push.__name__)")
    assert cli.run(*call).stdout == "forward_push\n"
    told = cli.run("code", "run", "push.py#forward_push").stdout
    assert "\ufffd[31m" in told
    assert "\x1b" not in told
    paper.rename(tmp_path / "elsewhere")
    done = cli.run(*call)
    assert done.stdout == "forward_push\n"
    assert "what runs is its text as it was last judged, which has changed since" in done.stderr
