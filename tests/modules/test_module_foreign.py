"""C, C++, Go and Java: includes and packages of the repository come along, from outside only names."""


def test_c_brings_its_includes(repository) -> None:
    module = repository(
        {
            "src/a.c": '#include <stdio.h>\n#include <gmp.h>\n#include "b.h"\n#include "gone.h"\n'
            "int f(void) { return B; }\n",
            "include/b.h": '#include "deep/c.h"\n#define B C\n',
            "include/deep/c.h": '#include "../b.h"\n#define C 1\n',
            "include/other.h": "#define OTHER 1\n",
        }
    ).slice("src/a.c#f")
    assert list(module.files) == ["include/b.h", "include/deep/c.h", "src/a.c"]
    assert module.files["src/a.c"].startswith("// from src/a.c:1-6\n")
    assert module.third_party == ("gmp.h",)
    assert module.problems == ("not in the repository: gone.h (included in src/a.c)",)


def test_go_brings_its_packages(repository) -> None:
    module = repository(
        {
            "go.mod": "module example.org/m\n\ngo 1.18\n",
            "calc/add.go": 'package calc\n\nimport (\n\t"fmt"\n\t"example.org/m/deep"\n'
            '\t"golang.org/x/sync/errgroup"\n)\n\n'
            "func Add(a int) int { fmt.Println(errgroup.Group{}); return deep.One() + more() + a }\n",
            "calc/more.go": "package calc\n\nfunc more() int { return 1 }\n",
            "calc/add_test.go": "package calc\n",
            "deep/deep.go": "package deep\n\nfunc One() int { return 1 }\n",
            "other/other.go": "package other\n",
        }
    ).slice("calc/add.go#Add")
    assert list(module.files) == ["calc/add.go", "calc/more.go", "deep/deep.go", "go.mod"]
    assert module.third_party == ("golang.org/x/sync",)
    assert module.problems == ()


def test_java_brings_its_package_and_imports(repository) -> None:
    module = repository(
        {
            "src/org/a/A.java": "package org.a;\nimport java.util.List;\nimport org.b.B;\nimport com.other.Thing;\n"
            "class A { int f() { return new B().g() + new C().h(); } }\n",
            "src/org/a/C.java": "package org.a;\nclass C { int h() { return 1; } }\n",
            "src/org/b/B.java": "package org.b;\npublic class B { public int g() { return 1; } }\n",
            "src/org/d/D.java": "package org.d;\nclass D {}\n",
        }
    ).slice("src/org/a/A.java#A.f")
    assert list(module.files) == ["src/org/a/A.java", "src/org/a/C.java", "src/org/b/B.java"]
    assert module.third_party == ("com.other.Thing",)
