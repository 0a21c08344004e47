"""`xkg` as a person types it."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@dataclass(frozen=True)
class Cli:
    """`xkg` with the environment of one home."""

    env: dict[str, str]

    def run(self, *words: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a command to its end and insist on its exit code, and on no traceback."""
        done = subprocess.run(
            [sys.executable, "-m", "xkg", *map(str, words)], env=self.env, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == code, f"exit {done.returncode}: {done.stderr}{done.stdout}"
        return done

    def json(self, *words: str | Path, code: int = 0) -> Any:
        """The command's `--json` output, read."""
        return json.loads(self.run(*words, "--json", code=code).stdout)

    def killed(self, *words: str | Path, after: float) -> bool:
        """Start a command and kill -9 it and its workers after so many seconds; False if it had ended before."""
        process = subprocess.Popen(
            [sys.executable, "-m", "xkg", *map(str, words)],
            env=self.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return True
        return False
