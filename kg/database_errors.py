"""What can be wrong with a database, each as one sentence: who said it, where, and what to do."""

import re
import traceback
from urllib.parse import urlsplit

from neo4j import exceptions

from kg.errors import DatabaseError

__all__ = ["MINIMUM_VERSION", "SCHEMES", "as_database_error", "check_uri", "refuse_wrong_server"]

MINIMUM_VERSION = (5, 26)
"""The long-term-support release that every statement here is tested with; its predecessors are out of support."""

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
"""+s encrypts and checks the certificate, +ssc encrypts and accepts any; neo4j:// routes in a cluster."""

_LOCAL = "or unset NEO4J_URI to use the local server"

_BY_CODE: tuple[tuple[str, str, str], ...] = (
    (r"\.AuthenticationRateLimit$", "too many wrong passwords in a row", "wait some seconds, then try the right one"),
    (r"\.CredentialsExpired$", "the password must be changed first", "log in once, set a new one, and use that"),
    (r"\.Security\.(Unauthorized|Token)", "the user or the password is wrong", "check NEO4J_USERNAME, NEO4J_PASSWORD"),
    (r"\.Security\.Forbidden", "this user may not do that", "ask for the right to read, write and change the schema"),
    (r"\.DatabaseNotFound$", "there is no database of that name", "check NEO4J_DATABASE"),
    (
        r"\.(NotALeader|ForbiddenOnReadOnlyDatabase|WriteOnReadOnlyAccessDatabase)$",
        "this member of the cluster does not take writes",
        "write neo4j:// in place of bolt:// in NEO4J_URI, so that writes find the leader",
    ),
    (r"\.(DatabaseUnavailable|DatabaseNotAvailable)$", "the database is not up", "wait, or start it on the server"),
    (
        r"TransactionTimedOut|LockAcquisitionTimeout|LockClientStopped",
        "another process has been writing to this graph for too long, and nothing of this write was kept",
        "wait for it to finish (or stop it) and run the command again",
    ),
    (
        r"OutOfMemory",
        "it ran out of memory for one transaction, and nothing of that was kept",
        "give the server more memory (XKG_SERVER_HEAP=1g, then `xkg db stop`) and run the command again",
    ),
)
"""By the server's status code: pattern, sentence, remedy."""

_BY_TEXT: tuple[tuple[str, str, str], ...] = (
    (
        r"No space left on device|Disk quota exceeded",
        "its disk is full",
        "free some space there; what was stored is kept",
    ),
    (
        r"critical error, and needs to be restarted",
        "it met a critical error, as a rule a full disk, and wants a restart",
        "free disk space, restart the server (`xkg db stop`), run the command again; what was acknowledged is kept",
    ),
    (r"DNS resolve", "no such host", f"check NEO4J_URI, {_LOCAL}"),
    (
        r"CERTIFICATE_VERIFY_FAILED|certificate verify failed",
        "its certificate is not one this machine trusts",
        "install its authority (SSL_CERT_FILE), or write +ssc in place of +s in NEO4J_URI to accept it unchecked",
    ),
    (
        r"\[SSL|BoltSecurityError|SSLEOFError",
        "it does not speak TLS",
        "write bolt:// or neo4j:// without +s in NEO4J_URI, or encrypt the server's Bolt port",
    ),
    (r"looks like HTTP", "that is a web port, not Bolt", "use the Bolt port in NEO4J_URI, 7687 as a rule"),
    (
        r"four byte Bolt handshake|does not support communication with this driver|Unknown Bolt protocol",
        "what listens there is no Neo4j, or it wants TLS",
        f"check the port; for TLS write +s after the scheme in NEO4J_URI; {_LOCAL}",
    ),
    (r"Connection refused", "nothing listens there", f"start that server, check NEO4J_URI, {_LOCAL}"),
    (r"timed? ?out|Timeout", "it does not answer in time", f"check the network and NEO4J_URI, {_LOCAL}"),
    (
        r"Unable to retrieve routing information|not.*support routing",
        "it gives no routing table",
        "write bolt:// in place of neo4j:// in NEO4J_URI for a single server",
    ),
)
"""By what the driver says, its causes included: pattern, sentence, remedy."""


def check_uri(uri: str) -> None:
    """Raise DatabaseError unless `uri` is a Bolt address without a user or password in it."""
    parts = urlsplit(uri)
    shown = f"{parts.scheme}://{parts.hostname or ''}"
    if parts.username is not None or parts.password is not None:
        raise DatabaseError(
            "the database address holds a user or a password, where it may be logged",
            where=shown,
            remedy="move them to NEO4J_USERNAME and NEO4J_PASSWORD",
        )
    try:
        usable = parts.scheme in SCHEMES and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # the port is not a number below 65536
        usable = False
    if not usable:
        raise DatabaseError(
            f"{uri!r} is not a database address",
            where="NEO4J_URI",
            remedy=f"write it like neo4j+s://host or bolt://host:7687; schemes are {', '.join(SCHEMES)}",
        )


def refuse_wrong_server(agent: str, uri: str) -> None:
    """Raise DatabaseError unless `agent` ("Neo4j/5.26.30") is a Neo4j that is recent enough.

    Other products answer Bolt too and call themselves "Neo4j/… compatible", with their own name behind it.
    """
    found = re.fullmatch(r"Neo4j/(\d+)\.(\d+)[\w.\-+]*", agent)
    if not found:
        raise DatabaseError(
            f"the server is not a Neo4j: it calls itself {agent!r}",
            where=uri,
            remedy=f"point NEO4J_URI to a Neo4j, {_LOCAL}",
        )
    if (int(found[1]), int(found[2])) < MINIMUM_VERSION:
        needed = ".".join(map(str, MINIMUM_VERSION))
        raise DatabaseError(
            f"the server is {agent.replace('/', ' ')}, too old: {needed} or newer is needed",
            where=uri,
            remedy=f"upgrade it, {_LOCAL}",
        )


def as_database_error(error: Exception, uri: str) -> DatabaseError | None:
    """The sentence for an error of the driver or the server; None when it is a mistake of ours, to be seen as such."""
    found: tuple[str, str] | None = None
    code = getattr(error, "code", None) or ""
    text = "".join(traceback.format_exception(error, limit=0))  # with its causes, and the members of groups
    for pattern, sentence, remedy in _BY_CODE:
        if re.search(pattern, code):
            found = (sentence, remedy)
            break
    else:
        if not code or code.startswith(("Neo.DatabaseError", "Neo.TransientError")):
            found = _by_text(error, text)
    return DatabaseError(f"the database can't be used: {found[0]}", where=uri, remedy=found[1]) if found else None


def _by_text(error: Exception, text: str) -> tuple[str, str] | None:
    for pattern, sentence, remedy in _BY_TEXT:
        if re.search(pattern, text):
            return sentence, remedy
    if isinstance(error, exceptions.ServiceUnavailable | exceptions.SessionExpired):
        return "the connection was lost", "run the command again; `xkg db status` tells whether the server is up"
    if isinstance(error, exceptions.ConfigurationError):
        return str(error).splitlines()[0], "check NEO4J_URI and its kind"
    return None
