from collections.abc import Callable

from judged_samples import span

from agents.code.units import CodeBase
from ingest.ground import ground
from ingest.latex import ParsedPaper
from kg.embeddings import Embedder
from kg.models.paper import Span
from kg.models.technique import Technique, TechniqueTree

CODE = {
    "reservoir.py": (
        'def reservoir_sample(stream, k):\n    """Keeps a uniform sample of a stream of items."""\n    reservoir = []\n'
        "    for item in stream:\n        reservoir.append(item)\n    return reservoir[:k]\n"
    ),
    "io.py": "def read_lines(path):\n    return open(path).read().splitlines()\n",
}


def tree() -> TechniqueTree:
    inner = Technique(id="replacing-a-random-slot", name="replacing a random slot", kind="technique", score=0.4)
    sampling = Technique(
        id="reservoir-sampling",
        name="Reservoir sampling",
        kind="methodology",
        score=0.9,
        spans=(span("Reservoir sampling keeps"),),
        children=(inner,),
    )
    finding = Technique(id="reservoir-sample", name="reservoir sample", kind="finding", score=0.5)
    return TechniqueTree(items=(sampling, finding))


def test_each_technique_of_any_depth_has_its_grounding(
    parsed: ParsedPaper, code: Callable[..., CodeBase], embedder: Embedder
) -> None:
    codebase = code(CODE)
    result = ground(parsed, tree(), codebase, embedder)
    assert [g.technique for g in result] == ["reservoir-sampling", "replacing-a-random-slot", "reservoir-sample"]
    best = result[0].candidates[0]
    assert (best.unit, best.rank) == ("reservoir.py#reservoir_sample", 1)
    assert all(0 <= c.score <= 1 for g in result for c in g.candidates)
    assert all(len(g.candidates) <= 5 and g.reason and g.method for g in result)
    assert {c.unit for g in result for c in g.candidates} <= {unit.id for unit in codebase.units}


def test_findings_are_neither_asserted_nor_likely(
    parsed: ParsedPaper, code: Callable[..., CodeBase], embedder: Embedder
) -> None:
    finding = ground(parsed, tree(), code(CODE), embedder)[2]
    assert finding.level == "none"
    assert {candidate.standing for candidate in finding.candidates} == {"candidate"}


def test_twice_is_the_same(parsed: ParsedPaper, code: Callable[..., CodeBase], embedder: Embedder) -> None:
    codebase = code(CODE)
    assert ground(parsed, tree(), codebase, embedder) == ground(parsed, tree(), codebase, embedder)


def test_an_empty_repository_and_an_empty_tree(
    parsed: ParsedPaper, code: Callable[..., CodeBase], embedder: Embedder
) -> None:
    result = ground(parsed, tree(), code({}), embedder)
    assert [(g.level, g.confidence, g.candidates) for g in result] == [("none", 0.0, ())] * 3
    assert ground(parsed, TechniqueTree(), code({}), embedder) == ()
    assert ground(parsed, TechniqueTree(), code(CODE), embedder) == ()


def test_a_span_that_is_not_there_is_no_reason_to_fail(
    parsed: ParsedPaper, code: Callable[..., CodeBase], embedder: Embedder
) -> None:
    lost = Technique(
        id="x", name="reservoir sampling", kind="technique", score=0.1,
        spans=(Span(file="gone.tex", start=5, end=2), span("We stop")),
    )  # fmt: skip
    (result,) = ground(parsed, TechniqueTree(items=(lost,)), code(CODE), embedder)
    assert result.candidates


def test_where_too_little_speaks_for_any_unit_there_is_no_candidate(
    parsed: ParsedPaper, code: Callable[..., CodeBase], embedder: Embedder
) -> None:
    foreign = Technique(id="f", name="sourdough fermentation", kind="technique", score=0.1, definition="Bread rises.")
    tried = TechniqueTree(items=(*tree().items, foreign))
    *known, unknown = ground(parsed, tried, code(CODE), embedder)
    assert unknown.candidates == ()
    assert unknown.reason
    assert all(c.score >= 0.5 * g.candidates[0].score for g in known for c in g.candidates)
