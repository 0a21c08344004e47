"""Replace the folders of the inputs, and as far as it goes the working folder itself, by links to the host's."""

import os
import shutil

from probe import SCENE, done

answers = {}
os.makedirs("in/deep", exist_ok=True)
shutil.rmtree("in")
os.symlink(os.path.dirname(SCENE["canaries"][0]), "in")
for name, act in {
    "rename": lambda: os.rename("/work", "/tmp/work"),
    "rmdir": lambda: os.rmdir("/work"),
    "link over": lambda: os.symlink("/etc", "/work"),
    "exchange": lambda: os.rename("/tmp", "/work"),
}.items():
    try:
        act()
        answers[name] = "did"
    except OSError as error:
        answers[name] = str(error)
done(answers)
