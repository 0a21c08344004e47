"""`xkg paper similar` and `xkg technique similar`."""

import click

from kg.cli.common import emit, json_option
from kg.cli.search_filters import exclude_options
from kg.config import load_settings
from kg.excluding import Excluded
from kg.lookup import find_node
from kg.opening import open_store
from kg.similar import SimilarPaper, SimilarTechnique, similar_papers, similar_techniques

__all__ = ["paper_similar", "technique_similar"]

limited = click.option(
    "-n", "--limit", default=10, show_default=True, type=click.IntRange(1, 200), help="Most that are shown."
)


@click.command()
@click.argument("paper_id", metavar="ID")
@limited
@exclude_options
@json_option
def paper_similar(paper_id: str, limit: int, as_json: bool, excluded: Excluded) -> None:
    """Papers like this one: near in meaning, citing the same rare works, with techniques of the same concepts.

    ID is as for `xkg paper show`.
    """
    with open_store(load_settings()) as store:
        store.blacklist = excluded.from_(store)
        node = find_node(store, "Paper", paper_id)
        found = similar_papers(store, node, limit)
    text = "\n\n".join(map(_paper, found)) or f"No other paper is like {node}."
    emit({"id": node, "similar": found}, as_json=as_json, text=lambda: text, withheld=store.withheld)


@click.command()
@click.argument("technique_id", metavar="ID")
@limited
@exclude_options
@json_option
def technique_similar(technique_id: str, limit: int, as_json: bool, excluded: Excluded) -> None:
    """Techniques of other papers like this one: of the same concept, judged to be alike, or near in meaning.

    ID is as for `xkg technique show`.
    """
    with open_store(load_settings()) as store:
        store.blacklist = excluded.from_(store)
        node = find_node(store, "Technique", technique_id)
        found = similar_techniques(store, node, limit)
    text = "\n\n".join(map(_technique, found)) or f"No technique of another paper is like {node}."
    emit({"id": node, "similar": found}, as_json=as_json, text=lambda: text, withheld=store.withheld)


def _paper(one: SimilarPaper) -> str:
    why = [] if one.cosine is None else [f"meaning {one.cosine:.2f}"]
    if one.common:
        why.append(f"{one.common} works cited by both ({one.coupling:.2f}): {'; '.join(one.shared)}")
    if one.concepts:
        why.append(f"concepts of both ({one.together:.2f}): {', '.join(one.concepts)}")
    return "\n    ".join([f"{one.score:.2f}  {one.title}", *why, one.id])


def _technique(one: SimilarTechnique) -> str:
    why = [*one.relations, *([] if one.cosine is None else [f"meaning {one.cosine:.2f}"])]
    return "\n    ".join([f"{one.score:.2f}  {one.name}", f"{one.kind} of {one.paper_title}", ", ".join(why), one.id])
