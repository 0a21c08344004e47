"""Change the process's personality: no address randomisation, readable means executable, mapping page zero."""

from probe import call, each, in_child

each(
    {
        "no randomize": lambda: in_child(lambda: "%d" % call(135, 0x0040000)),
        "read implies exec": lambda: in_child(lambda: "%d" % call(135, 0x0400000)),
        "map page zero": lambda: in_child(lambda: "%d" % call(135, 0x0100000)),
    }
)
