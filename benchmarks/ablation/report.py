"""What the ablation says, as tables: what each feature adds, and what stored verdicts rest on."""

from typing import Any

from benchmarks.figures import FIGURES, Better, Form

__all__ = ["table", "worth"]


def worth(bench: str, on: dict[str, float], off: dict[str, float]) -> str:
    """In one word what a feature does to the figures: it adds, harms, does both, or nothing."""
    ways = {figure.key: figure.better.value for figure in FIGURES[bench] if figure.better is not Better.NEITHER}
    gains = [ways[key] * (value - off[key]) for key, value in on.items() if abs(value - off[key]) > 1e-9]
    if not gains:
        return "nothing"
    if min(gains) > 0:
        return "adds"
    return "harms" if max(gains) < 0 else "both"


def table(result: dict[str, Any]) -> str:
    """A table for each benchmark: a line for each feature, what every headline figure gains by it."""
    parts = []
    for bench, found in result.items():
        if bench == "verdicts":
            for key, counts in found.items():
                parts.append(
                    f"Verified units that rest on each {key}: " + ", ".join(f"{k} {n}" for k, n in counts.items()) + "."
                )
            continue
        if bench == "plans":
            rows = "\n".join(f"| {name} | {count} |" for name, count in found.items())
            head = "**environments**: the repositories and blocks whose plan of environments each part changes"
            parts.append(f"{head}\n\n|  | plans |\n| --- | --: |\n{rows}")
            continue
        shown = [figure for figure in FIGURES[bench] if figure.key in found["on"]]
        lines = [
            ["", *(figure.key for figure in shown), "worth"],
            ["---", *("--:" for _ in shown), "---"],
            ["all on", *(figure.form.value.format(found["on"][figure.key]) for figure in shown), ""],
        ]
        for name, off in found["off"].items():
            gains = [_signed(found["on"][figure.key] - off[figure.key], figure.form) for figure in shown]
            lines.append([name, *gains, worth(bench, found["on"], off)])
        head = f"**{bench}**: the figures with all on, and the difference that each feature makes to them"
        parts.append(head + "\n\n" + "\n".join("| " + " | ".join(line) + " |" for line in lines))
    return "\n\n".join(parts)


def _signed(gain: float, form: Form) -> str:
    return f"{'+' if gain > 0 else '−'}{form.value.format(abs(gain))}" if abs(gain) > 1e-9 else "·"
