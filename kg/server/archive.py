"""The class-data archive that halves the start: made once at installation, kept beside the jars, never required.

Two layers, both in the cache so that neither the JRE nor the virtual environment is written to: the JRE's own classes
(`base.jsa`) and on top those that a Neo4j loads on its way up and in a first query (`server.jsa`). An archive fits one
Java and one set of jars; the folder's name says which. A JVM that finds it unfit ignores it.
"""

import hashlib
import os
import subprocess
from pathlib import Path

from kg.errors import ServiceError
from kg.server.jars import class_path, jar_folder
from kg.server.java import Java

__all__ = [
    "archive_arguments",
    "archive_fits",
    "archive_folder",
    "has_archive",
    "make_base_archive",
    "training_arguments",
]


def archive_folder(cache_folder: Path, java: Java) -> Path:
    """The folder of this Java's archives."""
    identity = hashlib.sha256(f"{java.path.resolve()} {java.version} {class_path(cache_folder)}".encode())
    return jar_folder(cache_folder).parent / f"classes-java{java.version}-{identity.hexdigest()[:12]}"


def has_archive(cache_folder: Path, java: Java) -> bool:
    """Whether both layers are there."""
    folder = archive_folder(cache_folder, java)
    return (folder / "base.jsa").is_file() and (folder / "server.jsa").is_file()


def archive_fits(cache_folder: Path, java: Java) -> bool:
    """Whether the JVM takes the archive; it does not after a jar was fetched again, for one. Asks it, half a second."""
    if not has_archive(cache_folder, java):
        return False
    command = [str(java.path), *archive_arguments(cache_folder, java), "-cp", class_path(cache_folder), "-version"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    return said.returncode == 0 and "[cds" not in said.stdout + said.stderr


def archive_arguments(cache_folder: Path, java: Java) -> list[str]:
    """JVM arguments that use the archive; none when it was not made."""
    if not has_archive(cache_folder, java):
        return []
    folder = archive_folder(cache_folder, java)
    return ["-Xshare:auto", f"-XX:SharedArchiveFile={folder / 'base.jsa'}{os.pathsep}{folder / 'server.jsa'}"]


def training_arguments(cache_folder: Path, java: Java, target: Path) -> list[str]:
    """JVM arguments of the run whose classes are written to `target` at its clean exit."""
    base = archive_folder(cache_folder, java) / "base.jsa"
    return ["-Xshare:auto", f"-XX:SharedArchiveFile={base}", f"-XX:ArchiveClassesAtExit={target}"]


def make_base_archive(cache_folder: Path, java: Java) -> None:
    """Write the JRE's layer, unless it is there. Raises ServiceError when the JVM can't write it."""
    folder = archive_folder(cache_folder, java)
    if (folder / "base.jsa").is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / "base.tmp"
    dump = [str(java.path), "-Xshare:dump", f"-XX:SharedArchiveFile={temporary}", "-Xmx128m", "-XX:+UseG1GC"]
    done = subprocess.run(dump, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode or not temporary.is_file():
        temporary.unlink(missing_ok=True)
        said = (done.stderr or done.stdout).strip().splitlines()
        raise ServiceError(
            f"Java could not write its class archive: {said[-1] if said else done.returncode}", where=str(folder)
        )
    temporary.replace(folder / "base.jsa")
