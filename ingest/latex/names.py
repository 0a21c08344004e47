"""Which environments and commands mean what, over the classes and packages that papers use."""

import re

__all__ = [
    "ABSTRACTS", "ABSTRACT_COMMANDS", "ALGORITHMS", "APPENDICES", "AUTHORS", "CITING", "DISPLAY", "FIGURES", "FRONT",
    "HEADINGS", "LISTINGS", "NOT_CITING", "NOT_REFERRING", "REFERRING", "TABLES",
    "THEOREMS", "TITLES", "UNREAD", "is_citing", "starless", "word_of_code", "word_set",
]  # fmt: skip


def word_set(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


HEADINGS = {
    "part": 0, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6,
    "addpart": 0, "addchap": 1, "addsec": 2,
}  # fmt: skip
"""Sectioning commands and their depth."""

DISPLAY = word_set(
    """
    equation align alignat flalign gather multline eqnarray displaymath xalignat xxalignat IEEEeqnarray dmath
    dgroup darray dseries empheq numcases subnumcases mathpar equationarray eqsplit $$ \\[
    """
)
"""Display mathematics, without the star."""

WITHIN_MATHS = word_set(
    """
    aligned alignedat split gathered cases dcases rcases array matrix pmatrix bmatrix vmatrix Vmatrix Bmatrix
    smallmatrix psmallmatrix bsmallmatrix vsmallmatrix Vsmallmatrix Bsmallmatrix subarray multlined drcases CD tikzcd
    """
)
"""Environments that stand within mathematics, inline or displayed, without the star."""

LISTINGS = word_set(
    """
    lstlisting minted verbatim Verbatim BVerbatim LVerbatim SaveVerbatim alltt tcblisting pyverbatim
    boxedverbatim verbatimtab codeblock
    """
)
ALGORITHMS = LISTINGS | word_set(
    """
    algorithm algorithm2e algorithmic algorithmicx algo algorithme pseudocode pseudo procedure function program
    codebox listing listings breakablealgorithm myalgorithm floatalgo protocol codelisting
    """
)
FIGURES = word_set(
    """
    figure wrapfigure sidewaysfigure SCfigure teaserfigure marginfigure floatingfigure figwindow wrapfloat
    fullwidthfigure cutout
    """
)
TABLES = word_set(
    """
    table wraptable sidewaystable SCtable deluxetable longtable supertabular xtabular margintable longtblr
    talltblr xltabular longtabu rotatetable splitdeluxetable threeparttable floatingtable
    """
)
THEOREMS = {
    "theorem": "Theorem", "lemma": "Lemma", "proposition": "Proposition", "corollary": "Corollary",
    "definition": "Definition", "remark": "Remark", "example": "Example", "assumption": "Assumption", "claim": "Claim",
    "conjecture": "Conjecture", "property": "Property", "observation": "Observation", "fact": "Fact", "axiom": "Axiom",
    "hypothesis": "Hypothesis", "condition": "Condition", "note": "Note", "problem": "Problem",
    "invariant": "Invariant",
    "thm": "Theorem", "lem": "Lemma", "prop": "Proposition", "cor": "Corollary", "defn": "Definition", "rem": "Remark",
}  # fmt: skip
"""Theorem-like environments that classes define themselves; papers add theirs by \\newtheorem."""

ABSTRACTS = word_set(
    """
    abstract onecolabstract Abstract summary abstracts ABSTRACT IEEEabstract
    """
)
APPENDICES = word_set(
    """
    appendices appendix subappendices Appendix
    """
)
UNREAD = word_set(
    """
    tikzpicture pgfpicture picture tabular tabularx tabulary tabu tblr tabbing thebibliography CCSXML
    filecontents pspicture axis forest asy pycode dot2tex feynman overpic titlepage keywords IEEEkeywords
    keyword frontmatter-affiliations longtabu array subfigure subtable references VerbatimOut thenomenclature
    """
)
"""Environments whose content is no running text (floats, algorithms and listings apart)."""

CITING = word_set(
    """
    cite citep citet Cite Citep Citet citealt citealp Citealt Citealp citeauthor Citeauthor citeyear citeyearpar
    citenum citefullauthor nocite parencite Parencite textcite Textcite autocite Autocite footcite footcitetext
    footfullcite smartcite Smartcite supercite fullcite citetitle citedate citeurl cites parencites textcites
    autocites footcites Cites Parencites Textcites Autocites citeA citeNP citeN shortcite shortciteA shortciteN
    citeasnoun possessivecite newcite onlinecite citetalias citepalias citeauthoryear textcitep inlinecite
    fullcitet citelow citeonline citeauthorp smartcites supercites avolcite pnotecite
    """
)
"""Commands that always cite, whatever an author defines them to be."""
NOT_CITING = word_set(
    """
    citestyle setcitestyle citename citetext bibcite defcitealias citation citeindextrue citeindexfalse
    DeclareCiteCommand citeform citemid citeleft citeright citepunct citedash citereset citesetup xpretobibmacro
    citenumfont citestart citeend citenamefont
    """
)
_CITE_LIKE = re.compile(r"[cC]ite(?!d(?![a-z])|rior)")

REFERRING = word_set(
    """
    ref eqref pageref autoref Autoref nameref cref Cref cpageref Cpageref vref Vref vpageref labelcref namecref
    nameCref lcnamecref subref fullref prettyref thmref zcref crefrange Crefrange cpagerefrange vrefrange
    titleref labelcpageref Nameref fref Fref refeq
    """
)
NOT_REFERRING = word_set(
    """
    href corref fnref tnoteref hyperref myhref bibref urlref footref xhref
    """
)

TITLES = word_set(
    """
    title Title TITLE icmltitle mdpititle thesistitle papertitle JournalTitle aistatstitle
    """
)
AUTHORS = word_set(
    """
    author Author AUTHOR authors icmlauthor aistatsauthor aistatsauthors AuthorNames addauthor
    """
)
ABSTRACT_COMMANDS = word_set(
    """
    abstract Abstract ABSTRACT
    """
)
FRONT = (
    TITLES
    | AUTHORS
    | ABSTRACT_COMMANDS
    | word_set(
        """
    name IEEEauthorblockN IEEEauthorblockA subtitle date affiliation affiliations affil email keywords
    icmlaffiliation icmlcorrespondingauthor icmlkeywords titlerunning authorrunning institute shorttitle
    shortauthors icmltitlerunning aistatsaddress aistatsaddresses institution address markboth ccsdesc editor
    authorsaddresses corres firstnote received accepted orcid jmlrheading ShortHeadings runningauthor
    runningtitle setcopyright copyrightyear acmDOI keyword pacs principaladviser firstreader secondreader
    thirdreader submitdate acmISBN acmPrice acmConference acmBooktitle acmYear acmMonth acmJournal acmVolume
    acmNumber acmArticle altaffiliation correspondingauthor subjclass dedicatory pubyear volume DOI hauthors
    """
    )
)
"""Commands of the title page. Their arguments are no running text."""


def is_citing(name: str) -> bool:
    """Whether an unknown command sounds like one that cites."""
    return bool(_CITE_LIKE.search(name)) and name not in NOT_CITING


def starless(name: str) -> str:
    """An environment's name without its star."""
    return name.removesuffix("*")


_WORDS_OF_CODE = {
    **{word.title().replace(" ", ""): word for word in (
        "if", "else if", "else", "for", "for all", "for each", "while", "repeat", "until", "return", "do", "loop",
        "switch", "case", "other", "procedure", "function", "and", "or", "not", "to", "true", "false",
    )},
    "ElsIf": "else if", "Require": "require:", "Ensure": "ensure:", "Input": "input:", "Output": "output:",
    "KwIn": "input:", "KwData": "input:", "KwOut": "output:", "KwResult": "output:", "KwTo": "to", "KwRet": "return",
}  # fmt: skip
_WORDS_OF_CODE |= {name.upper(): word for name, word in _WORDS_OF_CODE.items()}
_LAYOUT_OF_CODE = re.compile(
    r"(?:End(?:If|For|ForAll|ForEach|While|Procedure|Function|Loop|Repeat|Switch|Case|Else)?|END(?:IF|FOR|WHILE|LOOP)?"
    r"|Statex?|STATEX?|Comment|COMMENT|Call|CALL|Begin|BEGIN|BlankLine|DontPrint\w*|LinesNumbered\w*|Ind[pm]|[A-Z]\w+Sty"
    r"|[Bb]igg?[lrm]?|Bigg?[lrm]?|Large|LARGE|Huge|Set(?:Kw|Algo|AlCap|Vline|SideComment|StartEnd|FillComment)\w*"
    r"|Set(?:Ind|Noline|NlSkip|NoFillComment)|RestyleAlgo|(?:Inc|Dec)Margin)\Z"
)


def word_of_code(name: str) -> str | None:
    """What a command prints in pseudo-code (algorithm2e, algpseudocode, algorithmic): its keyword, also in the forms
    for one line (``\\lIf``, ``\\eIf``), its own name where it is that of a function; "" for layout, None for what is
    no command of pseudo-code."""
    bare = name[1:] if name[:1] in ("e", "l", "u") and name[1:2].isupper() else name
    word = _WORDS_OF_CODE.get(bare)
    if word is not None or not name[:1].isupper():
        return word
    return "" if _LAYOUT_OF_CODE.match(name) else name
