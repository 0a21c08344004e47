"""What a process sees of functions that are watched: of each, and of all together. Standard library only, Python 3.6
or later."""

import contextlib
import threading
import time

from .probing import Probe
from .trivial import Fed, Trivial, fed_back
from .variety import Variety

SECONDS = 5.0
"""How long a process may look at values, in all."""


class Seen:
    """What calls of one function were given and gave."""

    def __init__(self, name):
        self.name, self.calls, self.returned, self.altered, self.compares = name, 0, 0, 0, ""
        self.arguments, self.outcomes, self.kinds, self.unknown = set(), set(), set(), False
        self.probe, self.first, self.trivial, self.variety, self.fed = Probe(), {}, Trivial(), Variety(), Fed()

    def report(self):
        """As JSON. `same_results` is None unless calls with different arguments could be compared."""
        distinct = len(self.arguments) > 1
        same = len(self.outcomes) == 1 if distinct and self.returned and not self.unknown else None
        return {
            "calls": self.calls,
            "returned": self.returned,
            "altered": self.altered,
            "distinct_arguments": distinct,
            "same_results": same,
            "depends": True if same is False else self.probe.depends,
            "kinds": sorted(self.kinds | ({"frozen"} if len(self.outcomes) > 1 else set()) | {"raise"}),
            "trivial": sorted(self.trivial.kinds(self.calls)),
            "compares": self.compares,
            **self.variety.report(),
        }


class Record:
    """What a process saw."""

    def __init__(self):
        self.functions, self.refuted, self.local = {}, [], threading.local()
        self.left, self.used = SECONDS, False

    @contextlib.contextmanager
    def timed(self):
        """Count how long it takes to look at values."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.left -= time.perf_counter() - began

    def seen(self, name):
        """What is known of one function."""
        return self.functions.setdefault(name, Seen(name))

    def report(self):
        """As JSON: of all functions together, and of each."""
        each = {name: seen.report() for name, seen in sorted(self.functions.items())}
        total = {key: sum(one[key] for one in each.values()) for key in ("calls", "returned", "altered")}
        total["distinct_arguments"] = any(one["distinct_arguments"] for one in each.values())
        for key, deciding in (("same_results", False), ("depends", True)):
            known = {one[key] for one in each.values()} - {None}
            total[key] = deciding if deciding in known else (not deciding if known else None)
        kinds = {kind for one in each.values() for kind in one["kinds"] if one["calls"]}
        trivial = [set(one["trivial"]) for one in each.values() if one["returned"]]
        kinds |= (set.intersection(*trivial) if trivial else set()) | fed_back([s.fed for s in self.functions.values()])
        shifted = {name.rpartition(".")[2] for name, one in each.items() if "shift" in one["kinds"]}
        total["kinds"] = sorted(kinds | {"method " + name for name in shifted})
        held = [dict(one, function=n) for n, seen in self.functions.items() for one in seen.probe.contradictions]
        total.update(refuted=self.refuted + held, functions=each)
        return total
