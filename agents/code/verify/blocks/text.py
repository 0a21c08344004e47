"""The text of a block: joined, its lines told apart, its imports and checks found."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field

from agents.execution.syntax import NotPython3, parse
from kg.models.paper import Model

__all__ = ["Block", "Joined", "checks", "imports", "join", "place"]

_CHECK_CALL = re.compile(r"assert|fail$|raises$|check_")


class Block(Model):
    """An imported piece of Python, kept exactly as its file gave it.

    `id` names its Code node. `implementation` and `test` are run joined, in one process. `requirements` are the names
    the file gave (import or distribution names, not trusted to exist), `claimed` what the file said of its execution.
    """

    id: str
    implementation: str
    test: str = ""
    requirements: tuple[str, ...] = ()
    claimed: bool | None = Field(None)


@dataclass(frozen=True)
class Joined:
    """A block as one script. Lines from `test_line` on (1-based) are the test's; `test_line` is one past the last line
    if there is none. What stands before it is `implementation`."""

    implementation: str
    text: str
    test_line: int

    def with_implementation(self, implementation: str) -> "Joined":
        """The same script around another implementation."""
        rest = self.text[len(self.implementation) :]
        moved = implementation.count("\n") - self.implementation.count("\n")
        return Joined(implementation, implementation + rest, self.test_line + moved)


def join(block: Block) -> Joined:
    """Implementation and test with a blank line between them, as the files' own tool runs them.

    That tool stored implementation and test together as the implementation of blocks it had repaired; there the copy of
    the test is the test. Line ends are made those of Python's own reading ("\\n").
    """
    code, test = (re.sub(r"\r\n?", "\n", text) for text in (block.implementation, block.test))
    if not test.strip():
        return Joined(code, code, code.count("\n") + 2)
    if code.rstrip().endswith("\n" + test.strip()):
        implementation = code.rstrip()[: -len(test.strip())]
        return Joined(implementation, code, implementation.count("\n") + 1)
    return Joined(code, f"{code}\n\n{test}", code.count("\n") + 3)


def place(joined: Joined, line: int) -> str:
    """Where a line of the script is: ``implementation:12`` or ``test:3``."""
    if line >= joined.test_line:
        return f"test:{line - joined.test_line + 1}"
    return f"implementation:{line}"


def imports(joined: Joined) -> tuple[str, ...]:
    """The dotted names of modules that the script imports anywhere, also by a literal ``import_module``.

    A script that can't be parsed is searched for import statements line by line.
    """
    tree = _parsed(joined.text)
    if tree is None:
        found = set(re.findall(r"^[ \t]*(?:from|import)[ \t]+([A-Za-z_][\w.]*)", joined.text, re.M))
    else:
        found = {name for node in ast.walk(tree) for name in _imported(node)}
    return tuple(sorted(found))


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
    elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        value = node.args[0].value
        if (
            name in {"import_module", "__import__"}
            and isinstance(value, str)
            and re.fullmatch(r"[A-Za-z_][\w.]*", value)
        ):
            yield value


def checks(test: str) -> int:
    """How many places of a test could fail it by judging: assert statements, assert functions, raise statements.

    An assert of a constant judges nothing. 0 for a test that can't be parsed.
    """
    tree = _parsed(test)
    return sum(_judges(node) for node in ast.walk(tree)) if tree else 0


def _judges(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant | ast.Tuple)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return _CHECK_CALL.match(name.lower()) is not None
    return isinstance(node, ast.Raise)


def _parsed(text: str) -> ast.Module | None:
    try:
        return parse(text)
    except NotPython3:
        return None
