"""Formulas, code and links are built out of known parts, whatever the text says."""

import pytest
from explore_samples import seen

from explore.links import address, linked
from kg.markup import code, formula, web_address

HOSTILE = (
    r"\text{<img src=x onerror=alert(1)>}",
    r"\href{javascript:alert(1)}{x}",
    r"\style{background:url(//evil.example)}{x}",
    r"\class{x}{y} \cssId{q}{x} \data{onclick=alert(1)}{x}",
    r"\color{red\" onclick=\"alert(1)}{a}",
    r"\mathbb{",
    r"\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
    "</math><script>alert(1)</script>",
    r"\unicode{x3c}script\unicode{x3e}",
    r"\begin{array}{c}</textarea><svg onload=alert(1)>\end{array}",
    "{" * 2000 + "x" + "}" * 2000,
    "x" * 100_000,
    "x_{" * 500,
    "",
)


@pytest.mark.parametrize("latex", HOSTILE, ids=lambda text: text[:24])
def test_hostile_latex_stays_a_formula_or_text(latex: str) -> None:
    assert seen(str(formula(latex))).foreign == []


def test_an_eqnarray_is_a_table_and_an_authors_label_is_not_shown() -> None:
    made = str(formula("\\begin{eqnarray}\\eqlabel{sho}\n a &=& 1 \\\\ b &=& 2 \\nonumber\n\\end{eqnarray}"))
    assert made.count("<mtr>") == 2
    assert made.count("<mtd") == 6
    assert "label" not in made
    assert "&amp;" not in made


def test_a_formula_is_mathml_and_a_macro_its_name() -> None:
    made = str(formula("\\begin{equation}\n  \\rank_v = \\frac{1}{n} \\label{eq:a}\n\\end{equation}"))
    assert made.startswith('<math display="block">')
    assert "<mfrac>" in made
    assert "\\" not in made
    assert "rank" in made
    assert "eq:a" not in made


def test_a_function_stands_apart_from_its_argument() -> None:
    made = str(formula(r"\frac{\log_2 n}{\deg u} + \mathrm{deg}"))
    assert made.count('<mo lspace="0.167em" rspace="0.167em">') == 2
    assert ">deg</mo><mi>u</mi>" in made
    assert made.count("deg") == 1


def test_code_has_its_syntax_in_classes_and_stays_text() -> None:
    made = str(code("def f(x):\n    return '</code><script>alert(1)</script>'\n", "python"))
    assert '<span class="k">def</span>' in made
    assert seen(made).foreign == []
    assert seen(str(code("<b>x</b>", "no such language"))).text == "<b>x</b>\n"


def test_addresses_lead_nowhere_else() -> None:
    assert address('local:p#t/"><b>', "Technique") == "/technique?id=local%3Ap%23t%2F%22%3E%3Cb%3E"
    assert address("some-concept", "Concept") == "/near?id=some-concept"
    assert web_address("https://example.org/a") == "https://example.org/a"
    for hostile in ("javascript:alert(1)", "data:text/html,x", "//evil.example", "https:evil", "http://[", None, ""):
        assert web_address(hostile) == ""


def test_a_label_in_the_text_leads_to_its_piece() -> None:
    made = str(linked("see [eq:a], [<b>] and [other] <i>x</i>", {"eq:a": 'local:p#eq/eq:a"><b>', "<b>": "x"}))
    assert '<a href="#local%3Ap%23eq/eq%3Aa%22%3E%3Cb%3E">[eq:a]</a>, <a href="#x">[&lt;b&gt;]</a>' in made
    assert made.endswith(" and [other] &lt;i&gt;x&lt;/i&gt;")
