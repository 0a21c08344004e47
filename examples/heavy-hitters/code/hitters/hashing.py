"""Hash functions whose collisions can be bounded."""

from random import Random

WORD = 64
MASK = (1 << WORD) - 1


class MultiplyShift:
    """Maps 64-bit integers to `bits` bits by the high bits of (a·x + b) mod 2^64, with a odd.

    Two different keys collide with probability at most 1/2^bits over the choice of a and b.
    """

    def __init__(self, bits: int, rng: Random) -> None:
        if not 0 < bits < WORD:
            raise ValueError(f"bits must be between 1 and {WORD - 1}, not {bits}")
        self.shift = WORD - bits
        self.a = rng.getrandbits(WORD) | 1
        self.b = rng.getrandbits(self.shift)

    def __call__(self, key: int) -> int:
        return ((self.a * key + self.b) & MASK) >> self.shift
