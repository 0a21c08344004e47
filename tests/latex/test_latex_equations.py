"""Display mathematics of every kind, with exact bytes, also through the author's own commands."""

from collections.abc import Callable
from typing import Any

import pytest

KINDS = ("equation", "equation*", "align", "align*", "alignat", "flalign", "gather", "gather*", "multline", "eqnarray",
         "eqnarray*", "displaymath", "IEEEeqnarray", "dmath", "empheq")  # fmt: skip


@pytest.mark.parametrize("env", KINDS)
def test_environments(parse: Any, raw: Callable[[Any], bytes], env: str) -> None:
    source = f"\\begin{{{env}}} a &= \\frac{{1}}{{2}} % note\n \\label{{x}} \\end{{{env}}}"
    (equation,) = parse(f"text {source} more").doc.equations
    assert raw(equation) == source.encode()
    assert (equation.env, equation.label) == (env, "x")
    assert "note" not in equation.latex


@pytest.mark.parametrize(
    ("source", "env"),
    [("$$ a=b $$", "$$"), ("\\[ a=b \\]", "\\["), ("\\begin {equation}a\\end {equation}", "equation")],
)
def test_delimiters(parse: Any, raw: Callable[[Any], bytes], source: str, env: str) -> None:
    (equation,) = parse(f"costs \\$5, $x$$y$ and a\\\\[2pt] {source} here $z$").doc.equations
    assert (raw(equation), equation.env) == (source.encode(), env)


@pytest.mark.parametrize(
    ("definition", "source", "env"),
    [
        (r"\newcommand{\be}{\begin{equation}}\newcommand{\ee}{\end{equation}}", r"\be a=b \ee", "equation"),
        (r"\def\bea{\begin{eqnarray}}\def\eea{\end{eqnarray}}", r"\bea a&=&b \eea", "eqnarray"),
        (r"\newcommand{\eqn}[1]{\begin{align*}#1\end{align*}}", r"\eqn{a = \frac{1}{2}}", "align*"),
        (r"\def\ba#1\ea{\begin{align}#1\end{align}}", r"\ba a=b \ea", "align"),
        (r"\newcommand{\beq}{$$}\newcommand{\eeq}{$$}", r"\beq a=b \eeq", "$$"),
        (r"\newcommand{\beq}{\[}\newcommand{\eeq}{\]}", r"\beq a=b \eeq", "\\["),
        (r"\newenvironment{myeq}[1][]{\begin{gather}}{\end{gather}}", r"\begin{myeq}[x] a=b \end{myeq}", None),
        (r"\newcommand{\start}{\be}\def\be{\begin{equation}}\def\ee{\end{equation}}", r"\start a=b \ee", "equation"),
    ],
)  # fmt: skip
def test_authors_own_commands(
    parse: Any, raw: Callable[[Any], bytes], definition: str, source: str, env: str | None
) -> None:
    parsed = parse(f"{definition}\n{source} and {source}")
    assert [raw(equation).decode() for equation in parsed.doc.equations] == [source, source]
    assert env is None or parsed.doc.equations[0].env == env
    assert not parsed.doc.warnings


def test_the_authors_commands_are_written_out_in_an_equation(parse: Any) -> None:
    """Who reads it has no preamble."""
    parsed = parse(
        r"\newcommand{\bvec}[1]{\ensuremath{\boldsymbol{#1}}}\newcommand{\T}{\mathrm{T}\xspace}"
        "\n\\begin{equation}\n\\bvec{y}^\\T = \\ensuremathical x \\label{eq:y}\n\\end{equation}\n"
    )
    (equation,) = parsed.doc.equations
    assert equation.latex.splitlines()[1] == r"{\boldsymbol{y}}^\mathrm{T} = \ensuremathical x \label{eq:y}"


def test_a_command_before_an_argument_does_not_take_its_letters(parse: Any) -> None:
    given = r"\newcommand{\norm}[1]{\left\lVert#1\right\rVert}\newcommand{\x}[1]{\frac{#1x}{\\#1}}"
    (equation,) = parse(given + r"\[ \norm{y} + \norm{\|v} = \x{\beta} \x{b} \]").doc.equations
    assert r"\lVert y\right\rVert" in equation.latex
    assert r"\lVert\|v\right" in equation.latex
    assert r"\frac{\beta x}{\\\beta}" in equation.latex
    assert r"\frac{bx}{\\b}" in equation.latex


def test_lines_of_an_equation_end_as_everywhere(parse: Any) -> None:
    (equation,) = parse("A\r\n\\begin{equation}\r\na\r\n=b\r\n\\end{equation}\r\n").doc.equations
    assert equation.latex == "\\begin{equation}\na\n=b\n\\end{equation}"


def test_own_commands_of_a_style_file_in_the_folder(parse: Any) -> None:
    text = "\\documentclass{article}\\usepackage{mine}\\begin{document}\\be a \\ee\\end{document}"
    style = "\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}"
    assert len(parse(text, {"mine.sty": style}, wrap=False).doc.equations) == 1


def test_inner_environments_are_part_of_the_outer(parse: Any) -> None:
    parsed = parse(r"\begin{equation}\begin{aligned}a\\\begin{cases}b\end{cases}\end{aligned}\end{equation}")
    assert [equation.env for equation in parsed.doc.equations] == ["equation"]


def test_subequations_share_their_label(parse: Any) -> None:
    parsed = parse(r"\begin{subequations}\label{all}\begin{align}a\end{align}\end{subequations} \eqref{all}")
    (equation,), (label,), (reference,) = parsed.doc.equations, parsed.doc.labels, parsed.doc.references
    assert equation.id == label.target == reference.target == "eq/all"


def test_an_unclosed_dollar_costs_only_its_paragraph(parse: Any) -> None:
    parsed = parse("broken $x here\n\n$$ a $$ \\begin{equation} b \\end{equation} $ again\n\n\\[ c \\]")
    assert [equation.env for equation in parsed.doc.equations] == ["$$", "equation", "\\["]


@pytest.mark.parametrize("name", ["smallmatrix", "pmatrix", "cases", "multlined", "aligned", "pmatrix*"])
def test_a_matrix_within_a_line_closes_no_formula(parse: Any, name: str) -> None:
    parsed = parse(rf"The form $h \begin{{{name}}}x\\y\end{{{name}}} = b$ has a $K$ that is odd.")
    (tokens,) = [block.tokens for block in parsed.reading.blocks]
    assert len(parsed.doc.paragraphs) == 1
    assert [token.kind for token in tokens] == ["word"] * 2 + ["math"] + ["word"] * 2 + ["math"] + ["word"] * 3 + [
        "punct"
    ]


def test_a_lone_double_dollar_swallows_no_section(parse: Any) -> None:
    parsed = parse("$$ a\n\n\\section{B} $$ b $$")
    assert len(parsed.doc.sections) == 1
    assert [equation.latex for equation in parsed.doc.equations] == ["$$ b $$"]
    assert "no partner" in parsed.doc.warnings[0].message


def test_ids_come_from_label_or_content(parse: Any) -> None:
    first = parse(r"\[a\]\begin{equation}\label{eq:b}b\end{equation}\[c\]").doc.equations
    second = parse(r"\[new\]\[a\]\begin{equation}\label{eq:b}b\end{equation}\[c\]").doc.equations
    assert [e.id for e in first] == [e.id for e in second[1:]]
    assert first[1].id == "eq/eq:b"


def test_an_equation_is_read_with_its_sentence(parse: Any) -> None:
    body = (
        r"We sample. The estimate, e.g. of \citet{a}, is"
        r"\begin{equation}\label{eq:a} \hat x_i = \frac{\mine}{n} \end{equation}"
        "\n"
        r"where $n$ counts items. That is, \[ y = 2 \] holds. Then $$ y = 2 $$ again. \newcommand{\mine}{\alpha}"
    )
    first, second, third = parse(body).doc.equations
    assert first.text == "x̂_i = α/n"
    assert first.context == "The estimate, e.g. of [a], is x̂_i = α/n where n counts items."
    assert second.context == "The estimate, e.g. of [a], is x̂_i = α/n where n counts items. That is, y = 2 holds."
    assert third.context == "That is, y = 2 holds. Then y = 2 again."


def test_an_equation_is_not_found_within_a_word(parse: Any) -> None:
    (equation,) = parse(r"Networks are known. A sample has size \[ k \] here. All is well.").doc.equations
    assert equation.context == "A sample has size k here."


def test_an_equation_outside_of_any_paragraph_has_no_sentence(parse: Any) -> None:
    (equation,) = parse(r"\[ x = 1 \]").doc.equations
    assert (equation.text, equation.context) == ("x = 1", "")
