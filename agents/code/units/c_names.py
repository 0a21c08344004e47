"""Names of C and C++ definitions, which stand inside of nested declarators."""

import re
from collections.abc import Callable

from tree_sitter import Node

__all__ = ["C_FAMILY", "declared_name", "namespaces"]

C_FAMILY = frozenset({"c", "cpp", "cuda"})
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


def namespaces(data: bytes) -> frozenset[str]:
    """Names of the namespaces that a file opens or uses; like a Java package they are no part of a symbol."""
    found = (match.group(1).decode("ascii", "ignore") for match in _NAMESPACE.finditer(data))
    return frozenset(part.strip() for names in found for part in names.split("::"))


def declared_name(definition: Node, read: Callable[[Node], str]) -> list[str]:
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
