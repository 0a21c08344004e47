"""Keeps which marks a text was run past. Standard library only, Python 3.6 or later."""

PASSED = set()  # type: set[int]


def at(number):
    """The mark `number` is passed."""
    PASSED.add(number)


def taken():
    """The marks that were passed since this was asked last."""
    found = sorted(PASSED)
    PASSED.clear()
    return found
