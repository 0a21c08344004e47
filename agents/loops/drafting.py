"""From a paper to a first version of a program: a plan with all requirements, a specification of each file from the
paper alone, then each file, with what the graph knows of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.llm import size
from agents.loops.ends import Failed
from agents.loops.planning import completed, in_writing_order, objections
from agents.loops.reply import Analysis, Change, Plan, PlannedFile, Written
from agents.loops.work import Work
from agents.tools import Envelope

__all__ = ["Drafting", "printed_by", "wrong_in"]

PLAN, ANALYSE, CODE = "papercoder_plan", "papercoder_analyse", "papercoder_code"
PLANS = 3
"""How often a plan is asked for that can be carried out."""
REPORT, PRINTED = 8_000, 2_000
"""Characters of what went wrong, and of what a program printed, that a model is told: the end of each."""

LEFT_OUT = "[too long to be shown here]"

Specifications = Mapping[str, Analysis]


class Drafting:
    """What agents with a plan have in common."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def plan(self) -> Plan:
        """A plan without objections, within a few answers; the last one is completed as far as that needs no guess."""
        asking, known = self.work.asking, self.work.knowledge.planning()
        wrong: list[str] = ["none"]
        for number in range(PLANS):
            inputs = {
                "paper": self.work.target.text(asking.room // 2),
                "known": known[: asking.room // 4],
                "wrong": "\n".join(wrong) if number else "",
            }
            plan = asking.ask(PLAN, inputs, Plan, "planning")
            wrong = objections(plan if number < PLANS - 1 else (plan := completed(plan)))
            if not wrong:
                return plan
        raise Failed("no plan", "; ".join(wrong)[:2000])

    def specify(self, plan: Plan) -> dict[str, Analysis]:
        """What each file has to do, from the paper; no code is shown."""
        specified = dict[str, Analysis]()
        for file in in_writing_order(plan):
            inputs = {**self._about(plan, file), "interfaces": _interfaces(specified, file)}
            specified[file.path] = self.work.asking.ask(ANALYSE, inputs, Analysis, "analysing")
        return specified

    def write(self, plan: Plan, specified: Specifications) -> str:
        """Each file after those that it needs; what the graph knows of it is shown now, with what differs. Returns why
        some can't be written, if so."""
        guards, refused = self.work.guards, list[str]()
        for file in in_writing_order(plan):
            one = specified[file.path]
            known = self.work.knowledge.coding(one.look_for)
            shown = guards.compared(one.model_dump_json(indent=1), known)
            written = self._written(plan, file, specified, shown)
            told = {difference.code for difference in written.differences}
            if unfit := guards.unfit(written.text, told):
                shown = [pair for pair in shown if (pair.get("code") or {}).get("id") not in unfit]
                written = self._written(plan, file, specified, shown)
            refused.append(self.edit([{"path": file.path, "new": written.text, "whole": True}]))
        return "; ".join(filter(None, refused))

    def change(self, changes: Sequence[Change]) -> str:
        """Make the changes of an answer; why they can't be made, if so."""
        return self.edit([{**change.model_dump(), "whole": not change.old} for change in changes]) if changes else ""

    def edit(self, edits: list[dict[str, Any]]) -> str:
        """Make changes, all or none; why they can't be made, if so."""
        answer = self.work.act("workspace_edit", {"edits": edits})
        return f"{answer.error.message}; {answer.error.hint}" if answer.error else ""

    def program(self, plan: Plan, specified: Specifications, report: str) -> dict[str, Any]:
        """The program with its specifications and a report of what came of it, as prompts that change it are told of
        it; where there is not room for all of it, without what the report does not name."""
        room = self.work.asking.room
        said = report[-min(REPORT, room // 4) :]
        specifications = {path: one.model_dump_json(indent=1) for path, one in specified.items()}
        return {
            "overview": plan.overview,
            "report": said,
            "files": _within(self.work.runner.workspace.texts(), room // 2, said),
            "specifications": _within(specifications, room // 4, said),
        }

    def _written(
        self, plan: Plan, file: PlannedFile, specified: Specifications, shown: Sequence[dict[str, Any]]
    ) -> Written:
        texts = self.work.runner.workspace.texts()
        inputs = {
            **self._about(plan, file),
            "specification": specified[file.path].model_dump_json(indent=1),
            "files": [{"path": path, "text": texts[path]} for path in file.needs if path in texts],
            "interfaces": _interfaces(specified, file),
            "pairs": [_pair(pair) for pair in shown],
        }
        return self.work.asking.ask(CODE, inputs, Written, "coding")

    def _about(self, plan: Plan, file: PlannedFile) -> dict[str, Any]:
        serves = [f"{one.id}: {one.text}" for one in plan.requirements if one.id in file.requirements]
        return {
            "paper": self.work.target.text(self.work.asking.room // 3, file.sections),
            "overview": plan.overview,
            "path": file.path,
            "entry": plan.entry,
            "purpose": file.purpose,
            "requirements": serves,
        }


def wrong_in(ran: Envelope) -> str:
    """What of a run did not pass; nothing if it did."""
    if not ran.ok:
        return ran.error.message if ran.error else "it could not be run"
    data = ran.data or {}
    if data["state"] == "passed":
        return ""
    head = f"{data['command']}: {data['state']}: {data.get('failure')} at {data.get('place')}: {data.get('message')}"
    return f"{head}\n{data.get('text', '')}"


def printed_by(entry: Envelope) -> str:
    """What the program told when it ran to its end."""
    return f"The program itself ran, and ended with:\n{(entry.data or {}).get('text', '')[-PRINTED:]}"


def _within(texts: Mapping[str, str], room: int, report: str) -> list[dict[str, str]]:
    """Texts by path, as they are if there is room for all; else in place of some, those that are not named in the
    report first, the word that there was none."""
    left, kept = room, set[str]()
    for path in sorted(texts, key=lambda path: (path not in report, size(texts[path]))):
        if (needed := size(texts[path])) <= left:
            left, kept = left - needed, kept | {path}
    return [{"path": path, "text": text if path in kept else LEFT_OUT} for path, text in texts.items()]


def _interfaces(specified: Specifications, file: PlannedFile) -> list[str]:
    return [f"{path}: {line}" for path in file.needs if path in specified for line in specified[path].interface]


def _pair(pair: dict[str, Any]) -> dict[str, Any]:
    """A technique and code as a prompt shows them: what is known of the code, where it differs, then its text."""
    code = dict(pair.get("code") or {})
    text, differences = code.pop("text", ""), code.pop("differences", ())
    about = {**(pair.get("technique") or {}), **{f"code_{name}": value for name, value in code.items()}}
    kept = [f"{name}: {str(value)[:1_000]}" for name, value in about.items()]
    return {"about": "\n".join([*kept, *(f"differs: {one}" for one in differences)]), "text": text}
