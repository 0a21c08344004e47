"""What numerical methods give for functions, and caches for what is put into them. Standard library only, Python 3.6 or
later.

A method is told by the names of its parameters (`roles`): where these are others, nothing is said of it.
"""

import itertools
import math

from .definitions import near

_NAMES = {
    "f": "f fn fun func function slope rhs derivative dydt dydx deriv ode integrand g",
    "e": "t1 t_end t_final t_stop tf tend end_time stop_time",
    "t": "t t0 time x x0 start_time t_start",
    "y": "y y0 state value u u0 start y_start initial",
    "h": "h dt step step_size stepsize delta_t dx",
    "n": "n steps count n_steps num_steps nsteps intervals num_intervals n_intervals subintervals segments",
    "a": "a lo low lower left start x_min xmin",
    "b": "b hi high upper right end stop x_max xmax",
    "tol": "tol tolerance eps epsilon xtol precision",
    "s": "step t i it iteration epoch current_step global_step",
    "m": "total total_steps num_steps n_steps steps max_steps total_epochs epochs",
    "p": "peak peak_lr base_lr lr max_lr base learning_rate",
    "w": "warmup warmup_steps warm_up num_warmup_steps n_warmup warmup_epochs",
}
_STEPPED = ("f t y h", "f t y h n", "f y t h", "f y t h n", "f y h", "f y t e n", "f t y e n", "f t e y n")
_WITHIN, _OVER = ("f a b", "f a b tol"), ("f a b n",)
_RULES = {
    **dict.fromkeys(("rk4", "rk4_step", "runge_kutta4", "runge_kutta_4", "rk4_integrate"), _STEPPED),
    **dict.fromkeys(("euler", "euler_step", "euler_method", "forward_euler"), _STEPPED),
    **dict.fromkeys(
        (
            "bisection",
            "bisect",
            "bisection_method",
            "find_root",
            "brentq",
            "bisect_root",
            "bisection_root",
            "root_by_bisection",
            "find_root_bisection",
        ),
        _WITHIN,
    ),
    **dict.fromkeys(("trapezoid", "trapezoidal", "trapezoidal_rule", "trapezoid_rule", "trapz"), _OVER),
    "warmup_cosine": tuple(" ".join(("s", *rest)) for rest in itertools.permutations("mpw")),
    **dict.fromkeys(("simpson", "simpsons", "simpson_rule", "simpsons_rule"), _OVER),
}


def roles(name: str, parameters: "list[str]") -> "list[str]":
    """What the parameters of a method of this name are for; empty where that can't be told."""
    for form in _RULES.get(name, ()):
        parts = form.split()
        named = len(parts) == len(parameters)
        if named and all(word in _NAMES[part].split() for part, word in zip(parts, parameters)):
            return parts
    return []


class Method:
    """One of them: its name, and what its arguments are for."""

    def __init__(self, how):
        self.name, self.roles = how[0], list(how[1:])

    def fits(self, given):
        """Whether what is given is of its kind."""
        plain = [type(value) in (int, float) for value in given]
        return len(given) == len(self.roles) and all(p == (r != "f") for p, r in zip(plain, self.roles))

    def inputs(self, _):
        """Lists of arguments."""
        if "w" in self.roles:
            rates = [{"s": step, "m": 100, "p": 2.0, "w": 20} for step in (10, 60, 80)]
            return [[rate[role] for role in self.roles] for rate in rates]
        found = {"f": _growth if "t" in self.roles else _decay, "t": 0.5, "y": 1.0, "h": 0.5, "e": 2.5, "n": 4}
        if "y" not in self.roles:
            found = {"f": _quartic if "n" in self.roles else _falling, "a": 0.0, "b": 3.0, "n": 6, "tol": 1e-9}
        return [[found[role] for role in self.roles]]

    def told(self, inputs, found):
        """(Whether a result agrees, what it should be); None if it is no number."""
        given = dict(zip(self.roles, inputs))
        if type(found) not in (int, float) or not math.isfinite(found):
            return None
        if "w" in given:
            wanted = list(self.warmed(**given))
        elif "y" in given:
            wanted = [one for turned in (False, True) for one in self.stepped(given, turned)]
        elif "n" in given:
            wanted = list(self.summed(**given)) if given["n"] > 1 else []
        else:
            return self.crossed(found, **{role: given[role] for role in "fab"})
        return (any(near(found, one) for one in wanted), wanted[0]) if wanted else None

    @staticmethod
    def step(given):
        """How far one goes, also where an end is given."""
        return given["h"] if "h" in given else (given["e"] - given.get("t", 0.0)) / given["n"]

    def stepped(self, given, turned):
        """The value after one step, or so many; a slope is of time and value, or of value and time."""
        f, h, t, y = given["f"], self.step(given), given.get("t", 0.0), given["y"]
        try:
            for _ in range(given.get("n", 1)):
                k = []  # type: list[float]
                for part in (0.0, 0.5, 0.5, 1.0):
                    at = (t + part * h, y + part * h * k[-1] if k else y)
                    k.append(f(*(at[::-1] if turned else at)) if "t" in given else f(at[1]))
                rule = k[0] if "euler" in self.name else (k[0] + 2 * k[1] + 2 * k[2] + k[3]) / 6
                y, t = y + h * rule, t + h
        except (ArithmeticError, TypeError, ValueError):
            return []
        return [y] if abs(y) < 1e12 else []

    def summed(self, f, a, b, n):
        """By so many intervals, points or pairs of intervals."""
        for count in (n, n - 1, 2 * n, n + 1):
            h = (b - a) / count
            values = [f(a + i * h) for i in range(count + 1)]
            if self.name.startswith("trap"):
                yield h * (sum(values) - (values[0] + values[-1]) / 2)
            elif count % 2 == 0:
                yield h / 3 * (values[0] + values[-1] + 4 * sum(values[1:-1:2]) + 2 * sum(values[2:-1:2]))

    @staticmethod
    def warmed(s, m, p, w):
        """At a step, counted from 0 or 1; the most may be the number of steps, the last one, or those that follow."""
        if s < w:
            return [p * s / w, p * (s + 1) / w]
        shares = [(s + i - w) / length for i in (0, 1) for length in (m - w, m - w - 1, m) if length > 0]
        return [p * (1 + math.cos(math.pi * share)) / 2 for share in shares]

    @staticmethod
    def crossed(found, f, a, b):
        """Whether there is a root: near it the sign is another."""
        low, high = min(a, b), max(a, b)
        if f(low) * f(high) >= 0:
            return None
        room = 1e-2 * (high - low)
        there = low <= found <= high and (f(found - room) * f(found + room) <= 0 or f(found) == 0)
        return there, "a root between %g and %g" % (low, high)


def _growth(t, y):
    """0.7 y + cos(3 t)"""
    return 0.7 * y + math.cos(3 * t)


def _decay(y):
    """-0.7 y * y"""
    return -0.7 * y * y


def _quartic(x):
    """x ** 4 - x"""
    return x**4 - x


def _falling(x):
    """2 - x ** 3"""
    return 2 - x**3


_BUILT_IN = (type(dict.get), type(object.__repr__))
_PUT, _GET = ("put", "set", "add", "insert", "store", "__setitem__"), ("get", "lookup", "fetch", "__getitem__")


def _is_written(kind, name):
    """Whether a class has this method from a text in Python: those of `dict` pass its subclass's by."""
    found = next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), None)
    return found is not None and type(found) not in _BUILT_IN


def forgotten(cache):
    """What is wrong with what a new cache of the class of `cache` forgets, if that is to be what was not used for the
    longest; "" for nothing, None if it can't be tried."""
    kind = type(cache)
    put, get = (next((name for name in names if _is_written(kind, name)), None) for names in (_PUT, _GET))
    if not put or not get:
        return None
    made = kind(2)
    put, get = getattr(made, put), getattr(made, get)
    put("a", 11)
    put("b", 22)
    if get("a") != 11:
        return None
    put("c", 33)
    held = []
    for name, value in (("a", 11), ("b", 22), ("c", 33)):
        try:
            held += [name] if get(name) == value else []
        except KeyError:
            continue
    if "c" not in held or len(held) == 3 or "a" in held:
        return "" if "a" in held else None
    return "nothing for 'a' with room for two, once 'b' was put, 'a' was got and 'c' was put, its definition gives 11"


TAKE = ("update", "add", "push", "append", "observe", "insert", "put", "feed", "record")
_SPREAD = ("variance", "var", "sample_variance", "get_variance", "std", "stdev", "standard_deviation")
_FEW, _FAR = (4.0, 7.0, 13.0, 16.0), 1e9
_SPREADS = (22.5, 30.0)
"""Of these few, divided by their number or by one less."""


def cancelled(one, divisors=(0, 1)):
    """What is wrong with the spread of values, also far from zero, that a new object of the class of `one` is given one
    by one; "" for nothing, None if it can't be tried. It is divided by their number less one of `divisors`."""
    kind = type(one)
    take, tell = (next((name for name in names if hasattr(kind, name)), None) for names in (TAKE, _SPREAD))
    if not take or not tell:
        return None
    found = []
    for offset in (0.0, _FAR):
        made = kind()
        for value in _FEW:
            getattr(made, take)(value + offset)
        told = getattr(made, tell)
        found.append(told() if callable(told) else told)
    powers = [p for spread in _SPREADS for p in (1, 0.5) if type(found[0]) is float and near(found[0], spread**p)]
    if not powers:
        return None
    wanted = [_SPREADS[divisor] ** powers[0] for divisor in divisors]
    if not any(near(found[0], each) for each in wanted):
        return "%r for %s, its definition gives %r" % (found[0], list(_FEW), wanted[0])
    if type(found[1]) is float and near(found[1], found[0]):
        return ""
    return "%r for %s, each plus %g, its definition gives %r" % (found[1], list(_FEW), _FAR, found[0])
