"""`xkg corpus review`: the curator's queue, one question at a time, each answered by one key."""

import getpass
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click
from pydantic import ValidationError

from kg.cli.common import emit, json_option, log, printable
from kg.config import Settings, load_settings
from kg.embeddings import Embedder, open_embedder
from kg.errors import InputError
from kg.opening import open_store
from kg.review import Action, Applied, Item, Word, decide, decide_all, read_queue
from kg.store import Store

__all__ = ["corpus_review"]

KEYS: dict[str, Action] = {"a": "accept", "r": "reject", "e": "edit", "m": "merge", "s": "skip"}
ASKED = {"implementation": "Does this code implement it?", "name": "Is this its name?", "merge": "Are the two one?"}
WEAK = {"coined": "made of the paper's words, printed nowhere", "ordinary": "one ordinary word"}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@click.command()
@click.option("--kind", type=click.Choice([*ASKED]), help="Only questions of this kind.")
@click.option("--paper", help="Only questions about this paper (its id).")
@click.option(
    "--decide", "file", type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help='Apply decisions from a file, a JSON object a line: {"item": …, "action": …, "value": …, "why": …}.',
)  # fmt: skip
@click.option("--who", default=getpass.getuser, help="Who decides.  [default: your user name]")
@json_option
def corpus_review(kind: str | None, paper: str | None, file: Path | None, who: str, as_json: bool) -> None:
    """Decide what machines could not: likely and disagreed implementations, weak names, doubtful merges.

    One question at a time, with its evidence, each answered by one key: a accept, r reject, e edit (another name or
    unit), m merge (with another technique), s skip, q quit. --json lists the queue; --decide applies a file. A
    decision is in the graph before the next question is asked, and no ingest and no model takes it back.
    """
    settings = load_settings()
    words = _read_words(file) if file else None
    with open_store(settings) as store:
        if words is not None:
            _apply(store, words, who, settings, as_json=as_json)
            return
        wanted = {"kind": kind, "paper": paper}
        queue = [i for i in read_queue(store) if all(v in (None, getattr(i, name)) for name, v in wanted.items())]
        if as_json:
            emit(queue, as_json=True, text=str)
            return
        if queue:
            _demand_terminal()
        done = _ask_all(store, queue, who, settings)
    log.print(f"{done} decided, {len(queue) - done} left")


def _read_words(file: Path) -> list[Word]:
    """The decisions of a file. Raises InputError, naming the line, for what is none; then none is applied."""
    words = []
    for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            words.append(Word.model_validate_json(line))
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, wrong["loc"]))
            raise InputError(
                f"{place or 'the line'} is no decision ({wrong['msg']})", where=f"{file}:{number}", remedy="correct it"
            ) from error
    return words


def _apply(store: Store, words: Sequence[Word], who: str, settings: Settings, *, as_json: bool) -> None:
    found: list[Applied] = []
    for applied in decide_all(store, words, who=who, when=_now(), embedder=_embedder(settings, words)):
        found.append(applied)
        if applied.error:
            log.print(printable(f"{applied.item}: {applied.error}"), markup=False)
    counts = Counter(applied.result for applied in found)
    emit(found, as_json=as_json, text=lambda: ", ".join(f"{count} {result}" for result, count in counts.items()))
    raise SystemExit(4 if counts["failed"] else 0)


def _embedder(settings: Settings, words: Sequence[Word]) -> Embedder | None:
    return open_embedder(settings) if any(word.action == "edit" for word in words) else None


def _ask_all(store: Store, queue: Sequence[Item], who: str, settings: Settings) -> int:
    """Show item after item until the queue ends or the curator quits; how many were decided."""
    done = 0
    for number, item in enumerate(queue, start=1):
        click.echo(printable("\n".join(_text(item, f"{number} of {len(queue)}"))))
        while (word := _ask(item)) is not None:
            try:
                result = decide(store, item, word, who=who, when=_now(), embedder=_embedder(settings, [word]))
            except InputError as error:
                click.echo(printable(f"  {error}"))
                continue
            click.echo(f"  {word.action}: {result}\n")
            done += result == "done"
            break
        else:
            return done
    return done


def _demand_terminal() -> None:
    """Raise InputError where nobody can press a key: neither stdin nor /dev/tty is a terminal."""
    try:
        if not sys.stdin.isatty():
            Path("/dev/tty").open("rb").close()
    except OSError as error:
        remedy = "use --json to list the questions, --decide FILE to answer them"
        raise InputError("there is no terminal on which to ask", remedy=remedy) from error


def _ask(item: Item) -> Word | None:
    """One key, and what it needs beside; None to quit."""
    keys = {key: action for key, action in KEYS.items() if action in item.actions}
    menu = "  ".join(f"{key} {action}" for key, action in keys.items())
    while True:
        click.echo(f"{ASKED[item.kind]}  {menu}  q quit: ", nl=False)
        key = click.getchar().lower()
        click.echo(key if key.isprintable() else "")
        if key in ("q", "\x04", ""):
            return None
        if key not in keys:
            continue
        action, value = keys[key], ""
        if action in ("edit", "merge"):
            wanted = "technique or concept it is one with" if action == "merge" else "name"
            told = "number or path#symbol of the unit" if item.kind == "implementation" else wanted
            value = click.prompt(f"  {told}", default="", show_default=False).strip()
            if not value:
                continue
            if item.kind == "implementation" and value.isdecimal() and 0 < int(value) <= len(item.alternatives):
                value = item.alternatives[int(value) - 1].id
        return Word(item=item.id, action=action, value=value)


def _text(item: Item, place: str) -> Iterator[str]:
    """The question with its evidence."""
    yield f"── {place} · {item.kind} · {item.id} ──"
    yield f"{item.name}  ({item.status or 'status unknown'}; {item.title or item.paper})"
    yield from (f"  “{quote}”" for quote in item.quotes[:4])
    if item.definition and not item.quotes:
        yield f"  {item.definition}"
    if item.weakness:
        yield f"  the name is {WEAK[item.weakness]}"
    if item.other:
        joined = "made one" if item.other.joined else "not made one yet"
        yield f"and {item.other.name}  ({item.other.paper}; {joined}, similarity {item.other.score:.2f})"
        yield f"  {item.other.definition}"
    if code := item.code:
        sure = "" if code.confidence is None else f", right with probability {code.confidence:.2f}"
        against = "; model and ranking disagree" if code.disagrees else ""
        yield f"{code.standing} by {code.method}{sure}{against}: {code.file}:{code.line or 1} {code.symbol}"
        yield f"  {code.reason}" if code.reason else ""
        yield from (f"  | {line}" for line in code.first_lines.splitlines())
        yield from (f"  quoted: {line}" for line in code.quotes)
        yield from (f"  {n}: {other.signature}  {other.id}" for n, other in enumerate(item.alternatives[:9], start=1))
