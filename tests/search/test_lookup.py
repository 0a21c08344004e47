"""Ids of techniques and code may begin with what a person calls the paper."""

import pytest

from kg.errors import InputError
from kg.lookup import find_node
from kg.store import Store

pytestmark = pytest.mark.db

TECHNIQUES = ("arxiv:1907.13508#t/selection", "local:edo#t/x", "local:edo#t/x-y", "doi:10.1145/3.4#t/x",
              "arxiv:2101.00001#t/both", "local:2101.00001#t/both", "arxiv:math/0211159#t/flow")  # fmt: skip
CODE = ("local:edo#c/0", "github:o/edo@c1:src/edo.py#run", "folder:flow@c1:flow.py#run")


@pytest.fixture
def named(store: Store) -> Store:
    """Bare techniques and code."""
    rows = [("Technique", id) for id in TECHNIQUES] + [("Code", id) for id in CODE]
    nodes = [{"label": label, "properties": {"id": id, "name": f"N{n}"}} for n, (label, id) in enumerate(rows)]
    store.write("write/create_nodes", rows=nodes)
    return store


def test_a_technique_by_the_short_name_of_its_paper(named: Store) -> None:
    for text, whole in (
        ("1907.13508#t/selection", "arxiv:1907.13508#t/selection"),
        ("arxiv:1907.13508v2#t/selection", "arxiv:1907.13508#t/selection"),
        ("https://arxiv.org/abs/1907.13508#t/selection", "arxiv:1907.13508#t/selection"),
        ("1907.13508#t/sel", "arxiv:1907.13508#t/selection"),
        ("math/0211159#t/flow", "arxiv:math/0211159#t/flow"),
        ("edo#t/x", "local:edo#t/x"),
        ("10.1145/3.4#t/x", "doi:10.1145/3.4#t/x"),
    ):
        assert find_node(named, "Technique", text) == whole


def test_a_local_paper_as_its_folder_is_spelled(named: Store) -> None:
    named.write("write/create_nodes", rows=[{"label": "Paper", "properties": {"id": "local:my-new-paper"}}])
    for text in ("My New_paper", "local:my_new_paper", "my_new", "local:my_new"):
        assert find_node(named, "Paper", text) == "local:my-new-paper"


def test_code_by_the_short_name_of_its_paper(named: Store) -> None:
    assert find_node(named, "Code", "edo#c/0") == "local:edo#c/0"
    assert find_node(named, "Code", "edo.py#run") == "github:o/edo@c1:src/edo.py#run"


def test_code_by_the_beginning_of_an_id_that_it_has_or_had(named: Store) -> None:
    assert find_node(named, "Code", "local:edo") == "local:edo#c/0"
    for text in ("folder:flow", "local:flow", "local:flow@c1:flow.py#run"):
        assert find_node(named, "Code", text) == "folder:flow@c1:flow.py#run"


def test_a_short_name_that_two_papers_share_is_refused(named: Store) -> None:
    with pytest.raises(InputError, match=r"can mean several: arxiv:2101.00001#t/both .*, local:2101.00001#t/both"):
        find_node(named, "Technique", "2101.00001#t/both")
    assert find_node(named, "Technique", "local:2101.00001#t/both") == "local:2101.00001#t/both"


def test_a_paper_that_is_not_there_is_told(named: Store) -> None:
    with pytest.raises(InputError, match=r"no technique 'other#t/x'"):
        find_node(named, "Technique", "other#t/x")


def test_a_technique_by_an_alias_that_is_no_name(named: Store) -> None:
    said = (("Algorithm R", ["reservoir sampler"]), ("Reservoir", ["keeping"]), ("Keeping", []), ("Other", ["held"]),
            ("Another", ["held"]))  # fmt: skip
    nodes = [
        {"label": "Technique", "properties": {"id": f"local:a#t/a{n}", "name": name, "aliases": aliases}}
        for n, (name, aliases) in enumerate(said)
    ]
    named.write("write/create_nodes", rows=nodes)
    assert find_node(named, "Technique", "Reservoir Sampler") == "local:a#t/a0"
    assert find_node(named, "Technique", "keeping") == "local:a#t/a2"
    with pytest.raises(InputError, match="can mean several"):
        find_node(named, "Technique", "held")
    with pytest.raises(InputError, match="no technique 'sampler'"):
        find_node(named, "Technique", "sampler")
