"""The verdicts that a backup claims, gathered while it is read, and which of them are believed here."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kg.backup.format import unpack
from kg.models.labels import present_id
from kg.models.paper import Model
from kg.verdicts.grounds import Claim, Doubt, demotion, doubt, doubt_of_edge, no_verdict
from kg.verdicts.seals import Seals
from kg.verdicts.statements import execution_statement

__all__ = ["Believed", "Claims", "LeftOut"]

Item = Mapping[str, Any]


class LeftOut(Model):
    """Something of a file that did not enter the graph as it stands there (`what`, with its present id), and why."""

    what: str
    why: str


class Claims:
    """Follows a backup item by item. Texts are hashed at once: a large backup's would not fit into memory."""

    def __init__(self) -> None:
        self.codes: dict[str, Claim] = {}
        self.seals: dict[str, str] = {}
        """The seal of each judged piece of code, by its id."""
        self.strange: dict[str, Doubt] = {}
        self.executions: dict[str, dict[str, Any]] = {}
        self._repositories: dict[str, list[str]] = defaultdict(list)
        self._runs: dict[str, list[tuple[dict[str, Any], str]]] = defaultdict(list)

    def add(self, item: Item) -> None:
        """Note a node or an edge whose shape was checked."""
        if item.get("node") == "Code":
            self._code(str(item["id"]), item["properties"])
        elif item.get("node") == "Execution":
            self.executions[str(item["id"])] = {**_unpacked(item["properties"]), "id": item["id"]}
        elif item.get("edge") == "FROM_REPOSITORY":
            self._repositories[item["start"][1]].append(item["end"][1])
        elif _is_run(item) and item["properties"].get("current") is True:
            self._runs[item["start"][1]].append((_unpacked(item["properties"]), item["end"][1]))

    def _code(self, code: str, properties: Item) -> None:
        said = unpack(properties.get("verdict"))
        if seal := properties.get("verdict_seal"):
            self.seals[code] = str(seal)
        if found := no_verdict(said):
            self.strange[code] = found
        elif said == "verified":
            known = {key: value for key, value in properties.items() if key != "embedding"}
            self.codes[code] = Claim.of({**_unpacked(known), "id": code})

    def judged(self, seals: Seals | None, least_killed: float) -> "Believed":
        """What of all this is believed where `seals` are made (None: nowhere)."""
        doubts = dict(self.strange)
        for code, claim in self.codes.items():
            runs = tuple((edge, self.executions[execution]) for edge, execution in self._runs[code])
            whole = replace(claim, runs=runs, repositories=tuple(self._repositories[code]))
            if found := doubt(whole, seals, least_killed) or (None if seals else NOWHERE):
                doubts[code] = found
        return Believed(self, seals, doubts)


class Believed:
    """What of a backup's claims is believed; gives its nodes and edges as they may enter the graph.

    `demoted` says of code, by its id, what its claim lacked, `dropped` which claims of edges and of what has no verdict
    did not enter, and which edges from code to a repository that it is not from.
    """

    def __init__(self, claims: Claims, seals: Seals | None, doubts: Mapping[str, Doubt]) -> None:
        self.claims, self.seals, self.doubts = claims, seals, doubts
        self.demoted = dict(doubts)
        self.dropped: list[LeftOut] = []

    def founded(self, code: str) -> bool:
        """Whether code is called verified and believed to be."""
        return code in self.claims.codes and code not in self.doubts

    @property
    def verified(self) -> list[str]:
        """Ids of the code whose claim is believed."""
        return [code for code in self.claims.codes if code not in self.doubts]

    def node(self, label: str, properties: dict[str, Any]) -> dict[str, Any]:
        """The properties with which a node may enter."""
        if label != "Code":
            if "verdict" in properties:
                what = f"{label} {present_id(label, properties['id'])}"
                self.dropped.append(LeftOut(what=what, why="no such node has a verdict"))
            return {key: value for key, value in properties.items() if key != "verdict"}
        if found := self.doubts.get(properties["id"]):
            changed = {**properties, **demotion(found, origin=properties.get("origin"))}
            return {key: value for key, value in changed.items() if value is not None}
        return properties

    def misplaced(self, item: Item) -> bool:
        """Whether an edge, which then can't enter, says that code is from a repository that its id does not name."""
        code, repository = str(item["start"][1]), str(item["end"][1])
        wrong = item["edge"] == "FROM_REPOSITORY" and not code.startswith(f"{repository}@")
        if wrong and code not in self.doubts:
            self.dropped.append(LeftOut(what=_named(item), why="its id names another repository"))
        return bool(wrong)

    def edge(self, item: Item) -> tuple[dict[str, Any], bool]:
        """The properties with which an edge may enter, and whether code is to rest on its end.

        No execution enters as the current one: which is, the graph decides when both are there.
        """
        properties = _unpacked(item["properties"])
        if not _is_run(item):
            if "verdict" in properties:
                self.dropped.append(LeftOut(what=_named(item), why="no such edge has a verdict"))
            return {key: value for key, value in properties.items() if key != "verdict"}, False
        code = item["start"][1]
        sealed = self._sealed(code, item["end"][1], properties)
        if not sealed and properties.get("verdict") not in ("failed", "unverified"):
            if code not in self.doubts:
                self.dropped.append(LeftOut(what=_named(item), why="its verdict was not sealed here"))
            properties["verdict"] = "unverified"
        current = sealed and properties.get("current") is True and code not in self.doubts
        return {**properties, "current": False}, current

    def _sealed(self, code: str, execution: str, edge: dict[str, Any]) -> bool:
        """Whether an execution showed here what the edge says of it: on no other one may code rest."""
        ran = self.claims.executions[execution]
        return (
            self.seals is not None
            and not doubt_of_edge(code, execution, edge, self.seals)
            and self.seals.fits(ran.get("seal"), *execution_statement(ran))
        )


def _named(item: Item) -> str:
    """An edge for people, by the ids that its ends have now."""
    return f"{item['edge']} from {present_id(*item['start'])} to {present_id(*item['end'])}"


def _is_run(item: Item) -> bool:
    return item.get("edge") == "VERIFIED_BY" and item["start"][0] == "Code" and item["end"][0] == "Execution"


def _unpacked(properties: Item) -> dict[str, Any]:
    return {key: unpack(value) for key, value in properties.items()}


NOWHERE = Doubt(ground="judged elsewhere", why="nothing here can confirm it")
