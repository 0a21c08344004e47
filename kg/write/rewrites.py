"""Rewrites in the graph: Code nodes beside the code that they were made from, kept as long as that stays."""

from typing import Any

from kg.errors import XkgError
from kg.models.ids import bounded
from kg.models.paper import Model
from kg.results.rewrite import FormerRewrite, KeptRewrite, PutRewrite
from kg.results.write import KnownRun
from kg.store import Store, Transaction
from kg.verdicts.logs import LogStore
from kg.verdicts.models import sha256_of
from kg.verdicts.seals import open_seals
from kg.write.code import split_identifiers
from kg.write.existing import Existing, Pin
from kg.write.slice import GraphSlice, Node

__all__ = ["RewriteNode", "rewrite_id", "with_rewrites", "write_rewrite"]

SUFFIX = "~rewrite"
SHORT, LONG = 1_000, 200
"""Characters of a difference, and of one change."""
TRUST = {"verdict": "unverified", "verdict_reason": "nothing was run"}
SAID = (
    "name", "symbol", "kind", "language", "file", "start", "end", "line", "end_line", "signature", "documentation",
    "implementation", "identifiers", "licence", "origin", "repository", "commit", "extraction_method", "run_id",
    "model", "prompt_sha256", "rewrite_key", "rewritten_sha256", "rewrite_rounds", "rewrite_stop", "rewrite_cause",
    "rewrite_changes", "rewrite_lifted", "rewrite_draft", "fidelity", "fidelity_inputs", "fidelity_equal",
    "fidelity_left_out", "fidelity_difference",
)  # fmt: skip
"""What a rewrite's node says, beside its verdict."""


class RewriteNode(Model):
    """A rewrite to be written. `source` is the id of the code that it was made from, `source_text` its text then;
    `techniques` and `parts` are ids of what it is of, and of the rewrites that it imports.

    `lifted` says of parameters that the original has not what they stand for there ("threshold: args.threshold").
    `key` is of all that it depends on; `stop` says why no more was asked for, `cause` what is wrong with it; `draft` is
    the model's first text, where the last is another. Fidelity as in agents.rewrite.fidelity.
    """

    source: str
    source_text: str
    techniques: tuple[str, ...]
    parts: tuple[str, ...]
    repository: str
    commit: str
    paper: str
    symbol: str
    kind: str
    file: str
    text: str
    signature: str
    documentation: str
    licence: str | None
    model: str
    prompt_sha256: str
    key: str
    rounds: int
    stop: str
    cause: str | None
    changes: tuple[str, ...]
    lifted: tuple[str, ...]
    draft: str
    fidelity: str
    inputs: int
    equal: int
    left_out: int
    difference: str

    @property
    def id(self) -> str:
        """The id of its node."""
        return rewrite_id(self.source)

    @property
    def run_id(self) -> str:
        """The id of the run that made it: the same for the same work."""
        return f"run:{sha256_of(f'code rewrite {self.paper} {self.model}')[:32]}"

    def node(self) -> Node:
        """The node, without a verdict."""
        properties: dict[str, Any] = {
            "name": self.symbol.rpartition(".")[2], "symbol": self.symbol, "kind": self.kind, "language": "python",
            "file": self.file, "start": 0, "end": len(self.text.encode("utf-8", "replace")), "line": 1,
            "end_line": self.text.count("\n") + 1, "signature": self.signature, "documentation": self.documentation,
            "implementation": self.text, "identifiers": split_identifiers(f"{self.symbol} {self.text}"),
            "licence": self.licence, "origin": "rewritten", "repository": self.repository, "commit": self.commit,
            "extraction_method": "llm", "run_id": self.run_id, "model": self.model, "prompt_sha256": self.prompt_sha256,
            "rewrite_key": self.key, "rewritten_sha256": sha256_of(self.source_text), "rewrite_rounds": self.rounds,
            "rewrite_stop": self.stop, "rewrite_cause": self.cause,
            "rewrite_changes": [change[:LONG] for change in self.changes],
            "rewrite_lifted": list(self.lifted),
            "rewrite_draft": self.draft if self.draft != self.text else None, "fidelity": self.fidelity,
            "fidelity_inputs": self.inputs, "fidelity_equal": self.equal, "fidelity_left_out": self.left_out,
            "fidelity_difference": self.difference[:SHORT] or None,
        }  # fmt: skip
        return Node("Code", self.id, properties)

    def run(self) -> Node:
        """The run that it names."""
        about = {"name": f"code rewrite {self.paper}", "command": "code rewrite", "paper": self.paper}
        return Node("Run", self.run_id, {**about, "versions": [f"model {self.model}"]})


def rewrite_id(source: str) -> str:
    """The id of the rewrite of the code with this id."""
    return bounded(source + SUFFIX)


def write_rewrite(store: Store, rewrite: RewriteNode, logs: LogStore) -> None:
    """Put a rewrite into the graph, without a verdict; what was judged of a former one is taken back.

    Raises XkgError if the code that it was made from is not what it was; nothing is changed then.
    """
    node, run = rewrite.node(), rewrite.run()

    def work(tx: Transaction) -> None:
        former = tx.rows(FormerRewrite, id=node.id)
        if former:
            open_seals(tx, logs.folder).take_back(tx, [row.seal for row in former], [node.id])
        if not tx.rows(KnownRun, id=run.id):
            properties = {**run.properties, "content_hash": run.content_hash}
            tx.run("write/create_nodes", rows=[{"label": "Run", "properties": properties}])
        done = tx.rows(
            PutRewrite,
            id=node.id,
            properties={**node.properties, **TRUST, "content_hash": node.content_hash},
            source=rewrite.source,
            source_text=Node("Code", "", {"text": rewrite.source_text}).properties["text"],
            techniques=list(rewrite.techniques),
            parts=list(rewrite.parts),
            edge={"extraction_method": "llm", "run_id": rewrite.run_id},
        )
        if not done:
            raise XkgError(f"{rewrite.source} has changed while it was rewritten", remedy="run it again")

    store.transact(work)


def with_rewrites(tx: Transaction, graph: GraphSlice, existing: Existing, wanted: Pin | None) -> None:
    """Add to `graph` the stored rewrites of code that it holds unchanged, now at the pin `wanted`.

    What was made from code that has changed or gone is left out, and so removed with it.
    """
    if wanted is None:
        return
    released = [pin for pin in sorted(existing.code) if pin[0] == wanted[0] and pin not in existing.others]
    for repository, commit in dict.fromkeys([wanted, *released]):
        prefix = f"{repository}@{commit}:"
        for row in tx.rows(KeptRewrite, prefix=prefix):
            source = f"{repository}@{wanted[1]}:{row.source.removeprefix(prefix)}"
            node = graph.nodes.get(("Code", source))
            if node is None or sha256_of(str(node.properties.get("implementation", ""))) != row.source_sha256:
                continue
            said = {name: row.properties.get(name) for name in SAID} | {"commit": wanted[1]}
            ref = graph.node("Code", rewrite_id(source), **said)
            facts = {"extraction_method": "llm", "run_id": said["run_id"]}
            graph.edge("FROM_REPOSITORY", ref, ("Repository", repository), **facts)
