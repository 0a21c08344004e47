"""The files that a job finds, and their undoing after it. Standard library only, Python 3.6 or later."""

import os
import shutil
import stat


class Workspace:
    """The writable copy of the repository in `work`, with what it is lent and what the plan writes.

    With `fresh` each job finds just that: whatever a job made, changed or removed, by its inode and time of change
    (which no process can set), is made anew before the next, and the plan's `scratch` folders are emptied. Raises
    SystemExit for what can't be removed.
    """

    def __init__(self, work, repository, lent, plan):
        self.work, self.repository, self.lent = work, repository, lent
        self.fresh, self.scratch = plan["fresh"], plan["scratch"]
        self.sources = self.of(plan)
        self.sources.update({os.path.join("repo", name): (repository, name) for name in plan.get("copy", ())})
        folders = folders_of(self.sources)
        links = {os.path.join("repo", name): Link(target) for name, target in plan.get("links", {}).items()}
        self.sources.update({name: link for name, link in links.items() if name not in folders | set(self.sources)})
        self.known = {}
        self.changed = {}
        self.restore()

    def of(self, given):
        """Where the files of the plan, or of a job, are from: (folder, name) or their text."""
        found = {name: (self.lent, source) for name, source in given.get("lend", {}).items()}
        found.update(given.get("write", {}))
        return found

    def of_repository(self):
        """The files of the repository, with what the plan writes there."""
        return sorted(name for name in self.sources if name.startswith("repo/"))

    def begin(self, job):
        """Lay out a job's own files and its changed file."""
        if self.fresh:
            self.restore()
        self.changed = self.of(job)
        if job.get("mutate"):
            self.changed[job["mutate"]["path"]] = job["mutate"]["text"]
        for name, source in sorted(self.changed.items()):
            self.lay(name, source)

    def end(self):
        """Put back what was changed for a job, where the next one may find it."""
        if not self.fresh:
            for name in self.changed:
                if name in self.sources:
                    self.lay(name, self.sources[name])

    def lay(self, name, source):
        """Write one file, as a new one: no cache can take it for the one before."""
        target = os.path.join(self.work, name)
        self.known.pop(name, None)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.lexists(target):
            os.unlink(target)
        if isinstance(source, Link):
            os.symlink(source, target)
        elif isinstance(source, tuple):
            place = os.path.join(*source)
            shutil.copyfile(place, target)
            if os.stat(place).st_mode & 0o100:
                os.chmod(target, 0o755)  # noqa: S103 -- the sandbox's own copy
        else:
            with open(target, "wb") as stream:
                stream.write(source.encode("utf-8", "surrogatepass"))

    def restore(self):
        """Let there be just the files of the plan."""
        self.clear(folders_of(self.sources))
        for place in self.scratch:
            for name in os.listdir(place) if os.path.isdir(place) else ():
                remove(os.path.join(place, name))
        for name, source in sorted(self.sources.items()):
            if name not in self.known:
                self.lay(name, source)
                self.known[name] = identity(os.lstat(os.path.join(self.work, name)))

    def clear(self, folders):
        """Remove all but the unchanged files and their folders; forget those that are gone."""
        present, waiting = set(), [""]
        while waiting:
            folder = waiting.pop()
            place = os.path.join(self.work, folder)
            if os.stat(place).st_mode & 0o700 != 0o700:
                os.chmod(place, 0o700)
            for name in os.listdir(place):
                path = os.path.join(folder, name)
                state = os.lstat(os.path.join(self.work, path))
                if stat.S_ISDIR(state.st_mode) and path in folders:
                    waiting.append(path)
                elif stat.S_IFMT(state.st_mode) in (stat.S_IFREG, stat.S_IFLNK) and self.known.get(path) == identity(
                    state
                ):
                    present.add(path)
                else:
                    remove(os.path.join(self.work, path))
        self.known = {name: state for name, state in self.known.items() if name in present}


class Link(str):
    """Where a symbolic link leads to."""


def folders_of(names):
    """All folders above files."""
    folders, waiting = set(), {os.path.dirname(name) for name in names}  # type: set[str], set[str]
    while waiting - folders:
        folders |= waiting
        waiting = {os.path.dirname(folder) for folder in waiting}
    return folders


def identity(state):
    """What differs once a file was written, replaced, linked or given other rights or times."""
    return (state.st_ino, state.st_size, state.st_mode, state.st_nlink, state.st_mtime_ns, state.st_ctime_ns)


def remove(path):
    """Remove a file or folder, whatever its rights."""

    def force(_function, place, _error):
        # A folder whose rights were taken away can't be listed until its owner gives them back.
        for each in (os.path.dirname(place), place):
            if not os.path.islink(each):
                os.chmod(each, 0o700)

    for _ in range(3):
        try:
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, onerror=force)
            else:
                os.unlink(path)
        except FileNotFoundError:
            return
        except (OSError, RecursionError):
            continue
    if os.path.lexists(path):
        raise SystemExit("what a job left behind can't be removed")
