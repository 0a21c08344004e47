"""Readable text: of commands, of paragraphs, of sections."""

# ruff: noqa: E501 -- samples of LaTeX stay on the line that authors write them on

from collections.abc import Callable
from typing import Any

import pytest

from ingest.latex import section_texts
from ingest.latex.detex import readable


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\textbf{bold} {\it old} \emph{x}\footnote{A note}", "bold old x (A note)"),
        (r"Schr\"odinger, \'{E}tienne, \v{S}, na\"{\i}ve, Erd\H{o}s, \c{c}a, \o, \ss", "Schrödinger, Étienne, Š, naïve, Erdős, ça, ø, ß"),
        (r"$\alpha_{i} \leq \frac{1}{2}\sqrt{x}$", "α_i ≤ 1/2√(x)"),
        (r"A~\cite[p.~1]{a,b} and \citet{c}", "A [a; b] and [c]"),
        (r"``quoted'' --- 1--2 \& 50\% \$3 \#1 a\_b \{x\}", "“quoted” — 1–2 & 50% $3 #1 a_b {x}"),
        ("called `single', ``double'' and \\`e", "called 'single', “double” and è"),
        (r"\verb|a_{b}\c| \url{http://x.y/a_b%20c} \href{http://x}{here}", r"a_{b}\c http://x.y/a_b%20c here"),
        (r"\textcolor{red}{seen} \vspace{1cm}\label{x}\includegraphics[width=2cm]{f}end", "seen end"),
        (r"\LaTeX\ and \LaTeX{} too , (now )", "LaTeX and LaTeX too, (now)"), ("", ""), (r"\unknown[o]{shown}", "shown"),
        (r"$a \ne b \gets c \iff d$, $\neg p \land q \lor r$", "a ≠ b ← c ⟺ d, ¬ p ∧ q ∨ r"),
        (r"$\pi_u / \deg u$, $\Pr(x)\det(A)$, $x := \arg\min f$, \S 3", "π_u / deg u, Pr(x) det(A), x:= argmin f, § 3"),
        ("nul\0 \x07 gone", "nul gone"), (r"\mathcal{L} \operatorname{softmax}(x)", "L softmax(x)"),
        (r"\itemsep0ex one \parskip=1.5em two", "one two"),
        (r"so\footnotemark 3 in ten", "so3 in ten"),
        (r"Run~\arabic{runcounter} of ten", "Run of ten"),
    ],
)  # fmt: skip
def test_readable(latex: str, text: str) -> None:
    assert readable(latex) == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"$a \gets 2\times \Rand{} - 1$\; \If{\Rand{} $< 0.5$}{$a \gets -a$}", "a ← 2× Rand - 1; if Rand < 0.5 a ← -a"),
        (r"\SetKwRepeat{Do}{do}{until}\Do{\SatisfiesConstraints{$E$}}{x}", "do SatisfiesConstraints E x"),
        (r"\STATE $y\gets 1$ \FORALL{$i$} \STATE \CALL{Update}{$y$} \ENDFOR \RETURN $y$", "y← 1 for all i Update y return y"),
        (r"\eIf{$a$}{x}{y}\uIf{$a$}{x}\uElseIf{$b$}{y}\lElse{z}", "if a x y if a x else if b y else z"),
        (r"\SetAlgoLined \LinesNumbered \RestyleAlgo{ruled} \Indp x \Indm {\Large y}\DontPrintSemicolon", "x y"),
        (r"$x \in \R^d$, $A^{\T} = \E[x]$, $\Big( \hat{\X} \Bigr)$", "x ∈ R^d, A^T = E[x], (X̂)"),
        (r"\SetUnion{$A$} \SetIndex{$i$} \SetNlSty{textbf}{}{:}\SetKwFunction{F}{f}", "SetUnion A SetIndex i"),
        (r"$p(x \;|\; y)$\; $\frac{a}{b}$\; \EndToEnd{$x$}", "p(x | y); a/b; EndToEnd x"),
        (r"\KwIn{$x$}\ElsIf{$\Delta x > 0$}\State go\EndIf", "input: x else if Δ x > 0 go"),
    ],
)  # fmt: skip
def test_commands_of_pseudo_code_are_words(latex: str, text: str) -> None:
    assert readable(latex, code=True) == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"$\log\det K$", "log det K"), (r"$\log{2\,\pi}$", "log 2 π"), (r"$2\log x$", "2 log x"),
        (r"$\log{f(x)}$", "log f(x)"), (r"$\log{\left (x + 1 \right )}$", "log(x + 1)"), (r"$\ln\lVert x\rVert$", "ln‖ x‖"),
        (r"$x\log_2 n\sin x\cos^2 x$", "x log_2 n sin x cos^2 x"), (r"$\arg\max_a Q$", "argmax_a Q"),
        (r"$N\exp(-x)$", "N exp(-x)"), (r"$(a)\ln x$", "(a) ln x"), (r"$\max\{a,b\}$", "max{a,b}"), (r"$-\log p$", "-log p"),
        (r"$\exp\left[x\right]$", "exp[x]"), (r"$A\sin\theta$", "A sin θ"), (r"$\log|x|$", "log|x|"), (r"$\Pr[A]$", "Pr[A]"),
        (r"$\min_x\max_y f$", "min_x max_y f"), (r"$\sin\bigl(x\bigr)$", "sin(x)"), (r"in $\log$ units", "in log units"),
    ],
)  # fmt: skip
def test_names_of_functions_stand_off(latex: str, text: str) -> None:
    assert readable(latex) == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"$\frac \delta {2\pi} q$", "δ/(2π) q"), (r"$\frac12$", "1/2"), (r"$\frac 1 2$", "1/2"), (r"$\frac ab$", "a/b"),
        (r"$\dfrac1{n}+\tfrac{1}2-\cfrac[l]{a}{b}$", "1/n+1/2-a/b"), (r"$\sqrt 2$", "√(2)"), (r"$\sqrt[3]{x+1}$", "√(x+1)"),
        (r"$\sqrt\pi y$", "√(π) y"), (r"$\sqrt\frac{1}{2} x$", "√(1/2) x"), (r"$\frac{\sqrt 2}{\frac12}$", "√(2)/(1/2)"),
        (r"$\binom nk + \dbinom{n+1}{k}$", "(n choose k) + (n+1 choose k)"), (r"$\hat x \bar{xy}$", "x̂ x̄y"),
        (r"$\frac\unknown b$, $\frac{a}$, $\sqrt$.", "/b, a,."),
        (r"$\lfloor\frac{i+2p-k}{s}\rfloor+1$", "⌊(i+2p-k)/s⌋+1"), (r"$\frac{-a}{x_{t-1}+1}$", "-a/(x_(t-1)+1)"),
        (r"$\frac{e^{-x}}{f(a+b)}$", "e^-x/f(a+b)"), (r"$\frac{\frac{a+b}{2}}{c \pm d}$", "(a+b)/2/(c ± d)"),
        (r"$\frac{(F-0.016)^2}{2\times 0.15^2}$", "(F-0.016)^2/(2× 0.15^2)"), (r"$\frac{ab}{cd}$", "ab/(cd)"),
        (r"$\frac{1}{\sigma^2 n}$", "1/(σ^2 n)"), (r"$\frac{1}{2\sigma^2}$", "1/(2σ^2)"), (r"$\frac{1}{n_{ij}^2}$", "1/n_ij^2"),
        (r"$\frac{x}{\log n}$", "x/log n"), (r"$\frac{x}{N!}$", "x/N!"), (r"$\frac{x}{\|v\|_2}$", "x/‖v‖_2"),
        (r"$\frac{x}{\left(a b\right)^2}$", "x/(a b)^2"), (r"$\frac{x}{2(a+b)}$", "x/(2(a+b))"),
        (r"$\frac{x}{\hat y}$", "x/ŷ"), (r"$\frac{x}{\text{all items}}$", "x/all items"), (r"$\frac{x}{100.5}$", "x/100.5"),
        (r"$\frac{x}{\mathbf{w}^\top \mathbf{v}}$", "x/(w^⊤ v)"),
    ],
)  # fmt: skip
def test_arguments_need_no_braces(latex: str, text: str) -> None:
    assert readable(latex) == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"$x_{t-1}$ $x_{-1}$ $x_{ij}$ $x_{n,j}$ $x_{1:t}$", "x_(t-1) x_-1 x_ij x_(n,j) x_(1:t)"),
        (r"$\sum_{i=1}^{n} a_i$ $\lim_{t\to\infty}$", "∑_(i=1)^n a_i lim_(t→∞)"),
        (r"$e^{-c\tau} k^{-1} 10^{60} i^{th} W^{(t)} A^{\mathrm{T}}$", "e^(-cτ) k^-1 10^60 i^th W^(t) A^T"),
        (r"$2^{2^k}$ $x^{\frac{a}{b}}$ $x_{\max}$ $x_{\text{semi-sep}}$", "2^(2^k) x^(a/b) x_max x_semi-sep"),
        (r"a\_{b-c} $x_{a+{b$", "a_b-c x_a+b"),
    ],
)  # fmt: skip
def test_indices_and_exponents_of_several_terms_are_in_brackets(latex: str, text: str) -> None:
    assert readable(latex) == text


def test_marks_above_symbols_are_kept() -> None:
    assert readable(r"$\tilde x_n$, $\widehat{f(x)}$, $\overline{\mathbf{u}}$") == "x̃_n, f̂(x), ū"
    assert readable(r"$\overline{P_2 \wedge P_3}$, $\bar{x+y}$") == "overline(P_2 ∧ P_3), bar(x+y)"
    assert readable(r"$\hat{x_{t-1}}$, $\hat{\bm x}$, $\bar x_{a, b}$") == "x̂_(t-1), x̂, x̄_(a, b)"
    assert readable(r"$A\overline{B+C}$, $\overline{X}\overline{Y+Z}$") == "A overline(B+C), X̄ overline(Y+Z)"
    assert readable(r"$a \hat{=} b$, $A \dot{\cup} B$, $\overline{X\,}$") == "a =̂ b, A ∪̇ B, X̄"
    assert readable(r"$\hat{\overline{a+b}}$, $\tilde{P(x, y)}$, $\hat{-x}$") == "ā+b, P̃(x, y), -̂x"
    assert readable(r"$\hat{\beta}_{ij}$, $\bar{\mathbf{y}}$, $\dot z$") == "β̂_ij, ȳ, ż"


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\begin{align} a &= b \\ c &= d \\[2pt] \hline e \\ \end{align}", "a = b; c = d; e"),
        (r"\begin{align*}[a, b] &= c \\ \label{x} \\* d\end{align*}", "[a, b] = c; d"),
        (r"\[ f = \begin{cases} 1 & x > 0, \\ 0 \end{cases} \]", "f = 1 x > 0,; 0"),
        (r"$\left(\begin{array}[t]{cc} a & b \\ c & d\end{array}\right)$", "(a b; c d)"),
        (r"\begin{align} \sum_{\substack{i \\ j}} x \\ y\end{align}", "∑_(i j) x; y"),
        (r"\begin{multline} a \\ + b\end{multline}", "a + b"),
        (r"\begin{equation} x = \begin{split} a \\ b\end{split}\end{equation} then\\ text", "x = a; b then text"),
        (r"one\\[10pt]two \\*[-1.5ex] three \\ [\baselineskip] four \\[x] five \\ [1] six", "one two three four [x] five [1] six"),
    ],
)  # fmt: skip
def test_rows_of_displays_are_told_apart(latex: str, text: str) -> None:
    assert readable(latex) == text


def test_paragraphs_end_where_tex_ends_them(parse: Any, raw: Callable[[Any], bytes]) -> None:
    source = "\\section{A}\nOne\nline.\n\nTwo \\[ x = 1 \\] goes on.\\par Three\n\\begin{figure}no\\end{figure}\nFour \\begin{itemize}[a=b]\n\\item five\n\\item[Six] six\n\\end{itemize} Seven"
    paragraphs = parse(source).doc.paragraphs
    assert [p.text for p in paragraphs] == [
        "One line.",
        "Two x = 1 goes on.",
        "Three",
        "Four",
        "five",
        "Six six",
        "Seven",
    ]
    assert raw(paragraphs[1]) == b"Two \\[ x = 1 \\] goes on."
    assert paragraphs[5].title == "Six"
    assert {p.section for p in paragraphs} == {"s/1"}


@pytest.mark.parametrize(
    "head",
    [r"\noindent\textbf{Run in.} Text", r"{\bf Run in:} Text", r"\emph{Run in}. Text", r"\paragraph{Run in.} Text"],
)
def test_run_in_headings(parse: Any, head: str) -> None:
    (paragraph,) = parse(head).doc.paragraphs
    assert paragraph.title == "Run in"


def test_definitions_and_settings_are_no_text(parse: Any) -> None:
    doc = parse("\\newcommand{\\x}[1]{a #1}\\setcounter{page}{3}\\hypersetup{a={b}}\\x{word}").doc
    assert [p.text for p in doc.paragraphs] == ["a word"]


def test_references_to_sections_are_read_as_numbers(parse: Any) -> None:
    doc = parse(r"\section{A}\section{B}\label{b} See Section~\ref{b} and \ref{gone}.").doc
    assert doc.paragraphs[0].text == "See Section 2 and [gone]."


def test_own_text_of_each_section(parse: Any) -> None:
    texts = section_texts(parse("\\section{A} a\n\nb \\subsection{B} c \\section{C}"))
    assert texts == {"s/1": "a\n\nb", "s/1.1": "c", "s/2": ""}


def test_paragraphs_do_not_run_over_files(parse: Any, raw: Callable[[Any], bytes]) -> None:
    doc = parse("before \\input{value} after\n\n\\input{part}\nlast", {"value.tex": "42", "part.tex": "inside"}).doc
    assert [(p.file, p.text) for p in doc.paragraphs] == [
        ("main.tex", "before 42 after"),
        ("part.tex", "inside"),
        ("main.tex", "last"),
    ]
    assert raw(doc.paragraphs[0]) == b"before \\input{value} after"


def test_numerical_macros_and_arguments_are_expanded(parse: Any) -> None:
    doc = parse(
        r"\newcommand{\R}{\mathbb{R}}\newcommand{\norm}[2][2]{\|#2\|_{#1}}\DeclareMathOperator*{\argmin}{arg\,min} In $\R$: $\argmin \norm{x}$ or $\norm[1]{y}$"
    ).doc
    assert doc.paragraphs[0].text == "In R: arg min ‖x‖_2 or ‖y‖_1"
