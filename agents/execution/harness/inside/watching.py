"""Tells from outside what a job read: which files it opened, which folders it listed. Standard library only, 3.6 on.

The kernel reports each opening of a file or folder to the process that watches (inotify), whoever opens it and however:
the import system, C code, a child. Looking whether a file is there, or how large it is, is no opening.
"""

import ctypes
import errno
import os
import struct

IN_OPEN, IN_Q_OVERFLOW, IN_ONLYDIR, IN_ISDIR = 0x20, 0x4000, 0x1000000, 0x40000000
EVENT = struct.Struct("iIII")
CHUNK = 1 << 18
FOLDERS, FILES, INPUTS = 20000, 50000, 5000


class Watch:
    """The inputs that lie in the folder `root`, as it is when the watch starts; what is made later is no input.

    Between `start` and `stop` whoever runs the job reads `fd` (``read()``, whenever it is readable: the kernel keeps
    only some thousands of events), and each child closes `fd` (``forget()``) before foreign code is loaded in it, for
    that could take events away. `fd` is -1 where nothing can be watched.
    """

    def __init__(self, root):
        self.root, self.fd, self.complete = os.fsencode(root), -1, True
        self.folders, self.files = {}, {}  # by watch; by path
        self.read_, self.listed = set(), set()

    def start(self):
        """Watch all folders."""
        libc = ctypes.CDLL(None, use_errno=True)
        self.folders, self.read_, self.listed, self.complete = {}, set(), set(), True
        self.fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.complete = self.fd >= 0
        pending = [b""]
        while pending and self.complete:
            folder = pending.pop()
            place = os.path.join(self.root, folder)
            number = libc.inotify_add_watch(self.fd, place, IN_OPEN | IN_ONLYDIR)
            self.complete = number >= 0 and len(self.folders) < FOLDERS
            if self.complete:
                self.folders[number] = folder
                pending += self._folders_of(place, folder)
        self.files = self._present()
        self.complete = self.complete and len(self.files) <= FILES
        self.read()  # the walk itself opened every folder
        self.read_, self.listed = set(), set()

    def _folders_of(self, place, folder):
        with os.scandir(place) as entries:
            return [os.path.join(folder, e.name) for e in entries if e.is_dir(follow_symlinks=False)]

    def _present(self):
        """All regular files, and when each was last written to, moved or linked: no program can set that."""
        found = {}
        for folder in self.folders.values():
            try:
                with os.scandir(os.path.join(self.root, folder)) as entries:
                    for entry in entries:
                        if entry.is_file(follow_symlinks=False):
                            state = entry.stat(follow_symlinks=False)
                            found[os.path.join(folder, entry.name)] = (state.st_ino, state.st_ctime_ns)
            except OSError:
                continue  # moved, removed or locked meanwhile, and so are its files
        return found

    def read(self):
        """Take the events that are there."""
        while self.fd >= 0:
            try:
                data = os.read(self.fd, CHUNK)
            except OSError as error:
                self.complete = self.complete and error.errno == errno.EAGAIN
                break
            at = 0
            while at < len(data):
                number, mask, _, length = EVENT.unpack_from(data, at)
                name = data[at + EVENT.size : at + EVENT.size + length].rstrip(b"\0")
                at += EVENT.size + length
                self._note(number, mask, name)
        return True

    def _note(self, number, mask, name):
        folder = self.folders.get(number)
        if mask & IN_Q_OVERFLOW:
            self.complete = False
        elif folder is not None and mask & IN_OPEN:
            if not mask & IN_ISDIR:
                self.read_.add(os.path.join(folder, name))
            elif not name:  # of a folder there are two events: its own and its parent's
                self.listed.add(folder)

    def forget(self):
        """In a child: give up the descriptor."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    close = read

    def stop(self):
        """{"read": paths of files, "listed": folders ("" is the root), "complete": whether that is all}, sorted.

        What the job wrote to, moved, removed or linked counts as read: it may have been read under another name.
        """
        self.read()
        now = self._present()
        changed = {path for path, state in self.files.items() if now.get(path) != state}
        read = (self.read_ & set(self.files)) | changed
        whole = self.complete and self.fd >= 0 and len(read) + len(self.listed) <= INPUTS
        self.forget()
        return {
            "read": sorted(map(os.fsdecode, read)) if whole else [],
            "listed": sorted(map(os.fsdecode, self.listed)) if whole else [],
            "complete": whole,
        }
