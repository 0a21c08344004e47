"""What functions on texts, whole numbers and sequences give by their names, in every usual reading.
Standard library only, Python 3.6 or later.

Each reads its arguments as its kind puts them, and gives all that a result may be: truth values, whole numbers, numbers
(floats), lists of numbers, numbers by key, or functions that tell whether it may be a result (None: it can't be told).
"""

import itertools
import math
import zlib
from typing import Any, Dict

from .kinds import BYTES, COUNT, DEEP, LIST, NUMBER, TEXT, Kind, each, exactly, numbers_in, placed


def edits(first, second, changed=1):
    """The Levenshtein distance of two sequences, where a changed item costs so much."""
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        new = [i]
        for j, right in enumerate(second, 1):
            new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + changed * (left != right)))
        row = new
    return row[-1]


def _transposed(first, second):
    """Damerau's distances: the restricted one, and that of any edits."""
    found = []
    for free in (False, True):
        table = {(i, j): i + j for i in range(len(first) + 1) for j in range(len(second) + 1) if not i * j}
        for i, j in itertools.product(range(1, len(first) + 1), range(1, len(second) + 1)):
            changed = table[i - 1, j - 1] + (first[i - 1] != second[j - 1])
            best = min(table[i - 1, j] + 1, table[i, j - 1] + 1, changed)
            for k, m in itertools.product(range(1, i), range(1, j)):
                turned = first[k - 1] == second[j - 1] and first[i - 1] == second[m - 1]
                if turned and (free or (k, m) == (i - 1, j - 1)):
                    best = min(best, table[k - 1, m - 1] + (i - k - 1) + 1 + (j - m - 1))
            table[i, j] = best
        found.append(table[len(first), len(second)])
    return found


def _jaro(first, second):
    reach = max(0, max(len(first), len(second)) // 2 - 1)
    taken, found = set(), []
    for i, letter in enumerate(first):
        places = range(max(0, i - reach), min(len(second), i + reach + 1))
        place = next((j for j in places if j not in taken and second[j] == letter), None)
        if place is not None:
            taken.add(place)
            found.append(letter)
    if not found:
        return 0.0
    turned = sum(a != second[j] for a, j in zip(found, sorted(taken))) / 2
    return (len(found) / len(first) + len(found) / len(second) + (len(found) - turned) / len(found)) / 3


def _winkler(first, second):
    plain = _jaro(first, second)
    same = next((i for i in range(4) if first[i : i + 1] != second[i : i + 1]), 4)
    return [plain + 0.1 * same * (1 - plain)]


def _parts(text, within):
    """All that is left of a text by leaving out letters, or all that stands in it, longest first."""
    if within:
        return [text[i : i + n] for n in range(len(text), 0, -1) for i in range(len(text) - n + 1)]
    return ["".join(one) for n in range(len(text), 0, -1) for one in itertools.combinations(text, n)]


def _common(*within):
    def readings(first, second):
        if max(len(first), len(second)) > 9:
            return []
        found = [next((o for o in _parts(first, w) if o in _parts(second, w)), "") for w in within]
        return [reading for one in found for reading in (len(one), exactly(one, list(one)))]

    return readings


def _differing(first, second):
    if len(first) != len(second):
        return []
    count = sum(a != b for a, b in zip(first, second))
    return [count, count / max(1, len(first))]


def _runs(text):
    runs = [(letter, len(list(same))) for letter, same in itertools.groupby(text)]
    told = ["".join("%s%d" % one for one in runs), "".join("%d%s" % one[::-1] for one in runs)]
    counted = [(letter, str(count) if count > 1 else "") for letter, count in runs]
    told += ["".join(map("".join, counted)), "".join(count + letter for letter, count in counted)]
    turned = [one[::-1] for one in runs]
    return [exactly(*told, runs, turned, list(map(list, runs)), list(map(list, turned)))]


def _shifted(text, places):
    """By Caesar's cipher, forwards or back, of small letters."""
    turned = ["".join(chr(97 + (ord(a) - 97 + by) % 26) for a in text) for by in (places, -places)]
    return (
        [exactly(*turned, *map(str.upper, turned))] if text and set(text) <= set("abcdefghijklmnopqrstuvwxyz") else []
    )


_NUMERALS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def _roman(number):
    text = ""
    for value, letters in _NUMERALS:
        text += letters * (number // value)
        number %= value
    return text


def _luhn(digits):
    if not str(digits).isdigit():
        return []
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(str(digits)))]
    return [sum(value - 9 * (value > 9) for value in doubled) % 10 == 0]


def _primes(most):
    found = [n for n in range(2, most + 1) if all(n % i for i in range(2, int(n**0.5) + 1))]
    return [exactly(found, [n for n in found if n < most], len(found))]


def _factors(number):
    found, divisor, left = [], 2, number
    while left > 1:
        while left % divisor == 0:
            found.append(divisor)
            left //= divisor
        divisor += 1
    counts = {one: found.count(one) for one in found}
    return [exactly(found, sorted(counts), set(found), counts, sorted(counts.items()))]


def _chosen(n, k):
    return [math.factorial(n) // math.factorial(k) // math.factorial(n - k)] if k <= n <= 100 else []


def _leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _month(year, month):
    return [28 + _leap(year) if month == 2 else 30 if month in (4, 6, 9, 11) else 31] if 1 <= month <= 12 else []


def _four_bytes(text):
    """With zeros in front, opinions differ."""
    parts = text.split(".")
    if any(len(part) > 1 and part.startswith("0") for part in parts) or max(text, default="") > "~":
        return []
    return [len(parts) == 4 and all(part.isdigit() and int(part) <= 255 for part in parts)]


def _day(year, month, day):
    lengths = [31, 29 if _leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return [sum(lengths[: month - 1]) + day] if 1 <= month <= 12 else []


def _once(values):
    """Each in order of place or size, or those that are there once."""
    values = list(values)
    first = [value for i, value in enumerate(values) if value not in values[:i]]
    return [first, sorted(first), [value for value in values if values.count(value) == 1]]


def _deep(values):
    return [item for value in values for item in (_deep(value) if isinstance(value, list) else [value])]


def _ascends(values):
    values = numbers_in(values)
    return [values == sorted(values), values == sorted(set(values))]


def _sums(values):
    sums = list(itertools.accumulate(numbers_in(values)))
    return [sums, [0.0] + sums, sums[:-1]]


class _Compared(int):
    """A number that counts, since the last copy of one, how often one is compared."""

    count = 0
    __hash__ = int.__hash__

    def __deepcopy__(self, memo):
        _Compared.count = 0
        return self


def _counting(plain):
    def method(self, other):
        _Compared.count += 1
        return plain(self, other)

    return method


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(_Compared, _name, _counting(getattr(int, _name)))
LONG = 2000


def _searched(values, wanted):
    """Where a value stands in sorted ones, found by halving: not after comparing it with most of them."""
    count, place = _Compared.count, next((i for i, value in enumerate(values) if int(value) == wanted), None)

    def holds(found):
        """the place of what is wanted, in a number of comparisons that is logarithmic"""
        if len(values) >= LONG and count > LONG // 4:
            return False
        if place is None or list(map(int, values)).count(int(wanted)) > 1 or type(found) not in (int, bool):
            return None
        return found is True if type(found) is bool else found in (place, place + 1)

    return [holds] if list(map(int, values)) == sorted(map(int, values)) else []


def _clipped(x, low, high):
    return [float(min(max(x, low), high))]


def _unit_clip(x):
    """To [0, 1] or [-1, 1], as far as what lies within says nothing."""
    return [] if 0 <= x <= 1 else [float(min(1, max(low, x))) for low in (0, -1)]


def _between(a, b, t):
    """Linearly, the share first or last."""
    return [float(a + (b - a) * t), float(b + (t - b) * a)]


_WORDS = [("kitten", "sitting"), ("abcde", "bcdef"), ("flaw", "lawns"), ("abc", "abc"), ("abcdef", "cf"),
          ("f", "abcdef"), ("intention", "execution")]  # fmt: skip
_SWAPPED = [("abcd", "acbd"), ("kitten", "sitting"), ("ab", "ba"), ("xabcy", "xcbay")]
_ALIKE = [("martha", "marhta"), ("dixon", "dicksonx"), ("jellyfish", "smellyfish")]
_COMMON = [("aggtab", "gxtxayb"), ("abcbdab", "zbcbx"), ("axbycz", "abc")]
_TURNED = [("listen", "silent"), ("aabbc", "abbcc"), ("abcd", "abce"), ("abc", "abcc")]
_SINGLE = [(text,) for text in ("abba", "level", "abca", "abcdba", "ab")]
_NATURAL = [(n,) for n in (*range(2, 12), 25, 35, 49, 77, 91, 97, 121, 143, 1009)]
_SHUFFLED = [([3, 1, 5, 2, 9, 4, 8],), ([4, 1, 4, 2, 1, 7],)]
_YEARS = [(year,) for year in (1900, 2000, 2023, 2024, 2100)]
_NUMERAL = each(lambda value: type(value) is str and bool(value) and set(value) <= set("IVXLCDM"))
_LONG_LIST = Kind(
    lambda given: all(type(value) is list and (type(value[-1]) is _Compared or LIST.fits([value])) for value in given),
    lambda _, inputs: [list(map(_Compared, inputs[0]))],
)
_UP = (LIST, _SHUFFLED, lambda values: [sorted(map(float, values))])
_DOWN = (LIST, _SHUFFLED, lambda values: [sorted(map(float, values), reverse=True)])
_SORT = (LIST, _SHUFFLED, lambda values: [*_UP[2](values), *_DOWN[2](values)])
_NAMED: Dict[Any, Any] = {
    (2, "levenshtein levenshtein_distance edit_distance"): (
        TEXT,
        _WORDS,
        lambda a, b: [edits(a, b), edits(a, b, 2)],
    ),
    (2, "unit_levenshtein"): (TEXT, _WORDS, lambda a, b: [edits(a, b)]),
    (2, "damerau damerau_distance damerau_levenshtein damerau_levenshtein_distance osa_distance"): (
        TEXT,
        _SWAPPED,
        _transposed,
    ),
    (2, "hamming hamming_distance"): (TEXT, [("karolin", "kathrin"), ("abcd", "dcba")], _differing),
    (2, "jaro jaro_similarity"): (TEXT, _ALIKE, lambda a, b: [_jaro(a, b)]),
    (2, "jaro_winkler jaro_winkler_similarity"): (TEXT, _ALIKE, _winkler),
    (2, "longest_common_subsequence lcs_length"): (TEXT, _COMMON, _common(False)),
    (2, "longest_common_substring"): (TEXT, _COMMON, _common(True)),
    (2, "lcs"): (TEXT, _COMMON, _common(False, True)),
    (2, "is_anagram are_anagrams anagram"): (TEXT, _TURNED, lambda a, b: [sorted(a) == sorted(b)]),
    (1, "is_palindrome palindrome"): (TEXT, _SINGLE, lambda text: [text == text[::-1]]),
    (1, "run_length_encode run_length_encoding rle rle_encode"): (TEXT, [("aaabccd",), ("zzxxxx",)], _runs),
    (2, "caesar caesar_cipher caesar_encrypt caesar_encode"): (
        placed(TEXT, COUNT),
        [("wxyz", 3), ("hello", 5)],
        _shifted,
    ),
    (1, "roman to_roman int_to_roman roman_numeral"): (
        COUNT,
        [(n,) for n in (4, 9, 14, 40, 94, 1990)],
        lambda n: [exactly(_roman(n), _roman(n).lower())] if 0 < n < 4000 else [],
    ),
    (1, "from_roman roman_to_int roman_value roman_to_integer"): (
        _NUMERAL,
        [(_roman(n),) for n in (4, 9, 14, 40, 94, 1990)],
        lambda text: [n for n in range(1, 4000) if _roman(n) == text],
    ),
    (1, "luhn luhn_check is_luhn luhn_valid is_luhn_valid valid_luhn validate_luhn"): (
        each(lambda value: type(value) is str and value.isdigit()),
        [("79927398713",), ("79927398710",), ("18",), ("4539148803436467",), ("81",)],
        _luhn,
    ),
    (1, "adler32"): (BYTES, [(b"hello",), (b"\x00\xffabc",)], lambda data: [zlib.adler32(data) & 0xFFFFFFFF]),
    (1, "crc32"): (BYTES, [(b"hello",), (b"\x00\xffabc",)], lambda data: [zlib.crc32(data) & 0xFFFFFFFF]),
    (1, "is_leap_year is_leap leap_year leap"): (COUNT, _YEARS, lambda year: [_leap(year)]),
    (2, "days_of_month days_in_month month_days"): (
        COUNT,
        [(1900, 2), (2000, 2), (2023, 4), (2024, 2), (2023, 12)],
        _month,
    ),
    (1, "reverse_complement"): (
        each(lambda value: type(value) is str and set(value) <= set("ACGT")),
        [("GATTACA",), ("AACG",)],
        lambda strand: [exactly("".join("TGCA"["ACGT".index(letter)] for letter in reversed(strand)))],
    ),
    (1, "is_ipv4 is_ipv4_address is_valid_ipv4 valid_ipv4"): (
        TEXT,
        [("192.168.1.255",), ("999.999.999.999",), ("1.2.3",), ("1.2.3.256",)],
        _four_bytes,
    ),
    (1, "square_root newton_sqrt heron babylonian_sqrt sqrt_newton my_sqrt"): (
        NUMBER,
        [(x,) for x in (2.0, 0.0625, 1e4, 1e8)],
        lambda x: [math.sqrt(x)],
    ),
    (3, "day_of_year"): (COUNT, [(2024, 12, 31), (2023, 3, 1), (1900, 3, 1), (2000, 3, 1)], _day),
    (1, "is_prime"): (COUNT, _NATURAL, lambda n: [n > 1 and all(n % i for i in range(2, int(n**0.5) + 1))]),
    (1, "is_even"): (COUNT, _NATURAL, lambda n: [n % 2 == 0]),
    (1, "is_odd"): (COUNT, _NATURAL, lambda n: [n % 2 == 1]),
    (2, "lcm least_common_multiple lowest_common_multiple"): (
        COUNT,
        [(4, 6), (12, 18), (7, 5), (8, 2)],
        lambda a, b: [a * b // math.gcd(a, b)] if a and b else [],
    ),
    (1, "primes primes_up_to primes_below sieve sieve_of_eratosthenes"): (COUNT, [(60,), (130,)], _primes),
    (1, "prime_factors factorize factorise prime_factorization"): (COUNT, [(84,), (121,), (97,), (360,)], _factors),
    (2, "binomial binomial_coefficient n_choose_k"): (COUNT, [(5, 2), (10, 3), (7, 7)], _chosen),
    (1, "is_perfect_square"): (COUNT, _NATURAL, lambda n: [math.sqrt(n) == int(math.sqrt(n))]),
    (1, "is_power_of_two"): (COUNT, _NATURAL + [(64,), (96,)], lambda n: [n > 0 and n & (n - 1) == 0]),
    (1, "digit_sum sum_of_digits sum_digits"): (COUNT, [(409,), (7,), (98765,)], lambda n: [sum(map(int, str(n)))]),
    (3, "clip clamp"): (NUMBER, [(5, 0, 3), (-5, 0, 3), (2, 0, 3), (-7, -4, -2)], _clipped),
    (1, "clip clamp"): (NUMBER, [(-7.5,), (40.0,), (1.25,)], _unit_clip),
    (3, "lerp linear_interpolation"): (NUMBER, [(2.0, 10.0, 0.25), (-3.0, 5.0, 0.5)], _between),
    (1, "absolute absolute_value"): (NUMBER, [(-7,), (-2.5,), (4,)], lambda x: [float(abs(x))]),
    (1, "ascending sort_ascending sorted_ascending"): _UP,
    (1, "descending sort_descending sorted_descending"): _DOWN,
    (
        1,
        "bubble_sort heap_sort insertion_sort merge_sort quick_sort selection_sort quicksort mergesort heapsort",
    ): _SORT,
    (1, "unique"): (LIST, [([3, 1, 3, 2, 5, 1, 4],)], _once),
    (1, "unique_in_order"): (LIST, [([3, 1, 3, 2, 5, 1, 4],)], lambda values: _once(values)[:1]),
    (1, "is_sorted"): (LIST, [([1, 3, 2, 4],), ([1, 2, 5],), ([1, 5, 3, 7, 9],)], _ascends),
    (1, "cumsum cumulative_sum prefix_sum prefix_sums running_sum"): (LIST, [([3, -1, 4, 2],)], _sums),
    (1, "kahan_sum compensated_sum neumaier_sum"): (
        LIST,
        [([1e16, *[1.0] * 10, -1e16],)],
        lambda values: [float(math.fsum(numbers_in(values)))],
    ),
    (1, "deep_flatten flatten_deep flatten_deeply flatten_recursive recursive_flatten"): (
        DEEP,
        [([1, [2, [3, [4, 5]], 6], [[7]]],)],
        lambda values: [exactly(_deep(values))],
    ),
    (2, "binary_search"): (
        placed(_LONG_LIST, NUMBER),
        [(range(0, 3 * LONG, 3), 3 * LONG - 30), (range(0, 60, 3), 27)],
        _searched,
    ),
    (2, "polyval evaluate_polynomial polynomial horner"): (
        placed(LIST, NUMBER),
        [([2.0, -1.0, 3.0, 0.5], 2.5)],
        lambda c, x: [float(sum(a * x**i for i, a in enumerate(row))) for row in (numbers_in(c), numbers_in(c)[::-1])],
    ),
}
ALGORITHMS = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
CERTAIN = (
    "reverse_complement", "is_prime", "is_even", "is_odd", "is_leap_year", "days_of_month", "days_in_month", "adler32",
    "crc32", "is_ipv4", "luhn", "luhn_check", "luhn_valid", "is_luhn_valid", "caesar", "caesar_cipher",
)  # fmt: skip
"""Names that mean nothing else: here a real call may be wrong, too."""
