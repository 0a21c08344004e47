"""Module-level code of script languages read by tree-sitter (Python 2, R, Julia, MATLAB)."""

from tree_sitter import Node

from agents.code.units.source import Draft, SourceText

__all__ = ["SCRIPT_GRAMMARS", "SCRIPT_LINES", "script_drafts"]

SCRIPT_GRAMMARS = frozenset({"python", "r", "julia", "matlab"})
SCRIPT_LINES = 3
_NO_CODE = ("import", "using", "comment", "line_comment", "block_comment", "future", "string", "ERROR")


def script_drafts(
    source: SourceText, root: Node, drafts: list[Draft], calls: list[tuple[int, str]], least: int = SCRIPT_LINES
) -> list[Draft]:
    """A unit ``<module>`` for each run of top-level statements between definitions with at least `least` lines of code.

    `calls` are (byte, name) of all calls in the file in order of place.
    """
    taken = sorted((draft.start, draft.end) for draft in drafts)
    scripts: list[Draft] = []
    run: list[Node] = []
    at = 0
    for node in [*root.named_children, None]:
        while at < len(taken) and node is not None and taken[at][1] <= node.start_byte:
            at += 1
        if node is not None and not (at < len(taken) and taken[at][0] < node.end_byte):
            if run or not node.type.startswith(_NO_CODE):
                run.append(node)
            continue
        while run and run[-1].type.startswith(_NO_CODE):
            run.pop()
        lines = sum(n.end_point.row - n.start_point.row + 1 for n in run if not n.type.startswith(_NO_CODE))
        if run and lines >= least:
            start, end = run[0].start_byte, run[-1].end_byte
            named = [name for place, name in calls if start <= place < end]
            scripts.append(Draft("<module>", "script", start, end, source.text(start, end), calls=named))
        run = []
    return scripts
