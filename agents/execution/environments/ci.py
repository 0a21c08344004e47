"""How a repository's own CI sets up its libraries: environment variables, read as hostile text and never run."""

import re
from pathlib import Path

from agents.execution.environments.declared import Reader

__all__ = ["ci_variables"]

_FILES = ("tox.ini", ".github/workflows/*.y*ml", ".gitlab-ci.yml", ".circleci/config.yml", "azure-pipelines.yml")
_ALLOWED = r"(?:JAX|NUMBA|TF|KERAS|SCIPY|NPY)_[A-Z0-9_]{1,40}|XLA_FLAGS"
"""What numeric libraries read when they are loaded: precision, backends, the size of a pretended machine."""
_LEFT_OUT = re.compile(r"PLATFORM|CACHE|DIR$|PATH|DEBUG|DUMP|GPU|CUDA|NUMBA_DISABLE_JIT|VERBOS")
"""Places and devices of another machine; and numba without its compiler fails where code asks for it."""
_SET = re.compile(
    rf"(?m)(?:^|[\s;&{{,])-?\s*(?:export\s+)?['\"]?({_ALLOWED})['\"]?\s*(?:=|:\s)\s*"
    r"(?:'([^'\n$`]{0,200})'|\"([^\"\n$`]{0,200})\"|([\w.,+-]{1,80}))(?=\s|$|[;&,}])"
)
_UNKNOWN = re.compile(rf"({_ALLOWED})['\"]?\s*(?:=|:\s)\s*['\"]?[^'\"\n]*[$`{{\[]")


def ci_variables(repo: Path) -> dict[str, str]:
    """Variables that numeric libraries read, by name, where all places of the CI give them one constant value."""
    reader = Reader(repo)
    values: dict[str, set[str]] = {}
    for path in sorted({path for pattern in _FILES for path in repo.glob(pattern)})[:20]:
        text = re.sub(r"(?m)(^|\s)#.*$", "", reader.text(path) or "")
        for name, *given in _SET.findall(text):
            values.setdefault(name, set()).add("".join(given))
        for name in _UNKNOWN.findall(text):
            values.setdefault(name, set()).update(("", "chosen there"))
    return {
        name: min(found) for name, found in sorted(values.items()) if len(found) == 1 and not _LEFT_OUT.search(name)
    }
