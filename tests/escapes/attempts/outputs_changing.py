"""End while a process that stays behind goes on changing the outputs: growing a file, swapping folders for links."""

import os

from probe import child, done


def change():
    os.setsid()
    while True:
        try:
            with open("growing", "ab") as file:
                file.write(b"x" * 4096)
            os.mkdir("swap")
            with open("swap/passwd", "w") as file:
                file.write("mine")
            os.rename("swap", "swapped")
            os.symlink("/etc", "swap")
            os.unlink("swap")
            os.unlink("swapped/passwd")
            os.rmdir("swapped")
        except OSError:
            pass
        if os.path.exists("growing") and os.path.getsize("growing") > 8 << 20:
            os.unlink("growing")


for _ in range(3):
    child(change)
with open("honest", "w") as file:
    file.write("honest")
done()
