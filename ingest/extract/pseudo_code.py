"""Lines of pseudo-code that read as English, as steps: "select parents based on fitness"."""

import re
from dataclasses import dataclass
from itertools import islice, pairwise

from ingest.extract.naming import is_shell
from ingest.extract.reader import read
from ingest.extract.sentences import readable
from ingest.extract.steps import Step, object_step, step_verb
from ingest.extract.tagging import tag

__all__ = ["Line", "pseudo_code_steps"]

_KEYWORD = re.compile(
    r"\\(?:STATE|State|STATEX|Statex|RETURN|Return|FOR|For|ForAll|FORALL|ForEach|WHILE|While|IF|If|ELSIF|ElsIf|ELSE|Else|"
    r"ENDFOR|EndFor|ENDWHILE|EndWhile|ENDIF|EndIf|REPEAT|Repeat|UNTIL|Until|LOOP|Loop|ENDLOOP|EndLoop|PROCEDURE|Procedure|"
    r"FUNCTION|Function|EndFunction|EndProcedure|REQUIRE|Require|ENSURE|Ensure|INPUT|OUTPUT|KwIn|KwOut|KwData|KwResult|"
    r"KwRet|COMMENT|Comment|tcp|tcc|uIf|eIf|uElse|lIf|Begin|BEGIN|END|End|caption|label)\b\*?|\\;|\\\\|\n\s*\n|[{}]"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of pseudo-code as a step; `start`, `end` count from the algorithm's source, `text` is readable."""

    step: Step
    start: int
    end: int
    text: str


def pseudo_code_steps(source: str, most: int = 12) -> list[Line]:
    """Steps of one algorithm's LaTeX in its order, at most `most`."""
    found: list[Line] = []
    marks = [match.span() for match in islice(_KEYWORD.finditer(source), 400)]
    for (_, start), (end, _) in pairwise([(0, 0), *marks, (len(source), len(source))]):
        if not 8 <= len(source[start:end].strip()) <= 300:
            continue
        blocks = read(source[start:end]).blocks
        tokens = blocks[0].tokens if len(blocks) == 1 else []
        while tokens and tokens[0].kind == "punct":
            tokens = tokens[1:]
        if not 3 <= len(tokens) <= 24 or any(token.text in ("=", "←") for token in tokens[:4]):
            continue
        base = step_verb(tokens[0])
        if base is not None:
            for step in object_step(base, tokens, tag(tokens), 1):
                if not is_shell(step.name):
                    found.append(Line(step, start + tokens[0].start, start + tokens[-1].end, readable(tokens)))
    return found[:most]
