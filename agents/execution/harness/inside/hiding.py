"""Hides, in what is written into the files of a repository, what is done to its results. Standard library only, Python
3.6 or later.

A test that reads a file must not find there whether the results are wrong, and how: all that is written so looks alike.
"""

import hashlib
import os
import re
from typing import Tuple

SALT, KIND = 8, 24
"""Bytes of chance before the words; the kind of change is as long in all of them."""


def hidden(kind: str, promises: str) -> str:
    """The words for `shown`, other ones each time, as long for each kind."""
    salt = os.urandom(SALT)
    return (salt + _mixed(salt, (kind.ljust(KIND) + promises).encode("utf-8"))).hex()


def shown(words: str) -> Tuple[str, str]:
    """The kind and promises of what is `hidden`."""
    if not re.match(r"(?:[0-9a-f]{2}){%d,}$" % (SALT + KIND), words):
        raise ValueError("nothing is hidden in %s" % words)
    data = bytes.fromhex(words)
    text = _mixed(data[:SALT], data[SALT:]).decode("utf-8")
    return text[:KIND].rstrip(), text[KIND:]


def _mixed(salt: bytes, data: bytes) -> bytes:
    stream = hashlib.shake_128(salt).digest(len(data))
    return bytes(one ^ other for one, other in zip(data, stream))
