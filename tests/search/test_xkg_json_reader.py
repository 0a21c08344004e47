"""Reading xKG's JSON graphs: what becomes of each part, and one sentence for what is no such graph."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_samples import HITTERS, SAMPLING

from kg.errors import InputError
from kg.xkg_json.objects import KEYS, REST, Object, restore
from kg.xkg_json.reader import MAX_DEPTH, join_item, read_graph, split_item


def written(folder: Path, value: Any, name: str = "graph.json") -> Path:
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return file


def test_the_tree_its_code_and_the_lists(tmp_path: Path) -> None:
    record = read_graph(written(tmp_path, SAMPLING))
    names = [(item.id, item.kind, item.name) for item in record.techniques.walk()]
    assert names == [
        ("reservoir-sampling", "methodology", "Reservoir Sampling"),
        ("skip-counting", "technique", "Skip Counting"),
        ("uniformity", "finding", "Uniformity"),
    ]
    assert record.paper.id == "local:sampling-from-streams"
    assert record.origin == "imported"
    assert [entry.title for entry in record.doc.bibliography] == SAMPLING["paper_references"]
    (unit,) = record.units
    assert unit.text == SAMPLING["techniques"][0]["code"]["implementation"]
    (grounding,) = record.groundings
    assert (grounding.technique, grounding.method) == ("reservoir-sampling", "import")


def test_a_claim_stays_a_claim(tmp_path: Path) -> None:
    record = read_graph(written(tmp_path, SAMPLING))
    (extra,) = [value for key, value in record.extras.items() if "#c/" in key]
    assert extra["claimed_pass_exec"] is True
    assert "verdict" not in extra


def test_equal_names_get_ids_of_their_own(tmp_path: Path) -> None:
    leaf = {"name": "Step", "description": "", "weight": 0.5, "code": None, "components": []}
    graph = {**SAMPLING, "techniques": [leaf, {**leaf, "name": "Step 2"}, leaf, {**leaf, "name": ""}]}
    ids = [item.id for item in read_graph(written(tmp_path, graph)).techniques.items]
    assert ids[:3] == ["step", "step-2", "step-3"]
    assert len(set(ids)) == len(ids)


def test_values_of_other_types_are_kept_aside(tmp_path: Path) -> None:
    record = read_graph(written(tmp_path, HITTERS))
    paper = record.extras[record.paper.id]
    assert json.loads(str(paper[REST])) == {"extra": {"kept": [1, 1.0, None]}, "paper_references": None}
    second = record.extras[f"{record.paper.id}#t/reservoir-sampling-rs"]
    assert json.loads(str(second[REST])) == {"weight": 1}


@pytest.mark.parametrize(
    ("text", "name", "definition"),
    [
        ("Name: a text: with colons", "Name", "a text: with colons"),
        ("Finding: The claim: shown", "The claim", "shown"),
        ("No colon at all", "No colon at all", "No colon at all"),
        ("", "", ""),
        ("Trailing: ", "Trailing", ""),
    ],
)
def test_findings_and_resources(text: str, name: str, definition: str) -> None:
    assert split_item(text) == (name, definition)


@given(st.text(max_size=400))
def test_a_finding_is_never_lost(text: str) -> None:
    name, definition = split_item(text)
    assert join_item(name, definition) == text or definition in text
    assert len(name) <= 160


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not valid JSON"),
        ("[]", "its top is no object"),
        ("{}", "no paper_title or no list of techniques"),
        ('{"paper_title": "A", "techniques": null}', "no list of techniques"),
        ('{"paper_title": "A", "techniques": [{"name": "B"}, 7]}', r"techniques\[1\] is no object"),
        ('{"paper_title": "A", "paper_title": "B", "techniques": []}', "'paper_title' occurs twice"),
        ('{"paper_title": "A", "techniques": [], "x": NaN}', "NaN is not JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_malformed_files_are_named(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(InputError, match=rf"graph\.json .*{words}"):
        read_graph(written(tmp_path, content))


def test_other_refusals(tmp_path: Path) -> None:
    latin = tmp_path / "latin.json"
    latin.write_bytes(b'{"paper_title": "\xe9"}')
    with pytest.raises(InputError, match=r"latin\.json is not UTF-8 at byte 17"):
        read_graph(latin)
    link = tmp_path / "link.json"
    link.symlink_to(written(tmp_path, SAMPLING))
    with pytest.raises(InputError, match=r"link\.json is not a regular file"):
        read_graph(link)
    deep: dict[str, Any] = {"name": "x", "components": []}
    for _ in range(MAX_DEPTH + 2):
        deep = {"name": "x", "components": [deep]}
    with pytest.raises(InputError, match="nested deeper than"):
        read_graph(written(tmp_path, {"paper_title": "A", "techniques": [deep]}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
KNOWN = ("name", "texts", "weight", "flag")


@given(st.dictionaries(st.sampled_from(KNOWN) | st.text(max_size=4), json_values, max_size=6))
def test_every_object_comes_back_as_it_was(value: dict[str, Any]) -> None:
    """Whatever stands under known and unknown keys: the same keys in the same order, values of the same types."""
    found = Object(value)
    values = {
        "name": found.text("name"),
        "texts": list(found.texts("texts")),
        "weight": found.number("weight"),
        "flag": found.take("flag", lambda v: isinstance(v, bool), None),
    }
    kept = found.kept()
    keys, rest = kept[KEYS], kept[REST]
    assert isinstance(keys, tuple)
    again = restore(keys, None if rest is None else str(rest), values)
    assert json.dumps(again) == json.dumps(value)
