"""How a repository's own CI prepares its tests: variables for its libraries, and what it installs."""

import re
from collections.abc import Iterable, Iterator

__all__ = ["CI_FILES", "constants", "installed"]

CI_FILES = ("tox.ini", ".github/workflows/*.y*ml", ".gitlab-ci.yml", ".circleci/config.yml", "azure-pipelines.yml")
_ALLOWED = r"(?:JAX|NUMBA|TF|KERAS|SCIPY|NPY)_[A-Z0-9_]{1,40}|XLA_FLAGS"
"""What numeric libraries read when they are loaded: precision, backends, the size of a pretended machine."""
_LEFT_OUT = re.compile(r"PLATFORM|CACHE|DIR$|PATH|DEBUG|DUMP|GPU|CUDA|NUMBA_DISABLE_JIT|VERBOS")
"""Places and devices of another machine; and numba without its compiler fails where code asks for it."""
_SET = re.compile(
    rf"(?m)(?:^|[\s;&{{,])-?\s*(?:export\s+)?['\"]?({_ALLOWED})['\"]?\s*(?:=|:\s)\s*"
    r"(?:'([^'\n$`]{0,200})'|\"([^\"\n$`]{0,200})\"|([\w.,+-]{1,80}))(?=\s|$|[;&,}])"
)
_UNKNOWN = re.compile(rf"({_ALLOWED})['\"]?\s*(?:=|:\s)\s*['\"]?[^'\"\n]*[$`{{\[]")


_INSTALL = re.compile(r"(?m)\bpip3? install[ \t]+((?:[^\n;&|\\]|\\\r?\n)*)")
_DEPS = re.compile(r"(?m)^deps[ \t]*=((?:.*\n)(?:[ \t]+.*\n|[ \t]*\n)*)")
_FACTORS = re.compile(r"^[\w{},!.-]+:\s+")
_NAME = re.compile(r"[A-Za-z][\w.-]*(?:\[[\w,-]*\])?(?:[<>=!~]=?[\w.,<>=!~*]+)?")


def constants(texts: Iterable[str]) -> dict[str, str]:
    """Variables that numeric libraries read, by name, where all places give them one constant value."""
    values: dict[str, set[str]] = {}
    for text in map(_without_comments, texts):
        for name, *given in _SET.findall(text):
            values.setdefault(name, set()).add("".join(given))
        for name in _UNKNOWN.findall(text):
            values.setdefault(name, set()).update(("", "chosen there"))
    return {
        name: min(found) for name, found in sorted(values.items()) if len(found) == 1 and not _LEFT_OUT.search(name)
    }


def installed(texts: Iterable[str]) -> Iterator[str]:
    """What ``pip install`` is given by name, and the dependencies of tox's environments, as requirements."""
    for text in map(_without_comments, texts):
        for arguments in _INSTALL.findall(text):
            words = re.sub(r"\\\r?\n", " ", arguments).split()
            before = ["", *words]
            named = (
                word for word, last in zip(words, before, strict=False) if last not in {"-r", "-c", "-e", "-f", "-i"}
            )
            yield from (word for word in (word.strip("'\"") for word in named) if _NAME.fullmatch(word))
        for lines in _DEPS.findall(text):
            yield from (line for line in (_FACTORS.sub("", line.strip()) for line in lines.splitlines()) if line)


def _without_comments(text: str) -> str:
    return re.sub(r"(?m)(^|\s)#.*$", "", text)
