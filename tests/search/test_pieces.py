"""What a paper says, piece by piece and as a whole; equations by symbols and words."""

import pytest

import cypher
from kg.body import in_order, passages, section_of
from kg.cli.pieces import algorithm_show, equation_show, paper_read, search_equations, section_show, table_show
from kg.cli.show import technique_show
from kg.connection import Connection
from kg.errors import InputError
from kg.lookup import find_node
from kg.models.paper import Algorithm, Equation, PaperDoc, Section, Span, Table
from kg.models.record import PaperMeta, PaperRecord
from kg.models.technique import Technique, TechniqueTree
from kg.results.piece import BodyPart, BodyPiece
from kg.store import Store
from kg.write import write_paper
from kg.write.build import build_slice
from tests.search.test_show import run, run_json

PAPER = "local:attention"
SOFTMAX = r"\begin{equation}\label{eq:att} \mathrm{softmax}(QK^T/\sqrt{d_k})V \end{equation}"


STEPS = "\n".join([r"\begin{algorithm} \STATE x", *(rf"\STATE step {n}" for n in range(20)), r"\end{algorithm}"])


@pytest.fixture
def attention(store: Store) -> Store:
    """A paper of two sections, two equations, an algorithm and a table."""
    at = {"file": "main.tex"}
    doc = PaperDoc(
        main="main.tex", title="Attention", abstract="We attend.", source_sha256="0" * 64,
        sections=(
            Section(id="s/1", **at, start=0, end=900, number="1", title="Method", level=1, parent=None),
            Section(id="s/1.1", **at, start=400, end=900, number="1.1", title="Details", level=2, parent="s/1"),
            Section(id="s/2", **at, start=900, end=999, number="2", title="Results", level=1, parent=None),
        ),
        equations=(
            Equation(id="eq/eq:att", **at, start=120, end=200, section="s/1", latex=SOFTMAX, env="equation",
                     label="eq:att", text="softmax(QK^T/√(d_k))V",
                     context="Scaled attention weighs values: softmax(QK^T/√(d_k))V."),
            Equation(id="eq/2", **at, start=500, end=520, section="s/1.1", latex=r"\[ y = 1 \]", env="$$", text="y = 1",
                     context="Then y = 1."),
        ),
        algorithms=(Algorithm(id="alg/alg:a", **at, start=600, end=700, section="s/1.1", env="algorithm",
                              caption="Attending", label="alg:a", latex=STEPS),
                    ),
        tables=(Table(id="tab/tab:b", **at, start=950, end=960, section="s/2", env="table", caption="Scores",
                      label="tab:b", latex=r"\begin{table} 1 & 2 \end{table}"),),
    )  # fmt: skip
    whole = Technique(id="scaled-attention", name="Scaled attention", kind="technique", score=0.9, definition="D.",
                      spans=(Span(**at, start=0, end=900),),
                      children=(Technique(id="detail", name="Attending", kind="technique", score=0.5,
                                          spans=(Span(**at, start=400, end=800),)),))  # fmt: skip
    texts = {
        "s/1": "Scaled attention weighs values: softmax(QK^T/√(d_k))V.\n\nThat is all.",
        "s/1.1": "Then y = 1.", "s/2": "It works.",
    }  # fmt: skip
    write_paper(store, PaperRecord(paper=PaperMeta(id=PAPER, title="Attention"), doc=doc, section_texts=texts,
                                   techniques=TechniqueTree(items=(whole,))))  # fmt: skip
    return store


@pytest.mark.db
@pytest.mark.usefixtures("attention")
def test_each_kind_of_piece_is_shown() -> None:
    equation = run_json(equation_show, "eq:att")
    assert (equation["latex"], equation["section"]["name"]) == (SOFTMAX, "1 Method")
    assert [technique["name"] for technique in equation["techniques"]] == ["Scaled attention"]
    assert "“Scaled attention weighs values: softmax(QK^T/√(d_k))V.”" in run(equation_show, f"{PAPER}#eq/eq:att")
    algorithm = run_json(algorithm_show, "alg:a")
    assert [technique["name"] for technique in algorithm["techniques"]] == ["Attending"]
    section = run_json(section_show, f"{PAPER}#s/1")
    assert [(piece["kind"], piece["name"]) for piece in section["pieces"]] == [
        ("section", "1.1 Details"), ("equation", "eq:att")
    ]  # fmt: skip
    assert "1 & 2" in run(table_show, "attention#tab/tab:b")


@pytest.mark.db
def test_a_piece_of_another_kind_is_not_found(attention: Store) -> None:
    with pytest.raises(InputError, match="no algorithm 'eq:att'"):
        find_node(attention, "Algorithm", "eq:att")


@pytest.mark.db
@pytest.mark.usefixtures("attention")
def test_a_technique_prints_its_own_equations_and_algorithms() -> None:
    shown = run_json(technique_show, "scaled-attention")
    assert [(place["kind"], place["latex"]) for place in shown["described_in"]] == [
        ("section", None), ("equation", SOFTMAX)
    ]  # fmt: skip
    text = run(technique_show, "detail")
    assert r"\[ y = 1 \]" in text
    assert r"\STATE x" in text
    assert "softmax" not in text
    assert r"\STATE step 10" in text
    assert r"\STATE step 11" not in text
    (more,) = (line for line in text.splitlines() if line.startswith("… "))
    assert more == f"… 10 more lines: xkg algorithm show {PAPER}#alg/alg:a"
    assert r"\STATE step 19" in run(algorithm_show, "attention#alg/alg:a")
    assert "described in y = 1 at " in text, "an equation without a label is called by what it reads as, in one line"


@pytest.mark.db
@pytest.mark.usefixtures("attention")
def test_a_paper_is_read_with_its_equations() -> None:
    text = run(paper_read, "attention")
    order = ["We attend.", "1 Method", "weighs values:", SOFTMAX, "That is all.", "1.1 Details", r"\[ y = 1 \]",
             "Attending", "2 Results", "Scores"]  # fmt: skip
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert "softmax(QK^T/√" not in text
    details = run_json(paper_read, "attention", "--section", "1.1")
    assert [section["title"] for section in details["sections"]] == ["Details"]
    assert [passage["kind"] for passage in details["sections"][0]["passages"]] == [
        "text", "equation", "text", "algorithm"
    ]  # fmt: skip
    assert "1.1 Details" in run(paper_read, "attention", "--section", "method")


@pytest.mark.db
@pytest.mark.usefixtures("attention")
@pytest.mark.parametrize(
    ("query", "found"),
    [(["softmax(QK^T", "/ sqrt(d_k))V"], ["eq:att"]), ([r"\sqrt{d_k}"], ["eq:att"]),
     (["weighing", "values"], ["eq:att"]), (["y = 1"], ["y = 1"]), (["sourdough", "bread"], [])],
)  # fmt: skip
def test_equations_by_symbols_and_by_words(query: list[str], found: list[str]) -> None:
    assert [hit["name"] for hit in run_json(search_equations, *query)["hits"]] == found


def part(number: int, parent: str | None = "p", text: str = "", **more) -> BodyPart:
    facts = {
        "id": f"p#s/{number}",
        "order": number,
        "title": f"T{number}",
        "number": str(number),
        "level": 1,
        "file": "",
    }
    return BodyPart(**{**facts, "parent": parent, "text": text, "pieces": [], **more})


def test_sections_stand_as_they_are_printed() -> None:
    parts = [part(10), part(2), part(0, None, id="p"), part(21, "p#s/2"), part(3)]
    ordered = in_order(parts)
    assert [p.id for p in ordered] == ["p", "p#s/2", "p#s/21", "p#s/3", "p#s/10"]
    assert [p.id for p in section_of(ordered, "2")] == ["p#s/2", "p#s/21"]
    with pytest.raises(InputError, match="no section 'x'; there are: 2 T2, 21 T21"):
        section_of(ordered, "x")


def test_a_dot_behind_a_title_counts_neither_way() -> None:
    parts = [part(0, None, id="p"), part(1, title="Setup."), part(2, title="Data"), part(3, title="Notes")]
    parts[3] = parts[3].model_copy(update={"number": ""})
    for wanted, found in (("Setup.", "1"), ("setup", "1"), ("Data.", "2"), ("2.", "2"), ("Notes", "3")):
        assert [p.id for p in section_of(parts, wanted)] == [f"p#s/{found}"]
    for nothing in (".", " ", ""):
        with pytest.raises(InputError, match="name is empty"):
            section_of(parts, nothing)


def piece(kind: str, text: str) -> BodyPiece:
    return BodyPiece(id=f"{kind}{text}", kind=kind, text=text, latex=f"${text}$", caption="")


@pytest.mark.parametrize("symbol", ["k", "k."])
def test_an_equation_is_not_cut_out_of_a_word(symbol: str) -> None:
    text = f"We take a break, of size {symbol}\n\nThat is a risk"
    found = passages(part(1, text=text, pieces=[piece("equation", symbol)]))
    assert [p.text for p in found] == ["We take a break, of size", f"${symbol}$", "That is a risk"]


def test_what_the_text_does_not_show_follows_it() -> None:
    pieces = [piece("equation", "x"), piece("table", ""), piece("equation", "x"), piece("equation", "gone")]
    found = passages(part(1, text="a x b x c", pieces=pieces))
    assert [(p.kind, p.text) for p in found] == [
        ("text", "a"), ("equation", "$x$"), ("text", "b"), ("equation", "$x$"), ("text", "c"), ("table", "$$"),
        ("equation", "$gone$"),
    ]  # fmt: skip


@pytest.mark.db
def test_equations_of_an_excluded_paper_are_not_found(attention: Store) -> None:
    assert run_json(search_equations, "softmax")["hits"]
    assert run_json(search_equations, "softmax", "--exclude-paper", PAPER)["hits"] == []


@pytest.mark.db
def test_an_id_is_sought_in_the_index(store: Store, connection: Connection) -> None:
    query = cypher.query("show/find_piece").text
    given = {"label": "Equation", "ids": ["p#eq/1"], "endings": [], "limit": 5, "withheld": {"prefixes": []}}
    plan = connection.driver.execute_query("EXPLAIN " + query, given).summary.plan
    assert plan is not None
    assert "NodeUniqueIndexSeekByRange" in str(plan)


def test_a_float_without_a_name_is_called_by_whole_words_and_never_by_its_id() -> None:
    at = {"file": "main.tex", "section": "s/1"}
    long = "Scores of every method on each of the eleven data sets that are told of, appendix-wise"
    doc = PaperDoc(
        main="main.tex", title="T", source_sha256="0" * 64,
        sections=(Section(id="s/1", file="main.tex", start=0, end=900, number="1", title="M", level=1, parent=None),),
        equations=(Equation(id="eq/1", **at, start=1, end=9, latex="x" * 99, env="$$"),),
        algorithms=(Algorithm(id="alg/8", **at, start=10, end=20, env="algorithm", latex="x"),),
        tables=(Table(id="tab/1", **at, start=30, end=40, env="table", latex="1", caption=long),),
    )  # fmt: skip
    nodes = build_slice(PaperRecord(paper=PaperMeta(id=PAPER, title="T"), doc=doc)).nodes
    named = {label: node.properties["name"] for (label, _), node in nodes.items()}
    assert named["Algorithm"] == "algorithm without a caption"
    assert named["Table"] == long.replace("appendix-wise", "…")
    assert named["Equation"] == "x" * 80
