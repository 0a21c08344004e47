"""Units of every other language by tree-sitter: one query file per language, one engine for all.

``queries/<grammar>.scm`` names what counts with these captures; a language is added by adding its file and a line in
`GRAMMARS`.

=============  =====================================================================================================
``@function``  a function or method with a body; ``@class`` a type; ``@constant`` an enum constant that holds code
``@name``      its name, in the same match; ``@owner`` the type it belongs to when it stands outside of it
``@scope``     a block that lends its ``@name`` to what it holds and is no unit itself (Rust's ``impl``)
``@wrapper``   what may enclose a unit and belongs to it: ``template<…>``, ``export``, decorators
``@doc``       documentation inside of the unit, in the same match; ``@comment`` may document what follows it
``@call``      the expression that is called, or a call whose name ends where its arguments begin
``@base``      a base type; ``@import`` what is imported
``@declared``  a declaration without a body, whose comment documents the definition elsewhere (C and C++ headers)
=============  =====================================================================================================

The traversal is tree-sitter's own, in C and without recursion, so neither size nor depth of a file hurts.
"""

import re
import textwrap
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from agents.code.units.grammars import GRAMMARS, largest_error, matches, syntax_tree
from agents.code.units.source import MAX_NESTING, Draft, Extraction, SourceText, one_line

__all__ = ["treesitter_units"]

_SCRIPT_GRAMMARS = frozenset({"python", "r", "julia", "matlab"})
_SCRIPT_LINES = 3
_NO_CODE = ("import", "using", "comment", "line_comment", "block_comment", "future", "string", "ERROR")
_C_FAMILY = frozenset({"c", "cpp", "cuda"})
_DEPTH = 64
_NAMESPACE = re.compile(rb"\bnamespace\s+((?:\w+\s*::\s*)*\w+)")
_NAMES = {
    "identifier",
    "field_identifier",
    "type_identifier",
    "namespace_identifier",
    "destructor_name",
    "operator_name",
}
_CALLEE_BYTES = 400
_DOC_COMMENTS, _DOC_LIMIT = 200, 10_000
_UNIT_CAPTURES = ("function", "class", "constant", "scope")
_NAME_NOISE = re.compile(r"<[^<>]*>|\s+|!$")
_GAP = re.compile(rb"[ \t]*(\r\n?|\n)?[ \t]*((#\[|@)[^\r\n]*(\r\n?|\n)[ \t]*)*")
_ANNOTATIONS = re.compile(r"^\s*(@[\w.]+(\([^()]*\))?\s+)+")
_MARKS = re.compile(r"[ \t]*(///?!?|/\*+!?|\*+/?|#+'?|%+|--+|!+)?[ \t]?")


@dataclass
class _Found:
    """A match that makes a unit or a scope."""

    capture: str
    node: Node
    captures: dict[str, list[Node]]


def treesitter_units(source: SourceText, grammar: str, script_lines: int = _SCRIPT_LINES) -> Extraction:
    """Units of one file by the named grammar. Syntax errors give what can be had, and a warning.

    In script languages module-level code counts from `script_lines` lines on.
    """
    root = syntax_tree(source, grammar).root_node
    units: dict[int, _Found] = {}
    loose: dict[str, list[Node]] = {"call": [], "base": [], "import": [], "comment": [], "wrapper": [], "declared": []}
    for _, captures in matches(root, grammar):
        kind = next((c for c in _UNIT_CAPTURES if c in captures), None)
        if kind is None:
            for name, nodes in captures.items():
                if name in loose:
                    loose[name] += nodes
            continue
        found = _Found(kind, captures[kind][0], captures)
        if (known := units.get(found.node.id)) is None or len(known.captures) < len(captures):
            units[found.node.id] = found
    builder = _Builder(source, grammar, loose)
    builder.build(sorted(units.values(), key=lambda f: (f.node.start_byte, -f.node.end_byte)))
    result = Extraction(GRAMMARS[grammar], builder.drafts)
    result.declared = builder.declared
    result.imports = [imported for node in _in_order(loose["import"]) if (imported := _import(builder.read(node)))]
    if grammar in _SCRIPT_GRAMMARS:
        calls = [(node.start_byte, name) for node in _in_order(loose["call"]) if (name := builder.call(node))]
        result.drafts += _script_drafts(source, root, builder.drafts, calls, script_lines)
    if lost := largest_error(root):
        first, last = lost.start_point.row + 1, lost.end_point.row + 1
        result.warnings.append(
            f"lines {first}-{last} are no {result.language} that can be parsed; units there may be missing"
        )
    return result


def _in_order(nodes: list[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: node.start_byte)


def _import(text: str) -> str:
    return re.sub(r"^import\s|\s+", "", text).strip("\"'<>`;").removesuffix(".*")


class _Builder:
    """Turns matches in document order into drafts, with a stack of the units that are open."""

    def __init__(self, source: SourceText, grammar: str, loose: dict[str, list[Node]]) -> None:
        self.source, self.grammar, self.loose = source, grammar, loose
        self.drafts: list[Draft] = []
        self.declared: dict[str, str] = {}
        comments = _in_order(loose["comment"])
        self.comment_starts = {node.end_byte: node.start_byte for node in comments}
        self.comment_ends = [node.end_byte for node in comments]
        self.wrappers: dict[int, int] = {}
        for node in sorted(loose["wrapper"], key=lambda n: -n.start_byte):
            self.wrappers[node.end_byte] = node.start_byte
        self.namespaces = _namespaces(source.data) if grammar in _C_FAMILY else frozenset()

    def read(self, node: Node) -> str:
        return self.source.text(node.start_byte, node.end_byte)

    def build(self, units: list[_Found]) -> None:
        open_units: list[tuple[int, str, Draft | None]] = []
        events = [(f.node.start_byte, 0, f) for f in units]
        events += [(n.start_byte, 1, _Found("call", n, {})) for n in self.loose["call"]]
        events += [(n.start_byte, 2, _Found("base", n, {})) for n in self.loose["base"]]
        events += [(n.start_byte, 3, _Found("declared", n, {})) for n in self.loose["declared"]]
        for start, _, found in sorted(events, key=lambda e: (e[0], e[1], -e[2].node.end_byte)):
            while open_units and open_units[-1][0] <= start:
                open_units.pop()
            inner = open_units[-1][2] if open_units else None
            if found.capture in ("call", "base"):
                if inner is not None:
                    self.attach(inner, found)
                continue
            if (inner is not None and inner.kind in ("function", "method")) or len(open_units) >= MAX_NESTING:
                continue
            symbol = self.symbol(found, open_units[-1][1] if open_units else "")
            if not symbol:
                continue
            if found.capture == "declared":
                if doc := self.doc(found, self.start(found.node)):
                    self.declared.setdefault(symbol, doc)
                continue
            draft = None if found.capture == "scope" else self.draft(found, symbol, inner)
            open_units.append((found.node.end_byte, symbol, draft))

    def attach(self, unit: Draft, found: _Found) -> None:
        if found.capture == "base":
            unit.bases.append(one_line(self.read(found.node)))
        elif name := self.call(found.node):
            unit.calls.append(name)

    def call(self, node: Node) -> str:
        """The called name as written, dotted."""
        arguments = node.child_by_field_name("arguments")
        end = arguments.start_byte if arguments else node.end_byte
        return _call_name(self.source.text(max(node.start_byte, end - _CALLEE_BYTES), end))

    def symbol(self, found: _Found, prefix: str) -> str:
        if self.grammar in _C_FAMILY and found.capture in ("function", "declared") and "name" not in found.captures:
            parts = _declared_name(found.node, self.read)
            while len(parts) > 1 and parts[0] in self.namespaces:
                parts = parts[1:]
            name = ".".join(parts)
        else:
            name = self.read(found.captures["name"][0]) if "name" in found.captures else ""
            name = _NAME_NOISE.sub("", name)
            if "owner" in found.captures:
                name = f"{_NAME_NOISE.sub('', self.read(found.captures['owner'][0]))}.{name}"
        name = name.replace("::", ".").replace(":", ".").strip(".\"'`")
        return f"{prefix}.{name}" if prefix and name else name

    def start(self, node: Node) -> int:
        """Where a unit begins: at its wrapper if it has one, which may end with a semicolon more."""
        ends = (
            (node.end_byte, node.end_byte + 1)
            if self.source.data[node.end_byte : node.end_byte + 1] == b";"
            else (node.end_byte,)
        )
        return min(node.start_byte, *(self.wrappers.get(end, node.start_byte) for end in ends))

    def draft(self, found: _Found, symbol: str, parent: Draft | None) -> Draft:
        start, end = self.start(found.node), found.node.end_byte
        owner = symbol.rpartition(".")[0]
        kind = found.capture
        if kind == "function" and owner:
            kind = "method"
        body = found.node.child_by_field_name("body")
        text = self.source.text(start, end)
        draft = Draft(
            symbol,
            kind,  # type: ignore[arg-type]  # the captures are kinds of units
            start,
            end,
            text,
            _header(self.source.text(start, body.start_byte) if body else _first_lines(text).partition(" {")[0]),
            self.doc(found, start),
            parent,
            owner if parent is None else "",
        )
        self.drafts.append(draft)
        return draft

    def doc(self, found: _Found, start: int) -> str:
        """Documentation inside of the unit, or else the comments that end right above it."""
        if "doc" in found.captures:
            return "\n".join(_plain(self.read(node)) for node in _in_order(found.captures["doc"])).strip()
        opening, above = start, list[str]()
        while len(above) < _DOC_COMMENTS and (at := bisect_right(self.comment_ends, opening) - 1) >= 0:
            ending = self.comment_ends[at]
            if not _GAP.fullmatch(self.source.data, ending, opening):
                break
            opening = self.comment_starts[ending]
            above.insert(0, _plain(self.source.text(opening, ending)))
        return "\n".join(above).strip()


def _header(text: str) -> str:
    return one_line(_ANNOTATIONS.sub("", text)).rstrip("{:= ")


def _first_lines(text: str) -> str:
    """The first line, and those below it up to the last closing parenthesis that it opens."""
    lines = text.split("\n", 12)[:12]
    for count in range(1, len(lines)):
        if (head := "\n".join(lines[:count])).count("(") <= head.count(")"):
            return head
    return lines[0]


def _plain(comment: str) -> str:
    """A comment or string without its marks."""
    stripped = re.sub(r"^[rRuUbB]*(\"\"\"|'''|\"|')|(\"\"\"|'''|\"|')$", "", comment[:_DOC_LIMIT].strip())
    lines = (line.rstrip().removesuffix("*/").rstrip("* \t") for line in stripped.splitlines())
    return textwrap.dedent("\n".join(_MARKS.sub("", line, count=1) for line in lines)).strip()


def _call_name(callee: str) -> str:
    """A called expression as a dotted name; what stands before a call or subscript in it is left out."""
    callee = _NAME_NOISE.sub("", callee).replace("->", ".").replace("::", ".").replace(":", ".").replace("$", ".")
    match = re.search(r"[\w.#~]+$", callee)
    return match.group().strip(".") if match else ""


def _script_drafts(
    source: SourceText, root: Node, drafts: list[Draft], calls: list[tuple[int, str]], least: int = _SCRIPT_LINES
) -> list[Draft]:
    """A unit ``<module>`` for each run of top-level statements between definitions with at least `least` lines of code.

    `calls` are (byte, name) of all calls in the file in order of place.
    """
    taken = sorted((draft.start, draft.end) for draft in drafts)
    scripts: list[Draft] = []
    run: list[Node] = []
    at = 0
    for node in [*root.named_children, None]:
        while at < len(taken) and node is not None and taken[at][1] <= node.start_byte:
            at += 1
        if node is not None and not (at < len(taken) and taken[at][0] < node.end_byte):
            if run or not node.type.startswith(_NO_CODE):
                run.append(node)
            continue
        while run and run[-1].type.startswith(_NO_CODE):
            run.pop()
        lines = sum(n.end_point.row - n.start_point.row + 1 for n in run if not n.type.startswith(_NO_CODE))
        if run and lines >= least:
            start, end = run[0].start_byte, run[-1].end_byte
            named = [name for place, name in calls if start <= place < end]
            scripts.append(Draft("<module>", "script", start, end, source.text(start, end), calls=named))
        run = []
    return scripts


def _namespaces(data: bytes) -> frozenset[str]:
    """Names of the namespaces that a file opens or uses; like a Java package they are no part of a symbol."""
    found = (match.group(1).decode("ascii", "ignore") for match in _NAMESPACE.finditer(data))
    return frozenset(part.strip() for names in found for part in names.split("::"))


def _declared_name(definition: Node, read: Callable[[Node], str]) -> list[str]:
    """Qualified name of a function definition, outermost part first: ``T* ns::Foo<T>::bar(int)`` → ns, Foo, bar.

    `read` gives the text of a node. Empty for what has no name.
    """
    parts: list[str] = []
    node: Node | None = definition.child_by_field_name("declarator")
    for _ in range(_DEPTH):
        if node is None:
            return []
        if node.type in _NAMES:
            return [*parts, _squeeze(read, node)]
        if node.type == "operator_cast":
            kind = node.child_by_field_name("type")
            return [*parts, f"operator {_squeeze(read, kind)}" if kind else "operator"]
        if node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            if scope is not None:
                parts.append(_squeeze(read, scope.child_by_field_name("name") or scope))
            node = node.child_by_field_name("name")
        elif node.type in ("template_function", "template_type", "template_method", "dependent_name"):
            node = node.child_by_field_name("name") or (node.named_children[0] if node.named_children else None)
        else:
            node = node.child_by_field_name("declarator") or next(
                (child for child in node.named_children if child.type.endswith("declarator") or child.type in _NAMES),
                None,
            )
    return []


def _squeeze(read: Callable[[Node], str], node: Node) -> str:
    return "".join(read(node).split())
