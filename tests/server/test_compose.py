"""docker-compose.yml, as docker-compose itself reads it."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.server.jars import NEO4J_VERSION

pytestmark = pytest.mark.docker

FILE = Path(__file__).parents[2] / "docker-compose.yml"


def config(**environment: str) -> "subprocess.CompletedProcess[str]":
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "XKG_"))}
    command = ["docker-compose", "-f", str(FILE), "config"]
    return subprocess.run(
        command, env={**bare, **environment}, capture_output=True, text=True, timeout=120, check=False
    )


def test_it_wants_a_password() -> None:
    done = config()
    assert done.returncode != 0
    assert "set NEO4J_PASSWORD" in done.stderr


def test_it_is_pinned_private_and_checked_over_bolt() -> None:
    done = config(NEO4J_PASSWORD="geheim-und-lang", XKG_SERVER_HEAP="1g")
    assert done.returncode == 0, done.stderr
    service: dict[str, Any] = yaml.safe_load(done.stdout)["services"]["neo4j"]
    assert service["image"] == f"neo4j:{NEO4J_VERSION}-community"
    assert sorted(str(port).split("/")[0] for port in service["ports"]) == [
        "127.0.0.1:7474:7474",
        "127.0.0.1:7687:7687",
    ]
    assert service["environment"]["NEO4J_AUTH"] == "neo4j/geheim-und-lang"
    assert service["environment"]["NEO4J_server_memory_heap_max__size"] == "1g"
    assert not [name for name in service["environment"] if "PLUGIN" in name.upper()]
    check = service["healthcheck"]["test"][1]
    assert "cypher-shell -a bolt://" in check
    assert "geheim" not in check
    assert {str(volume).split(":")[1] for volume in service["volumes"]} == {"/data", "/logs"}
    assert service["mem_limit"]
