"""The nearest licence, by its text."""

from pathlib import Path

import pytest

from agents.code.units.licences import recognise
from tests.units.conftest import Read

MIT = """Copyright (c) 2020 Some Body

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files, to deal in it ...
The above copyright notice and this permission notice shall be included in all copies.
"""
BSD = """Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:
"""
ISC = """Permission to use, copy, modify, and distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.
"""
GPL_3_WITH_ITS_END = (
    """                    GNU GENERAL PUBLIC LICENSE
                       Version 3, 29 June 2007

"""
    + "..." * 100
    + "If this is what you want to do, use the GNU Lesser General\nPublic License instead of this License."
)
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "spdx"),
    [
        ((ROOT / "LICENSE").read_text("utf-8"), "Apache-2.0"),
        ((ROOT / "examples/reservoir/code/LICENSE").read_text("utf-8"), "MIT"),
        (MIT, "MIT"),
        (BSD, "BSD-2-Clause"),
        (BSD + "Neither the name of the copyright holder nor ... may be used", "BSD-3-Clause"),
        (BSD + "All advertising materials mentioning features ...", "BSD-4-Clause"),
        (ISC, "ISC"),
        ("GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007", "GPL-3.0"),
        ("GNU GENERAL PUBLIC LICENSE\n   Version 2, June 1991", "GPL-2.0"),
        (GPL_3_WITH_ITS_END, "GPL-3.0"),
        ("GNU LIBRARY GENERAL PUBLIC LICENSE\n   Version 2, June 1991 ... GNU General Public License", "LGPL-2.0"),
        ("GNU LESSER GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007 ... the GNU General Public License", "LGPL-3.0"),
        ("GNU AFFERO GENERAL PUBLIC LICENSE\n Version 3, 19 November 2007", "AGPL-3.0"),
        ("Mozilla Public License Version 2.0", "MPL-2.0"),
        ("Creative Commons Legal Code\n\nCC0 1.0 Universal", "CC0-1.0"),
        ("Attribution 4.0 International\n\nCreative Commons Corporation", "CC-BY-4.0"),
        ("# The MIT License\n\n> " + MIT.replace("\n", "\n> "), "MIT"),
        ("Free for non-commercial use.\n" + MIT, "unknown"),
        ("“Commons Clause” License Condition v1.0\n" + MIT, "unknown"),
        ("All rights reserved.", "unknown"),
        ("", "unknown"),
    ],
)
def test_recognised_texts(text: str, spdx: str) -> None:
    assert recognise(text) == spdx


def test_the_nearest_licence_up_the_tree_counts(read: Read) -> None:
    unit = "def f(): pass\n"
    codebase = read(
        {
            "LICENSE": MIT,
            "a.py": unit,
            "sub/COPYING": ISC,
            "sub/deep/b.py": unit,
            "odd/LICENCE.md": "Mine.",
            "odd/c.py": unit,
        }
    )
    assert {u.file: u.licence for u in codebase.units} == {"a.py": "MIT", "sub/deep/b.py": "ISC", "odd/c.py": "unknown"}
    assert codebase.licence == "MIT"


def test_without_a_licence_file_there_is_none(read: Read) -> None:
    codebase = read({"a.py": "def f(): pass\n", "licensing.py": "def g(): pass\n"})
    assert {unit.licence for unit in codebase.units} == {None}


def test_a_file_may_name_its_own(read: Read) -> None:
    codebase = read({"LICENSE": MIT, "a.c": "/* SPDX-License-Identifier: GPL-2.0-only */\nint f() { return 1; }\n"})
    assert [unit.licence for unit in codebase.units] == ["GPL-2.0-only"]


def test_two_licences_side_by_side_are_a_choice(read: Read) -> None:
    codebase = read({"LICENSE-MIT": MIT, "LICENSE-ISC": ISC, "a.py": "def f(): pass\n"})
    assert codebase.licence == "ISC OR MIT"
