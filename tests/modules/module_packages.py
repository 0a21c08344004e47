"""Random small packages whose functions lean on each other across files, for comparing slices with the original."""

from dataclasses import dataclass, field

from hypothesis import strategies as st

__all__ = ["Package", "packages"]

STYLES = ("from", "relative", "module", "dotted", "package", "re-export", "star", "late", "late module", "getattr")


@dataclass
class Package:
    """`files` by path, and the functions as (file, name), each without arguments."""

    files: dict[str, str]
    functions: list[tuple[str, str]] = field(default_factory=list)


@dataclass(eq=False)
class _File:
    path: str
    dotted: str
    imports: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)


@st.composite
def packages(draw: st.DrawFn) -> Package:
    """A package "pkg" with a subpackage; functions call ones that were made before them, in any file."""
    paths = ["pkg/a.py", "pkg/b.py", "pkg/sub/c.py", "pkg/sub/d.py", "pkg/e.py"][: draw(st.integers(2, 5))]
    files = [_File(path, path.removesuffix(".py").replace("/", ".")) for path in paths]
    inits = {"pkg": ["pkg/__init__.py"], "pkg.sub": ["pkg/sub/__init__.py"]}
    exported: list[str] = []
    made: list[tuple[_File, str]] = []
    for file in files:
        name = file.path[-4]
        file.body += [f"TABLE_{name} = {{}}", f"LIST_{name} = [{len(name)}]"]
    for number in range(draw(st.integers(2, 7))):
        home = draw(st.sampled_from(files))
        name = f"f{number}"
        terms, late = [str(number + 1)], []
        for target, called in draw(st.lists(st.sampled_from(made), max_size=3, unique=True)) if made else []:
            style = "own" if target is home else draw(st.sampled_from(STYLES))
            terms.append(_call(style, home, target, called, exported, late))
        terms += draw(st.lists(st.sampled_from(_state(home)), max_size=2, unique=True))
        decorator = [f"@put(TABLE_{home.path[-4]})"] if draw(st.booleans()) else []
        if draw(st.integers(0, 3)) == 0:
            home.body.append(f"LIST_{home.path[-4]}.append({number})")
        home.body += [
            *decorator,
            f"def {name}():",
            *(f"    {line}" for line in late),
            f"    return {' + '.join(terms)}",
        ]
        if draw(st.integers(0, 4)) == 0:
            home.body.append(f"TABLE_{home.path[-4]}['{name} again'] = {name}")
        made.append((home, name))
    order = draw(st.permutations(exported))
    texts = {"pkg/__init__.py": "\n".join(dict.fromkeys(order)) + "\n", inits["pkg.sub"][0]: ""}
    texts["pkg/tools.py"] = (
        "def put(table):\n    def inner(f):\n        table[f.__name__] = f\n        return f\n    return inner\n"
    )
    for file in files:
        header = ["from pkg.tools import put", *dict.fromkeys(file.imports)]
        texts[file.path] = "\n".join([*header, "", *file.body]) + "\n"
    return Package(texts, [(file.path, name) for file, name in made])


def _state(home: _File) -> list[str]:
    letter = home.path[-4]
    return [f"len(TABLE_{letter})", f"sum(LIST_{letter})", f"sum(len(k) for k in TABLE_{letter})"]


def _call(style: str, home: _File, target: _File, name: str, exported: list[str], late: list[str]) -> str:
    """An expression in `home` that calls function `name` of `target`; imports are added where the style has them."""
    package, _, module = target.dotted.rpartition(".")
    below = target.dotted.removeprefix("pkg.")
    imports, inside, call = {
        "own": ("", "", f"{name}()"),
        "from": (f"from {target.dotted} import {name}", "", f"{name}()"),
        "relative": (f"from {'.' * home.path.count('/')}{below} import {name} as r_{name}", "", f"r_{name}()"),
        "module": (f"import {target.dotted} as m_{module}", "", f"m_{module}.{name}()"),
        "getattr": (f"import {target.dotted} as m_{module}", "", f"getattr(m_{module}, '{name}')()"),
        "dotted": (f"import {target.dotted}", "", f"{target.dotted}.{name}()"),
        "package": (f"from {package} import {module}", "", f"{module}.{name}()"),
        "re-export": ("", f"from pkg import {name} as x_{name}", f"x_{name}()"),
        "star": (f"from {target.dotted} import *", "", f"{name}()"),
        "late": ("", f"from {target.dotted} import {name} as l_{name}", f"l_{name}()"),
        "late module": ("", f"import pkg, {target.dotted}", f"pkg.{below}.{name}()"),
    }[style]
    home.imports += [imports] if imports else []
    late += [inside] if inside else []
    exported += [f"from {target.dotted} import {name}"] if style == "re-export" else []
    return call
