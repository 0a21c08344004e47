"""Which figures of each benchmark's JSON are told: what they mean, how they are written, which way is better."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from agents.tools import TOOLS

__all__ = ["FIGURES", "Better", "Figure", "Form", "figures_of"]


PARTS = {"p50": "median", "p95": "95th percentile"}


class Form(Enum):
    """How a figure is written."""

    SHARE = "{:.1%}"
    COUNT = "{:,.0f}"
    RATIO = "{:.3f}"
    SECONDS = "{:,.1f} s"
    MILLISECONDS = "{:,.1f} ms"


class Better(Enum):
    """Which way a figure of quality ought to move; NEITHER for sizes and for speeds, which depend on the machine."""

    HIGHER = 1
    LOWER = -1
    NEITHER = 0


@dataclass(frozen=True)
class Figure:
    """`key` is the dotted path in the benchmark's JSON (numbers are places in a list), `says` what it is."""

    key: str
    says: str
    form: Form = Form.COUNT
    better: Better = Better.NEITHER

    def of(self, result: dict[str, Any]) -> float | None:
        """The value in `result`, None if it is not there."""
        value: Any = result
        for part in self.key.split("."):
            if isinstance(value, list) and int(part) < len(value):
                value = value[int(part)]
            elif isinstance(value, dict) and part in value:
                value = value[part]
            else:
                return None
        return None if value is None else float(value)


def _shares(*pairs: tuple[str, str]) -> Iterator[Figure]:
    return (Figure(key, says, Form.SHARE, Better.HIGHER) for key, says in pairs)


def _good(*pairs: tuple[str, str]) -> Iterator[Figure]:
    return (Figure(key, says, better=Better.HIGHER) for key, says in pairs)


def _bad(*pairs: tuple[str, str]) -> Iterator[Figure]:
    return (Figure(key, says, better=Better.LOWER) for key, says in pairs)


def _sizes(*pairs: tuple[str, str], form: Form = Form.COUNT) -> Iterator[Figure]:
    return (Figure(key, says, form) for key, says in pairs)


FIGURES: dict[str, tuple[Figure, ...]] = {
    "techniques": (
        *_shares(
            ("strict_central", "central labels found by name"),
            ("strict", "all labels found by name"),
            ("strict_central_top", "central labels found by name at the top level"),
            ("strict_top", "all labels found by name at the top level"),
            ("strict_finding", "labelled findings found by name"),
        ),
        *_sizes(("n_strict", "labels"), ("items_per_paper", "techniques a paper")),
        *_sizes(
            ("seconds_parse_per_paper", "parsing a paper"),
            ("seconds_extract_per_paper", "extracting from a paper"),
            form=Form.SECONDS,
        ),
    ),
    "grounding": (
        *_shares(
            ("top1", "right unit at the first place"),
            ("top5", "right unit among five"),
            ("top10", "right unit among ten"),
        ),
        Figure("mrr", "mean reciprocal rank", Form.RATIO, Better.HIGHER),
        *_shares(("strict_top1", "the labelled unit itself at the first place")),
        *_good(("asserted_right", "asserted and right")),
        *_bad(("asserted_wrong", "asserted and wrong"), ("negatives_asserted", "asserted where there is no code")),
        *_good(("likely_right", "called likely and right")),
        *_bad(
            ("likely_wrong", "called likely and wrong"), ("negatives_likely", "called likely where there is no code")
        ),
        *_sizes(("n", "labels with code"), ("negatives", "labels without")),
    ),
    "end_to_end": (
        *_shares(
            ("matched", "labels that a technique of the machine's matches"),
            ("by_name", "the same, by name"),
            ("top5", "with a right unit among its candidates"),
            ("top1", "with a right unit as the first"),
            ("asserted", "with a right unit asserted"),
            ("likely", "with a right unit asserted or likely"),
        ),
        *_good(("edges_right", "asserted edges that labels call right")),
        *_bad(("edges_wrong", "asserted edges that labels call wrong"), ("edges_on_negatives", "of these, no code")),
        *_good(("likely_right", "likely edges that labels call right")),
        *_bad(("likely_wrong", "likely edges that labels call wrong")),
        *_sizes(("edges", "asserted edges in all"), ("likely_edges", "likely edges in all"), ("n", "labels with code")),
    ),
    "latex": (
        *_shares(
            ("sections_recall", "sections found"),
            ("equations_recall", "display equations found"),
            ("citation_keys_recall", "citation keys found"),
            ("algorithms_recall", "algorithms found"),
            ("labels_recall", "labels found"),
            ("span_exactness", "pieces with exactly their bytes"),
        ),
        *_bad(("exceptions", "exceptions on mutated documents")),
        *_sizes(("mutations", "mutated documents"), ("spans", "pieces"), ("documents", "documents")),
        *_sizes(("seconds", "parsing them all"), form=Form.SECONDS),
    ),
    "slicing": (
        *_good(
            ("compiles", "units whose module compiles"),
            ("self_contained", "units whose module leaves no name unserved"),
            ("imports", "units whose module imports in the sandbox"),
        ),
        *_sizes(("units", "top-level Python units")),
        *_sizes(("seconds", "in all"), form=Form.SECONDS),
    ),
    "verification": (
        *_good(
            ("imports", "labelled units that import in the sandbox"),
            ("reached", "reached by a passing test of the repository"),
            ("verified", "verified"),
        ),
        *_bad(("failed", "failed")),
        *_good(("killed", "mutants that a test noticed")),
        *_sizes(
            ("mutants", "mutants"),
            ("unverified", "run and not verified"),
            ("untried", "of languages that nothing here runs, or not read"),
            ("n", "labels with code"),
        ),
        *_sizes(("seconds", "in all"), form=Form.SECONDS),
    ),
    "staleness": (
        *_bad(("kept_wrongly", "verdicts that stayed and should not have")),
        *_good(("kept", "verdicts that stayed")),
        *_bad(("given_up_needlessly", "taken back, and given again when judged anew")),
        *_sizes(("given_up", "taken back"), ("verified", "verified at the older commit")),
    ),
    "blocks": (
        *_good(
            ("ran", "blocks that could be run"),
            ("ended", "that ran to their end"),
            ("verdicts.verified", "verified"),
            ("verdicts.failed", "failed"),
        ),
        *_sizes(("blocks", "blocks of imported graphs"), ("kill_half", "with a test that notices half its mutants")),
        *_sizes(("seconds", "in all"), form=Form.SECONDS),
    ),
    "search": (
        *_shares(
            ("graphs.held_out.techniques.found", "held-out queries: technique found"),
            ("graphs.held_out.techniques.first", "held-out queries: technique first"),
            ("graphs.held_out.techniques.off_topic_silent", "off-topic queries that find no technique"),
            ("graphs.held_out.code.found", "held-out queries: code found"),
            ("graphs.held_out.code.first", "held-out queries: code first"),
            ("graphs.held_out.code.off_topic_silent", "off-topic queries that find no code"),
            ("sizes.2.recall_of_list", "of the exact ten nearest of 100,000, among the candidates"),
        ),
        *_sizes(
            ("sizes.0.search_ms.p50", "a search among 1,000 techniques, median"),
            ("sizes.1.search_ms.p50", "among 20,000"),
            ("sizes.2.search_ms.p50", "among 100,000"),
            ("sizes.2.search_ms.p95", "among 100,000, 95th percentile"),
            ("sizes.2.exact_ms.p50", "numpy's exact scan of 100,000 in memory"),
            form=Form.MILLISECONDS,
        ),
    ),
    "concepts": (
        *_shares(
            ("quality.same.precision", "called the same, rightly"),
            ("quality.same.recall", "the same, and called so"),
            ("quality.variant.precision", "called a variant, rightly"),
            ("quality.variant.recall", "variants, and called so"),
            ("quality.similar.precision", "called similar, rightly"),
            ("quality.similar.recall", "similar, and called so"),
            ("quality.related.precision", "called any of these, and rightly related"),
            ("quality.related.recall", "related, and called any of these"),
        ),
        *_sizes(
            ("sizes.0.first_s", "joining 5,000 techniques for the first time"),
            ("sizes.0.paper_s", "one more paper of ten among 5,000"),
            ("sizes.1.first_s", "joining 80,000 for the first time"),
            ("sizes.1.paper_s", "one more paper of ten among 80,000"),
            form=Form.SECONDS,
        ),
    ),
    "search_quality": (
        *_shares(
            ("tuned.names_and_acronyms.first", "names and acronyms at the first place"),
            ("tuned.misspelled.five", "misspelled names among five"),
            ("tuned.task.first", "tasks in an engineer's own words at the first place"),
            ("tuned.task.five", "the same among five"),
            ("tuned.formula.five", "formulas among five"),
            ("tuned.off_topic.nothing_strong", "off topic without a strong hit of any kind"),
            ("tuned.off_topic.silent", "off topic without any hit"),
            ("held_out.names_and_acronyms.first", "queries not looked at: names and acronyms at the first place"),
            ("held_out.misspelled.five", "queries not looked at: misspelled names among five"),
            ("held_out.task.first", "queries not looked at: tasks in an engineer's own words at the first place"),
            ("held_out.task.five", "queries not looked at: the same among five"),
            ("held_out.formula.five", "queries not looked at: formulas among five"),
            ("held_out.off_topic.nothing_strong", "queries not looked at: off topic without a strong hit of any kind"),
            ("held_out.off_topic.silent", "queries not looked at: off topic without any hit"),
            (
                "chosen.task.first",
                "queries that weights were chosen on: tasks in an engineer's own words at the first place",
            ),
            ("chosen.task.five", "queries that weights were chosen on: the same among five"),
            ("chosen.off_topic.nothing_strong", "queries that weights were chosen on: off topic without a strong hit"),
            ("chosen.off_topic.silent", "queries that weights were chosen on: off topic without any hit"),
        ),
        *_sizes(
            ("queries", "queries"),
            ("queries_held_out", "queries not looked at"),
            ("queries_chosen", "queries that weights were chosen on"),
        ),
    ),
    "ingest": (
        *_sizes(
            ("first_run_seconds", "all papers, first run"),
            ("median_processor_seconds", "processor's time of the median paper, without the database"),
            ("median_by_stage.parse", "of it parsing"),
            ("median_by_stage.techniques", "extracting techniques"),
            ("median_by_stage.units", "reading code"),
            ("median_by_stage.ground", "grounding"),
            ("median_by_stage.embed", "embedding"),
            form=Form.SECONDS,
        ),
        *_sizes(("second_run_share", "an unchanged second run's share of it"), form=Form.SHARE),
    ),
    "growth": (
        *_sizes(
            ("small.papers", "papers of the small graph"),
            ("small.nodes", "nodes"),
            ("small.edges", "edges"),
            ("small.data_mb", "on disk, MB"),
            ("small.server_peak_mb", "memory of the server at most, MB"),
            ("large.papers", "papers of the large graph"),
            ("large.nodes", "nodes of it"),
            ("large.edges", "edges of it"),
            ("large.data_mb", "on disk of it, MB"),
            ("large.server_peak_mb", "memory of its server at most, MB"),
        ),
        *_sizes(("large.write_s", "writing them"), ("large.join_s", "joining them by hundreds"), form=Form.SECONDS),
        *_sizes(
            ("small.paper_ms", "writing one more paper of a hundred nodes to the small graph"),
            ("large.paper_ms", "writing one more to the large graph"),
            ("small.server_cpu_ms", "processor time of the server for it, small"),
            ("large.server_cpu_ms", "processor time of the server for it, large"),
            ("small.search_ms.p50", "a search of the small graph, median"),
            ("small.search_ms.p95", "a search of the small graph, 95th percentile"),
            ("large.search_ms.p50", "a search of the large graph, median"),
            ("large.search_ms.p95", "a search of the large graph, 95th percentile"),
            form=Form.MILLISECONDS,
        ),
        *_sizes(
            ("ratios.nodes", "large to small: nodes"),
            ("ratios.paper_ms", "large to small: writing a paper"),
            ("ratios.server_cpu_ms", "large to small: the server's processor time for it"),
            ("ratios.last_join_s", "large to small: joining the last fifty"),
            ("ratios.data_mb", "large to small: disk"),
            ("ratios.search_p50", "large to small: search, median"),
            ("ratios.search_p95", "large to small: search, 95th percentile"),
            form=Form.RATIO,
        ),
    ),
    "server": (
        *_sizes(("cold.start_s", "first start"), ("warm.start_s", "everyday start"), form=Form.SECONDS),
        *_sizes(("warm.server_peak_mb", "memory, MB")),
    ),
    "explore": (
        *_sizes(("papers", "papers")),
        *_sizes(("first.p50", "first page"), ("first.p95", "first page, p95"), form=Form.MILLISECONDS),
        *_sizes(("second.p50", "its second screen"), ("paper.p50", "a paper"), form=Form.MILLISECONDS),
    ),
    "tools": (
        *_sizes(("techniques", "techniques"), ("papers", "papers"), ("nodes", "nodes")),
        *_sizes(
            *((f"ms.{name}.{part}", f"`{name}`, {said}") for name in TOOLS for part, said in PARTS.items()),
            ("ms.embedding.p50", "embedding a query, median"),
            form=Form.MILLISECONDS,
        ),
    ),
    "write": (
        *_sizes(("nodes_and_edges_per_second", "nodes and edges a second")),
        *_sizes(("ratio_to_plain_loader", "time, as a multiple of a plain loader's"), form=Form.RATIO),
        *_sizes(("milliseconds_for_a_small_paper", "a paper of ten techniques"), form=Form.MILLISECONDS),
    ),
    "sandbox": (
        *_sizes(
            ("ms.python", "Python alone"),
            ("ms.bubblewrap", "bubblewrap"),
            ("ms.bubblewrap, polled", "bubblewrap, polled"),
            ("ms.docker", "docker"),
            form=Form.MILLISECONDS,
        ),
    ),
    "environments": (
        *_sizes(
            ("cold.seconds", "a numeric stack, nothing cached"),
            ("wheels_in_uv.seconds", "with uv's cache alone"),
            ("cached.seconds", "from our cache"),
            form=Form.SECONDS,
        ),
    ),
    "verify_rate": (
        *_sizes(("runs.0.a_minute", "verdicts a minute, 1 worker"), ("runs.1.a_minute", "2 workers")),
        *_sizes(("speed_up", "two workers' speed-up"), form=Form.RATIO),
    ),
}


def figures_of(name: str, result: dict[str, Any]) -> list[tuple[Figure, float]]:
    """The told figures of a benchmark that its JSON has."""
    pairs = ((figure, figure.of(result)) for figure in FIGURES[name])
    return [(figure, value) for figure, value in pairs if value is not None]
