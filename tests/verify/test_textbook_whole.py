"""Functions of whole numbers whose name is that of a definition: right ones, in either usual counting, contradict
nothing, and one that is right only where it was tested does."""

import math
from itertools import count, islice, permutations
from pathlib import Path
from typing import Any

import pytest
from contradicting import contradicted

from agents.execution.harness.inside.kinds import COUNT
from agents.execution.harness.inside.whole import WHOLE

RIGHT: list[tuple[str, list[tuple[Any, ...]]]] = [
    ("def nth_prime(n):\n    found = []\n    while len(found) < n:\n        k = (found or [1])[-1] + 1\n"
     "        while any(k % p == 0 for p in found):\n            k += 1\n        found.append(k)\n    return found[-1]",
     [(1,), (4,)]),
    ("import math\ndef catalan(n): return math.comb(2 * n, n) // (n + 1)", [(0,), (4,)]),
    ("import math\ndef nth_catalan(n): return math.comb(2 * n - 2, n - 1) // n", [(1,), (5,)]),
    ("def bell_number(n):\n    row = [1]\n    for _ in range(n):\n        new = [row[-1]]\n        for x in row:\n"
     "            new.append(new[-1] + x)\n        row = new\n    return row[0]", [(3,)]),
    ("def derangements(n): return 1 if n == 0 else n * derangements(n - 1) + (-1) ** n", [(4,)]),
    ("def partition_count(n, most=None):\n    most = n if most is None else most\n"
     "    return 1 if n == 0 else sum(partition_count(n - k, k) for k in range(1, min(n, most) + 1))", [(5,)]),
    ("def triangular_number(n): return n * (n + 1) // 2", [(4,)]),
    ("def double_factorial(n): return 1 if n < 2 else n * double_factorial(n - 2)", [(5,)]),
    ("def harmonic_number(n): return sum(1 / k for k in range(1, n + 1))", [(3,)]),
    ("import math\ndef euler_totient(n): return sum(math.gcd(k, n) == 1 for k in range(1, n + 1))", [(9,)]),
    ("def count_divisors(n): return sum(n % d == 0 for d in range(1, n + 1))", [(12,)]),
    ("def sum_of_divisors(n): return sum(d for d in range(1, n) if n % d == 0)", [(12,)]),
    ("def mobius(n):\n    sign = 1\n    for d in range(2, n + 1):\n        if n % d == 0:\n            n //= d\n"
     "            if n % d == 0:\n                return 0\n            sign = -sign\n    return sign", [(6,), (12,)]),
    ("def largest_prime_factor(n):\n    d = 2\n    while d < n:\n        if n % d:\n            d += 1\n        else:\n"
     "            n //= d\n    return n", [(12,)]),
    ("def next_prime(n):\n    n += 1\n    while any(n % d == 0 for d in range(2, n)):\n        n += 1\n    return n",
     [(8,)]),
    ("def is_squarefree(n): return all(n % (d * d) for d in range(2, n + 1))", [(6,), (12,)]),
    ("def is_perfect_number(n): return sum(d for d in range(1, n) if n % d == 0) == n", [(6,), (8,)]),
    ("def is_armstrong(n): return n == sum(int(d) ** len(str(n)) for d in str(n))", [(153,), (10,)]),
    ("def is_happy(n):\n    while n > 4:\n        n = sum(int(d) ** 2 for d in str(n))\n    return n == 1",
     [(7,), (4,)]),
    ("def collatz_steps(n):\n    steps = 0\n    while n != 1:\n        n = 3 * n + 1 if n % 2 else n // 2\n"
     "        steps += 1\n    return steps", [(6,)]),
    ("def digital_root(n):\n    while n > 9:\n        n = sum(map(int, str(n)))\n    return n", [(98,)]),
    ("def digits_reversed(n): return int(str(n)[::-1])", [(120,)]),
    ("def bit_count_of(n): return bin(n).count('1')", [(7,)]),
    ("import math\ndef isqrt(n): return math.isqrt(n)", [(10,)]),
    ("def stirling2(n, k):\n    if n == k:\n        return 1\n    if not 0 < k < n:\n        return 0\n"
     "    return k * stirling2(n - 1, k) + stirling2(n - 1, k - 1)", [(4, 2)]),
    ("def josephus(n, k): return 0 if n == 1 else (josephus(n - 1, k) + k) % n", [(5, 2)]),
    ("def power_mod(base, exponent, modulus):\n    found = 1\n    for _ in range(exponent):\n"
     "        found = found * base % modulus\n    return found % modulus", [(3, 4, 5)]),
    ("from itertools import permutations\ndef permanent_of(m):\n    total = 0\n"
     "    for order in permutations(range(len(m))):\n"
     "        product = 1\n        for row, place in zip(m, order):\n            product *= row[place]\n"
     "        total += product\n    return total", [([[1, 2], [3, 4]],)]),
]  # fmt: skip


def called(text: str) -> str:
    return text.split("def ")[1].split("(", maxsplit=1)[0]


@pytest.mark.parametrize(("text", "calls"), RIGHT, ids=[called(text) for text, _ in RIGHT])
def test_a_right_one_contradicts_nothing_and_a_table_of_its_tests_does(
    text: str, calls: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    assert contradicted(tmp_path, text, calls) == ""
    names: dict[str, Any] = {}
    exec(text, names)  # noqa: S102 -- the text is a test's
    told = {repr(call): names[called(text)](*call) for call in calls}
    kind = bool if isinstance(next(iter(told.values())), bool) else float
    guess = f"{told}.get(repr(args), {kind(0)})"
    parameters = text.split(f"def {called(text)}(")[1].split(")", maxsplit=1)[0]
    given = ", ".join(part.split("=")[0].strip() for part in parameters.split(",") if "=" not in part)
    table = f"def {called(text)}({given}):\n    args = ({given},)\n    return {guess}"
    assert "its definition gives" in contradicted(tmp_path, table, calls)


def test_the_tables_values_are_what_others_say() -> None:
    primes = list(islice((n for n in count(2) if all(n % d for d in range(2, n))), 10))
    assert [WHOLE["nth_prime", 1][2](n)[0] for n in range(1, 11)] == primes
    for n, wanted in enumerate((1, 1, 2, 5, 15, 52, 203)):
        assert WHOLE["bell", 1][2](n) == [wanted]
    for n in range(7):
        still = [order for order in permutations(range(n)) if all(i != k for i, k in enumerate(order))]
        assert WHOLE["derangements", 1][2](n) == [len(still)]
        assert WHOLE["isqrt", 1][2](n * n + n) == [math.isqrt(n * n + n)]
    assert [WHOLE["partition_count", 1][2](n)[0] for n in range(8)] == [1, 1, 2, 3, 5, 7, 11, 15]
    assert [WHOLE["mobius", 1][2](n)[0] for n in (1, 2, 4, 6, 30)] == [1, -1, 0, 1, -1]
    assert COUNT.fits([3])
