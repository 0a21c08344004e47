"""What values consist of, without trusting them: their state, their digest. Standard library only, Python 3.6 or later.

No comparison and no text of a foreign class is believed: numbers are compared by the text that their own type gives
them, arrays by their bytes, objects by their attributes. Arrays are known by the library of their type, which is never
imported here.
"""

import collections
import datetime
import decimal
import enum
import fractions
import hashlib
import pathlib
import sys
import types
import uuid

ARRAYS = ("numpy", "torch", "jax", "jaxlib")
DEPTH = 6
VALUES = 20000
"""Of values that are looked at one by one, per digest."""
ELEMENTS = 4000000
"""Of one array: from a larger one every n-th element is taken."""
_SHOWN = (
    int, float, complex, str, bytes, bytearray, bool, type(None), type(Ellipsis), type(NotImplemented), range, slice,
    decimal.Decimal, fractions.Fraction, datetime.date, datetime.datetime, datetime.timedelta, datetime.time, uuid.UUID,
    pathlib.PosixPath, pathlib.PurePosixPath,
)  # fmt: skip
_PLAIN = ("types", "argparse")
"""Of the standard library's, the modules whose objects are nothing but their attributes."""
_KNOWN = getattr(sys, "stdlib_module_names", None) or set(sys.builtin_module_names).union(
    "_io abc array asyncio collections concurrent contextlib csv ctypes functools importlib inspect io json logging"
    " multiprocessing os pathlib queue random re socket sqlite3 string subprocess tempfile threading traceback typing"
    " unittest urllib weakref xml".split()
)
_CLOSED = frozenset(_KNOWN).difference(_PLAIN).union(("matplotlib", "PIL", "tensorflow", "pytest", "_pytest"))


def library(value):
    """The name of the package that the type of `value` says it is from."""
    return str(type(value).__module__).partition(".")[0]


def array_library(value):
    """The library of an array or scalar, of a class derived from one, or of what stands for one while a function is
    compiled; "" for what is none."""
    bases = (str(base.__module__).partition(".")[0] for base in type(value).__mro__)
    made_by = next((name for name in bases if name in ARRAYS), "")
    return made_by if made_by and hasattr(value, "dtype") and hasattr(value, "shape") else ""


def as_numpy(value):
    """An array of any library as a plain one of numpy; what can't be read raises."""
    numpy = sys.modules["numpy"]
    if array_library(value) == "torch":
        value = value.detach().cpu()
        value = value.to_dense() if value.is_sparse else value
        value = (value.float() if "bfloat" in str(value.dtype) else value).numpy()
    return numpy.asarray(value)


def state(value):
    """The attributes of an object, name to value; None for what is more, or other, than its attributes."""
    kind = type(value)
    if issubclass(kind, (type, types.ModuleType, types.FunctionType, BaseException)) or library(value) in _CLOSED:
        return None
    found = {}
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            member = base.__dict__.get(name)
            if isinstance(member, types.MemberDescriptorType):
                try:
                    found[name] = member.__get__(value, kind)
                except AttributeError:
                    continue
    attributes = object.__getattribute__(value, "__dict__") if hasattr(kind, "__dict__") and _has_dict(kind) else {}
    if type(attributes) is dict:
        found.update((name, item) for name, item in attributes.items() if type(name) is str)
    return found if found or _has_dict(kind) else None


def _has_dict(kind):
    return any("__dict__" in base.__dict__ for base in kind.__mro__ if base is not type)


class Digest:
    """`text` is equal for equal values. `opaque` says that something could not be looked into, and was told by its
    identity alone: such a text means nothing later; `abstract`, that one was an array without numbers, as there are
    while a function is compiled. `size` counts what was looked at."""

    def __init__(self, value, most=VALUES):
        self.opaque, self.abstract, self.most = False, False, most
        self.size, self.hash = 0, hashlib.blake2b(digest_size=16)
        try:
            self.feed(value, DEPTH)
        except Exception:  # noqa: BLE001 -- a foreign value may raise anything while it is looked at
            self.unknown(value)
        self.text = self.hash.hexdigest()

    def token(self, *parts):
        """Add texts, and where they end."""
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode("utf-8", "backslashreplace")
            self.hash.update(b"%d:" % len(data) + data)

    def unknown(self, value):
        """Add what can't be looked into."""
        self.opaque = True
        self.token("?", type(value).__name__, id(value))

    def feed(self, value, depth):
        """Add one value with all that it holds."""
        kind = type(value)
        self.size += 1
        if depth < 0 or self.size > self.most:
            return self.token("...")
        if array_library(value):
            return self.array(value, depth)
        if library(value) == "pandas" and hasattr(value, "to_numpy") and hasattr(value, "shape"):
            self.token(kind.__name__)
            parts = [value.index, value.columns] if hasattr(value, "columns") else [getattr(value, "index", None)]
            return [self.feed(part, depth - 1) for part in [value.to_numpy()] + parts]
        if kind in _SHOWN:
            return self.token(kind.__name__, repr(value + 0.0 if kind is float else value))
        if issubclass(kind, enum.Enum):
            return self.token(kind.__qualname__, value.name)
        self.token(kind.__module__, kind.__qualname__)
        inside = self.held(value, kind)
        for item in inside:
            self.feed(item, depth - 1)
        held = state(value)
        if held:
            for name in sorted(held):
                self.token(name)
                self.feed(held[name], depth - 1)
        elif held is None and not inside and not issubclass(kind, (list, tuple, dict, set, frozenset)):
            self.unknown(value)
        return None

    @staticmethod
    def held(value, kind):
        """What a container holds, or what an object of a class derived from a plain one is besides its attributes."""
        if issubclass(kind, dict):
            return sorted(dict.items(value), key=lambda item: _order(item[0]))
        if issubclass(kind, (set, frozenset)):
            return sorted(_order(item) for item in set(value))
        if issubclass(kind, (list, tuple, collections.deque)):
            return list(value)
        plain = next((base for base in (int, float, str, bytes, complex) if issubclass(kind, base)), None)
        return [] if plain is None else [plain.__repr__(value)]

    def array(self, value, depth):
        """Add an array: its type, shape and bytes."""
        try:
            array = as_numpy(value)
        except Exception:  # noqa: BLE001 -- each library has its own error for an array without numbers
            self.abstract = True
            self.unknown(value)
            return
        self.token(str(value.dtype), str(tuple(array.shape)))
        if array.size > ELEMENTS:
            array = array.reshape(-1)[:: array.size // ELEMENTS + 1]
        self.size += int(array.size)
        if array.dtype.hasobject:
            for item in array.reshape(-1).tolist()[:VALUES]:
                self.feed(item, depth - 1)
        else:
            self.token((array + 0.0 if array.dtype.kind == "f" else array).tobytes())


def _order(key):
    """A text to sort by."""
    return type(key).__name__ + repr(key) if type(key) in (str, int) else Digest(key, VALUES // 100).text


def differ(one, other):
    """Whether two values that live now are different."""
    return one is not other and Digest(one).text != Digest(other).text
