"""The author's own commands and environments: read from definitions, expanded for reading.

Only replacement is done, nothing of TeX is executed: no conditionals, no category codes. Expansion is limited in
depth, in length, and in total over a document, so that definitions that double themselves end.
"""

import re
from dataclasses import dataclass, field

from ingest.latex.lexer import Lexer

__all__ = ["DEFINING", "Environment", "Macro", "Macros", "read_definition"]

MAX_PASSES = 8
MAX_LENGTH = 40_000
MAX_TOTAL = 20_000_000
MAX_BODY = 4_000

_NAME = re.compile(r"\s*\\([a-zA-Z@]+|.)", re.DOTALL)
_PARAMETERS = re.compile(r"((?:[^{}\\]++|\\[a-zA-Z@]++|\\[^a-zA-Z@{}])*+)(?=\{)")
_CALL = re.compile(r"\\([a-zA-Z@]+|[^a-zA-Z@])", re.DOTALL)
LONGEST_WORD = 200
"""Characters of a control word that are looked for at an end."""
_WORD_AT_END = re.compile(r"(?<!\\)(?:\\\\)*\\[a-zA-Z@]+\Z")
_HASH = re.compile(r"#+([1-9])")

_COMMANDS = {"newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "newrobustcmd", "renewrobustcmd"}
_DEFS = {"def", "gdef", "edef", "xdef"}
_DOCUMENT = {f"{verb}DocumentCommand" for verb in ("New", "Renew", "Provide", "Declare")}
_ENVIRONMENTS = {"newenvironment", "renewenvironment", "NewEnviron"}
_OPERATORS = {"DeclareMathOperator", "DeclareMathSymbol"}
_THEOREMS = {"newtheorem", "spnewtheorem", "declaretheorem", "newmdtheoremenv", "newtcbtheorem", "newshadetheorem"}
DEFINING = frozenset(
    _COMMANDS | _DEFS | _DOCUMENT | _ENVIRONMENTS | _OPERATORS | _THEOREMS | {"let", "NewDocumentEnvironment"}
)
"""Commands that `read_definition` reads."""


@dataclass(frozen=True)
class Macro:
    """`\\name` with `arguments` of which the first is optional when `default` is given; `star` allows ``\\name*``.

    `until` is the control word that ends the last argument, for ``\\def\\be#1\\ee{…}``.
    """

    name: str
    body: str
    arguments: int = 0
    default: str | None = None
    star: bool = False
    until: str = ""


@dataclass(frozen=True)
class Environment:
    """What stands at the begin and the end of an author's environment."""

    name: str
    begin: str
    end: str
    arguments: int = 0
    default: str | None = None


@dataclass
class Macros:
    """All definitions met so far. `theorems` maps environment names to printed titles."""

    commands: dict[str, Macro] = field(default_factory=dict)
    environments: dict[str, Environment] = field(default_factory=dict)
    theorems: dict[str, str] = field(default_factory=dict)
    spent: int = 0

    def define(self, macro: Macro) -> None:
        """Take up a command; a delimited one also teaches its closing word."""
        self.commands[macro.name] = macro
        if macro.until and macro.until not in self.commands:
            tail = macro.body.rsplit("#1", 1)[-1] if "#1" in macro.body else ""
            self.commands[macro.until] = Macro(macro.until, tail)

    def call(self, macro: Macro | Environment, lexer: Lexer, at: int) -> tuple[list[str], int]:
        """The arguments of a call whose name ends at `at`, and where the call ends."""
        if isinstance(macro, Macro):
            if macro.until:
                return [""], at
            at += macro.star and lexer.scan.startswith("*", at)
        values: list[str] = []
        for number in range(macro.arguments):
            optional = number == 0 and macro.default is not None
            inner = lexer.bracket(at) if optional else lexer.argument(at)
            values.append(lexer.value(inner) if inner else (macro.default or ""))
            at = inner.after if inner else at
        return values, at

    def expand(self, text: str) -> str:
        """`text` with the author's commands replaced, as far as the limits allow; else as it was."""
        for _ in range(MAX_PASSES):
            if self.spent > MAX_TOTAL:
                return text
            expanded = self._pass(text)
            self.spent += len(expanded)
            if expanded == text or len(expanded) > MAX_LENGTH + len(text):
                return text
            text = expanded
        return text

    def _pass(self, text: str) -> str:
        calls = [found for found in _CALL.finditer(text) if self._readable(found[1])]
        if not calls:
            return text
        lexer, parts, at, size = Lexer(text), [], 0, 0
        for found in calls:
            if found.start() < at:
                continue
            macro = self.commands[found[1]]
            values, end = self.call(macro, lexer, found.end())
            replacement = substitute(macro.body, values)
            if replacement[-1:].isalpha() and text[end : end + 1].isalpha():
                replacement += "{}"
            parts += [text[at : found.start()], replacement]
            size += len(replacement)
            at = end
            if size > MAX_LENGTH + len(text):
                break
        return "".join([*parts, text[at:]])

    def _readable(self, name: str) -> bool:
        macro = self.commands.get(name)
        return macro is not None and "@" not in macro.body and len(macro.body) <= MAX_BODY


def substitute(body: str, values: list[str]) -> str:
    """`body` with ``#1`` … replaced by `values`.

    A control word that ends where letters begin keeps a space, as TeX has read it as a token before: ``\\lVert#1``.
    """
    if "#" not in body:
        return body
    parts, at = [""], 0
    for found in _HASH.finditer(body):
        number = int(found[1])
        value = values[number - 1] if number <= len(values) else ""
        parts += _apart(parts[-1], body[at : found.start()])
        parts += _apart(parts[-1], value)
        at = found.end()
    return "".join([*parts, *_apart(parts[-1], body[at:])])


def _apart(before: str, text: str) -> list[str]:
    """`text`, with a space in front where it would lengthen the control word that `before` ends in."""
    lengthens = text[:1].isalpha() and _WORD_AT_END.search(before[-LONGEST_WORD:])
    return [" ", text] if lengthens else [text] if text else []


def read_definition(lexer: Lexer, command: str, at: int, macros: Macros) -> int:
    """Read the definition by `command`, whose name ends at `at`, into `macros`; returns where it ends.

    A definition that can't be understood is skipped as far as it goes.
    """
    at += lexer.scan.startswith("*", at)
    if command in _THEOREMS:
        return _theorem(lexer, command, at, macros)
    if command in _ENVIRONMENTS or command == "NewDocumentEnvironment":
        return _environment(lexer, command, at, macros)
    group = lexer.group(at)
    named = _NAME.match(lexer.scan, group.start if group else at)
    if not named or (group and named.end() > group.end):
        return at
    name = named[1]
    at = group.after if group else named.end()
    if command == "let":
        return _let(lexer, name, at, macros)
    return _command(lexer, command, name, at, macros)


def _command(lexer: Lexer, command: str, name: str, at: int, macros: Macros) -> int:
    """The parameters and the body of a command called `name`."""
    arguments, default, star, until = 0, None, False, ""
    if command in _DEFS:
        parameters = _PARAMETERS.match(lexer.scan, at, at + 200)
        if not parameters:
            return at
        arguments = len(set(_HASH.findall(parameters[1])))
        delimiter = re.fullmatch(r"\s*#1\s*\\([a-zA-Z@]+)\s*", parameters[1])
        until = delimiter[1] if delimiter else ""
        at = parameters.end()
    elif command in _DOCUMENT:
        specification = lexer.group(at)
        if not specification:
            return at
        arguments, default, star = _specification(lexer.value(specification))
        at = specification.after
    elif command in _COMMANDS:
        arguments, default, at = _arity(lexer, at)
    body = lexer.argument(at)
    if not body:
        return at
    text = lexer.value(body)
    if command == "DeclareMathOperator":
        text = f"\\operatorname{{{text}}}"
    macros.define(Macro(name, text, arguments, default, star, until))
    return body.after


def _arity(lexer: Lexer, at: int) -> tuple[int, str | None, int]:
    """``[n][default]``: number of arguments, default of the first, where they end."""
    count = lexer.bracket(at)
    if not count:
        return 0, None, at
    digits = lexer.value(count).strip()
    arguments = int(digits) if digits.isdecimal() and digits.isascii() and len(digits) == 1 else 0
    at = count.after
    default = lexer.bracket(at) if arguments else None
    return arguments, lexer.value(default) if default else None, default.after if default else at


def _specification(text: str) -> tuple[int, str | None, bool]:
    """An xparse argument specification, reduced to what `Macro` can say."""
    letters = re.sub(r"\{[^{}]*\}", "", text)
    star = letters.lstrip().startswith("s")
    kinds = [letter for letter in letters if letter in "momOrRdDv"]
    return len(kinds), "" if kinds[:1] and kinds[0] in "oO" else None, star


def _let(lexer: Lexer, name: str, at: int, macros: Macros) -> int:
    equals = re.compile(r"\s*=?\s*\\([a-zA-Z@]+)").match(lexer.scan, at)
    if not equals:
        return at
    if known := macros.commands.get(equals[1]):
        macros.define(Macro(name, known.body, known.arguments, known.default, known.star, known.until))
    elif equals[1] != name:
        macros.define(Macro(name, f"\\{equals[1]}"))
    return equals.end()


def _environment(lexer: Lexer, command: str, at: int, macros: Macros) -> int:
    name = lexer.group(at)
    if not name:
        return at
    at = name.after
    if command == "NewDocumentEnvironment":
        specification = lexer.group(at)
        arguments, default, _ = _specification(lexer.value(specification)) if specification else (0, None, False)
        at = specification.after if specification else at
    else:
        arguments, default, at = _arity(lexer, at)
    begin = lexer.group(at)
    if not begin:
        return at
    at = begin.after
    end = lexer.group(at)
    key = lexer.value(name).strip()
    macros.environments[key] = Environment(key, lexer.value(begin), lexer.value(end) if end else "", arguments, default)
    return end.after if end else at


def _theorem(lexer: Lexer, command: str, at: int, macros: Macros) -> int:
    options = ""
    if option := lexer.bracket(at):
        options, at = lexer.value(option), option.after
    name = lexer.group(at)
    if not name:
        return at
    at = name.after
    keys = [key.strip() for key in lexer.value(name).split(",")]
    title = keys[0].capitalize()
    if command == "declaretheorem":
        option = lexer.bracket(at)
        options += lexer.value(option) if option else ""
        at = option.after if option else at
        if found := re.search(r"\b(?:name|title)\s*=\s*\{?([^,{}]+)", options):
            title = found[1].strip()
    else:
        if shared := lexer.bracket(at):
            at = shared.after
        if printed := lexer.group(at):
            title, at = lexer.value(printed).strip(), printed.after
        if within := lexer.bracket(at):
            at = within.after
    macros.theorems.update((key, title) for key in keys if key)
    return at
