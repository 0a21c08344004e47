"""Whatever the bytes are: no exception, exact spans, unique ids, the same answer twice."""

import json
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.code.units import call_graph, read_units
from agents.code.units.files import LANGUAGES

PYTHON = b"""import a
class A(b.C):
    'Doc.'
    @d
    def f(self, x=1):
        return self.g(x)
x = [f(1)]
run(x)
go()
"""
CELLS = [{"cell_type": "code", "source": ["def f(x):\n", "  return g(x)\n", "%m\n", "f(1)"]}]
CPP = b"""namespace a { template<class T> class F : public B<T> { void g() { h(); } }; }
int a::F::z(int x) { return x->y(); }
"""
SEEDS = {
    ".py": PYTHON,
    ".ipynb": json.dumps({"cells": CELLS}).encode(),
    ".java": b"/** D */ enum S { A { double k() { return f(); } }; S() {} } record R(int a) {}\n",
    ".go": b'package p\nimport "fmt"\n// D\ntype T struct { B }\nfunc (t *T) M() { fmt.P() }\nvar f = func() {}\n',
    ".cpp": CPP,
    ".c": b"/* D */ static int *f(int x) { return g(x); }\ntypedef struct { int a; } T;\n#define M(x) (x)\n",
    ".h": b"struct S { int f(); };\n",
    ".cu": b"__global__ void k() { f<<<1,2>>>(); }\n",
    ".js": b"class A extends B { m() { this.q() } }\nconst f = (x) => g(x)\n",
    ".tsx": b"export const A = () => <p>{f()}</p>\n",
    ".ts": b"interface I { z(): void }\nfunction g(x: number) { return h(x) }\n",
    ".jl": b'"""D"""\nfunction f(x) where T\n g(x)\nend\nstruct S{T} <: Q end\n',
    ".r": b"f <- function(x) { g(x) }\n",
    ".rs": b"impl T for S<U> { fn q(&self) { m!(1) } }\n",
    ".lua": b"-- D\nfunction M:c(x) self:go(x) end\nM.k = function(x) end\n",
    ".f90": b"! D\nsubroutine f(x)\n  call g(x)\nend subroutine\n",
    ".scala": b"/** D */ class A(x: Int) extends B { def f(y: Int): Int = g(y) }\n",
    ".cs": b"namespace N { class C : D { C(int x) {} int F() { return this.G(); } } }\n",
    ".m": b"function a = f(x)\n% D\na = g(x);\nend\n",
}
JUNK = [
    b"",
    b"(",
    b"}",
    b"\r",
    b"\n",
    b"\xff",
    "é".encode(),
    b"\x0c",
    b"'''",
    b"/*",
    b"{",
    b"\\",
    b"\xef\xbb\xbf",
    b"\t",
    b"#",
]


@st.composite
def files(draw: st.DrawFn) -> tuple[str, bytes]:
    """A language's seed with some stretches replaced by junk."""
    suffix = draw(st.sampled_from(sorted(SEEDS)))
    data = SEEDS[suffix]
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 9)))
        data = data[:start] + draw(st.sampled_from(JUNK) | st.binary(max_size=4)) + data[end:]
    return suffix, data


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files())
def test_units_of_any_bytes(tmp_path: Path, file: tuple[str, bytes]) -> None:
    suffix, data = file
    for old in tmp_path.iterdir():
        old.unlink()
    (tmp_path / f"x{suffix}").write_bytes(data)
    codebase = read_units(tmp_path)
    encoding = "latin-1" if any("not UTF-8" in warning for warning in codebase.warnings) else "utf-8"
    for unit in codebase.units:
        assert 0 <= unit.start < unit.end <= len(data)
        assert 1 <= unit.line <= unit.end_line
        assert unit.symbol.endswith(unit.name) and unit.id.startswith(f"x{suffix}#{unit.symbol}")
        if suffix != ".ipynb":
            assert data[unit.start : unit.end].decode(encoding, "replace") == unit.text
    ids = {unit.id for unit in codebase.units}
    assert len(ids) == len(codebase.units)
    assert {unit.parent for unit in codebase.units} <= {None, *ids}
    assert all(call.caller in ids and call.callee in ids for call in call_graph(codebase))
    assert read_units(tmp_path) == codebase


def test_every_language_has_a_seed() -> None:
    covered = {LANGUAGES[suffix] for suffix in SEEDS}
    assert covered == set(LANGUAGES.values())
