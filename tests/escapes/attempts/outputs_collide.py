"""Leave outputs that can't be told apart once they are written down, and names and paths that grow when they are."""

import os

from probe import done

for label in (b"\xff", b"\\xff", b"\xff" * 250, b"\n" * 200, "\U0001f600".encode() * 60, b"a\\", b"a\\\\"):
    with open(b"/work/" + label, "wb") as file:
        file.write(label)
for _ in range(40):
    os.mkdir(b"\xfe" * 250)
    os.chdir(b"\xfe" * 250)
with open("bottom", "w") as file:
    file.write("x")
os.chdir("/work")
os.makedirs("file.txt")
with open("file.txt/inner", "w") as file:
    file.write("x")
with open("honest", "w") as file:
    file.write("honest")
done()
