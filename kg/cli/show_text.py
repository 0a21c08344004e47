"""What the show commands print for people."""

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kg.cli.common import IMPORTED
from kg.cli.rewrite_text import rewrite_lines
from kg.cli.verdict_text import strength, verdict_lines
from kg.results.show import (
    DescribedIn,
    ImplementationRow,
    ListedPaper,
    ListedTechnique,
    Named,
    ShownCode,
    ShownPaper,
    ShownTechnique,
)
from kg.search.describe import place

__all__ = ["Branch", "code_text", "joined", "names", "paper_text", "papers_text", "technique_text", "wrapped"]

MOST_SECTIONS = 60
MOST_CANDIDATES = 5
MOST_LINES, SPARED, MOST_CHARACTERS = 12, 3, 2_000
"""Lines of an algorithm or equation that stand under a technique, how many more are no reason to cut it, and how long
it may be."""
PARTS = {"whole": "does all of it", "core": "does its core", "part": "does a part of it"}


@dataclass(frozen=True)
class Branch:
    """A technique with those below it."""

    technique: ListedTechnique
    components: tuple["Branch", ...]

    def value(self) -> dict[str, Any]:
        """For JSON: the technique's columns, and `components`."""
        below = [branch.value() for branch in self.components]
        return {**self.technique.model_dump(exclude={"parent", "order"}), "components": below}


def _width() -> int:
    return max(60, min(shutil.get_terminal_size((100, 24)).columns, 110))


def wrapped(text: str, indent: str = "") -> list[str]:
    """Lines of `text`, cut at words to the width of the terminal."""
    lines = []
    for paragraph in text.strip().splitlines():
        lines += textwrap.wrap(paragraph, _width(), initial_indent=indent, subsequent_indent=indent) or [""]
    return lines


def joined(*parts: object) -> str:
    """Those of `parts` that say something, on one line."""
    return " · ".join(str(part) for part in parts if part)


def names(rows: Sequence[Named]) -> str:
    """Nodes by name and id, on one line."""
    return ", ".join(f"{row.name} ({row.id})" for row in rows)


def papers_text(papers: Sequence[ListedPaper]) -> str:
    """A paper per line pair: id and title, then counts."""
    if not papers:
        return "The graph holds no papers yet; `xkg ingest paper` brings some."
    lines = []
    for paper in papers:
        counts = f"{paper.techniques} techniques, {paper.grounded} with code, {paper.likely} with likely code"
        known = counts if paper.status == "ingested" else paper.status
        lines.append(f"{paper.id}\n    {joined(paper.title, paper.year)}\n    {known}")
    return "\n".join(lines)


def paper_text(paper: ShownPaper, tree: Sequence[Branch]) -> str:
    """A paper with its repository, outline and technique tree."""
    lines = [*wrapped(paper.title), joined(paper.id, paper.version, paper.year, paper.status)]
    lines += [IMPORTED] if paper.imported else []
    if paper.authors:
        lines += wrapped(", ".join(paper.authors))
    lines += [joined(paper.url, paper.licence)] if paper.url or paper.licence else []
    for repository in paper.repositories:
        official = "the paper's own" if repository.official else "not known to be the paper's own"
        home = f"{repository.id}@{(repository.commit or '')[:12]}"
        lines.append(f"repository: {joined(home, repository.licence or 'no licence', official)}")
        needs = [f"Python {repository.python}"] if repository.python else []
        lines += (
            wrapped(f"needs {', '.join([*needs, *repository.requirements])}", "    ")
            if needs or repository.requirements
            else []
        )
    if paper.abstract:
        lines += ["", *wrapped(paper.abstract)]
    if paper.sections:
        lines += ["", "Sections"]
        shown = paper.sections[:MOST_SECTIONS]
        lines += ["  " * max(1, s.level or 1) + f"{s.number or ''} {s.title or ''}".strip() for s in shown]
        lines += [f"  … {left} more"] if (left := len(paper.sections) - len(shown)) else []
    if tree:
        lines += ["", "Techniques", *_tree(tree, "  ", tell_imported=not paper.imported)]
    for title, others in (("Cites, in this graph", paper.cites), ("Cited by", paper.cited_by)):
        if others:
            lines += ["", title, *(f"  {other.id}  {other.title}" for other in others)]
    if paper.warnings:
        lines += ["", f"warnings of its reading: {len(paper.warnings)}; --json shows them"]
    return "\n".join(lines)


def _tree(branches: Sequence[Branch], indent: str, *, tell_imported: bool) -> Iterator[str]:
    for branch in branches:
        technique = branch.technique
        marks = [] if technique.kind in ("methodology", "technique") else [technique.kind]
        marks += ["imported"] if tell_imported and technique.imported else []
        mark = f" [{', '.join(map(str, marks))}]" if marks else ""
        gloss = f" – {technique.gloss}" if technique.gloss else ""
        yield f"{indent}{technique.name}{mark}{gloss}"
        for said, found in (("", technique.code), ("likely ", technique.likely)):
            for code in found:
                level = " (file)" if code.level == "file" else ""
                score = "" if code.score is None else f"  {code.score:.2f}"
                yield f"{indent}  → {said}{code.name}{level}  {place(code)}{score}  {code.verdict}"
        yield from _tree(branch.components, indent + "  ", tell_imported=tell_imported)


def technique_text(technique: ShownTechnique, implementations: Sequence[ImplementationRow]) -> str:
    """A technique with its definition and the evidence for its code."""
    coined = "named by its words" if technique.coined else ""
    lines = [technique.name, joined(technique.kind, technique.status, coined, technique.id)]
    lines += [IMPORTED] if technique.imported else []
    lines += wrapped(f"of {technique.paper_title or technique.paper}")
    lines += wrapped(technique.gloss) if technique.gloss else []
    if wordings := [alias for alias in technique.aliases if alias != technique.gloss]:
        lines.append(f"also: {', '.join(wordings)}")
    told = [quote for role in ("definition", "context") for quote in technique.quotes if quote.role == role]
    for quote in told:
        lines += ["", *wrapped(f"“{quote.text}”"), f"  {quote.place}, {quote.span}"]
    if technique.definition and not told:
        lines += ["", *wrapped(technique.definition)]
    lines.append("")
    claimed = joined(technique.subject, technique.comparator and f"against {technique.comparator}", technique.number)
    for title, said in (
        ("claims", joined(claimed, technique.dataset and f"on {technique.dataset}")),
        ("takes", ", ".join(technique.inputs)),
        ("gives", ", ".join(technique.outputs)),
    ):
        lines += wrapped(f"{title}: {said}") if said else []
    if technique.steps:
        lines += ["steps:", *(line for step in technique.steps for line in wrapped(f"- {step}"))]
    for title, others in (
        ("part of", technique.parents),
        ("parts", technique.components),
        ("needs", technique.needs),
    ):
        if others:
            lines += wrapped(f"{title}: {names(others)}")
    for found in technique.described_in:
        lines.append(f"described in {found.name or found.id} at {found.span}")
        lines += _listing(found)
    if technique.signals:
        by = joined(technique.method, technique.model)
        lines.append(f"found by {by}: {', '.join(technique.signals)}")
    for concept in technique.concepts:
        same = ", ".join(f"{o.name} ({o.id})" for o in concept.techniques)
        lines += wrapped(
            f"concept {concept.id} ({concept.decided_by or 'by name'})" + (f": also {same}" if same else "")
        )
    lines += ["", *_implementations(implementations)]
    return "\n".join(lines)


def _listing(found: DescribedIn) -> list[str]:
    """What an equation or algorithm says; of a long one the first lines, as it stands under each of its steps."""
    if not found.latex:
        return []
    rows = found.latex.splitlines()
    if len(rows) <= MOST_LINES + SPARED and len(found.latex) <= MOST_CHARACTERS:
        return ["", found.latex, ""]
    shown = "\n".join(rows[:MOST_LINES])[:MOST_CHARACTERS]
    left = len(rows) - shown.count("\n") - 1
    return ["", shown, f"… {f'{left} more lines' if left else 'more'}: xkg {found.kind} show {found.id}", ""]


def _implementations(rows: Sequence[ImplementationRow]) -> Iterator[str]:
    asserted = [row for row in rows if row.standing == "asserted"]
    candidates = [row for row in rows if row.standing != "asserted"]
    if not asserted:
        yield "No code is asserted for it."
    for code in asserted:
        yield f"Code ({code.level or 'unit'}): {code.name}"
        yield from _evidence(code)
    shown = candidates[:MOST_CANDIDATES]
    for code in shown:
        yield f"{'likely' if code.standing == 'likely' else f'candidate {code.rank}'}: {code.name}"
        yield from _evidence(code)
    if left := len(candidates) - len(shown):
        yield f"… {left} more candidates; --json shows them"


def _evidence(code: ImplementationRow) -> Iterator[str]:
    licence = code.licence or "no licence"
    yield f"  {place(code)}"
    tested = strength(code.test_kind, code.mutants, code.killed) if code.verdict == "verified" else code.verdict_reason
    yield f"  {joined(code.verdict, tested, licence, code.language)}"
    unknown = code.confidence is None or code.method == "import"
    confidence = "" if unknown else f"right with probability {code.confidence:.2f}"
    score = "" if code.score is None else f"score {code.score:.2f}"
    yield f"  {joined(score, confidence, code.method, code.reason)}"
    if code.disagrees:
        yield "  model and evidence disagree"
    for quote in code.quotes:
        yield f"  {PARTS.get(code.part or '', 'does it')}: {quote}"
    if code.realises:
        yield f"  carries out {', '.join(code.realises)}"
    if code.why:
        best = sorted(code.why.items(), key=lambda item: -abs(item[1]))
        yield f"  why: {', '.join(f'{name} {value:.2f}' for name, value in best)}"
    yield f"  {code.id}"


def code_text(code: ShownCode, doubt: str = "") -> str:
    """A piece of code below a header that tells where it is from; `doubt` says why its verdict is not believed."""
    home = f"{code.repository} " if code.repository else ""
    commit = f"@{code.commit[:12]}" if code.commit else ""
    lines = [f"{home}{code.file}:{code.line}-{code.end_line}{commit}"]
    lines.append(joined(code.symbol or code.name, code.language, code.kind, code.origin))
    lines += [IMPORTED] if code.imported else []
    lines.append(joined(f"licence: {code.licence or 'none stated'}", code.url))
    lines += verdict_lines(code, doubt)
    lines += rewrite_lines(code)
    for technique in code.implements:
        said = {"asserted": "implements", "likely": "likely implements"}
        relation = said.get(technique.standing, f"candidate {technique.rank} for")
        lines.append(f"{relation} {technique.name} ({technique.id})")
    for title, listed in (
        ("member of", names([code.member_of]) if code.member_of else ""),
        ("bases", ", ".join(code.bases)),
        ("members", ", ".join(str(member.name) for member in code.members)),
        ("imports", ", ".join(code.imports)),
        ("calls, in this graph", ", ".join(str(other.name) for other in code.uses)),
        ("called by", ", ".join(str(other.name) for other in code.used_by)),
    ):
        lines += wrapped(f"{title}: {listed}") if listed else []
    lines += ["", code.implementation.rstrip("\n") or "(the source is not kept in this graph)"]
    if code.test:
        lines += ["", "# test", code.test.rstrip("\n")]
    if code.test_left_out:
        lines += ["", "# tests that may not count, and why", "#"]
        lines += [f"# {line}".rstrip() for line in code.test_left_out.splitlines()]
    return "\n".join(lines)
