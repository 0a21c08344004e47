"""Each way in which Python code leans on the rest of its repository, cut out, and run where nothing else is."""

import pytest
from module_cases import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_module_runs_alone_and_lists_what_comes_from_outside(repository, case: Case) -> None:
    repo = repository(case.files)
    module = repo.slice(case.unit)
    assert module.problems == ()
    assert module.third_party == tuple(case.third_party)
    assert repo.call(module, *case.arguments) == case.result
    for path, text in module.files.items():
        for word in case.absent:
            assert word not in text, (path, word)
