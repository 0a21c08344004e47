"""Read the password hashes, directly and by detours."""

from probe import each, read

PATHS = ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/work/../../../etc/shadow", "/proc/self/root/etc/shadow"]
PATHS += ["/proc/1/root/etc/shadow", "/proc/1/cwd/../etc/shadow", "/proc/self/cwd/../../../../etc/shadow"]
each({path: lambda path=path: read(path, 64) for path in PATHS})
