"""Goes on with a run of an agent, or begins one, in a process of its own that kills itself at a step.

Arguments: the settings as JSON (home, base_url, replies), the agent, and the number of the step at which to die: before
it is written down (-1: never).
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from agents.loops import RunConfig, Step, Trajectory, resume_run, start_run
from agents.loops.runs import runs
from kg.config import LlmProfile, load_settings


def main() -> None:
    given, agent, fatal = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    add: Any = Trajectory._add

    def dying(self: Trajectory, step: Step) -> Step:
        if step.number == fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return add(self, step)

    Trajectory._add = dying  # type: ignore[method-assign]
    profile = LlmProfile(model="scripted", base_url=given["base_url"], timeout=20, replies=Path(given["replies"]))
    settings = load_settings().replace(verify__mutants=1, llm__profile="it", llm__profiles={"it": profile})
    mine = [run for run in runs(settings) if run.config.begun >= given["since"]]
    if mine:
        end = resume_run(settings, mine[-1])
    else:
        _, end = start_run(settings, RunConfig(id="", paper=given["paper"], agent=agent))  # type: ignore[arg-type]
    print(end.model_dump_json())


if __name__ == "__main__":
    main()
