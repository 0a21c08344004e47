"""Leave outputs whose names are traps: traversal, options, line ends, escapes, broken UTF-8, 255 bytes, look-alikes."""

import os

from probe import done

NAMES = [
    b"..\\..\\evil",
    b"-rf",
    b"--help",
    b"a\nb",
    b"a\rb",
    b"\x1b[31mred",
    b"\xff\xfe\x80",
    b"x" * 255,
    b" ",
    b"~",
    b"$HOME",
]
NAMES += ["‮txt.exe".encode(), "é".encode(), "é".encode(), b"con", b"a:b", b"*", b"%s%n", b"...", b".. ", b"'\"`;&|"]
for number, label in enumerate(NAMES):
    with open(b"/work/" + label, "wb") as file:
        file.write(b"%d" % number)
os.makedirs("...../.git", exist_ok=True)
with open("...../.git/config", "w") as file:
    file.write("x")
done(len(NAMES) + 1)
