"""Passages say what the paper says, and a quote is found where it stands and nowhere else."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_papers import PAPER, passages_of_the_paper

from ingest.extract.judged.numbering import read_passages
from ingest.extract.judged.passages import Passages
from ingest.extract.judged.portions import around, portions, written
from ingest.extract.judged.quotes import Found, completed, find, key, locate, says, sentences
from ingest.latex import ParsedPaper

PARSED = passages_of_the_paper()
"""For those who draw many examples."""


@pytest.fixture
def passages(parse: Callable[..., ParsedPaper]) -> Passages:
    return read_passages(parse(PAPER))


def source(passages: Passages, quote: str, at: str) -> str:
    """What the bytes of a quote's span are."""
    found = find(quote, passages.by_id[at])
    assert found
    span = found.span(passages)
    return (passages.parsed.folder / span.file).read_bytes()[span.start : span.end].decode()


def test_passages_come_in_reading_order_with_their_headings_and_floats(passages: Passages) -> None:
    ids = [passage.id for passage in passages.items]
    assert " ".join(ids) == "p1 h1 p2 h2 p3 h3 p4 e1 p5 h4 p6 a1 h5 p7 h6 p8 t1"
    told = written(passages.items)
    assert "[h3] ## 2.1 The ebb step\n[p4] Our ebb step" in told
    assert "as Algorithm [a1] shows" in told
    assert "[p5] (footnote) We never sample" in told
    assert "Tidal Sorting 17.5 merge sorting 56" in told
    assert "[knuth 1973]" in told


def test_formulas_are_told_apart_as_they_were_written(passages: Passages) -> None:
    assert r"buffer $D$ that" in passages.by_id["p4"].text
    assert r"sketch $\tilde{D}$." in passages.by_id["p4"].text
    assert passages.by_id["p4"].shows == ("e1",)
    assert passages.by_id["e1"].text == r"m = \mathrm{median}(b_1, \dots, b_n)"


def test_authors_commands_are_expanded_in_formulas(parse: Callable[..., ParsedPaper]) -> None:
    preamble = "\\documentclass{article}\n\\newcommand{\\est}{\\hat{D}}\n\\begin{document}\n"
    found = read_passages(parse("The estimate $\\est$ is kept.", preamble))
    assert found.by_id["p1"].text == "The estimate $\\hat{D}$ is kept."


@pytest.mark.parametrize(
    "quote",
    [
        "pass over the lower buffer",
        "Pass  over the\nlower buffer",
        "\u201cpass over the lower bu\ufb00er\u201d",
        "pass over the lower buffer $D$ that releases the largest elements of the sketch $\\tilde{D}$.",
        "of the sketch $\tilde{D}$",
        "by sampling the lower buffer: where $b_i$",
        "by sampling the lower buffer: [e1] where $b_i$",
    ],
    ids=["plain", "blanks", "ligature", "formula", "lost backslash", "mark left out", "mark"],
)
def test_a_quote_is_found_however_it_is_spelled(passages: Passages, quote: str) -> None:
    assert find(quote, passages.by_id["p4"])


@pytest.mark.parametrize(
    "quote",
    ["pass over the upper buffer", "ass over the lower", "over the low", "pass the lower buffer", "", "…", "[e1]"],
)
def test_what_is_not_said_in_whole_words_is_not_found(passages: Passages, quote: str) -> None:
    assert find(quote, passages.by_id["p4"]) is None


def test_a_found_quote_is_the_paper_s_own_words_and_bytes(passages: Passages) -> None:
    found = find("OUR EBB STEP is a pass", passages.by_id["p4"])
    assert found
    assert found.text == "Our ebb step is a pass"
    assert source(passages, "OUR EBB STEP is a pass", "p4") == "Our ebb step is a pass"
    assert source(passages, "the sketch $\\tilde{D}$", "p4") == "the sketch $\\tilde{D}$"
    assert source(passages, "select the fullest buffer", "a1") == "select the fullest buffer"
    assert source(passages, "The ebb step", "h3") == "The ebb step"


def test_lines_of_an_algorithm_can_be_quoted_with_their_commands(passages: Passages) -> None:
    found = find("\\STATE select the fullest buffer by its load", passages.by_id["a1"])
    assert found
    assert found.text == "select the fullest buffer by its load"


def test_a_quote_of_another_passage_is_found_if_only_one_says_it(passages: Passages) -> None:
    found, there = locate("keeps all runs on disk", "p4", passages)
    assert (found and found.passage.id, there) == ("p2", False)
    assert locate("Tidal Sorting", "p7", passages) == (None, False)
    assert locate("keeps all runs on disk", "[p2]", passages)[1] is False
    assert locate("keeps all runs in memory", "p2", passages) == (None, False)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_run_of_words_is_found_where_it_stands(data: st.DataObject) -> None:
    passage = data.draw(st.sampled_from([p for p in PARSED.items if p.words]))
    said = [number for number, word in enumerate(passage.words) if word.said and key(word.token.text)]
    first = data.draw(st.sampled_from(said))
    last = data.draw(st.sampled_from([number for number in said if number >= first]))
    quote = passage.text[passage.words[first].at : passage.words[last].to]
    blanks = data.draw(st.sampled_from([" ", "\n", "  ", " \t"]))
    found = find(quote.replace(" ", blanks).upper() if "\\" not in quote else quote, passage)
    assert found
    assert key(found.shown) == key(quote)
    assert PARSED.span(found.start, found.end) == found.span(PARSED)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60))
def test_whatever_is_sent_is_found_or_not_and_nothing_else_happens(quote: str) -> None:
    for passage in PARSED.items:
        found = find(quote, passage)
        assert found is None or key(found.shown)


def test_sentences_are_those_of_the_passage(passages: Passages) -> None:
    texts = [sentence.shown for sentence in sentences(passages.by_id["p1"])]
    assert texts == [
        "We propose Tidal Sorting, which sorts streams in bounded memory.",
        "Tidal Sorting is 3.2 times faster than merge sorting on long streams.",
    ]


def test_says_holds_stems_in_their_order() -> None:
    assert says("the buffers' medians are", "buffer median")
    assert not says("the median of the buffer", "buffer median")
    assert not says("anything", "")


def test_a_long_paper_is_cut_between_sections(passages: Passages) -> None:
    assert portions(passages, 100_000) == [list(passages.items)]
    parts = portions(passages, 900)
    assert [part[0].id for part in parts] == ["p1", "h2", "h6"]
    assert [part[0].id for part in portions(passages, 800)] == ["p1", "h2", "h5"]
    assert [passage for part in parts for passage in part] == list(passages.items)
    assert all(len(part) == 1 or sum(len(p.text) for p in part) <= 60 for part in portions(passages, 60))


def test_what_is_asked_again_is_shown_with_what_stands_around_it(passages: Passages) -> None:
    assert [p.id for p in around(passages, ["p7"], 10_000)] == ["h2", "h5", "p7", "h6"]
    assert [p.id for p in around(passages, ["h3", "p99"], 10_000)] == ["h2", "p3", "h3", "p4", "e1", "p5"]
    assert around(passages, ["p4"], 10) == []


@pytest.mark.parametrize(
    "body",
    [
        "\\begin{figure}\\caption{The loss $$x=1$$ is shown.}\\end{figure}",
        "\\begin{figure}\\caption{The loss \\[x=1\\] is shown.}\\end{figure}",
        "\\begin{table}\\caption{The loss \\begin{equation}x=1\\end{equation} is shown.}\\end{table}",
        "\\subsection{The loss \\[x=1\\]}\nWe sort.",
    ],
)
def test_a_display_in_a_caption_or_a_title_is_read(parse: Callable[..., ParsedPaper], body: str) -> None:
    passages = read_passages(parse("\\section{Method}\nWe sort.\n" + body))
    assert "x=1" in "".join(" ".join(item.text for item in passages.items).split(" "))


def test_a_definition_that_leads_to_a_formula_is_told_with_it(passages: Passages) -> None:
    led = find("The buffer median is computed by sampling the lower buffer", passages.by_id["p4"])
    assert led
    assert led.text == "The buffer median is computed by sampling the lower buffer"
    assert led.told == "The buffer median is computed by sampling the lower buffer: m = median(b_1, …, b_n)"
    for quote in ("The buffer median is computed", "releases the largest elements of the sketch."):
        found = next(found for passage in passages.items if (found := find(quote, passage)))
        assert found.told == found.text


def test_what_a_quote_says_begins_with_no_mark_between_clauses(parse: Callable[..., ParsedPaper]) -> None:
    passages = read_passages(parse(r"The rank is this: \[ x = 1, \] where x is the rank of a page."))
    passage = next(one for one in passages.items if one.kind == "paragraph")
    colon = next(at for at, word in enumerate(passage.words) if word.token.text == ":")
    assert Found(passage, colon, len(passage.words) - 1).text.startswith("x = 1")


def test_a_quoted_clause_is_told_in_its_sentence_if_nothing_else_is_quoted_there(
    passages: Passages, parse: Callable[..., ParsedPaper]
) -> None:
    def quoted(words: str, where: Passages = passages) -> Found:
        return next(found for passage in where.items if (found := find(words, passage)))

    clause, sentence = quoted("is the smallest element"), quoted("We call the second pass the flood step.")
    whole = "The watermark is the smallest element that may still arrive, and it is kept per source."
    assert completed(clause, [sentence]).text == whole
    kept = completed(clause, [quoted("it is kept per source")])
    assert kept.text == "The watermark is the smallest element that may still arrive"
    assert completed(clause, [quoted("the smallest element that")]) == clause
    assert completed(sentence, []) == sentence
    long = read_passages(parse(f"The ebb {'very ' * 60}slowly goes."))
    assert completed(quoted("slowly goes", long), []).text == "slowly goes"


def test_a_formula_that_another_quote_leads_to_is_none_of_what_follows(parse: Callable[..., ParsedPaper]) -> None:
    display = "\\begin{equation}\nm = b_1\n\\end{equation}"
    said = f"The flood is given by\n{display}\nand the ebb step goes slowly, until it ends."
    (passage,) = (one for one in read_passages(parse(said)).items if one.kind == "paragraph")
    flood, ebb = (find(words, passage) for words in ("The flood is given by", "goes slowly"))
    assert flood and ebb
    assert completed(ebb, [flood]).text == "the ebb step goes slowly, until it ends."


def test_each_clause_of_a_counted_list_is_told_by_itself(parse: Callable[..., ParsedPaper]) -> None:
    said = "Each goes its way: (1) sorting takes the smallest elements first, and (2) merging takes two at a time."
    (passage,) = (one for one in read_passages(parse(said)).items if one.kind == "paragraph")
    quotes = [find(words, passage) for words in ("takes the smallest elements", "merging takes two")]
    first, second = (one for one in quotes if one)
    assert completed(first, [second]).text == "Each goes its way: (1) sorting takes the smallest elements first"
    assert completed(second, [first]).text == "merging takes two at a time."


@pytest.mark.parametrize(
    "aside",
    ["(at most 5)", "(in 19)", "in case (a) of the list", "in cases (a) and (b) of it", "for f (1) and f (2) of it"],
)
def test_what_counts_no_clauses_cuts_none(parse: Callable[..., ParsedPaper], aside: str) -> None:
    said = f"Sorting takes all items first, then merging takes two at a time {aside}, in the order of their size."
    (passage,) = (one for one in read_passages(parse(said)).items if one.kind == "paragraph")
    quotes = [find(words, passage) for words in ("takes all items first", "in the order of their size")]
    first, last = (one for one in quotes if one)
    assert completed(first, [last]).text == f"Sorting takes all items first, then merging takes two at a time {aside}"
    assert completed(last, [first]).text == f"merging takes two at a time {aside}, in the order of their size."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (r"But the last, \eqref{eq:m} is a sparse sum.", "But the last, [equation] is a sparse sum."),
        (r"The proposal of \ref{eq:m} is symmetric.", "The proposal of [equation] is symmetric."),
        (r"We keep what Eq.~(\ref{eq:m}) says.", "We keep what Eq. ([…]) says."),
        (r"It is kept as described in Section~\ref{s}, but once.", "It is kept as described in Section […], but once."),
        (r"It is kept (see Section~\ref{s}) once.", "It is kept once."),
        (r"It is kept once (\ref{s}).", "It is kept once."),
        (r"It is kept (see \cref{s}) once.", "It is kept once."),
        (r"It is kept (see Eq.~(\ref{eq:m})) once.", "It is kept once."),
        (r"It is kept (see Sections~\ref{s} and~\ref{s}) once.", "It is kept once."),
        (r"It is kept (\autoref{s}, \autoref{eq:m}) once.", "It is kept once."),
        (r"It is kept as defined in (\ref{eq:m}).", "It is kept as defined in ([equation])."),
        (r"Adam (see \cref{s}) and (\ref{eq:m}) are kept.", "Adam and ([equation]) are kept."),
        (r"It follows from (\ref{eq:m}, \ref{eq:m}) that.", "It follows from ([equation], [equation]) that."),
        (
            r"Text (in the tables and figures) as in Eq.~\eqref{eq:m}.",
            "Text (in the tables and figures) as in Eq. […].",
        ),
    ],
)
def test_what_a_sentence_refers_to_leaves_no_hole(parse: Callable[..., ParsedPaper], said: str, told: str) -> None:
    body = r"\section{Keeping}\label{s} " + said + r" \begin{equation}\label{eq:m} m = 1 \end{equation}"
    passage = read_passages(parse(body)).by_id["p1"]
    assert sentences(passage)[0].text == told
