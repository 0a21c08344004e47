"""The nearest licence of a file: its own SPDX line, or the licence file in its folder or the first one above it.

A licence is recognised by sentences that only it contains, so copyright lines, wrapping, and markup don't matter.
What restricts a known licence ("non-commercial", the Commons Clause) or is not known at all is "unknown".
"""

import re
from functools import cache
from pathlib import Path, PurePosixPath

__all__ = ["Licences", "recognise"]

LICENCE_BYTES = 200_000
_FILE_NAME = re.compile(
    r"(?i)^(un)?licen[sc]e$|^(licen[sc]e|copying|mit-licen[sc]e)([._-][\w.-]+)?$|^[\w-]+[._-]licen[sc]e(\.\w+)?$"
)
_PLAIN_NAME = re.compile(r"(?i)^(un)?(licen[sc]e|copying)(\.(txt|md|rst))?$|^copying\.lesser$")
_SPDX_LINE = re.compile(rb"SPDX-License-Identifier:[ \t]*([A-Za-z0-9.+() -]{2,80})")
_SPDX_BYTES = 3_000
_RESTRICTED = (
    "commons clause", "non-commercial", "noncommercial", "non commercial", "for research purposes only",
    "academic use only", "responsible ai license", "business source license", "server side public license",
)  # fmt: skip
_GRANT_MIT = "permission is hereby granted, free of charge, to any person obtaining a copy of this software"
_BSD = "redistribution and use in source and binary forms, with or without modification, are permitted"
_ISC = r"permission to use, copy, modify, and(/or)? distribute this software for any purpose with or without fee"

_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("AGPL-3.0", ("^.{0,200}gnu affero general public license", "version 3, 19 november 2007")),
    ("LGPL-3.0", ("^.{0,200}gnu lesser general public license", "version 3, 29 june 2007")),
    ("LGPL-2.1", ("gnu lesser general public license", "version 2.1, february 1999")),
    ("GPL-3.0", ("^.{0,200}gnu general public license", "version 3, 29 june 2007")),
    ("LGPL-2.0", ("^.{0,200}gnu library general public license", "version 2, june 1991")),
    ("GPL-2.0", ("^.{0,200}gnu general public license", "version 2, june 1991")),
    ("MPL-2.0", ("mozilla public license", "version 2.0")),
    ("EPL-2.0", ("eclipse public license - v 2.0",)),
    ("EPL-1.0", ("eclipse public license - v 1.0",)),
    ("Apache-2.0", ("apache license", "version 2.0", "unless required by applicable law or agreed to in writing")),
    ("Apache-2.0", ("apache license", "version 2.0, january 2004", "grant of patent license")),
    ("BSL-1.0", ("boost software license", "version 1.0")),
    ("CC0-1.0", (r"cc0 1\.0 universal",)),
    ("CC-BY-SA-4.0", (r"attribution-sharealike 4\.0 international",)),
    ("CC-BY-4.0", (r"attribution 4\.0 international", "creative commons")),
    ("Unlicense", ("this is free and unencumbered software released into the public domain",)),
    ("WTFPL", ("do what the fuck you want to public license",)),
    ("Zlib", ("this software is provided 'as-is', without any express or implied warranty", "altered source versions")),
    ("BSD-4-Clause", (_BSD, "all advertising materials mentioning features")),
    ("BSD-3-Clause-Clear", (_BSD, "no express or implied licenses to any party's patent rights")),
    ("BSD-3-Clause", (_BSD, r"neither the names? of|(may not|not) be used to endorse or promote")),
    ("BSD-2-Clause", (_BSD,)),
    ("MIT", (_GRANT_MIT, "the above copyright notice and this permission notice")),
    ("MIT-0", (_GRANT_MIT,)),
    ("ISC", (_ISC, "copyright notice and this permission notice appear in all copies")),
    ("0BSD", (_ISC,)),
)
"""SPDX id and the patterns of which every one must occur in the normalised text; the first rule that fits wins."""


def recognise(text: str) -> str:
    """SPDX id of a licence text, or "unknown"."""
    lines = (line.strip(" \t*#>=_~-/;") for line in text.lower().replace("“", '"').replace("’", "'").splitlines())
    plain = " ".join(" ".join(lines).split())
    head = plain[:2_000]
    if any(word in (plain if len(plain) < 8_000 else head) for word in _RESTRICTED):
        return "unknown"
    for spdx, patterns in _RULES:
        if all(re.search(pattern, plain) for pattern in patterns):
            return spdx
    return "unknown"


class Licences:
    """Looks up and remembers the licence of each folder of a repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.of_folder = cache(self._of_folder)

    def nearest(self, path: str, data: bytes = b"") -> str | None:
        """Licence of the file `path` (relative, with its bytes if known): SPDX id, "unknown", or None without any."""
        if line := _SPDX_LINE.search(data[:_SPDX_BYTES]):
            return line.group(1).decode("ascii").strip().removesuffix("*/").strip()
        for folder in PurePosixPath(path).parents:
            if found := self.of_folder(str(folder)):
                return found
        return None

    def _of_folder(self, relative: str) -> str | None:
        found: dict[bool, list[str]] = {True: [], False: []}
        try:
            entries = sorted((self.folder / relative).iterdir())
        except OSError:
            return None
        for entry in entries:
            if not _FILE_NAME.match(entry.name) or entry.is_symlink() or not entry.is_file():
                continue
            try:
                with entry.open("rb") as stream:
                    text = stream.read(LICENCE_BYTES).decode("utf-8", "replace")
            except OSError:
                continue
            found[bool(_PLAIN_NAME.match(entry.name))].append(recognise(text))
        known = sorted(set(found[True] or found[False]))
        if lesser := [spdx for spdx in known if spdx.startswith("LGPL")]:
            return lesser[0]
        return " OR ".join(known) if "unknown" not in known else "unknown" if known else None
