"""Names that a file gives to modules of Python and their parts, spelled out: ``from sys import modules as m`` makes of
``m`` what people know as ``sys.modules``, and a question that is asked by another name is still one."""

import ast

__all__ = ["spelled"]

_MODULES = {"inspect", "locale", "logging", "os", "platform", "shutil", "sys", "threading", "time", "traceback"}


def spelled(tree: ast.Module) -> ast.Module:
    """The same tree, with such names spelled out, but for those that are bound again somewhere."""
    meant: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            meant |= {one.asname: (one.name, "") for one in node.names if one.asname and one.name in _MODULES}
        elif isinstance(node, ast.ImportFrom) and node.module in _MODULES and not node.level:
            meant |= {one.asname or one.name: (node.module, one.name) for one in node.names}
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} if meant else set()
    meant = {name: parts for name, parts in meant.items() if name not in bound}
    return _Spelling(meant).visit(tree) if meant else tree


class _Spelling(ast.NodeTransformer):
    def __init__(self, meant: dict[str, tuple[str, str]]) -> None:
        self.meant = meant

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.meant:
            return node
        module, part = self.meant[node.id]
        whole: ast.expr = ast.copy_location(ast.Name(module, ast.Load()), node)
        return ast.copy_location(ast.Attribute(whole, part, ast.Load()), node) if part else whole
