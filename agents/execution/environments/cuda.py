"""torch for the CPU: its own CPU build where one can be had, else its CUDA build without CUDA.

No sandbox has a graphics card, and the CUDA libraries are four fifths of what torch installs. Where the index of CPU
builds does not answer or has no fitting one, the CUDA build is taken without NVIDIA's packages, and libraries of the
same names that say "no device" stand in for them: torch then runs on the CPU, and ``torch.cuda.is_available()`` is
False, as on any machine without a card.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.construct import ConstructError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import SymbolTableSection

from agents.execution.environments.elf import empty_library

__all__ = ["stand_in_for_cuda", "without_cuda"]

_PACKAGE = re.compile(r"nvidia-.+|cuda-(toolkit|bindings|pathfinder|python)|triton|pytorch-triton")
_LIBRARY = re.compile(r"lib(cu\w*|nccl|nv\w+)\.so\.[\d.]+")
_SYMBOL = re.compile(r"(__)?cu|nccl|nv[rstJm]")
_BUILT_ON_CUDA = ("torch", "torchvision", "torchaudio", "torchtext", "functorch")
_NAMED = re.compile(r'^name = "([^"]+)"', re.M)


def without_cuda(lock: str, wanted: frozenset[str]) -> str:
    """A pylock.toml without NVIDIA's packages and triton, if torch is in it; those in `wanted` stay.

    As torch up to 1.12 carries its CUDA libraries in its own wheel, nothing is left out for it.
    """
    head, *blocks = re.split(r"(?m)^(?=\[\[packages\]\]$)", lock)
    names = [found[1] if (found := _NAMED.search(block)) else "" for block in blocks]
    if "torch" not in names:
        return lock
    kept = [block for block, name in zip(blocks, names, strict=True) if name in wanted or not _PACKAGE.fullmatch(name)]
    return head + "".join(kept)


def stand_in_for_cuda(site: Path) -> tuple[str, ...]:
    """Write the CUDA libraries that torch in `site` is linked with and that are not there; returns their names.

    They lie beside torch's own, where its libraries look last. A file that is no ELF for x86-64 is passed over.
    """
    home = site / "torch" / "lib"
    files = sorted(file for name in _BUILT_ON_CUDA for file in (site / name).rglob("*.so*") if file.is_file())
    if not home.is_dir():
        return ()
    here = {file.name for file in (*files, *site.glob("nvidia/**/*.so*"))}
    needed: set[str] = set()
    versioned: dict[str, dict[str, str]] = defaultdict(dict)
    loose: set[str] = set()
    for file in files:
        for library, version, symbol in _wants(file):
            if not symbol:
                needed.add(library)
            elif library:
                versioned[library][symbol] = version
            elif _SYMBOL.match(symbol):
                loose.add(symbol)
    missing = sorted(name for name in needed - here if _LIBRARY.fullmatch(name))
    for name in missing:
        (home / name).write_bytes(empty_library(name, dict.fromkeys(loose, "") | versioned[name]))
    return tuple(missing)


def _wants(file: Path) -> Iterator[tuple[str, str, str]]:
    """What a library is linked with (name, "", ""), and its undefined symbols (library if known, version, symbol)."""
    try:
        with file.open("rb") as stream:
            elf = ELFFile(stream)
            if elf.get_machine_arch() != "x64":
                return
            dynamic = elf.get_section_by_name(".dynamic")
            symbols = elf.get_section_by_name(".dynsym")
            if not isinstance(dynamic, DynamicSection) or not isinstance(symbols, SymbolTableSection):
                return
            for tag in dynamic.iter_tags("DT_NEEDED"):
                yield str(getattr(tag, "needed", "")), "", ""
            known = _versions(elf)
            numbers = elf.get_section_by_name(".gnu.version")
            for index, symbol in enumerate(symbols.iter_symbols()):
                if symbol["st_shndx"] != "SHN_UNDEF" or not symbol.name:
                    continue
                number = numbers.get_symbol(index)["ndx"] if isinstance(numbers, GNUVerSymSection) else 0
                library, version = known.get(number, ("", ""))
                yield library, version, symbol.name
    except (ELFError, ConstructError, OSError, UnicodeDecodeError, ValueError, KeyError, AttributeError):
        return


def _versions(elf: ELFFile) -> dict[int, tuple[str, str]]:
    """Version number to (library, version)."""
    section = elf.get_section_by_name(".gnu.version_r")
    if not isinstance(section, GNUVerNeedSection):
        return {}
    return {
        one["vna_other"]: (str(library.name), str(one.name))
        for library, ones in section.iter_versions()
        for one in ones
    }
