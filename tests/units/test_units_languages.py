"""Each other language: symbols, owners, documentation, calls."""

import pytest

from kg.models.code import CodeUnit
from tests.units.conftest import Read

Expected = list[tuple[str, str]]


def shown(found: tuple[CodeUnit, ...]) -> Expected:
    return [(unit.symbol, unit.kind) for unit in found]


def only(read: Read, name: str, source: str) -> dict[str, CodeUnit]:
    return {unit.id.partition("#")[2]: unit for unit in read({name: source}).units}


JAVA = """package a.b;
import java.util.*;
import a.c.Sort;
/** Scales. */
public enum Scale implements Fn {
    /** Sine. */
    K_1 { @Override public double k(double q) { return Math.asin(2 * q); } },
    PLAIN;
    abstract double k(double q);
    static double fast(double x) { return bound(x); }
}
class Digest extends Base implements Fn, Other {
    Digest(int size) { super(size); }
    void add(double x) { this.tree.add(x); new Sort<Integer>(x).run(); }
    void add(double x, int w) { Runnable r = new Runnable() { public void run() { } }; }
}
record Pair(int a, int b) { Pair { check(a); } }
interface Fn { double k(double q); default void d() { } }
"""


def test_java(read: Read) -> None:
    found = only(read, "Scale.java", JAVA)
    assert [(key, unit.kind) for key, unit in found.items()] == [
        ("Scale", "class"),
        ("Scale.K_1", "constant"),
        ("Scale.K_1.k", "method"),
        ("Scale.fast", "method"),
        ("Digest", "class"),
        ("Digest.Digest", "method"),
        ("Digest.add@14", "method"),
        ("Digest.add@15", "method"),
        ("Pair", "class"),
        ("Pair.Pair", "method"),
        ("Fn", "class"),
        ("Fn.d", "method"),
    ]
    assert found["Scale"].docstring == "Scales."
    assert found["Scale.K_1"].docstring == "Sine."
    assert found["Scale.K_1.k"].signature == "public double k(double q)"
    assert found["Scale.K_1.k"].calls == ("Math.asin",)
    assert found["Digest"].bases == ("Base", "Fn", "Other")
    assert found["Digest.add@14"].calls == ("this.tree.add", "run", "Sort")
    assert found["Digest.add@14"].imports == ("a.c.Sort", "java.util")


GO = """package p
import (
\t"fmt"
\tm "math/rand"
)
// Queue holds
// things.
type Queue[T any] struct { Base; items []T }
type Store interface { Get(k string) int }
// Push adds.
func (q *Queue[T]) Push(x T) { go func() { fmt.Println(x) }(); q.log.Write(x) }
func (s plain) String() string { return m.Name() }
func Map(f func(int) int) int { return f(1) }
var handler = func(x int) int { return x }
"""


def test_go(read: Read) -> None:
    found = only(read, "queue.go", GO)
    assert list(found) == ["Queue", "Store", "Queue.Push", "plain.String", "Map", "handler"]
    assert found["Queue"].docstring == "Queue holds\nthings."
    assert found["Queue"].bases == ("Base",)
    assert found["Queue"].signature == "type Queue[T any] struct"
    push = found["Queue.Push"]
    assert (push.parent, push.docstring) == ("queue.go#Queue", "Push adds.")
    assert push.calls == ("fmt.Println", "q.log.Write")
    assert push.imports == ("fmt", "math/rand")
    assert found["plain.String"].parent is None


CPP_HEADER = """#pragma once
#include "base.h"
namespace tree::core {
/// A node.
template <typename T>
class Node : public Base<T>, private other::Thing {
 public:
  /** Makes one. */
  explicit Node(int size);
  /** Splits it. */
  Node<T>* split(int at) const;
  bool operator==(const Node& o) const { return id == o.id; }
  struct Inner { void run() { go(); } };
};
}
"""
CPP = """#include "node.h"
#include <vector>
using namespace tree::core;
template <typename T> Node<T>::Node(int size) : size(size) { init(); }
template <typename T>
Node<T>* Node<T>::split(int at) const { this->move(at); return new Node<T>(other::make<T>(at)); }
namespace tree { int core::count(int x) { return x; } }
tree::core::Node<int>::~Node() {}
static std::vector<int>& pick(int (*f)(int)) { return *f(1); }
extern "C" { int entry(void) { return 0; } }
#define SQUARE(x) ((x) * (x))
"""


def test_cpp(read: Read) -> None:
    codebase = read({"src/node.h": CPP_HEADER, "src/node.cc": CPP})
    found = {unit.id: unit for unit in codebase.units}
    assert [i.removeprefix("src/node.") for i in found] == [
        "cc#Node.Node",
        "cc#Node.split",
        "cc#count",
        "cc#Node.~Node",
        "cc#pick",
        "cc#entry",
        "cc#SQUARE",
        "h#Node",
        "h#Node.operator==",
        "h#Node.Inner",
        "h#Node.Inner.run",
    ]
    node = found["src/node.h#Node"]
    assert node.docstring == "A node."
    assert node.text.startswith("template <typename T>\nclass Node")
    assert node.bases == ("Base<T>", "other::Thing")
    split = found["src/node.cc#Node.split"]
    assert split.docstring == "Splits it."
    assert split.parent == node.id
    assert split.calls == ("this.move", "Node", "other.make")
    assert split.imports == ("node.h", "vector")
    assert split.signature == "template <typename T> Node<T>* Node<T>::split(int at) const"


def test_c_by_its_own_grammar(read: Read) -> None:
    source = (
        "#include <x.h>\ntypedef struct { int class; } point;\nstruct list { int n; };\n"
        "/* Sorts. */\nstatic int *sort(struct list *new, int (*cmp)(int)) { this_(new->n); new->go(1); return 0; }\n"
    )
    found = only(read, "sort.c", source)
    assert shown(tuple(found.values())) == [("point", "class"), ("list", "class"), ("sort", "function")]
    assert (found["sort"].docstring, found["sort"].calls) == ("Sorts.", ("this_", "new.go"))


@pytest.mark.parametrize(
    ("source", "language"),
    [("int f(int class) { return class; }\n", "c"), ("namespace a { int f() { return 1; } }\n", "c++")],
)
def test_headers_are_read_as_what_they_are(read: Read, source: str, language: str) -> None:
    assert [(unit.symbol, unit.language) for unit in read({"x.h": source}).units] == [("f", language)]


def test_cuda(read: Read) -> None:
    source = "// Adds.\n__global__ void add(float* x) { x[0] = f(1); }\nvoid run() { add<<<1, 2>>>(p); }\n"
    found = only(read, "add.cu", source)
    assert list(found) == ["add", "run"]
    assert (found["add"].language, found["add"].docstring, found["add"].calls) == ("cuda", "Adds.", ("f",))
    assert found["run"].calls == ("add",)


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        (
            "a.js",
            "import x from './y'\n"
            "export class A extends B { #p() { q() } m = () => 1 }\n"
            "const f = async (z) => z.go()\n"
            "A.prototype.n = function () {}\n",
            [("A", "class"), ("A.#p", "method"), ("A.m", "method"), ("f", "function"), ("A.prototype.n", "method")],
        ),
        (
            "a.ts",
            "interface I { z(): void }\n"
            "abstract class D<T> extends E<T> { run(x: number): T { return this.q() } }\n"
            "enum C { A }\n"
            "function g() {}\n",
            [("I", "class"), ("D", "class"), ("D.run", "method"), ("C", "class"), ("g", "function")],
        ),
        (
            "a.jl",
            '"""Doc."""\n'
            "function f(x::Int; y=2) where T\n"
            "  g(x)\n"
            "end\n"
            "h(x) = x + g(x)\n"
            "struct S{T} <: Q\n"
            "  S(a) = new(a)\n"
            "end\n"
            "Base.show(io::IO) = print(io)\n",
            [("f", "function"), ("h", "function"), ("S", "class"), ("S.S", "method"), ("Base.show", "method")],
        ),
        (
            "a.R",
            "library(foo)\nf <- function(x) { g(x); a$b(2) }\nk = function() 1\nx <- f(1)\ny <- k()\nprint(x + y)\n",
            [("f", "function"), ("k", "function"), ("<module>", "script")],
        ),
        (
            "a.rs",
            "use a::b;\n"
            "mod m {\n"
            "  /// Doc.\n"
            "  #[inline]\n"
            "  pub fn f<T>(x: T) { g(x); }\n"
            "}\n"
            "struct S<T> { a: T }\n"
            "impl<T> Tr for S<T> { fn q(&self) { self.r() } }\n"
            "trait Tr { fn q(&self); fn d(&self) {} }\n",
            [("f", "function"), ("S", "class"), ("S.q", "method"), ("Tr", "class"), ("Tr.d", "method")],
        ),
        (
            "a.lua",
            "-- Doc.\nlocal function f(x) return g(x) end\nfunction M:go() end\nM.k = function(x) end\nrequire 'x.y'\n",
            [("f", "function"), ("M.go", "method"), ("M.k", "method")],
        ),
        (
            "a.f90",
            "module m\ncontains\n! Doc.\n"
            "subroutine f(x)\n  call g(x)\nend subroutine\nend module\nprogram p\n call f(1)\nend\n",
            [("f", "function"), ("p", "function")],
        ),
        (
            "a.scala",
            "import b.c\n/** Doc. */\nclass A(x: Int) extends B { def f(y: Int): Int = g(y) }\n"
            "object O { def h = k.l(1) }\n",
            [("A", "class"), ("A.f", "method"), ("O", "class"), ("O.h", "method")],
        ),
        (
            "a.cs",
            "using A.B;\nnamespace N {\n/// Doc.\n"
            "class C : D { C(int x) {} int F() { return this.G(); } }\nrecord R(int a); }\n",
            [("C", "class"), ("C.C", "method"), ("C.F", "method"), ("R", "class")],
        ),
        (
            "a.m",
            "function [a, b] = f(x, y)\n% Doc.\na = g(x);\nend\n",
            [("f", "function")],
        ),
    ],
)
def test_other_languages(read: Read, name: str, source: str, expected: Expected) -> None:
    found = read({name: source})
    assert shown(found.units) == expected
    assert not found.warnings
    documented = {unit.docstring for unit in found.units}
    assert ("Doc." in documented) == ("Doc." in source)
