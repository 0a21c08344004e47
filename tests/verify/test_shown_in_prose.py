"""What documentation shows in prose, of texts and of what comes of them, is tried; honest code is not refuted."""

from pathlib import Path
from typing import Any

import pytest
from test_conduct import refuted, said

SNAKE = "import re\nreturn re.sub(r'(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])', '_', x).lower()"
EACH = "return ''.join('_' * (c.isupper() and i > 0) + c.lower() for i, c in enumerate(x))"
SLUG = "import re\nreturn '-'.join(re.findall('[a-z0-9]+', x.lower()))"
GAPS = "import re\nreturn re.sub('[^a-z0-9]', '-', x.lower())"
KEY = "[int(p) if p.isdigit() else p for p in re.split(r'(\\d+)', {})]"
SORTED = "import re\nreturn sorted(x, key=lambda n: " + KEY.format("n") + ")"
UNITS = "import re\nu = {'d': 86400, 'h': 3600, 'm': 60, 's': 1}\n"
SUM = UNITS + "return sum(int(n) * u[k] for n, k in re.findall(r'(\\d+)(\\w)', x)"
FILES = (["b3", "b1"],)
CASES: list[tuple[str, str, str, str, tuple[Any, ...]]] = [
    # kind, documentation, what is wrong, what is right, a call
    ("example", "Snake case; a run of capitals is one word (HTTPServer becomes http_server).", EACH, SNAKE, ("aB",)),
    ("example", "Snake case: `HTTPServer` -> `http_server`.", EACH, SNAKE, ("aB",)),
    ("example", "Slug of a title: 'a, b' turns into 'a-b'.", GAPS, SLUG, ("ab c",)),
    ("example", 'A slug, so that "Well, done!" becomes "well-done".', GAPS, SLUG, ("ab",)),
    ("example", "Spaces are squeezed. 'a b!c' → 'a b c', and no more.", "return x.replace('!', '')",
     "return x.replace('!', ' ')", ("a  b",)),
    ("example", "Plural of a noun, as in 'box' -> 'boxes'.", "return x + 's'",
     "return x + ('es' if x[-1] in 'sx' else 's')", ("cat",)),
    ("example", "Number of a numeral: 'XIV' gives 14.",
     "return sum({'X': 10, 'V': 5, 'I': 1}[c] for c in x)",
     "return sum({'X': 10, 'V': 5, 'I': 1}[c] for c in x) - 2 * ('IV' in x) - 2 * ('IX' in x)", ("XVI",)),
    ("example", "Seconds: `2h5m` gives 7500.", "return int(x[:-1]) * 60 if x[-2].isdigit() and 'h' not in x else 5",
     SUM + ")", ("4m",)),
    ("in_front", "Natural order: numbers compare by value, so that file2 comes before file10.", "return sorted(x)",
     SORTED, FILES),
    ("in_front", "Names, numbers by value: 'v1.10' sorts after 'v1.9'.", "return sorted(x)", SORTED, FILES),
    ("in_front", "Sorts names as people do; puts img9 before img12.", "return sorted(x)", SORTED, FILES),
    ("in_front", "Key for natural order (x2 comes before x10).", "return x",
     "import re\nreturn " + KEY.format("x"), ("a1",)),
    ("quantity", "Seconds of a duration such as '1h30m', '45s' or '2d'.", SUM.replace("x)", "x)[:2]") + ")",
     SUM + ")", ("1h2m",)),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "documentation", "wrong", "right", "call"), CASES)
def test_what_is_shown_in_prose_is_tried(
    kind: str, documentation: str, wrong: str, right: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert kind in refuted(tmp_path, said(documentation, wrong, "x"), call)
    assert refuted(tmp_path, said(documentation, right, "x"), call) == set()


HONEST: list[tuple[str, str, str, tuple[Any, ...]]] = [
    # documentation, parameters, a body, a call
    ("Turns CamelCase into snake_case, so CamelCase becomes snake_case.", "x", SNAKE, ("aB",)),
    ("Converts names: 'camelCase' -> 'snake_case'.", "x", SNAKE, ("aB",)),
    ("The inverse of kebab: 'a-b' becomes 'a b'.", "x", SLUG, ("ab",)),
    ("Unlike g, where HTTPServer becomes http_server, each capital is a word.", "x", EACH, ("aB",)),
    ("Snake case. HTTPServer becomes http_server if runs are kept.", "x", EACH, ("aB",)),
    ("Snake case. HTTPServer does not turn into http_server; HTTPServer never becomes http_server.", "x", EACH, ("a",)),
    ("Used to be wrong: formerly HTTPServer became http_server.", "x", EACH, ("aB",)),
    ("Snake case; with runs HTTPServer becomes http_server.", "x, runs=False", EACH, ("aB",)),
    ("Plural of a noun: 'y' becomes 'ies'.", "x", "return x + 's'", ("cat",)),
    ("Plural of a noun: a final 'ife' becomes 'ives'.", "x", "return x + 's'", ("cat",)),
    ("Stem of a word: 'ization' becomes 'ize'.", "x", "return x[:-5] + 'e' if len(x) > 8 else x", ("cat",)),
    ("Markup of a text: '& co' becomes '&amp; co'.", "x",
     "return '<p>' + x.replace('&', '&amp;') + '</p>'", ("a",)),
    ("Renames: 'v1.0' becomes 'v2.0' in the first line.", "x", "return x.upper()", ("a",)),
    ("Upgrades a file: v1 becomes v2.", "x", "return x.lower()", ("A",)),
    ("Dates: DD-MM-YYYY becomes YYYY-MM-DD.", "x", "return '-'.join(x.lower().split('-')[::-1])", ("A",)),
    ("The sum becomes zero; `x` becomes `x2`.", "x", "return x.lower()", ("A",)),
    ("Chained: 'a b c' becomes 'a-b-c' becomes 'a_b_c'.", "x", "return x.replace(' ', '_')", ("A",)),
    ("Tokens: 'a b c' becomes 'abc'.", "x", "return x.split()", ("A",)),
    ("Pads: 'a  b' becomes 'a--b'.", "x", "return x.replace(' ', '-')", ("A",)),
    ("Joins words: 'a b c' becomes 'a-b-c'.", "words", "return '+'.join(words)", (["a", "b"],)),
    ("The user's name becomes the group's name.", "x", "return x.lower()", ("A",)),
    ("Order of text, in which file10 comes before file2.", "x", "return sorted(x)", FILES),
    ("Alphabetical, so that file10 comes before file2.", "x", "return sorted(x)", FILES),
    ("Unlike sorted(), so that file10 comes before file2 no more.", "x", SORTED, FILES),
    ("Natural order. In plain order file10 comes before file2, here file2 comes before file10.", "x", SORTED, FILES),
    ("Newest first, so that file10 comes before file2.", "x", SORTED + "[::-1]", FILES),
    ("Sorts names so that file2 comes before file10 if natural is set.", "x", "return sorted(x)", FILES),
    ("Reads files, so that part1 comes before part2.", "x", "return [n.upper() for n in x]", FILES),
    ("Merges, so that part1 comes before part2.", "x, y=()", "return list(y) + [n for n in x if '1' in n]", FILES),
    ("Seconds of a duration such as '1h30m', '45s' or '2d'.", "x",
     UNITS + "m = re.fullmatch(r'(\\d+)([dhms])(?:(\\d+)([dhms]))?', x).groups()\n"
     "return int(m[0]) * u[m[1]] + int(m[2] or 0) * u[m[3] or 's']", ("1h2m",)),
]  # fmt: skip


@pytest.mark.parametrize(("documentation", "parameters", "body", "call"), HONEST)
def test_what_is_not_shown_in_prose_is_not_refuted(
    documentation: str, parameters: str, body: str, call: tuple[Any, ...], tmp_path: Path
) -> None:
    assert refuted(tmp_path, said(documentation, body, parameters), call) == set()
