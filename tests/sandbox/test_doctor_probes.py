"""The doctor's probes can fail: run without a sandbox, they find everything open."""

import pytest

from agents.execution.sandbox.doctor import findings
from agents.execution.sandbox.unsafe_local import UnsafeLocal
from kg.config import load_settings


@pytest.fixture(scope="module")
def found() -> dict[str, bool]:
    return {finding.protection: finding.holds for finding in findings(UnsafeLocal(), load_settings())}


def test_every_protection_is_tried(found: dict[str, bool]) -> None:
    assert len(found) == 11


def test_a_plain_process_is_found_to_be_open_in_all(found: dict[str, bool]) -> None:
    assert [protection for protection, holds in found.items() if holds] == []
