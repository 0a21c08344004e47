"""List the homes and the folders where the host's secrets lie, and look for their names."""

import os

from probe import SCENE, each

FOLDERS = {os.path.dirname(path) for path in SCENE["canaries"]} | {"/root", "/home", "/tmp", "/var/tmp", "/run/user"}
NAMES = {os.path.basename(path) for path in SCENE["canaries"]}


def look(folder):
    return next((name for name in os.listdir(folder) if name in NAMES), None)


each({folder: lambda folder=folder: look(folder) for folder in sorted(FOLDERS)})
