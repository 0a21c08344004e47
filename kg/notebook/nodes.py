"""Papers, techniques and code as a notebook holds them: read when they are looked at, and shown as rich text."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from kg.cli.common import IMPORTED
from kg.cli.search import hit_text
from kg.cli.show import technique_tree
from kg.cli.show_text import Branch, code_text, joined, paper_text, technique_text
from kg.errors import AbsentError
from kg.licences import without_licence
from kg.markup import templates
from kg.models.code import Standing
from kg.notebook.session import Session
from kg.printing import printable
from kg.results import Row
from kg.results.show import ImplementationRow, ListedTechnique, ShownCode, ShownPaper, ShownTechnique
from kg.search.describe import place
from kg.search.results import Hit

__all__ = ["Code", "Listed", "Paper", "Technique"]

T = TypeVar("T")

IN_FULL = 3
"""Pieces of code that a list shows with their text."""

_TEMPLATES = templates(Path(__file__).parent)
_TEMPLATES.globals |= {"place": place, "IMPORTED": IMPORTED}


def _html(macro: str, *shown: Any) -> str:
    """What a macro makes of it, in an element in which MathJax looks for no formulas: text has to stay text."""
    made = getattr(_TEMPLATES.get_template("shown.html").module, macro)(*shown)
    return f'<div class="tex2jax_ignore mathjax_ignore">{made}</div>'


class _Shown:
    """What a notebook shows as HTML, and a terminal as `str` has it."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 -- IPython's signature
        printer.text(printable(str(self)))


class Listed(_Shown, tuple[T, ...], Generic[T]):
    """A tuple that is shown item by item; `told` is said first, or in place of items."""

    told: str

    def __new__(cls, items: Iterable[T], told: str = "") -> "Listed[T]":
        """These items."""
        made = super().__new__(cls, items)
        made.told = told
        return made

    def __str__(self) -> str:
        return "\n\n".join([*([self.told] if self.told else []), *map(_line, self)])

    def _repr_html_(self) -> str:
        return _html("listed", self.told, self, IN_FULL)


def _line(item: object) -> str:
    if isinstance(item, Hit):
        return hit_text(item)
    row = getattr(item, "row", None) or item
    name = getattr(row, "name", None) or getattr(row, "title", "")
    licence = [getattr(row, "licence", None) or "no licence"] if hasattr(row, "verdict") else []
    return joined(name, getattr(row, "verdict", ""), *licence, getattr(row, "id", ""))


class _Node(_Shown):
    """A node of the graph. All that `facts` has, the model of its show command, is an attribute of the node as well;
    `row` is what is known of it without asking, where it came in a list."""

    model: ClassVar[type[Row]]
    in_full: ClassVar[bool] = False
    """Whether a list shows all of it."""

    def __init__(self, session: Session, node: str, row: Row | None = None) -> None:
        self.session, self.id, self.row = session, node, row

    @cached_property
    def facts(self) -> Any:
        """All about it. Raises AbsentError if it has gone since it was found."""
        for row in self.session.rows(self.model, id=self.id):
            return row
        raise AbsentError(f"{self.id} is no longer in the graph")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "id" not in vars(self):
            raise AttributeError(name)
        return getattr(self.facts, name)

    def __dir__(self) -> Iterable[str]:
        return {*super().__dir__(), *self.model.model_fields}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {printable(self.id)}>"

    _repr_pretty_ = _Shown._repr_pretty_
    """IPython takes the `__repr__` of a class before what its bases have."""

    def _repr_html_(self) -> str:
        return _html(f"{type(self).__name__.lower()}_card", self)


class Code(_Node):
    """A piece of code: `verdict` and `licence` always, `text` where it may be shown."""

    model = ShownCode
    in_full = True

    @property
    def withheld(self) -> str:
        """Why its text is not shown; "" if it is."""
        withheld = self.session.withholds(self.facts)
        return without_licence(self.id, self.facts.verdict) if withheld else ""

    @property
    def text(self) -> str:
        """Its source. Raises AbsentError where it may not be shown, and where the graph has none."""
        if self.withheld:
            raise AbsentError(self.withheld, remedy="`kg.open(unlicensed=True)` shows it to you")
        if not self.facts.implementation:
            raise AbsentError(f"the graph holds no text of {self.id}")
        return str(self.facts.implementation)

    def __str__(self) -> str:
        said = {"implementation": self.withheld} if self.withheld else {}
        return code_text(self.facts.model_copy(update=said))


class Technique(_Node):
    """A technique of a paper: what it is, and its code by how surely it is that."""

    model = ShownTechnique

    @cached_property
    def implementations(self) -> list[ImplementationRow]:
        """The evidence for all its code."""
        return self.session.rows(ImplementationRow, id=self.id)

    @cached_property
    def code(self) -> Listed[Code]:
        """Code that is asserted to implement it, the best first."""
        return self._code("asserted")

    @cached_property
    def likely(self) -> Listed[Code]:
        """Code that likely implements it."""
        return self._code("likely")

    @cached_property
    def candidates(self) -> Listed[Code]:
        """Code that may implement it."""
        return self._code("candidate")

    def _code(self, standing: Standing) -> Listed[Code]:
        found = [row for row in self.implementations if row.standing == standing]
        others = {name: sum(row.standing == name for row in self.implementations) for name in ("likely", "candidate")}
        told = f"No code is {standing if standing != 'candidate' else 'a mere candidate'} for {self.name}"
        if standing == "asserted" and any(others.values()):
            told += f"; {others['likely']} likely (`.likely`), {others['candidate']} mere candidates (`.candidates`)"
        return Listed((Code(self.session, row.id, row) for row in found), "" if found else f"{told}.")

    @cached_property
    def paper(self) -> "Paper":
        """The paper that it is of."""
        return Paper(self.session, self.facts.paper)

    @property
    def equations(self) -> tuple[str, ...]:
        """The equations that describe it, in LaTeX."""
        return tuple(one.latex for one in self.facts.described_in if one.kind == "equation" and one.latex)

    def __str__(self) -> str:
        return technique_text(self.facts, self.implementations)


class Paper(_Node):
    """A paper with its tree of techniques."""

    model = ShownPaper

    @cached_property
    def tree(self) -> tuple[Branch, ...]:
        """Its techniques, each with those below it."""
        return technique_tree(self.session.rows(ListedTechnique, paper=self.id))

    @cached_property
    def techniques(self) -> Listed[Technique]:
        """All its techniques, those above before those below."""
        rows = {row.id: row for row in _walk(self.tree)}
        return Listed(Technique(self.session, row.id, row) for row in rows.values())

    def __str__(self) -> str:
        return paper_text(self.facts, self.tree)


def _walk(branches: Sequence[Branch]) -> Iterator[ListedTechnique]:
    for branch in branches:
        yield branch.technique
        yield from _walk(branch.components)
