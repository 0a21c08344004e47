"""Whether a source that is said to be safe for threads guards what several of them would change at once."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from agents.code.verify.docstrings import sentences
from agents.code.verify.possible import Possible, base_of, last

__all__ = ["is_unguarded", "threads_said"]

_SAFE = re.compile(
    r"(?i)\bthread[- ]?safe(?:ty|ly)?\b|\bsafe (?:to (?:use|call|share) (?:from|by|in|between|across)"
    r"|for|across|between) (?:\w+ )?(?:threads|concurrent (?:use|access|calls))\b"
)
_UNSURE = re.compile(
    r"(?i)\b(?:not?|never|un|non|isn|unless|if|when|where|while|until|provided|as long|only|except|should|must|may"
    r"|might|callers?|users?|todo|almost|mostly|partly|long as|reads?|reading)\b|n't\b|\bun-?safe|\?"
)
_GUARD = re.compile(
    r"(?i)lock|mutex|semaphore|condition|thread|atomic|synchroni|barrier|monitor|queue|deque|guard|critical|con"
    r"curren|multiprocess|async|context|local|cas\b|compare_and|exclusive|acquire|transaction|redis|sqlite|cursor"
    r"|connection|actor|immutable|frozen"
)
"""In names: what makes changes wait for each other, or leaves none to share."""
_MAKING = {"__init__", "__new__", "__post_init__", "__setstate__", "__init_subclass__"}
_PLAIN = {"object", "ABC", "Generic", "Protocol", "dataclass", "property", "staticmethod", "classmethod", "wraps"}


def threads_said(docstring: str) -> str:
    """The sentence that says without condition that threads may share it; empty if there is none."""
    return next((one for one in sentences(docstring) if _SAFE.search(one) and not _UNSURE.search(one)), "")


def is_unguarded(known: Possible, owner: ast.AST, changing: ast.AST, reached: Sequence[ast.AST]) -> bool:
    """Whether `changing`, a class or one of its methods, makes a value of the object from what it was, and nothing
    that `owner`, the class, reaches can guard that."""
    outside = [name for name in _above(owner) if name not in known.named and name not in _PLAIN]
    parts = [part for node in reached for part in ast.walk(node)]
    names = (getattr(part, "id", None) or getattr(part, "attr", None) or getattr(part, "arg", None) for part in parts)
    if outside or any(isinstance(part, ast.With | ast.AsyncWith | ast.Await) for part in parts):
        return False
    return not any(name and _GUARD.search(name) for name in names) and any(
        _changes(method) for method in _methods(changing) if method.name not in _making(owner, parts)
    )


def _above(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.ClassDef):
            yield from (base_of(base) for base in part.bases)
            yield from (last(keyword.value) for keyword in part.keywords)
        if isinstance(part, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (last(call.func if isinstance(call := one, ast.Call) else one) for one in part.decorator_list)


def _methods(node: ast.AST) -> list[ast.FunctionDef]:
    found = (
        [node] if isinstance(node, ast.FunctionDef) else [p for p in ast.walk(node) if isinstance(p, ast.FunctionDef)]
    )
    return [method for method in found if method.name not in _MAKING]


def _making(owner: ast.AST, parts: Sequence[ast.AST]) -> set[str]:
    """Methods that run while an object is made, before any thread has it: the private ones that nothing but such
    methods calls, of all that is reached."""
    all_parts = {id(part): part for part in (*parts, *ast.walk(owner))}.values()
    named = Counter(part.attr for part in all_parts if isinstance(part, ast.Attribute))
    methods = [part for part in ast.walk(owner) if isinstance(part, ast.FunctionDef)]
    making, known = set(_MAKING), 0
    while known < len(making):
        known = len(making)
        called = Counter(
            part.func.attr
            for method in methods if method.name in making
            for part in ast.walk(method) if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
        )  # fmt: skip
        making |= {name for name, times in called.items() if re.match(r"_\w*(?<!__)$", name) and times == named[name]}
    return making


def _changes(method: ast.FunctionDef) -> bool:
    """Whether it reads a value of its object and writes one made of it: another thread may have written between."""
    for part in ast.walk(method):
        if isinstance(part, ast.AugAssign) and _attribute(part.target):
            return True
        if isinstance(part, ast.Assign):
            written = set(filter(None, map(_attribute, part.targets)))
            if written & {_attribute(value) for value in ast.walk(part.value)}:
                return True
    return False


def _attribute(node: ast.AST) -> str:
    """The attribute of `self` that is meant, by itself or one of its items."""
    while isinstance(node, ast.Subscript):
        node = node.value
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return node.attr if own and isinstance(node, ast.Attribute) else ""
