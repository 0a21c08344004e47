"""Definitions that stand behind an interface of their own are tried with the same inputs: what a dictionary holds under
a key, the first of several results, what objects hold, and items that are taken one by one."""

from pathlib import Path

import pytest

from agents.code.units import read_units
from agents.code.verify.promises import dumped, promises
from agents.execution.harness.inside.values import Record, wrapped


def contradicted(folder: Path, text: str, calls: str) -> str:
    """What contradicts the first function or class of a text, of which each line of `calls` is evaluated."""
    (folder / "m.py").write_text(text)
    unit = next(unit for unit in read_units(folder).units if unit.kind in {"function", "class"})
    names, record = {"__name__": "m"}, Record()  # type: dict[str, Any], Record
    exec(text, names)  # noqa: S102 -- the text is this file's
    names[unit.name] = wrapped("probe", dumped(promises(unit)), record)(names[unit.name])
    for call in calls.splitlines():
        exec(call.strip(), names)  # noqa: S102 -- the same
    return "".join(one["found"] for one in record.report()["refuted"] if one["kind"] in {"textbook", "method"})


BEARING = '''
import math
def mean_bearing(bearings):
    """Circular mean of bearings in degrees and the mean resultant length: (bearing from 0 to 360, length)."""
    s, c = (sum(f(math.radians(b)) for b in bearings) / len(bearings) for f in (math.sin, math.cos))
    return math.degrees(math.atan2(s, c)) % 360, math.hypot(s, c)
'''
REPORT = '''
def report(labels, scores, threshold=0.5):
    """Report {"auc": area under the ROC curve (ties count one half), "n": how many there are}."""
    up, down = ([s for y, s in zip(labels, scores) if y == kind] for kind in (1, 0))
    wins = sum((p > q) + (p == q) / 2 for p in up for q in down)
    return {"auc": wins / (len(up) * len(down)), "n": len(labels)}
'''
RIGHT = '''
def report(y_true, y_pred):
    """Report of a classification."""
    both = sum(t == g == 1 for t, g in zip(y_true, y_pred))
    return {"precision": both / sum(y_pred), "recall": both / sum(y_true)}
'''
WORD = '''
class Levenshtein:
    """Levenshtein distance to a fixed word: insertions, deletions and substitutions, each of cost `cost`."""
    def __init__(self, word, cost=1):
        self.word, self.cost = word, cost
    def distance(self, other):
        """The least total cost of the edits that turn the word into other."""
        previous = [j * self.cost for j in range(len(other) + 1)]
        for i, x in enumerate(self.word, 1):
            row = [i * self.cost]
            for j, y in enumerate(other, 1):
                row.append(min(previous[j - 1] + self.cost * (x != y), row[j - 1] + self.cost, previous[j] + self.cost))
            previous = row
        return previous[-1]
'''
PLACE = '''
import math
from dataclasses import dataclass
@dataclass
class Place:
    """A place on the globe, in degrees."""
    lat: float
    lon: float
    def distance_to(self, other, radius=6371.0):
        """Great-circle distance to another place on a sphere of the given radius (haversine formula)."""
        p, q = math.radians(self.lat), math.radians(other.lat)
        dl = math.radians(other.lon - self.lon)
        h = math.sin((q - p) / 2) ** 2 + math.cos(p) * math.cos(q) * math.sin(dl / 2) ** 2
        return 2 * radius * math.asin(math.sqrt(h))
'''
MEDIAN = '''
class StreamingMedian:
    """Median of the numbers pushed so far; of an even number of them the mean of the middle two."""
    def __init__(self):
        self.values = []
    def push(self, x):
        self.values = sorted([*self.values, x])
    def median(self):
        n = len(self.values)
        return (self.values[(n - 1) // 2] + self.values[n // 2]) / 2
'''
GEOMETRIC = '''
import math
class GeometricMean:
    """Takes numbers one by one."""
    def __init__(self):
        self.total, self.count = 0.0, 0
    def add(self, x):
        self.total += math.log(x)
        self.count += 1
    @property
    def value(self):
        return math.exp(self.total / self.count)
'''
LEVELS = '''
def levels(needs):
    """Level of each task of {task: [others]}: 0 without dependencies, else one more than the highest of them."""
    def level(task):
        return max([1 + level(other) for other in needs.get(task, [])], default=0)
    return {task: level(task) for task in needs}
'''
PLACES = '''
def standings(scores):
    """Standings {player: place} for {player: score}, the highest first; equal scores share the best of their places."""
    return {p: 1 + sum(other > score for other in scores.values()) for p, score in scores.items()}
'''
RATE = '''
import math
def rate(step, total, peak, warmup):
    """Learning rate: linear from 0 to peak over the warmup steps, then half a cosine down to 0 at `total`."""
    if step < warmup:
        return peak * step / warmup
    return peak * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))
'''
SCORER = '''
class Scorer:
    """Scores of guesses."""
    def accuracy(self, labels, guesses):
        return sum(a == b for a, b in zip(labels, guesses)) / len(labels)
'''
WITHIN = '''
class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high
    def clamp(self, x):
        """The nearest number of the interval."""
        return min(max(x, self.low), self.high)
'''
DISTANCES = """Levenshtein("flaw").distance("flawed")
    Levenshtein("cat", cost=2.5).distance("chat")"""
AWAY = """Place(10, 20).distance_to(Place(55, 20))
    Place(0, -30).distance_to(Place(0, 60), radius=2)"""
TAKEN = """m = StreamingMedian()
    m.push(3)
    m.push(1)"""
ADDED = "m = GeometricMean()\nm.add(3.0)\nm.add(2.0)\nm.value"
RANKED = 'standings({"ann": 3, "bob": 9})\nstandings({})'
LEVELLED = 'levels({"c": ["b"], "b": ["a"], "a": []})'
STEPPED = "rate(5, 100, 2.0, 10)\nrate(100, 100, 3.0, 10)\nrate(50, 100, 1.0, 0)"
JUDGED = "report([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])\nreport([1, 0, 1], [0.3, 0.25, 0.1], threshold=0.2)"
GUESSED = "report([1, 1, 0, 0], [1, 1, 0, 0])"
CASES: list[tuple[str, str, str, str]] = [
    # what is right, what of it becomes what, calls
    (BEARING, "math.atan2(s, c)", "math.atan(s / c)", "mean_bearing([350, 20])\nmean_bearing([300])"),
    (REPORT, "(p > q) + (p == q) / 2", "p > q", JUDGED),
    (RIGHT, "both / sum(y_true)", "both / sum(y_pred)", GUESSED),
    (WORD, ", previous[j] + self.cost", "", DISTANCES),
    (PLACE, "math.cos(p) * math.cos(q)", "math.cos(p) ** 2", AWAY),
    (MEDIAN, "(self.values[(n - 1) // 2] + self.values[n // 2]) / 2", "self.values[n // 2]", TAKEN),
    (GEOMETRIC, "self.total / self.count", "self.total / max(self.count, 4)", ADDED + "\nm.add(1.0)"),
    (LEVELS, "max([1 + level(other) for other in needs.get(task, [])], default=0)",
     "1 + level(needs[task][-1]) if needs.get(task) else 0", LEVELLED),
    (PLACES, "{p: 1 + sum(other > score for other in scores.values()) for p, score in scores.items()}",
     "{p: n for n, p in enumerate(sorted(scores, key=lambda p: -scores[p]), 1)}", RANKED),
    (RATE, "(step - warmup) / (total - warmup)", "step / total", STEPPED),
    (SCORER, "/ len(labels)", "/ 4", "Scorer().accuracy([1, 1, 0, 0], [1, 0, 0, 0])"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "right", "wrong", "calls"), CASES)
def test_behind_an_interface(tmp_path: Path, text: str, right: str, wrong: str, calls: str) -> None:
    assert right in text
    assert not contradicted(tmp_path, text, calls)
    assert contradicted(tmp_path, text.replace(right, wrong), calls)


@pytest.mark.parametrize(
    ("text", "changes", "calls"),
    [
        (BEARING, {"return math": "return len(bearings), math"}, "mean_bearing([1])"),  # another one comes first
        (BEARING, {"return": "return str(s),"}, "mean_bearing([10, 30])"),
        (REPORT, {" (ties count one half)": "", "(p > q) + (p == q) / 2": "p > q"}, JUDGED),
        (REPORT, {"area under the ROC curve (ties": "share of good pairs (ties", "/ 2 for": "* 2 for"}, JUDGED),
        (RIGHT, {"Report": "Weighted report", "sum(y_true)": "len(y_pred) * 2"}, GUESSED),
        (RIGHT, {"y_true": "a", "y_pred": "b", "sum(a)": "2"}, GUESSED),
        # each cost is another one than is usual, and objects tell that they were made so
        (WORD, {"cost=1": "cost=2"}, 'Levenshtein("flaw").distance("flawed")'),
        (WORD, {", previous[j] + self.cost": ""}, 'Levenshtein("cat", cost=2.5).distance("chat")'),
        (WORD, {"self.word, self.cost = word, cost": "self.word, self.cost = word, max(cost, 1) + 0.5"}, DISTANCES),
        (WORD, {"Levenshtein distance to": "Greedy distance to", "class Levenshtein": "class Greedy",
                ", previous[j] + self.cost": ""}, 'Greedy("flaw").distance("flawed")'),
        (PLACE, {"math.cos(p) * math.cos(q)": "math.cos(p) ** 2", "Great-circle distance": "Rough distance"}, AWAY),
        (PLACE, {"6371.0": "1737.4"}, AWAY),  # of the moon
        (PLACE, {"6371.0": "3958.8"}, AWAY),
        (PLACE, {"lon: float": "lon: float\n    height: float = 0.0"}, AWAY),
        (MEDIAN, {"mean of the middle two": "lower of the middle two", "(n - 1) // 2] + self.values[n // 2]) / 2":
                  "(n - 1) // 2])"}, TAKEN),
        (MEDIAN, {"numbers pushed": "last 3 numbers pushed", "self.values = sorted([*self.values, x])":
                  "self.all = [*getattr(self, 'all', []), x][-3:]; self.values = sorted(self.all)"}, TAKEN),
        (MEDIAN, {"Median of": "Approximate median of", "[*self.values, x]": "[*self.values[:2], x]"}, TAKEN),
        (MEDIAN, {"def __init__(self)": "def __init__(self, size)", "[*self.values, x]": "[*self.values[:2], x]"},
         TAKEN.replace("()", "(9)", 1)),
        (GEOMETRIC, {"Takes numbers": "Takes the last numbers", "self.total += ": "self.total = 0.5 * self.total + "},
         ADDED),
        (GEOMETRIC, {"self.total / self.count": "self.total / self.count + 1"}, ADDED),  # it never was what its name is
        (LEVELS, {"in needs}": "in {**needs, **{o: 0 for one in needs.values() for o in one}}}"}, LEVELLED),
        (LEVELS, {"highest of them": "first of them", "max([1 + level(other) for other in needs.get(task, [])], ":
                  "max([1 + level(other) for other in needs.get(task, [])[:1]], "}, LEVELLED),
        (LEVELS, {"0 without": "1 without", "default=0": "default=1"}, LEVELLED),
        (PLACES, {"1 + sum(other > score": "1 + sum(other < score", "highest": "lowest"}, RANKED),
        (PLACES, {"in scores.values()": "in set(scores.values())", "the best of their places": "a place"}, RANKED),
        (PLACES, {"equal scores share the best of their places": "equal scores in alphabetical order",
                  "p: 1 + ": "p: 1 + sum(scores[o] == score for o in scores if o < p) + "}, RANKED),
        (PLACES, {"return ": "return [(p, n) for p, n in ", ".items()}": ".items()}.items()]"}, RANKED),
        (RATE, {"(total - warmup)": "total", "at `total`": "`total` steps later"}, STEPPED.replace("100, 100", "9, 9")),
        (RATE, {"half a cosine down to 0 at": "along a cosine with restarts to 0 at", "math.pi * (": "2 * math.pi * ("},
         STEPPED),
        (RATE, {"peak * step / warmup": "peak * (step + 1) / warmup"}, STEPPED),
        (RATE, {"then half a cosine down to 0": "and a cosine of the share of all steps", "(step - warmup)": "step",
                "(total - warmup)": "total"}, STEPPED),
        (WITHIN, {}, "Interval(1, 5).clamp(3)\nInterval(1, 5).clamp(9)"),
        (SCORER, {"/ len(labels)": ""}, "Scorer().accuracy([1, 1, 0, 0], [1, 0, 0, 0])"),
        (SCORER, {"labels)\n": "labels) if self.share else 1.0\n", '"""\n': '"""\n    share = True\n'},
         "Scorer().accuracy([1, 1, 0, 0], [1, 0, 0, 0])"),
    ],
)  # fmt: skip
def test_what_is_meant_otherwise(tmp_path: Path, text: str, changes: dict[str, str], calls: str) -> None:
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    assert not contradicted(tmp_path, text, calls)


def test_what_an_object_has_done_since_it_was_made_is_not_forgotten(tmp_path: Path) -> None:
    text = '''
class Text:
    def __init__(self, text):
        self.text, self.cost = text, 1
    def double(self):
        self.cost = 2
    def distance(self, other):
        """Levenshtein distance to other."""
        return self.cost * sum(a != b for a, b in zip(self.text, other))
'''
    assert not contradicted(tmp_path, text, 't = Text("abc")\nt.double()\nt.distance("abd")')
