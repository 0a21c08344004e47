"""Tries to get past one protection and prints ``HOLDS``, or ``OPEN`` and what was reached. For Python 3.6 and later.

Called as ``python3 probe.py PROTECTION JSON``. The limits (memory, cpu, ...) are tried by exceeding them, and the
supervisor sees what came of it; the others are told what to look for in JSON.
"""

import json
import os
import socket
import stat
import sys
import threading
import time

MIB = 1024 * 1024


def wall(_):
    time.sleep(60)


def cpu(_):
    while True:
        pass


def memory(_):
    """Two processes, each below the limit, that together exceed it."""
    os.fork()
    kept = b"x" * (48 * MIB)
    time.sleep(4)
    return ["%d bytes in each of two processes" % len(kept)]


def pids(_):
    try:
        for _number in range(64):
            threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
    except RuntimeError:
        return []
    return ["64 threads"]


def disk(_):
    with open("large", "wb") as file:
        for _number in range(64):
            file.write(b"x" * MIB)
    return ["64 MiB"]


def output(_):
    sys.stdout.write("x" * MIB)
    return []


def files(given):
    """Each of the host's paths must be unreadable, and each place outside of the working folder unwritable.

    Each path comes with the device and inode it has on the host, by which it is told from a folder of the same name
    that an image brings along.
    """
    found = []
    for path, identity in given["paths"].items():
        try:
            about = os.stat(path)
            reach(path, about.st_mode)
        except OSError:
            continue
        if [about.st_dev, about.st_ino] == identity:
            found.append(path)
    for folder in ("/", "/usr", "/usr/bin", "/etc", "/opt", "/opt/python", "/dev", "/proc/sys/kernel"):
        try:
            with open(os.path.join(folder, "xkg-probe"), "w"):
                found.append("writing to " + folder)
        except OSError:
            continue
    return found


def reach(path, mode):
    """List, connect to or open what is there. Raises OSError."""
    if stat.S_ISDIR(mode):
        os.listdir(path)
    elif stat.S_ISSOCK(mode):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as speaking:
            speaking.connect(path)
    else:
        open(path, "rb").close()


def network(given):
    """The supervisor listens on loopback and on an abstract socket; neither must answer."""
    found = []
    for family, address in ((socket.AF_INET, ("127.0.0.1", given["port"])), (socket.AF_UNIX, "\0" + given["abstract"])):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as speaking:
                speaking.settimeout(2)
                speaking.connect(address)
            found.append("the socket %r" % (address,))
        except OSError:
            continue
    return found


def processes(given):
    """No process of the host may be seen: one bears a word that is looked for."""
    for name in os.listdir("/proc"):
        try:
            with open(os.path.join("/proc", name, "cmdline"), "rb") as file:
                shown = file.read()
                if given["word"].encode() in shown and b"probe.py" not in shown:
                    return ["process " + name + " of the host"]
        except (OSError, ValueError):
            continue
    return []


def status():
    with open("/proc/self/status") as file:
        return {line.partition(":")[0]: line.partition(":")[2].split() for line in file}


def privileges(_):
    now = status()
    found = [] if os.getuid() else ["uid 0"]
    found += ["capabilities " + now[name][0] for name in ("CapEff", "CapPrm", "CapBnd") if int(now[name][0], 16)]
    found += [] if now["NoNewPrivs"] == ["1"] else ["gaining privileges by executing"]
    try:
        os.setuid(0)
        found.append("becoming root")
    except OSError:
        pass
    return found


def syscalls(_):
    found = [] if status().get("Seccomp") == ["2"] else ["every system call"]
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()
        found.append("netlink sockets")
    except OSError:
        pass
    return found


if __name__ == "__main__":
    FOUND = globals()[sys.argv[1]](json.loads(sys.argv[2]))
    print("OPEN " + "; ".join(FOUND) if FOUND else "HOLDS")
