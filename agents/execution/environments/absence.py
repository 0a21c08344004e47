"""Why a module that code asks for is not in its environment."""

import re

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from agents.execution.environments.models import Environment
from agents.execution.environments.names import distributions

__all__ = ["absence"]

_MODULE = re.compile(r"No module named '([\w.]+)'")


def absence(environment: Environment, message: str) -> str:
    """Why the module that the ``No module named`` of `message` names is missing, "" if nothing is known of it."""
    match = _MODULE.search(message)
    if match is None:
        return ""
    known = distributions([match[1]])
    if known.unmapped:
        return f"no distribution is known that provides {match[1]}"
    wanted = {canonicalize_name(Requirement(line).name) for line in known.found.values()}
    for entry in environment.dropped:
        line, _, why = entry.partition(": ")
        if canonicalize_name(re.split(r"[^\w.-]", line, maxsplit=1)[0]) in wanted:
            return why
    return ""
