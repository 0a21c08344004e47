"""Stand-ins for packages that are not there. Runs inside the sandbox, Python 3.6 and later, standard library only.

`absent(name)`: for packages that could not be had. It can be imported, its names can be base classes and decorators, so
that modules that only mention it can be imported; any use of it raises ModuleNotFoundError, as if it were not there.

`alias(name, successor)`: the package goes by another name today.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types
from typing import Any, Dict, Iterator, Optional, Sequence

_successors: Dict[str, str] = {}
"""Name of each package that is stood in for, and what succeeded it, "" if nothing did."""


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


class _Meta(type):
    """Each name of a stand-in is a class, so that it can be derived from, called, indexed and looped over."""

    _leaf = True
    _top = ""

    def __getattr__(cls, name: str) -> Any:
        if _is_dunder(name):
            raise AttributeError(name)
        return _make(cls.__qualname__ + "." + name)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        decorated = cls._leaf and len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type))
        if decorated and type(args[0]) is not _Meta:
            return args[0]
        raise ModuleNotFoundError("No module named %r (a stand-in is in its place)" % cls._top, name=cls._top)

    def __iter__(cls) -> Iterator[Any]:
        return iter(())

    def __bool__(cls) -> bool:
        return not cls._leaf

    def __getitem__(cls, key: Any) -> Any:
        return cls

    def __or__(cls, other: Any) -> Any:
        return cls

    __ror__ = __or__

    def __instancecheck__(cls, instance: Any) -> bool:
        return not cls._leaf and super().__instancecheck__(instance)


class _Base:
    """The base of what is derived from a stand-in's name."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        cls._leaf = False  # type: ignore[attr-defined] # an attribute of the metaclass


def _make(name: str) -> Any:
    made = _Meta(name.rsplit(".", 1)[-1], (_Base,), {"__module__": __name__})
    made.__qualname__ = name
    made._leaf, made._top = True, name.split(".", maxsplit=1)[0]
    return made


class _Module(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if _is_dunder(name):
            raise AttributeError(name)
        made = _make(self.__name__ + "." + name)
        setattr(self, name, made)
        return made


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Serves ``name.anything`` for each stand-in and each alias."""

    def find_spec(
        self,
        fullname: str,
        path: Optional[Sequence[str]] = None,  # noqa: ARG002 -- the protocol's; Python 3.6 reads this
        target: Optional[types.ModuleType] = None,  # noqa: ARG002 -- the protocol's; Python 3.6 reads this
    ) -> Optional[importlib.machinery.ModuleSpec]:
        top, _, rest = fullname.partition(".")
        if not rest or top not in _successors:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _standing_in(spec.name, spec)

    def exec_module(self, module: types.ModuleType) -> None:
        top, _, rest = module.__name__.partition(".")
        if _successors[top]:
            sys.modules[module.__name__] = importlib.import_module(_successors[top] + "." + rest)


def _standing_in(name: str, spec: Any) -> types.ModuleType:
    module = _Module(name)
    module.__path__, module.__spec__, module.__version__ = [], spec, "0.0.0"  # type: ignore[attr-defined] # dynamic
    return module


def _register(name: str, successor: str) -> None:
    _successors[name] = successor
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def absent(name: str) -> None:
    """Put a stand-in that can be mentioned but not used in the place of `name`, which is being imported."""
    _register(name, "")
    sys.modules[name] = _standing_in(name, sys.modules[name].__spec__)


def alias(name: str, successor: str) -> None:
    """Let `successor` be the module `name`, which is being imported, and their submodules likewise."""
    _register(name, successor)
    sys.modules[name] = importlib.import_module(successor)
