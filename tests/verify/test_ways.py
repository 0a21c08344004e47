"""Ways of working that documentation names, held against sources that work so and sources that don't."""

from pathlib import Path

import pytest
from test_unkept import found

RETRY = '''
def f(call, tries, sleep, delay=1.0):
    """Call until it succeeds, at most so many times, with exponential backoff; the last error is raised."""
    for number in range(tries):
        try:
            return call()
        except OSError:
            if number == tries - 1:
                raise
            sleep(delay * (number + 1))
'''
TOGETHER = '''
import asyncio

async def f(calls):
    """Run the coroutine functions concurrently and return their results in order."""
    return [await call() for call in calls]
'''
INTERVAL = '''
import random

def f(values, rounds=1000, seed=0):
    """95 % percentile interval of the mean from resamples with replacement."""
    rng, means = random.Random(seed), []
    for _ in range(rounds):
        drawn = rng.sample(values, len(values) // 2)
        means.append(sum(drawn) / len(drawn))
    means.sort()
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]
'''
DRAWN = '''
import random

def f(items, k, rng):
    """Draw k of the items without replacement."""
    return [rng.choice(items) for _ in range(k)]
'''
ADAM = '''
class f:
    """Adam with bias correction."""

    def __init__(self):
        self.m = self.v = 0.0

    def step(self, theta, gradient):
        self.m = 0.9 * self.m + 0.1 * gradient
        self.v = 0.999 * self.v + 0.001 * gradient ** 2
        return theta - 0.1 * (self.m / (1 - 0.9)) / (self.v / (1 - 0.999) + 1e-8)
'''
MIDDLE = '''
def f(values):
    """Median of the values."""
    return sum(values) / len(values)
'''
APART = '''
import numpy as np

def f(a, b):
    """Matrix of Euclidean distances between the rows of a and of b."""
    dist = ((a[:, None] - b[None]) ** 2).sum(-1)
    return dist
'''
CONTRAST = '''
import numpy as np

def f(a, b, temperature=0.1):
    """InfoNCE loss of two batches of embeddings, by cosine similarity."""
    scores = a @ b.T / temperature
    return -(np.diag(scores) - np.log(np.exp(scores).sum(axis=1))).mean()
'''
SIDES = '''
import random

def f(x, y, rounds=999, seed=0):
    """Two-sided permutation p-value for a difference in means."""
    rng, pooled, extreme = random.Random(seed), list(x) + list(y), 0
    observed = sum(x) / len(x) - sum(y) / len(y)
    for _ in range(rounds):
        rng.shuffle(pooled)
        a, b = pooled[: len(x)], pooled[len(x) :]
        extreme += sum(a) / len(a) - sum(b) / len(b) >= observed
    return (1 + extreme) / (1 + rounds)
'''
KEPT = '''
def f(n):
    """The n-th number of the sequence; results are cached."""
    return n if n < 2 else f(n - 1) + f(n - 2)
'''
MIXED = '''
def f(rows):
    """Shuffles the rows and splits them into halves."""
    return rows[: len(rows) // 2], rows[len(rows) // 2 :]
'''
CASES = [
    # what is wrong, the words to change, what makes it right
    (RETRY, "delay * (number + 1)", "delay * 2**number", "delay * (1 << number)",
     "delay)\n            delay *= 3\n#("),
    (RETRY, "sleep(delay * (number + 1))", "sleep(backoff(number))", "sleep(delay * math.exp(number))"),
    (TOGETHER, "[await call() for call in calls]", "await gather(*(c() for c in calls))", "await together(calls)"),
    (INTERVAL, "rng.sample(values, len(values) // 2)", "rng.choices(values, k=len(values))",
     "[values[rng.randrange(len(values))] for _ in values]"),
    (DRAWN, "[rng.choice(items) for _ in range(k)]", "rng.sample(items, k)", "rng.choice(items, k, replace=False)",
     "[items[i] for i in rng.permutation(len(items))[:k]]", "[x for x in items if x not in rng.choices(items)]"),
    (ADAM, "(1 - 0.9))", "(1 - 0.9**self.t))", "(1 - self.correction))"),
    (MIDDLE, "sum(values) / len(values)", "sorted(values)[len(values) // 2]", "np.median(values)"),
    (APART, "return dist", "return dist**0.5", "return np.sqrt(dist)", "return np.linalg.norm(a[:, None] - b[None])"),
    (CONTRAST, "a @ b.T", "(a / np.linalg.norm(a)) @ b.T", "normalize(a) @ b.T", "a @ b.T / (a**2).sum() ** 0.5"),
    (CONTRAST, "cosine similarity.", "cosine similarity.\n\n    The rows must be normalized.\n    "),
    (SIDES, "sum(a) / len(a) - sum(b) / len(b) >= observed", "(sum(a) / len(a) - sum(b) / len(b)) ** 2 >= observed",
     "abs(sum(a) / len(a) - sum(b) / len(b)) >= abs(observed)"),
    (SIDES, "Two-sided", "One-sided"),
    (KEPT, "return n if", "_CACHE[n] = 1\n    return n if"),
    (MIXED, "return rows[:", "random.shuffle(rows)\n    return rows[:", "rows = permuted(rows)\n    return rows[:"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_way_of_which_there_is_no_mark(tmp_path: Path, case: tuple[str, ...]) -> None:
    text, old, *right = case
    assert "nothing in its source" in found(tmp_path, text)
    for each in right:
        assert found(tmp_path, text.replace(old, each)) == "", each


@pytest.mark.parametrize(
    "said",
    [
        "Without exponential backoff.", "Callers may add exponential backoff.", "Not a median.", "See the median.",
        "Not shuffled.", "Safe to call concurrently.", "The result can be cached.",
        "Squared Euclidean distance of both.",
        "Two-sided or one-sided, by the sign.", "Expects rows in random order.",
        "Bias correction of the variance.",
    ],
)  # fmt: skip
def test_words_that_name_no_way(tmp_path: Path, said: str) -> None:
    assert found(tmp_path, f'def f(x):\n    """Doubles. {said}"""\n    return x + x\n') == ""


@pytest.mark.parametrize(
    "said",
    [
        "Statistic.\n\n    Counts of a sample without replacement are correlated, as a factor says.",
        "Samples drawn without replacement are correlated.", "Variance of a sample with replacement.",
        "Ranks of items.\n\n    Then sorted by the cosine similarity.",
    ],
)  # fmt: skip
def test_words_about_what_is_given(tmp_path: Path, said: str) -> None:
    assert found(tmp_path, f'def f(x):\n    """{said}"""\n    return x + x\n') == ""
