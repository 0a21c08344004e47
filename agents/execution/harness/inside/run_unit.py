"""Imports a unit from its module and hands it over: ``run_unit.py IMPORT_NAME SYMBOL [STATEMENT]...``.

Each STATEMENT is run as at Python's prompt, with the module's names at hand and the unit under its own; without one,
what the unit is gets printed. Standard library only; runs on Python 3.6 and later.
"""

import importlib
import inspect
import sys


def find(module, symbol):
    """The object that `symbol` ("Class.method") names in `module`; the module itself for ""."""
    found = module
    for part in symbol.split(".") if symbol else ():
        found = getattr(found, part)
    return found


def describe(found, name):
    """Kind, signature and first line of the documentation."""
    try:
        signature = str(inspect.signature(found))
    except (TypeError, ValueError):
        signature = ""
    document = (inspect.getdoc(found) or "").strip().split("\n")[0]
    return "{} {}{}{}".format(type(found).__name__, name, signature, ": " + document if document else "")


def main():
    """Import, then run the statements or describe."""
    import_name, symbol = sys.argv[1:3]
    statements = sys.argv[3:]
    sys.path.insert(0, "")
    module = importlib.import_module(import_name)
    found = find(module, symbol)
    names = dict(vars(module))
    names[symbol.rsplit(".", 1)[-1] or import_name.rsplit(".", 1)[-1]] = found
    if not statements:
        print(describe(found, symbol or import_name))
    for statement in statements:
        exec(compile(statement + "\n", "<statement>", "single"), names)  # noqa: S102 -- the person's own statements, in the sandbox


if __name__ == "__main__":
    main()
