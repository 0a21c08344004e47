"""Look for what an earlier run of this attempt left, then leave the same again."""

import os

from probe import SCENE, done, escaped

MARK = SCENE["generation"]
FOLDERS = sorted(set(SCENE["writable"]) | {os.environ.get("HOME", "/tmp") if not SCENE["control"] else "."})
PATHS = [folder + between + MARK for folder in FOLDERS for between in ("/", "/.local/lib/", "/.")]
found = [path for path in PATHS if os.path.lexists(path)]
if found:
    escaped(found)
for path in PATHS:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(MARK)
done(PATHS)
