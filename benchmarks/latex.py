"""Does the LaTeX layer find what is there, with the right bytes, and survive what is broken?

``python -m benchmarks.latex DIR [--mutations N] [--json]``: DIR holds ``<slug>/latex`` (or ``<slug>`` with .tex files
in it); ``DIR/corpus.toml`` names main files, else they are guessed. Pieces are held
against an independent count by regular expressions, place by place; spans against the files' bytes; then documents are
mutated at random, N times, and every exception is counted.
"""

import json
import random
import re
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import click

from benchmarks.common import FOLDER, papers
from benchmarks.latex_count import count
from ingest.latex import ParsedPaper, parse_paper
from kg.models.paper import Piece

KINDS = ("sections", "equations", "citation_keys", "algorithms", "labels")
_COMMAND = {
    "sections": rb"\\(?:part|chapter|(?:sub)*section|(?:sub)?paragraph|add(?:part|chap|sec))(?![a-zA-Z])",
    "equations": rb"\\begin\s*\{|\$\$|\\\[",
    "labels": rb"\\label",
    "citations": rb"\\[a-zA-Z]*[cC]it[a-zA-Z]*",
    "bibliography": rb"@|\\(?:bibitem|entry|harvarditem)",
}
_CLOSING = re.compile(rb"(?:\\end\s*\{[^{}]*\}|\$\$|\\\])\Z")
_JUNK = (
    "{", "}", "$", "$$", "\\", "%", "[", "]", "#1", "\0", "\xff", "\ud7ff", "\r", "\n\n", "\\begin{", "\\end{equation}",
    "\\begin{equation}", "\\begin{verbatim}", "\\newcommand{\\a}{\\a\\a}\\a", "\\def\\b#1{", "\\input{main}",
    "\\iffalse",
    "\\fi", "\\verb|", "\\cite{", "\\section", "\\[", "\\bibitem[", "@article{", "\\label{", "\\be", "\\caption{",
)  # fmt: skip


def compare(latex: Path, parsed: ParsedPaper) -> dict[str, dict[str, Any]]:
    """Per kind: how many the count has, how many of these were found, how many pieces there are in all."""
    doc, truth = parsed.doc, count(latex, parsed.doc.main)
    keys = {key.encode() for citation in doc.citations for key in citation.keys}
    encodings = {file.path: file.encoding for file in doc.files}
    codec = encodings.get(doc.main, "utf-8")
    pairs: dict[str, tuple[set[Any], set[Any]]] = {
        "sections": (truth.sections, {(piece.file, piece.start) for piece in doc.sections}),
        "equations": (truth.equations, {(piece.file, piece.start) for piece in doc.equations}),
        "algorithms": (truth.algorithms, {(piece.file, piece.start) for piece in doc.algorithms}),
        "citation_keys": (truth.keys, keys | {key.decode().encode(codec, "replace") for key in keys}),
        "labels": (truth.labels, {label.key.encode(codec, "replace") for label in doc.labels}),
    }
    total = {kind: len(getattr(doc, kind, ())) for kind in KINDS} | {"citation_keys": len(keys)}
    return {
        kind: {
            "counted": len(wanted),
            "found": len(wanted & got),
            "pieces": total[kind],
            "missed": sorted(str(item) for item in wanted - got)[:20],
        }
        for kind, (wanted, got) in pairs.items()
    }


def spans(latex: Path, parsed: ParsedPaper) -> tuple[int, int, list[str]]:
    """How many pieces there are, how many have the right bytes, and the first that have not."""
    doc, good, bad = parsed.doc, 0, []
    encodings = {file.path: file.encoding for file in doc.files}
    data = {path: (latex / path).read_bytes() for path in encodings}
    macros = {m for content in data.values() for m in re.findall(rb"\\[a-zA-Z@]+", content)}
    total = 0
    for kind in ("sections", "paragraphs", "equations", "algorithms", "figures", "tables", "theorems", "labels",
                 "references", "citations", "bibliography"):  # fmt: skip
        for piece in getattr(doc, kind):
            total += 1
            raw = data[piece.file][piece.start : piece.end]
            if _is_exact(kind, piece, raw, encodings[piece.file], macros):
                good += 1
            else:
                bad.append(f"{kind} {piece.id} {piece.file}:{piece.start}-{piece.end} {raw[:60]!r}")
    return total, good, bad[:20]


def _is_exact(kind: str, piece: Piece, raw: bytes, encoding: str, macros: set[bytes]) -> bool:
    """The bytes decode, begin with the kind's command (or an author's), end where the piece does, and hold its keys."""
    if not raw or raw != raw.strip() or raw.decode(encoding, "replace") == "":
        return False
    own = re.match(rb"\\[a-zA-Z@]+", raw)
    authors_own = own is not None and own[0] in macros
    if kind in _COMMAND and not re.match(_COMMAND[kind], raw) and not authors_own:
        return False
    if kind == "equations" and re.match(_COMMAND[kind], raw) and not _CLOSING.search(raw):
        return authors_own
    for key in (
        *getattr(piece, "keys", ()),
        *([piece.key] if hasattr(piece, "key") and kind != "bibliography" else ()),
    ):
        if key.split()[0].encode(encoding, "replace") not in raw and not authors_own:
            return False
    return True


def mutate(text: str, chance: random.Random) -> str:
    """A few random deletions, repetitions, moves and insertions."""
    for _ in range(chance.randint(1, 6)):
        a, b = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        b = min(b, a + chance.choice((1, 3, 30, 400)))
        kind = chance.randint(0, 4)
        if kind == 0:
            text = text[:a] + text[b:]
        elif kind == 1:
            text = text[:b] + text[a:b] * chance.choice((1, 2, 50)) + text[b:]
        elif kind == 2:
            text = text[:a] + chance.choice(_JUNK) + text[a:]
        elif kind == 3:
            text = text[b:] + text[a:b]
        else:
            text = text[:a] + chance.choice(_JUNK) * chance.choice((1, 1, 1, 200)) + text[a:]
    return text


def torture(sources: list[tuple[Path, str]], mutations: int, seed: int) -> tuple[int, list[str]]:
    """Parse `mutations` mutated excerpts; returns the number of exceptions and the first few tracebacks."""
    chance, failures = random.Random(seed), 0  # noqa: S311 -- repeatable, not secret
    traces: list[str] = []
    pools = [
        [
            p.read_bytes()[:400_000].decode("utf-8", "replace")
            for p in sorted(latex.rglob("*"))
            if p.suffix in (".tex", ".bib", ".bbl")
        ]
        for latex, _ in sources
    ]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for number in range(mutations):
            texts = [t for t in pools[number % len(pools)] if t]
            for name in ("main.tex", "part.tex", "main.bbl", "refs.bib"):
                text = chance.choice(texts)
                size = chance.randint(0, 1_500)
                at = chance.choice((0, chance.randint(0, len(text))))
                frame = (
                    "\\documentclass{article}\\begin{document}\\input{part}\\bibliography{refs}",
                    "\\end{document}",
                )
                piece = mutate(text[at : at + size], chance)
                piece = frame[0] + piece + frame[1] if name == "main.tex" and chance.random() < 0.7 else piece
                codec = chance.choice(("utf-8", "utf-8", "latin-1", "utf-16"))
                (folder / name).write_bytes(piece.encode(codec, "replace"))
            try:
                parse_paper(folder, "main.tex")
            except Exception:  # noqa: BLE001 -- counting them is the purpose
                failures += 1
                traces += [traceback.format_exc()] if len(traces) < 3 else []
    return failures, traces


def measure(folder: Path, mutations: int, seed: int) -> dict[str, Any]:
    """All figures for the papers in `folder`."""
    rows: dict[str, Any] = {}
    totals: Counter[str] = Counter()
    sources: list[tuple[Path, str]] = []
    crashed: dict[str, str] = {}
    for paper in papers(folder):
        slug, latex = paper.slug, paper.latex
        started = time.perf_counter()
        try:
            parsed = parse_paper(latex, paper.main)
        except Exception as error:  # noqa: BLE001 -- counted and named in the result
            crashed[slug] = f"{type(error).__name__}: {error}"
            continue
        seconds = time.perf_counter() - started
        found = compare(latex, parsed)
        pieces, exact, bad = spans(latex, parsed)
        rows[slug] = found | {"spans": pieces, "spans_exact": exact, "spans_bad": bad, "seconds": round(seconds, 3),
                              "warnings": len(parsed.doc.warnings), "main": parsed.doc.main}  # fmt: skip
        totals.update({"spans": pieces, "spans_exact": exact})
        for kind in KINDS:
            totals.update({f"{kind}_counted": found[kind]["counted"], f"{kind}_found": found[kind]["found"]})
        sources.append((latex, parsed.doc.main))
    started = time.perf_counter()
    exceptions, traces = torture(sources, mutations, seed) if sources else (0, [])
    result: dict[str, Any] = {
        f"{kind}_recall": round(totals[f"{kind}_found"] / max(1, totals[f"{kind}_counted"]), 5) for kind in KINDS
    }
    result |= dict(totals) | {"span_exactness": round(totals["spans_exact"] / max(1, totals["spans"]), 5)}
    result |= {
        "documents": len(rows),
        "failed": crashed,
        "mutations": mutations,
        "exceptions": exceptions + len(crashed),
    }
    result |= {"mutation_seconds": round(time.perf_counter() - started, 1), "traces": traces, "papers": rows}
    return result | {"seconds": round(sum(row["seconds"] for row in rows.values()), 3)}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line per paper, then those of all and the first tracebacks."""
    lines = [f"{'paper':18} " + " ".join(f"{kind:>16}" for kind in KINDS) + "   exact spans  seconds  warnings"]
    for slug, row in result["papers"].items():
        cells = " ".join(
            f"{row[kind]['found']:>5}/{row[kind]['counted']:<5}({row[kind]['pieces']:>4})"[:16].rjust(16)
            for kind in KINDS
        )
        exact = f"{row['spans_exact']:>5}/{row['spans']:<5}"
        lines.append(f"{slug:18} {cells}  {exact} {row['seconds']:>7.2f} {row['warnings']:>8}")
    everything = {key: value for key, value in result.items() if key not in ("papers", "traces")}
    return "\n".join([*lines, str(everything), *result["traces"]])


@click.command(help=__doc__)
@click.argument("folder", type=FOLDER)
@click.option("--mutations", default=10_000, show_default=True, help="Mutated documents.")
@click.option("--seed", default=1, show_default=True, help="Of the mutations.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(folder: Path, mutations: int, seed: int, as_json: bool) -> None:
    """Measure and print."""
    result = measure(folder, mutations, seed)
    click.echo(json.dumps(result, indent=2) if as_json else table(result))


if __name__ == "__main__":
    main()
