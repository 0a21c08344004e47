"""Read secret files of the host: in its home, its key folder, the program's own folders and /tmp."""

from probe import SCENE, each, holds_secret, read

each({path: lambda path=path: holds_secret(read(path)) for path in SCENE["canaries"]})
