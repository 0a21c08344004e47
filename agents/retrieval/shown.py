"""How hits stand in a prompt: a label each, what the graph says of them, and as much text as there is room for.

Only our own lines begin with a label: prose is set on one line behind its name, lines of code stand behind a bar.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.retrieval.results import Seen
from kg.results.search import HitText
from kg.search.results import CodeHit, Implementation, TechniqueHit

__all__ = ["LONGEST", "Shown", "show"]

LONGEST = 1_600
"""Characters of a definition, a documentation or code that are shown of one hit at most."""
LEAST = 200


@dataclass(frozen=True)
class Shown:
    """What the model sees: `text` of all hits, and by label the hits and their own words, which quotes must be from."""

    text: str
    hits: Mapping[str, Seen]
    words: Mapping[str, str]


def show(seen: Sequence[Seen], texts: Mapping[str, HitText], room: int) -> Shown:
    """The hits in their order, as many as fit into `room` characters; texts are cut before hits are left out."""
    limit = max(LEAST, min(LONGEST, room // max(1, len(seen)) // 2))
    hits: dict[str, Seen] = {}
    words: dict[str, str] = {}
    parts: list[str] = []
    for one in seen:
        kind = "T" if isinstance(one.hit, TechniqueHit) else "C"
        label = f"{kind}{1 + sum(name[0] == kind for name in hits)}"
        lines, own = _lines(one.hit, texts.get(one.hit.id), limit)
        part = f"[{label}] {lines}"
        if (room := room - len(part) - 2) < 0 and hits:
            break
        hits[label], words[label] = one, own
        parts.append(part)
    return Shown("\n\n".join(parts), hits, words)


def _lines(hit: TechniqueHit | CodeHit, text: HitText | None, limit: int) -> tuple[str, str]:
    said = _line(text.text if text else hit.snippet)[:limit]
    if isinstance(hit, TechniqueHit):
        lines = [f"{hit.kind} {_line(hit.name)!r} of the paper {_line(hit.paper_title or hit.paper)!r}"]
        lines += [f"  also called: {_line(', '.join(hit.aliases))}"] if hit.aliases else []
        lines += [f"  definition: {said}"] if said else []
        lines += [f"  its code: {_code(code)}" for code in hit.code]
        lines += [f"  likely its code: {_code(code)}" for code in hit.likely]
        return "\n".join(lines), said
    code = (text.implementation if text else "")[:limit]
    lines = [f"{hit.kind} {_line(hit.name)!r} ({hit.language}), in {_line(hit.place or hit.file)}"]
    lines += [f"  signature: {_line(hit.signature)[:limit]}"] if hit.signature else []
    lines.append(f"  verdict: {hit.verdict}; licence: {_line(hit.licence or 'none stated')}")
    for what, names in (("implements", hit.implements), ("likely implements", hit.likely)):
        lines += [f"  {what}: {_line(', '.join(names))}"] if names else []
    lines += [f"  documentation: {said}"] if said else []
    lines += [f"  | {line.rstrip()}" for line in code.splitlines() if line.strip()]
    return "\n".join(lines), "\0".join((hit.signature, said, code))


def _code(code: Implementation) -> str:
    return f"{_line(code.name)} ({code.verdict}; licence: {_line(code.licence or 'none stated')})"


def _line(text: str) -> str:
    return " ".join(text.split())
