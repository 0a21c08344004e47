"""Write beside and over files of the host."""

import os

from probe import SCENE, TOKEN, done

answers = {}
for path in SCENE["canaries"]:
    for target in (path, os.path.join(os.path.dirname(path), TOKEN)):
        try:
            with open(target, "ab") as file:
                file.write(TOKEN.encode())
            answers[target] = "written"
        except OSError as error:
            answers[target] = str(error)
done(answers)
