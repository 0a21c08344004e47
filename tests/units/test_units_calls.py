"""Called names resolved to units."""

from agents.code.units import call_graph
from tests.units.conftest import Files, Read


def edges(read: Read, files: Files) -> list[tuple[str, str, str, int]]:
    return [(call.caller, call.callee, call.via, call.definitions) for call in call_graph(read(files))]


def test_the_same_file_comes_first(read: Read) -> None:
    files: Files = {"a.py": "def f(): return g()\ndef g(): pass\n", "b.py": "def g(): pass\n"}
    assert edges(read, files) == [("a.py#f", "a.py#g", "file", 1)]


def test_then_what_is_imported(read: Read) -> None:
    files: Files = {
        "src/p/a.py": "from p.b import g\nfrom .c import h\nimport p.d as q\ndef f():\n    g(); h(); q.k()\n",
        "src/p/b.py": "def g(): pass\n",
        "src/p/c.py": "def h(): pass\n",
        "src/p/d.py": "def k(): pass\n",
        "other.py": "def g(): pass\ndef h(): pass\ndef k(): pass\n",
    }
    assert [(callee, via) for _, callee, via, _ in edges(read, files)] == [
        ("src/p/b.py#g", "import"),
        ("src/p/c.py#h", "import"),
        ("src/p/d.py#k", "import"),
    ]


def test_then_the_name_alone_up_to_six(read: Read) -> None:
    def repository(count: int) -> Files:
        return {"a.py": "def f(x): return x.go()\n"} | {
            f"m{i}.py": f"class C{i}:\n    def go(self): pass\n" for i in range(count)
        }

    assert {call[1:] for call in edges(read, repository(2))} == {(f"m{i}.py#C{i}.go", "name", 2) for i in range(2)}
    assert edges(read, repository(7)) == []


def test_self_means_the_own_class_then_its_bases(read: Read) -> None:
    source = (
        "class A:\n    def run(self): self.step(); self.stop()\n    def step(self): pass\n"
        "class B(A):\n    def run(self): self.stop(); self.step()\n    def stop(self): pass\n"
        "class Z:\n    def step(self): pass\n    def stop(self): pass\n"
    )
    found = edges(read, {"a.py": source})
    assert ("a.py#A.run", "a.py#A.step", "file", 1) in found
    assert ("a.py#B.run", "a.py#B.stop", "file", 1) in found
    assert ("a.py#B.run", "a.py#A.step", "file", 1) in found


def test_modules_from_outside_and_builtins_are_no_calls_within(read: Read) -> None:
    files: Files = {"a.py": "import torch\ndef f(x):\n    torch.norm(x); x.append(1); print(x)\n"}
    files["b.py"] = "class P:\n    def norm(self): pass\n    def append(self): pass\ndef print(x): pass\n"
    assert edges(read, files) == []


def test_code_does_not_call_tests(read: Read) -> None:
    files: Files = {"a.py": "def f(): check()\n", "tests/test_a.py": "def check(): f()\n"}
    assert edges(read, files) == [("tests/test_a.py#check", "a.py#f", "name", 1)]


def test_a_constructor_is_its_class(read: Read) -> None:
    files: Files = {"A.java": "class A { A() {} A(int x) {} }\n", "B.java": "class B { void f() { new A(1); } }\n"}
    assert edges(read, files) == [("B.java#B.f", "A.java#A", "import", 1)]


def test_go_packages_and_c_headers(read: Read) -> None:
    go: Files = {
        "x/a.go": 'package x\nimport "host/owner/mod/y"\nfunc f() { g(); y.Do() }\n',
        "x/b.go": "package x\nfunc g() {}\n",
        "y/c.go": "package y\nfunc Do() {}\n",
        "z/d.go": "package z\nfunc Do() {}\nfunc g() {}\n",
    }
    assert [call[1:3] for call in edges(read, go)] == [("x/b.go#g", "import"), ("y/c.go#Do", "import")]
    c: Files = {
        "m.c": '#include "u/v.h"\nint m() { return v(); }\n',
        "u/v.c": "int v() { return 1; }\n",
        "w.c": "int v() { return 2; }\n",
    }
    assert ("m.c#m", "u/v.c#v", "import", 1) in edges(read, c)
