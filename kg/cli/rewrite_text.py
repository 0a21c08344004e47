"""What `xkg code show` prints of rewrites."""

from collections.abc import Iterator

from kg.results.rewrite import module_state
from kg.results.show import ShownCode, ShownRewrite

__all__ = ["rewrite_lines"]


def rewrite_lines(code: ShownCode) -> Iterator[str]:
    """Of a rewrite its state, fidelity and origin; of other code its rewrites."""
    made = code.rewrite
    if made is not None:
        state = module_state(code.verdict, made.cause, made.fidelity)
        wrong = f" ({made.cause})" if made.cause else ""
        yield f"module: {state}{wrong}, {made.stop} after {made.rounds} repairs"
        yield fidelity(made)
        yield f"rewritten from {made.source} by {code.model}"
        yield from (f"of the technique {technique}" for technique in made.techniques)
        yield from (f"reuses {other}" for other in made.reuses)
        yield from (f"change: {change}" for change in made.changes)
        yield from (f"takes, in the place of what the original has: {one}" for one in made.lifted)
        yield from (f"  {line}" for line in code.documentation.splitlines())
    yield from (f"rewritten as {other}" for other in code.rewrites)


def fidelity(made: ShownRewrite) -> str:
    """How a rewrite compares with its original."""
    if not made.inputs:
        return "fidelity: unknown, no call that could be compared"
    said = f"fidelity: {made.fidelity}, {made.equal} of {made.inputs} calls of the repository's tests gave the same"
    said += f", {made.left_out} left out" if made.left_out else ""
    return f"{said}: {made.difference}" if made.difference else said
