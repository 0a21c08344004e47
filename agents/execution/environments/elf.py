"""A shared library that has names and nothing behind them, written byte by byte (ELF-64, x86-64, System V gABI).

Layout: one readable and executable segment (headers, tables, a few instructions) and one writable with the dynamic
section. Symbol versions follow the Linux Standard Base's "Symbol Versioning".
"""

import struct
from collections.abc import Mapping

__all__ = ["empty_library"]

_PAGE = 0x1000
_CODE = bytes.fromhex("b864000000c3")
"""``mov eax, 100; ret``: 100 is both cudaErrorNoDevice and CUDA_ERROR_NO_DEVICE."""
_TEXT = bytes.fromhex("488d0501000000c300")
"""``lea rax, [rip+1]; ret`` and the empty string it points to: for functions that return a message."""
_HASH, _STRTAB, _SYMTAB, _STRSZ, _SYMENT, _SONAME = 4, 5, 6, 10, 11, 14
_VERSYM, _VERDEF, _VERDEFNUM = 0x6FFFFFF0, 0x6FFFFFFC, 0x6FFFFFFD


class _Strings:
    def __init__(self) -> None:
        self.data = bytearray(1)

    def add(self, text: str) -> int:
        start = len(self.data)
        self.data += text.encode() + b"\0"
        return start


def empty_library(soname: str, symbols: Mapping[str, str]) -> bytes:
    """A library by the name `soname` that defines each of `symbols` (name to version, "" for none) as a function.

    Called, a function returns 100, or the empty string if its name ends with "String" or "Name".
    """
    strings = _Strings()
    names = sorted(symbols)
    versions = sorted(set(symbols.values()) - {""})
    name_offset = strings.add(soname)
    offsets = [strings.add(name) for name in names]
    definitions = _definitions([(soname, name_offset), *((text, strings.add(text)) for text in versions)])

    head = 64 + 4 * 56
    hashes = _hash_table(names)
    symtab_size = 24 * (len(names) + 1)
    places: dict[int, int] = {}
    position = head
    for tag, size in (
        (_HASH, len(hashes)), (_SYMTAB, symtab_size), (_VERSYM, 2 * (len(names) + 1)),
        (_VERDEF, len(definitions)), (_STRTAB, len(strings.data)),
    ):  # fmt: skip
        position = -(-position // 8) * 8
        places[tag] = position
        position += size
    code = -(-position // 16) * 16
    message = code + 16
    end = message + 16

    table = bytearray(24)
    indices = bytearray(2)
    for name, offset in zip(names, offsets, strict=True):
        value = message if name.endswith(("String", "Name")) else code
        table += struct.pack("<IBBHQQ", offset, 0x12, 0, 1, value, 8)  # a global function in section 1
        indices += struct.pack("<H", 2 + versions.index(symbols[name]) if symbols[name] else 1)

    body = bytearray(end)
    for tag, data in (
        (_HASH, hashes), (_SYMTAB, table), (_VERSYM, indices), (_VERDEF, definitions), (_STRTAB, strings.data),
    ):  # fmt: skip
        body[places[tag] : places[tag] + len(data)] = data
    body[code : code + len(_CODE)] = _CODE
    body[message : message + len(_TEXT)] = _TEXT
    entries = [
        (_SONAME, name_offset), *places.items(), (_STRSZ, len(strings.data)), (_SYMENT, 24),
        (_VERDEFNUM, len(versions) + 1), (0, 0),
    ]  # fmt: skip
    dynamic = b"".join(struct.pack("<QQ", tag, value) for tag, value in entries)
    start = -(-end // _PAGE) * _PAGE
    body[:head] = _headers(end, start, len(dynamic))
    return bytes(body) + bytes(start - end) + dynamic


def _headers(end: int, start: int, dynamic: int) -> bytes:
    """The ELF header and four program headers: code, data, dynamic section, and a stack that is not executable."""
    elf = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 4, 64, 0, 0)
    segments = (
        (1, 5, 0, end, _PAGE),
        (1, 6, start, dynamic, _PAGE),
        (2, 6, start, dynamic, 8),
        (0x6474E551, 6, 0, 0, 16),
    )
    rows = (
        struct.pack("<IIQQQQQQ", kind, flags, at, at, at, size, size, page) for kind, flags, at, size, page in segments
    )
    return elf + b"".join(rows)


def _definitions(names: list[tuple[str, int]]) -> bytes:
    """The version definitions: the library's own name as the base, then each version."""
    rows = b""
    for index, (name, offset) in enumerate(names, 1):
        following = 28 if index < len(names) else 0
        rows += struct.pack("<HHHHIII", 1, int(index == 1), index, 1, _elf_hash(name), 20, following)
        rows += struct.pack("<II", offset, 0)
    return rows


def _hash_table(names: list[str]) -> bytes:
    """The System V hash table of symbols 1..n, symbol 0 being the undefined one."""
    count = max(1, len(names) // 2)
    buckets, chains = [0] * count, [0] * (len(names) + 1)
    for index, name in enumerate(names, 1):
        slot = _elf_hash(name) % count
        chains[index], buckets[slot] = buckets[slot], index
    return struct.pack(f"<{2 + count + len(chains)}I", count, len(chains), *buckets, *chains)


def _elf_hash(name: str) -> int:
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        value = (value ^ ((value & 0xF0000000) >> 24)) & 0x0FFFFFFF
    return value
