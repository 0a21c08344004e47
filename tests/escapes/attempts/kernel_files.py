"""Open the kernel's dangerous files: the magic key, its memory, the program that gets core dumps."""

import os

from probe import each


def use(path, flags):
    def act():
        if os.path.isdir(path):
            return os.listdir(path) or None
        handle = os.open(path, flags | os.O_NONBLOCK)
        got = os.read(handle, 1) if flags == os.O_RDONLY else b"w"
        os.close(handle)
        return "opened" if got else None

    return act


WRITE = [
    "/proc/sysrq-trigger",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/modprobe",
    "/proc/sys/vm/drop_caches",
]
WRITE += ["/proc/sys/fs/binfmt_misc/register", "/proc/sys/kernel/hotplug", "/sys/kernel/uevent_helper"]
WRITE += ["/proc/sys/kernel/randomize_va_space", "/proc/sys/kernel/yama/ptrace_scope", "/sys/power/state", "/proc/mtrr"]
WRITE += ["/proc/sys/user/max_user_namespaces", "/proc/acpi/wakeup", "/proc/irq/default_smp_affinity"]
READ = ["/proc/kcore", "/proc/kmsg", "/proc/kpagecount", "/proc/kpageflags", "/proc/vmallocinfo", "/proc/timer_list"]
READ += ["/sys/kernel/debug/tracing", "/sys/kernel/security", "/sys/firmware/acpi/tables"]
tries = {"write " + path: use(path, os.O_WRONLY) for path in WRITE}
tries.update({"read " + path: use(path, os.O_RDONLY) for path in READ})
each(tries)
