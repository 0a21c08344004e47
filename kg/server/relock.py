"""Make `jars.lock` anew, for another version of Neo4j: ``python -m kg.server.relock > kg/server/jars.lock``.

A maintainer's tool: jgo resolves the four coordinates with all they need, from the network; what it got is summed up.
"""

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from kg.server.jars import NEO4J_VERSION

__all__ = ["COORDINATES", "locked_lines"]

COORDINATES = (
    f"org.neo4j.app:neo4j-server:{NEO4J_VERSION}",
    f"org.neo4j:neo4j:{NEO4J_VERSION}",
    f"org.neo4j:neo4j-slf4j-provider:{NEO4J_VERSION}",
    "org.neo4j.client:neo4j-browser:5.24.0",
)


def locked_lines(repository: Path) -> Iterator[str]:
    """A line of the lock for each jar of a Maven repository's folder, sorted by coordinate."""
    lines = []
    for jar in repository.rglob("*.jar"):
        *group, artifact, version, name = jar.relative_to(repository).parts
        classifier = name.removeprefix(f"{artifact}-{version}").removesuffix(".jar").lstrip("-")
        coordinate = ":".join((".".join(group), artifact, version, *filter(None, [classifier])))
        content = jar.read_bytes()
        lines.append(f"{coordinate} {hashlib.sha256(content).hexdigest()} {len(content)}")
    yield from sorted(lines)


def main() -> None:
    """Resolve, sum up, print."""
    from jgo.env import EnvironmentBuilder, LinkStrategy
    from jgo.maven import MavenContext

    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder) / "repository"
        maven = MavenContext(repo_cache=repository, timeout=60)
        builder = EnvironmentBuilder(context=maven, cache_dir=Path(folder) / "jgo", link_strategy=LinkStrategy.SOFT)
        builder.from_endpoint("+".join(COORDINATES))
        print(f"# Neo4j {NEO4J_VERSION} Community with Neo4j Browser, and all they need:")
        print("# group:artifact:version[:classifier] sha256 bytes. Made by `python -m kg.server.relock`.")
        print(*locked_lines(repository), sep="\n")


if __name__ == "__main__":
    main()
