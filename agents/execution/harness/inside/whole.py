"""Whole numbers: sequences, what is counted, and properties, by the names of functions, in every usual reading.
Standard library only, Python 3.6 or later. See `algorithms`.
"""

import itertools
import math
from typing import Any, Dict

from .kinds import COUNT, MATRIX, rows_of


def _divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


def _is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def _primes(count):
    return list(itertools.islice(filter(_is_prime, itertools.count(2)), count))


def _counted(function, shifts=(0,)):
    """A number, by the usual first ones of a sequence."""
    return lambda *given: [float(function(given[0] + shift, *given[1:])) for shift in shifts if given[0] + shift >= 0]


def _told(function):
    """Whether something is so."""
    return lambda n: [bool(function(n))] if n > 0 else []


def _catalan(n):
    return _chosen(2 * n, n) // (n + 1)


def _chosen(n, k):
    return math.factorial(n) // math.factorial(k) // math.factorial(n - k) if 0 <= k <= n else 0


def _bell(n):
    row = [1]
    for _ in range(n):
        row = list(itertools.accumulate([row[-1], *row]))
    return row[0]


def _deranged(n):
    found = [1, 0]
    for size in range(2, n + 1):
        found.append((size - 1) * (found[-1] + found[-2]))
    return found[n]


def _parted(n):
    ways = [1] + [0] * n
    for part in range(1, n + 1):
        for total in range(part, n + 1):
            ways[total] += ways[total - part]
    return ways[n]


def _second_kind(n, k):
    return sum((-1) ** (k - j) * _chosen(k, j) * j**n for j in range(k + 1)) // math.factorial(k)


def _totient(n):
    return sum(math.gcd(n, one) == 1 for one in range(1, n + 1))


def _moebius(n):
    if any(n % (d * d) == 0 for d in range(2, n + 1)):
        return 0
    return (-1) ** len([d for d in _divisors(n) if _is_prime(d)])


def _collatz(n):
    """Its steps, or the numbers on its way."""
    steps = 0
    while n > 1:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
    return [float(steps), float(steps + 1)]


def _summed_divisors(n):
    """With itself or without."""
    return [float(sum(_divisors(n))), float(sum(_divisors(n)) - n)]


def _digital_root(n):
    return 1 + (n - 1) % 9 if n else 0


def _own_powers(n):
    return n == sum(int(digit) ** len(str(n)) for digit in str(n))


def _happy(n):
    seen = set()
    while n not in seen:
        seen.add(n)
        n = sum(int(digit) ** 2 for digit in str(n))
    return n == 1


def _last_of(n, k):
    """Who is left of n in a ring when every k-th goes, counted from 0 or from 1."""
    place = 0
    for size in range(2, n + 1):
        place = (place + k) % size
    return [float(place), float(place + 1)]


def _permanent(matrix):
    rows = rows_of(matrix)
    orders = itertools.permutations(range(len(rows)))
    total = 0.0
    for order in orders:
        product = 1.0
        for row, column in zip(rows, order):
            product *= row[column]
        total += product
    return [total]


_SMALL = [(n,) for n in (0, 1, 3, 5, 6, 7, 8, 9, 10)]
_SOME = [(n,) for n in (1, 6, 7, 8, 12, 18, 28, 30, 36, 49, 97, 153, 360)]
_NAMED: Dict[Any, Any] = {
    (1, "prime nth_prime"): (COUNT, _SMALL[1:], lambda n: [float(_primes(one)[-1]) for one in (n, n + 1) if one > 0]),
    (1, "catalan catalan_number"): (COUNT, _SMALL, _counted(_catalan, (0, -1))),
    (1, "bell bell_number"): (COUNT, _SMALL, _counted(_bell)),
    (1, "derangements subfactorial count_derangements number_of_derangements"): (COUNT, _SMALL, _counted(_deranged)),
    (1, "partition_count number_of_partitions count_partitions integer_partitions"): (COUNT, _SMALL, _counted(_parted)),
    (1, "triangle_number triangular_number triangular"): (COUNT, _SMALL, _counted(lambda n: n * (n + 1) // 2, (0, -1))),
    (1, "double_factorial"): (COUNT, _SMALL[1:], lambda n: [float(_product(range(n, 0, -2)))]),
    (1, "harmonic_number"): (COUNT, _SMALL[1:], lambda n: [sum(1 / k for k in range(1, n + 1))]),
    (1, "totient euler_totient eulers_totient euler_phi"): (COUNT, _SOME, _counted(_totient)),
    (1, "number_of_divisors count_divisors divisor_count num_divisors"): (
        COUNT, _SOME, _counted(lambda n: len(_divisors(n)))
    ),
    (1, "sum_of_divisors divisor_sum sum_divisors"): (COUNT, _SOME, _summed_divisors),
    (1, "moebius mobius moebius_function mobius_function"): (COUNT, _SOME, _counted(_moebius)),
    (1, "largest_prime_factor greatest_prime_factor"): (
        COUNT, _SOME[1:], lambda n: [float(max(filter(_is_prime, _divisors(n))))] if n > 1 else []
    ),
    (1, "next_prime"): (COUNT, _SOME, lambda n: [float(next(filter(_is_prime, itertools.count(n + 1))))]),
    (1, "is_square_free is_squarefree square_free"): (COUNT, _SOME, _told(_moebius)),
    (1, "is_perfect is_perfect_number"): (COUNT, _SOME, _told(lambda n: sum(_divisors(n)) == 2 * n)),
    (1, "is_armstrong is_armstrong_number is_narcissistic"): (COUNT, _SOME, _told(_own_powers)),
    (1, "is_happy is_happy_number"): (COUNT, _SOME, _told(_happy)),
    (1, "collatz_steps collatz_length collatz"): (COUNT, _SOME, _collatz),
    (1, "digital_root"): (COUNT, _SOME, _counted(_digital_root)),
    (1, "reverse_digits digits_reversed reversed_digits reverse_integer reverse_number"): (
        COUNT, _SOME, _counted(lambda n: int(str(n)[::-1]))
    ),
    (1, "bit_count popcount hamming_weight count_bits count_set_bits number_of_set_bits"): (
        COUNT, _SOME, _counted(lambda n: bin(n).count("1"))
    ),
    (1, "isqrt integer_sqrt integer_square_root"): (COUNT, _SOME, _counted(lambda n: int(n**0.5))),
    (2, "stirling2 stirling_second stirling_second_kind stirling_number_second_kind"): (
        COUNT, [(4, 2), (5, 3), (6, 1), (7, 4)], _counted(_second_kind)
    ),
    (2, "josephus josephus_problem"): (COUNT, [(7, 3), (10, 2), (5, 4)], _last_of),
    (3, "power_mod mod_pow modpow modular_power pow_mod modular_exponentiation"): (
        COUNT, [(3, 13, 7), (2, 10, 1000), (7, 0, 5)], lambda a, b, m: [float(pow(a, b, m))] if m else []
    ),
    (1, "permanent"): (MATRIX, [([[1, 2], [3, 4]],), ([[1, 0, 2], [3, 1, 1], [2, 2, 5]],)], _permanent),
}  # fmt: skip


def _product(values):
    found = 1
    for value in values:
        found *= value
    return found


WHOLE = {(name, count): entry for (count, names), entry in _NAMED.items() for name in names.split()}
"""As in `algorithms`."""
