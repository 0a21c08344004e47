"""Which files of a wheel belong to a module."""

from pathlib import Path

from agents.code.modules.data import wheel_parts
from agents.execution.environments import Rescue

TAKEN = {
    "src/pkg/fast.so": "pkg/fast.so",
    "src/pkg.libs/libz.so.1": "pkg.libs/libz.so.1",
    "src/pkg/deep/table.csv": "pkg/deep/table.csv",
    "src/other/fast.so": "other/fast.so",
    "top.txt": "top.txt",
}


def test_parts_of_the_modules_own_packages_are_taken_and_no_others() -> None:
    rescue = Rescue(name="own wheel", taken=TAKEN, site=Path("/wheel"))
    assert wheel_parts(["pkg/__init__.py", "pkg/a.py"], [rescue]) == {
        "pkg/fast.so": Path("/wheel/pkg/fast.so"),
        "pkg.libs/libz.so.1": Path("/wheel/pkg.libs/libz.so.1"),
        "pkg/deep/table.csv": Path("/wheel/pkg/deep/table.csv"),
    }


def test_a_rescue_without_a_wheel_has_none() -> None:
    assert wheel_parts(["pkg/a.py"], [Rescue(name="version stub", files={"pkg/_version.py": b""})]) == {}
