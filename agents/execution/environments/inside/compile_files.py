"""Byte-compile the files named on standard input. Python 3.6 and later, standard library only.

Arguments: the folder that the files lie in, and the folder that they will be in. Nothing is imported or run. A file
that can't be compiled is passed over, as an import of it would tell why.
"""

import os
import py_compile
import sys
import warnings
from typing import Any, Dict


def main(folder: str, later: str) -> None:
    """Write the ``.pyc`` of each file beside it; where Python can, one that is trusted without looking at the file."""
    warnings.simplefilter("ignore")
    options: Dict[str, Any] = {"doraise": True, "optimize": -1}
    if sys.version_info >= (3, 7):
        options["invalidation_mode"] = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for line in sys.stdin.buffer.read().split(b"\0"):
        name = os.fsdecode(line)
        if name:
            try:
                py_compile.compile(os.path.join(folder, name), dfile=os.path.join(later, name), **options)
            except (py_compile.PyCompileError, OSError, ValueError, RecursionError, MemoryError):
                continue


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
