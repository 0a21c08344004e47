"""Leave files and folders that nobody may open, not even their owner, or delete."""

import os

from probe import done

for name in ("closed", "noread", "noexec"):
    os.makedirs(name + "/inner")
    with open(name + "/inner/file", "w") as file:
        file.write("x")
os.chmod("closed/inner/file", 0)
os.chmod("closed/inner", 0)
os.chmod("closed", 0)
os.chmod("noread/inner", 0o311)
os.chmod("noexec", 0o444)
with open("honest", "w") as file:
    file.write("honest")
os.chmod("honest", 0)
os.chmod(".", 0)
done()
