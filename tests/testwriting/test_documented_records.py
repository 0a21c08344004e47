"""Forms of records that a repository's documentation shows, for code that looks up their keys."""

from pathlib import Path

import pytest

from agents.testwriting.records import documented_records

CODE = "def f(claim):\n    return [claim['evidence'][key]['label'] for key in claim['cited']] + [claim.get('id')]\n"
RECORD = '{\n  "id": 1,\n  "evidence": {"7": {"label": "S"}},\n  "cited": [7, 8]\n}\n'
DOCUMENT = f"# Data\n\nA claim with one document:\n\n```json\n{RECORD}```\n\n```sh\nmake id evidence\n```\n"


def test_a_record_with_keys_that_are_looked_up_is_shown_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "doc").mkdir()
    (tmp_path / "doc/data.md").write_text(DOCUMENT)
    said = f"RECORDS, as doc/data.md shows them: A claim with one document:\n{RECORD.rstrip()}"
    assert documented_records(tmp_path, CODE) == [said]


def test_those_with_most_of_the_keys_come_first_and_two_are_enough(tmp_path: Path) -> None:
    parts = [f"```\n{{{text}}}\n```\n" for text in (
        "'id': 1, 'label': 2", "'id': 1, 'label': 2, 'cited': 3", "'id': 1, 'label': 2, 'cited': 3, 'evidence': 4",
    )]  # fmt: skip
    (tmp_path / "README.md").write_text("\n".join(parts))
    found = documented_records(tmp_path, CODE)
    assert [one.partition("\n")[2].count(":") for one in found] == [4, 3]


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    return x['id']\n",
        "def f(x):\n    return x.id + x.label\n",
        "def f(x):\n    x['label'] = x['id'] == x['id']\n    x['evidence'] = 3\n",
    ],
)
def test_code_that_looks_up_less_than_two_keys_has_none(tmp_path: Path, code: str) -> None:
    (tmp_path / "data.md").write_text(DOCUMENT)
    assert documented_records(tmp_path, code) == []


def test_nothing_outside_the_folder_and_nothing_hidden_is_read(tmp_path: Path) -> None:
    inside = tmp_path / "repository"
    (inside / ".github").mkdir(parents=True)
    (tmp_path / "secret.md").write_text(DOCUMENT)
    (inside / ".github/data.md").write_text(DOCUMENT)
    (inside / "data.md").symlink_to(tmp_path / "secret.md")
    (inside / "up").symlink_to(tmp_path)
    (inside / "large.md").write_text(DOCUMENT + "x" * 200_000)
    assert documented_records(inside, CODE) == []
