"""Values as JSON and back: plain ones, arrays and tensors of numbers, random generators. Standard library only, Python
3.6 or later.

Numbers, texts, truths and None are themselves; what else there is is an object whose "t" names its kind. An object of
another class is told by its attributes, what can't be told as "opaque" with the name of its type: neither can be read
back.
"""

import importlib
import json
import random
import sys

LARGEST, DEEP = 5000, 10
"""Items of a container, and how deep they may be nested."""


class NotPlain(Exception):
    """A value that can't be told so that it can be read back."""


def dump(value, whole=True):
    """JSON of a value. With `whole` raises NotPlain for what could not be read back."""
    try:
        return json.dumps(_told(value, whole, 0))
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise NotPlain(str(error)) from error


def load(text):
    """The value that `dump` told."""
    return _read(json.loads(text))


def _told(value, whole, depth):  # noqa: PLR0911 -- one return for each kind
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if depth > DEEP:
        return _opaque(value, whole)
    if kind in (bytes, bytearray):
        return {"t": kind.__name__, "v": value.hex()}
    if kind is complex:
        return {"t": "complex", "v": [value.real, value.imag]}
    if kind is random.Random:
        version, state, gauss = value.getstate()
        return {"t": "random", "v": [version, list(state), gauss]}
    if kind in (list, tuple, set, frozenset) and len(value) <= LARGEST:
        items = [_told(item, whole, depth + 1) for item in value]
        if kind in (set, frozenset):
            items.sort(key=json.dumps)
        return {"t": kind.__name__, "v": items}
    if kind is dict and len(value) <= LARGEST:
        pairs = [[_told(key, whole, depth + 1), _told(item, whole, depth + 1)] for key, item in value.items()]
        return {"t": "dict", "v": pairs}
    return _array(value, depth) or _object(value, whole, depth)


def _array(value, depth):
    """An array of numpy or a tensor of torch; None for what is none, or is large."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if torch is not None and hasattr(torch, "Tensor") and type(value) is torch.Tensor and value.numel() <= LARGEST:
        flat = value.detach().cpu().reshape(-1).tolist()
        return {
            "t": "tensor", "dtype": str(value.dtype).partition(".")[2], "shape": list(value.shape),
            "v": [_told(item, True, depth + 1) for item in flat],
        }  # fmt: skip
    if numpy is None or not hasattr(numpy, "ndarray"):
        return None
    if isinstance(value, numpy.generic) and value.dtype.kind in "biufcU":
        return {"t": "scalar", "dtype": value.dtype.str, "v": _told(value.item(), True, depth + 1)}
    if type(value) is numpy.ndarray and value.size <= LARGEST and value.dtype.kind in "biufcU":
        items = [_told(item, True, depth + 1) for item in value.ravel().tolist()]
        return {"t": "array", "dtype": value.dtype.str, "shape": list(value.shape), "v": items}
    return None


def _object(value, whole, depth):
    """An object by its attributes; a subclass of a sequence by its items."""
    if whole:
        raise NotPlain(type(value).__name__)
    if isinstance(value, (list, tuple)) and len(value) <= LARGEST:
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {"t": kind, "v": [_told(item, whole, depth + 1) for item in value]}
    try:
        attributes = vars(value)
    except TypeError:
        return _opaque(value, whole)
    if isinstance(value, type) or callable(value) or len(attributes) > 50:
        return _opaque(value, whole)
    pairs = [[str(name), _told(item, whole, depth + 1)] for name, item in sorted(attributes.items())]
    return {"t": "object", "type": type(value).__name__, "v": pairs}


def _opaque(value, whole):
    if whole:
        raise NotPlain(type(value).__name__)
    return {"t": "opaque", "type": type(value).__name__}


def _read(told):  # noqa: PLR0911 -- one return for each kind
    if not isinstance(told, dict):
        return told
    if "v" not in told:
        raise NotPlain(told["t"])
    kind, inner = told["t"], told["v"]
    if kind == "dict":
        return {_read(key): _read(item) for key, item in inner}
    if kind in ("list", "tuple", "set", "frozenset"):
        return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind](map(_read, inner))
    if kind in ("bytes", "bytearray"):
        return (bytes if kind == "bytes" else bytearray).fromhex(inner)
    if kind == "complex":
        return complex(*inner)
    if kind == "random":
        made = random.Random()  # noqa: S311 -- the one that was told
        made.setstate((inner[0], tuple(inner[1]), inner[2]))
        return made
    if kind == "tensor":
        torch = importlib.import_module("torch")
        return torch.tensor([_read(item) for item in inner], dtype=getattr(torch, told["dtype"])).reshape(told["shape"])
    if kind in ("array", "scalar"):
        numpy = importlib.import_module("numpy")
        if kind == "scalar":
            return numpy.dtype(told["dtype"]).type(_read(inner))
        return numpy.array([_read(item) for item in inner], dtype=told["dtype"]).reshape(told["shape"])
    raise NotPlain(kind)
