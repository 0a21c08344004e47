"""What a paper says of a technique is held against the code that is asserted to implement it, and against no other."""

import shutil
from pathlib import Path

import pytest
from judgements import ask

from ingest.pipeline.job import Job
from ingest.pipeline.pipeline import ingest
from ingest.verification.runner import CodeVerdict, select, verify
from kg.config import Settings
from kg.connection import Connection
from kg.store import Store

pytestmark = [pytest.mark.db, pytest.mark.sandbox]

CODE = """\
def similarity(a, b):
    return 1.5 / (1 + abs(a - b))
"""
TEST = """\
from {name} import similarity


def test_similarity():
    assert similarity(2, 2) == 1.5
    assert similarity(4, 1) == 0.375
    assert similarity(1, 3) == 0.5
"""
DEFINITION = "We compare what two people say. The similarity lies between 0 and 1. It is fast."
DEFINED = """
MATCH (c:Code {id: $code})
MERGE (t:Technique {id: 'local:shapes#t/s'}) SET t.name = 'similarity', t.definition = $definition
CREATE (t)-[r:$($type)]->(c) SET r.score = 1.0, r.rank = 1
RETURN c.id
"""


@pytest.fixture
def codes(tmp_path: Path, server_settings: Settings, store: Store) -> dict[str, str]:
    """Ids of two functions of the same text, by the names of their files."""
    paper, code = tmp_path / "paper", tmp_path / "code"
    shutil.copytree(Path(__file__).parent.parent.parent / "examples/reservoir/paper", paper)
    code.mkdir()
    for name in ("ours", "theirs"):
        (code / f"{name}.py").write_text(CODE)
        (code / f"test_{name}.py").write_text(TEST.format(name=name))
    (report,) = ingest([Job(name="s", slug="shapes", paper=str(paper), repo=str(code))], server_settings, store).papers
    assert not report.error, report.error
    found = [row.id for row in select(store, everything=True) if row.id.endswith("#similarity")]
    return {Path(code.partition(":")[2].split(":")[-1].partition("#")[0]).stem: code for code in found}


def _verdicts(store: Store, settings: Settings, codes: dict[str, str]) -> dict[str, CodeVerdict]:
    found = verify(store, settings, select(store, ids=list(codes.values())), force=True, backend="bubblewrap").codes
    return {name: one for name, code in codes.items() for one in found if one.id == code}


def test_a_refuted_sentence_of_the_paper_keeps_its_code_from_verified(
    codes: dict[str, str], store: Store, server_settings: Settings, connection: Connection
) -> None:
    settings = server_settings.replace(verify__mutants=3)
    ask(connection, DEFINED, code=codes["ours"], definition=DEFINITION, type="IMPLEMENTED_BY")
    ask(connection, DEFINED, code=codes["theirs"], definition=DEFINITION, type="MAY_BE_IMPLEMENTED_BY")
    found = _verdicts(store, settings, codes)
    assert found["theirs"].verdict == "verified", "a candidate is no assertion"
    assert found["ours"].verdict == "unverified"
    assert "its paper says: The similarity lies between 0 and 1." in found["ours"].reason
