"""Values that are wrong and look right: same type, shape and names. Standard library only, Python 3.6 or later.

A test that can't tell them from right ones proves little. Each kind keeps what tests too often are content with:

- "shift", "lower": every number another one, upwards or downwards by an amount that differs from place to place; truth
  values turned, letters exchanged;
- "constant": zeros, False, "xxx"; "true": truth values True;
- "mean", "rms": floats replaced by their mean (the sum stays) or by their root mean square with their own signs (the
  norm stays), along the axis along which these are equal, or else the last;
- "permuted": the same numbers at other places, rows and columns together where a matrix is symmetric;
- "order": the items of the whole in another order, of a table its rows with their labels;
- "near": floats that are 4 % larger, and whole numbers as results of their own; "nan": floats that are none;
- "negated": a number as a result of its own with the other sign;
- "short": a list or array without its last item, and (see ``values``) what yields;
- "masked": of masked arrays, nothing at all.

- "part N": of an object with an equality of its own, which does not look there, the attribute at place N of those that
  its class speaks of.

Not among them, as its shape is another, is "fewer": dictionaries and sets without their last item. And `unchosen` needs
to know the arguments.

Arrays stay arrays of their library, with type, shape and gradients. What can't be altered is given back as it is.
"""

import collections
import copy
import decimal
import enum
import fractions
import functools
import math
import re
import sys
import types
import warnings

from .placing import SCALARS, VALUES, fewer, masked, reordered, shortened
from .structure import array_library, as_numpy, differ, library, state

PARTS = 4
KINDS = (
    "shift", "lower", "constant", "true", "mean", "rms", "permuted", "order", "near", "nan", "negated", "short",
    "masked",
) + tuple("part %d" % place for place in range(PARTS))  # fmt: skip
_OF_THE_WHOLE = {"order": reordered, "short": shortened, "masked": masked}
FACTORS = {"near": 1.04, "nan": math.nan}
DEPTH = 6
LAZY = (types.GeneratorType, map, zip, filter, enumerate, reversed)
ELEMENTS = 50000000
"""Values of one array: a larger one stays."""
_ALPHABETS = ((48, 10), (65, 26), (97, 26))


def wrong(value, kind):
    """`value` altered, or itself where nothing can be: nothing is altered in place."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if kind == "near" and type(value) is int:
                return value * FACTORS[kind] if value else value
            if kind == "negated":
                return -value if value and (type(value) is int or isinstance(value, float)) else value
            if kind.startswith("part"):
                return _in_part(value, int(kind[-1]))
            return _OF_THE_WHOLE[kind](value) if kind in _OF_THE_WHOLE else _Wrong(kind).of(value, DEPTH)
    except Exception:  # noqa: BLE001 -- a foreign value may raise anything while it is copied
        return value


def alters(kind, value):
    """Whether a value can be wrong in a way that matters: the order of a plain sequence may not, nor the sum of what
    is somewhere in a larger result. What is no number already is not made wrong by "nan", but accepted so."""
    parts = value if isinstance(value, (list, tuple)) else (value,)
    held = list(value.values()) if isinstance(value, dict) else parts
    flat = array_library(value) or all(isinstance(part, (bool, int, float)) for part in held[:100])
    if callable(value) and kind in ("true", "mean", "rms", "permuted"):
        return False  # what it gives when it is called nobody knows yet
    if kind in ("true", "mean", "rms") and not flat:
        return False
    if kind == "permuted" and not any(array_library(part) and len(part.shape) > 1 for part in parts[:100]):
        return False
    if kind in ("negated", "short", "masked"):
        other = wrong(value, kind)
        return other is not value and (kind == "masked" or differ(value, other))
    if kind in FACTORS and not (len(held) and all(map(_is_float, held))) and (kind, type(value)) != ("near", int):
        return False
    other = wrong(value, kind)
    return differ(value, other) or (kind == "nan" and other is not value)


def _in_part(value, place):
    """A copy that is wrong in one attribute and equal all the same; `value` if there is none."""
    names = _spoken_of(value)
    if place >= len(names):
        return value
    clone, held = copy.copy(value), state(value)[names[place]]
    object.__setattr__(clone, names[place], wrong(held, "shift"))
    return clone if value == clone else value


def _spoken_of(value):
    """The plain attributes of an object with an equality that is written in Python, as far as its class names them."""
    kind = type(value)
    if not isinstance(getattr(kind, "__eq__", None), types.FunctionType) or "site-packages" in _file(kind):
        return []
    text = str(kind.__doc__ or "")
    told = set() if text.startswith(kind.__name__ + "(") else set(re.findall(r"\w+", text))
    made = getattr(kind.__init__, "__code__", None)
    if made is not None and not made.co_filename.startswith("<"):  # that of a dataclass names all
        told.update(made.co_varnames[1 : made.co_argcount])
    return [name for name, item in state(value).items() if name in told and type(item) in (int, float, str, bool)]


def _file(kind):
    return str(getattr(sys.modules.get(kind.__module__), "__file__", ""))


def _is_float(part):
    kinds = list(part.dtypes) if hasattr(part, "columns") else [getattr(part, "dtype", type(part).__name__)]
    return isinstance(part, float) or bool(kinds and all("float" in str(kind) for kind in kinds))


class _Wrong:
    """`index` counts the numbers so far: no two neighbours are moved alike."""

    def __init__(self, kind):
        self.kind, self.index, self.left = kind, 0, VALUES
        self.sign = {"shift": 1, "lower": -1}.get(kind, 0)

    def of(self, value, depth):  # noqa: PLR0911 -- one return for each sort of value
        """Any value, altered."""
        kind = type(value)
        self.left -= 1
        if depth < 0 or self.left < 0 or value is None:
            return value
        if array_library(value):
            return self.array(value, depth)
        if library(value) == "pandas":
            return self.table(value, depth)
        if library(value) == "scipy" and hasattr(value, "tocoo"):
            clone = value.copy()
            clone.data = self.of(value.data, depth)
            return clone
        if issubclass(kind, enum.Enum):
            members = list(kind)
            place = 0 if self.kind == "constant" else members.index(value) + self.sign
            return members[place % len(members)]
        if issubclass(kind, (decimal.Decimal, fractions.Fraction)):
            return kind(0) if self.kind == "constant" else value + self.sign * self.step()
        for plain in SCALARS:
            if issubclass(kind, plain):
                return self.scalar(value, plain) if kind is plain else kind(self.scalar(plain(value), plain))
        if isinstance(value, (list, tuple, dict, set, frozenset, collections.deque)):
            return self.container(value, kind, depth)
        if isinstance(value, types.FunctionType):
            return self.function(value)
        if isinstance(value, LAZY):
            return map(functools.partial(wrong, kind=self.kind), value)
        return self.object(value, depth)

    def step(self):
        """The next whole step."""
        self.index += 1
        return 1 + self.index % 3

    def scalar(self, value, plain):
        """A number, truth value or text of a plain type."""
        if plain is bool:
            return {"true": True, "constant": False}.get(self.kind, not value if self.sign else value)
        if plain in (str, bytes):
            return self.text(value)
        if self.kind == "constant":
            return plain(0)
        if not self.sign:
            return value if plain is int else value * FACTORS.get(self.kind, 1)
        if plain is int:
            return value + self.sign * self.step()
        share = 0.37 + 0.11 * (self.step() + self.index % 5)
        return value + self.sign * share * (1 + abs(value)) if abs(value) < math.inf else plain(share)

    def text(self, value):
        """Text or bytes of the same length."""
        if isinstance(value, bytes):
            return self.text(value.decode("latin-1")).encode("latin-1")
        if self.kind == "permuted":
            return value[1:] + value[:1]
        if not self.sign and self.kind != "constant":
            return value
        changed = "".join(self.letter(i, letter) for i, letter in enumerate(value)) if self.sign else value
        return changed if changed != value else "x" * len(value)

    def letter(self, place, letter):
        """Another letter or digit for a plain one."""
        for first, count in _ALPHABETS:
            if first <= ord(letter) < first + count:
                return chr(first + (ord(letter) - first + self.sign * (1 + place % 3)) % count)
        return letter

    def container(self, value, kind, depth):
        """A container with its items altered, or at other places."""
        if self.kind == "fewer" and value and isinstance(value, (set, frozenset, dict)):
            return fewer(value, kind)
        if isinstance(value, (set, frozenset)):
            return kind(self.of(item, depth - 1) for item in value) if self.sign or self.kind == "constant" else value
        if isinstance(value, dict):
            clone = copy.copy(value)
            for name, item in zip(list(dict.keys(value)), self.items(list(dict.values(value)), kind, depth)):
                dict.__setitem__(clone, name, item)
            return clone
        items = self.items(list(value), kind, depth)
        if isinstance(value, collections.deque):
            return collections.deque(items, value.maxlen)
        if hasattr(kind, "_make"):
            return kind._make(items)
        return kind(items)

    def items(self, items, kind, depth):
        """The items of a container: numbers together, or each by itself."""
        kinds = {type(item) for item in items}
        if len(items) > 1 and len(kinds) == 1:
            if kinds == {float} and self.kind in ("mean", "rms"):
                total = math.fsum(item**2 if self.kind == "rms" else item for item in items) / len(items)
                return [math.copysign(math.sqrt(total), item) if self.kind == "rms" else total for item in items]
            if self.kind == "permuted" and (kinds.issubset(SCALARS) or not issubclass(kind, tuple)):
                moved = items[1:] + items[:1]
                if differ(items, moved):
                    return moved
        return [self.of(item, depth - 1) for item in items]

    def function(self, value):
        """A function whose results are altered."""
        kind = self.kind

        @functools.wraps(value)
        def altered(*args, **kwargs):
            return wrong(value(*args, **kwargs), kind)

        return altered

    def object(self, value, depth):
        """A copy of an object with its attributes altered."""
        held = state(value)
        clone = copy.copy(value) if held else value
        if clone is value:
            return value
        for name, item in held.items():
            other = self.of(item, depth - 1)
            if other is not item:
                object.__setattr__(clone, name, other)
        return clone

    def table(self, value, depth):
        """A pandas Series or DataFrame: its columns altered, its index kept."""
        if hasattr(value, "columns"):
            columns = [self.array(as_numpy(value.iloc[:, i]), depth) for i in range(value.shape[1])]
            clone = type(value)(dict(enumerate(columns)), index=value.index)
            clone.columns = value.columns
            return clone
        if hasattr(value, "index") and hasattr(value, "name"):
            return type(value)(self.array(as_numpy(value), depth), index=value.index, name=value.name)
        return value

    def array(self, value, depth):
        """An array of any library."""
        size = math.prod(value.shape) if hasattr(math, "prod") else functools.reduce(int.__mul__, value.shape, 1)
        if not 0 < size <= ELEMENTS:
            return value
        made = array_library(value)
        xp = sys.modules[{"jaxlib": "jax.numpy", "jax": "jax.numpy"}.get(made, made)]
        name = str(value.dtype).rpartition(".")[2]
        numbers = next((kind for kind in ("bool", "int", "float", "complex") if kind in name), "")
        if made != "numpy":
            found = self.numbers(xp, value, numbers, size) if numbers else value
            return found.to(value.dtype) if made == "torch" else found.astype(value.dtype)
        plain = xp.asarray(value)
        with xp.errstate(all="ignore"):
            found = self.numbers(xp, plain, numbers, size) if numbers else self.elements(xp, plain, depth)
        if not isinstance(value, xp.ndarray):
            return found.astype(value.dtype)[()]
        clone = value.copy()
        clone.view(xp.ndarray)[...] = found
        return clone

    def elements(self, xp, array, depth):
        """A numpy array of something else than numbers."""
        if array.dtype.kind in "mM":
            return self.numbers(xp, array.view("int64"), "int", array.size).view(array.dtype)
        if array.dtype.names:
            clone = array.copy()
            for name in array.dtype.names:
                clone[name] = self.array(array[name], depth)
            return clone
        clone = array.copy()
        clone.reshape(-1)[:] = self.items(array.reshape(-1).tolist(), list, depth)
        return clone

    def numbers(self, xp, array, numbers, size):  # noqa: PLR0911 -- one return for each kind
        """An array of numbers, by arithmetic that all libraries share."""
        if self.kind == "permuted":
            return self.moved(xp, array)
        if self.kind == "constant" or (self.kind == "true" and numbers == "bool"):
            return xp.zeros_like(array) if self.kind == "constant" else xp.ones_like(array)
        if self.kind in ("mean", "rms") and numbers == "float" and len(array.shape):
            square = array * array if self.kind == "rms" else array
            mean = square.mean(_axis(square), keepdims=True)
            if self.kind == "mean":
                return xp.zeros_like(array) + mean
            return xp.where(array < 0, -xp.sqrt(mean), xp.sqrt(mean))
        if self.kind in FACTORS and numbers in ("float", "complex"):
            return array * FACTORS[self.kind]
        if not self.sign:
            return array
        if numbers == "bool":
            return ~array
        place = xp.arange(self.index, self.index + size)
        place = (place.to(array.device) if hasattr(place, "to") else place).reshape(array.shape)
        self.index += size
        if numbers == "int":
            step = 1 + place % 3
            step = step.to(array.dtype) if hasattr(step, "to") else step.astype(array.dtype)
            return array + step if self.sign > 0 else array - step
        step = 0.37 + 0.11 * (place % 7)
        return xp.where(xp.isfinite(array), array + self.sign * step * (1 + abs(array)), step + 0 * xp.ones_like(array))

    @staticmethod
    def moved(xp, array):
        """The same numbers at other places."""
        rank = len(array.shape)
        if not rank:
            return array
        rows = xp.roll(array, 1, -1)
        try:
            square = rank == 2 and array.shape[0] == array.shape[1] and bool((array == array.T).all())
            choices = [xp.roll(rows, 1, 0)] if square else []
            choices += [rows, xp.roll(array.reshape(-1), 1, 0).reshape(array.shape)]
            return next((other for other in choices if bool((other != array).any())), array)
        except Exception:  # noqa: BLE001 -- while a function is compiled no number is known, and each library says so in its way
            return rows


def _axis(array):
    """The axis along which the sums are equal; the last if none is or all are."""
    try:
        for axis in range(len(array.shape) - 1, -1, -1):
            sums = array.sum(axis)
            if bool((abs(sums - sums.mean()) <= 1e-4 * abs(sums).mean()).all()):
                return axis
    except Exception:  # noqa: BLE001 -- as above: a number that is not known yet
        return -1
    return -1
