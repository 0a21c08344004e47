"""Components come first, each unit once, and who is a component of whom is told by the nearest technique with code."""

from ingest.rewriting.order import arrange, module_file
from kg.results.rewrite import RewriteTask


def row(technique: str, code: str, *above: str, commit: str = "c") -> RewriteTask:
    return RewriteTask(
        technique=technique, name=technique, definition="", paper="local:p", above=list(above), code=code,
        unit_name=code, repository="folder:r", commit=commit, language="python", text_sha256=None, implementation="",
    )  # fmt: skip


def test_components_come_before_what_they_are_components_of() -> None:
    rows = [row("root", "a"), row("step", "b", "root"), row("inner", "c", "step", "root"), row("other", "d", "root")]
    found = {each.code: each.parts for each in arrange(rows)}
    assert list(found) == ["c", "b", "d", "a"]
    assert found == {"a": ("b", "d"), "b": ("c",), "c": (), "d": ()}
    assert [each.code for each in arrange(rows[::-1])] == list(found)


def test_a_technique_without_code_is_passed_through() -> None:
    found = {each.code: each.parts for each in arrange([row("root", "a"), row("leaf", "b", "bare", "root")])}
    assert found == {"b": (), "a": ("b",)}


def test_a_unit_of_several_techniques_is_made_once_and_is_no_part_of_itself() -> None:
    rows = [row("root", "a"), row("step", "a", "root"), row("inner", "b", "step", "root")]
    found = arrange(rows)
    assert [(each.code, each.parts, len(each.rows)) for each in found] == [("b", (), 1), ("a", ("b",), 2)]


def test_components_of_each_other_end() -> None:
    rows = [row("t", "a"), row("u", "b", "t"), row("v", "b"), row("w", "a", "v")]
    found = {each.code: each.parts for each in arrange(rows)}
    assert found == {"b": (), "a": ("b",)}


def test_parts_are_of_the_same_commit() -> None:
    (part, whole) = arrange([row("root", "a"), row("step", "b", "root", commit="d")])
    assert (part.code, whole.parts) == ("b", ())


def test_names_of_modules_are_their_own() -> None:
    one = module_file("folder:r@c1:a/core.py#Box.fit", "Box.fit")
    assert one == module_file("folder:r@c2:a/core.py#Box.fit", "Box.fit"), "the commit is no matter"
    assert one != module_file("folder:r@c1:b/core.py#Box.fit", "Box.fit")
    assert one.startswith("module_box_fit_")
    assert module_file("x", "é/../;").removesuffix(".py").isidentifier()
