"""Steps get a verb, an object, and nothing they do not need."""

from extract_documents import read

from ingest.extract.outline import outline
from ingest.extract.sentences import sentences
from ingest.extract.steps import algorithm_steps, steps


def found(text: str) -> list[str]:
    reading = read("\\section{Method} " + text)
    return [candidate.name for candidate in steps(sentences(reading, outline(reading)))]


def test_what_we_do() -> None:
    assert found("We then compute the gradient of the loss.") == ["computing the gradient of the loss"]


def test_by_doing() -> None:
    assert "sampling the imputed path" in " ".join(found("It is filled by sampling the imputed path at fixed times."))


def test_passive_with_a_tied_subject() -> None:
    assert found("The subtypes of each family are updated after selection.") == ["updating the subtypes of each family"]


def test_what_is_used_is_named_by_its_noun() -> None:
    assert found("We use a stratified merge in every pass.") == ["stratified merge"]


def test_negations_and_empty_objects_say_nothing() -> None:
    assert found("We do not compute the gradient of the loss.") == []
    assert found("We then compute the results.") == []


def test_pseudo_code_keeps_its_lines_apart_and_placed() -> None:
    lines = "\\STATE select parents based on fitness\n\\STATE $x = 1$\n\\STATE shrink the mutation space"
    source = f"\\begin{{algorithm}}{lines}\\end{{algorithm}}"
    reading = read(source)
    found = algorithm_steps(reading, outline(reading))
    assert [step.name for step in found] == ["selecting parents based on fitness", "shrinking the mutation space"]
    assert source[found[1].start : found[1].end] == "shrink the mutation space"
