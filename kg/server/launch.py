"""How the local server is launched: its configuration, the JVM's arguments, and the environment it gets.

The arguments go into a file (`java @file`), so that neither the class path of 217 jars nor a password is ever on a
command line that other users can list.
"""

import os
import subprocess
from collections.abc import Sequence

from kg.config import Settings
from kg.errors import DatabaseError
from kg.files import write_file
from kg.server.home import HOST, Ports, Secret, ServerHome, java_command
from kg.server.jars import class_path
from kg.server.java import Java
from kg.server.memory import Memory, choose_memory, machine_mb, note_memory, store_mb

__all__ = ["SERVER_CLASS", "child_environment", "set_first_password", "write_launch_files"]

SERVER_CLASS = "org.neo4j.server.CommunityEntryPoint"
_ADMIN_CLASS = "org.neo4j.cli.AdminTool"
_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")


def neo4j_conf(ports: Ports, memory: Memory) -> str:
    """Neo4j's configuration: loopback only, memory capped, no usage report, and a Bolt server that closes at once.

    Preallocated, the transaction logs of an empty graph take half a gigabyte. Without the last three lines the server
    waits ten seconds after its databases are closed.
    """
    return "\n".join(
        (
            f"server.default_listen_address={HOST}",
            f"server.bolt.listen_address={HOST}:{ports.bolt}",
            f"server.bolt.advertised_address={HOST}:{ports.bolt}",
            f"server.http.listen_address={HOST}:{ports.http}",
            f"server.http.advertised_address={HOST}:{ports.http}",
            "server.https.enabled=false",
            f"server.memory.pagecache.size={memory.page_cache}",
            "dbms.usage_report.enabled=false",
            "client.allow_telemetry=false",
            "db.tx_log.preallocate=false",
            "db.tx_log.rotation.retention_policy=1 files",
            "internal.dbms.bolt.netty_server_shutdown_quiet_period=0",
            "internal.server.bolt.thread_pool_shutdown_wait_time=1s",
            "internal.server.bolt.connection_shutdown_wait_time=1s",
            "",
        )
    )


def jvm_arguments(memory: Memory, archive: Sequence[str]) -> list[str]:
    """Arguments of the virtual machine; `archive` are those that use or make a class-data archive."""
    return [
        f"-Xmx{memory.heap}",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        *archive,
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
    ]


def write_launch_files(home: ServerHome, ports: Ports, settings: Settings, archive: Sequence[str]) -> None:
    """Write neo4j.conf and the argument file of the server, with memory for the store as it is now."""
    memory = choose_memory(settings, store_mb(home), machine_mb())
    note_memory(home, memory)
    write_file(home.conf, neo4j_conf(ports, memory))
    write_file(
        home.arguments,
        _argument_file(
            *jvm_arguments(memory, archive),
            "-cp",
            class_path(settings.cache),
            SERVER_CLASS,
            f"--home-dir={home.neo4j}",
            f"--config-dir={home.conf.parent}",
        ),
    )


def child_environment(home: ServerHome) -> dict[str, str]:
    """What the server gets of our environment: nothing but where it lives, and a neutral locale."""
    kept = {name: os.environ[name] for name in ("HOME", "TMPDIR", "SYSTEMROOT", "PYTHONPATH") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", "NEO4J_HOME": str(home.neo4j), "NEO4J_CONF": str(home.conf.parent)}


def set_first_password(
    home: ServerHome, java: Java, secret: Secret, settings: Settings, archive: Sequence[str]
) -> None:
    """Give a new graph its password before its first start. Raises DatabaseError when Neo4j's tool refuses."""
    arguments = home.run / "password.args"
    tool = ("-cp", class_path(settings.cache), _ADMIN_CLASS, "dbms", "set-initial-password", secret.password)
    write_file(arguments, _argument_file("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *archive, *tool))
    try:
        done = subprocess.run(
            java_command(java.path, arguments),
            env=child_environment(home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    finally:
        arguments.unlink()
    if done.returncode:
        said = (done.stderr or done.stdout).strip().replace(secret.password, "********").splitlines()
        raise DatabaseError(
            f"the local Neo4j could not be given its password: {said[-1] if said else f'exit code {done.returncode}'}",
            where=str(home.neo4j),
            remedy="`xkg setup` checks the installation",
        )


def _argument_file(*arguments: str) -> str:
    """Arguments one to a line, quoted as the java launcher reads them."""
    return "".join(f'"{_escaped(argument)}"\n' for argument in arguments)


def _escaped(argument: str) -> str:
    return argument.replace("\\", "\\\\").replace('"', '\\"')
