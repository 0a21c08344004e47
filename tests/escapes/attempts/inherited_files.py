"""Use files that the launcher had open and left inheritable."""

import os

from probe import each, holds_secret


def use(number):
    def act():
        os.lseek(number, 0, os.SEEK_SET)
        return holds_secret(os.read(number, 65536))

    return act


def there():
    extra = []
    for number in range(3, 1024):
        try:
            extra.append("%d %s" % (number, os.readlink("/proc/self/fd/%d" % number)))
        except OSError:
            continue
    return extra or None


each(dict({"fd %d" % number: use(number) for number in range(1024)}, there=there))
