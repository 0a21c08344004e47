"""The whole document as one text, with a way back to the bytes of the files it came from.

`Flat.text` is what TeX would read from the main file with its inputs followed: comments, ``\\iffalse`` blocks and
comment environments are blanked by spaces at equal length, input commands are replaced by the file they name.
`Flat.scan` is the same with the content of verbatim environments blanked too: search structure there.
"""

from bisect import bisect_right
from dataclasses import dataclass

from ingest.latex.source import SourceText
from kg.models.paper import Span

__all__ = ["Flat", "Segment"]


@dataclass(frozen=True)
class Segment:
    """`length` characters of `source` from character `start`, read in one inclusion (`frame`) of that file.

    `length` 0 marks a synthetic line end after a file that had none.
    """

    source: SourceText
    start: int
    length: int
    frame: int


class Flat:
    """The flattened text. Offsets are characters of `text`; places in files are bytes.

    `files` are the sources in the order of first use; `frames[n]` is the file of inclusion `n`, 0 being the main file.
    """

    def __init__(self, segments: list[Segment], texts: list[str], scans: list[str]) -> None:
        self.text = "".join(texts)
        self.scan = "".join(scans)
        self.segments = segments
        self._starts: list[int] = []
        self._of_frame: dict[int, list[int]] = {}
        at = 0
        for number, (segment, text) in enumerate(zip(segments, texts, strict=True)):
            self._starts.append(at)
            if segment.length:
                self._of_frame.setdefault(segment.frame, []).append(number)
            at += len(text)
        self.files = tuple({segment.source.path: segment.source for segment in segments}.values())

    def _segment(self, at: int) -> int:
        return max(0, bisect_right(self._starts, at) - 1)

    def _place(self, at: int) -> tuple[Segment, int]:
        number = self._segment(at)
        segment = self.segments[number]
        return segment, segment.start + min(at - self._starts[number], segment.length)

    def frame(self, at: int) -> int:
        """The number of the inclusion that character `at` was read in; 0 is the main file."""
        return self.segments[self._segment(at)].frame if self.segments else 0

    def origin(self, at: int) -> tuple[str, int]:
        """File and byte of character `at`; ``origin(len(text))`` is the end of the last file read."""
        if not self.segments:
            return "", 0
        segment, char = self._place(at)
        return segment.source.path, segment.source.byte(char)

    def span(self, start: int, end: int) -> Span:
        """The bytes of characters ``[start, end)``, as far as they stand in the file where they start.

        When the range leaves that file through an input command and comes back, the command's bytes are inside.
        """
        if not self.segments:
            return Span(file="", start=0, end=0)
        segment, char = self._place(start)
        source = segment.source
        if end <= start:
            return Span(file=source.path, start=source.byte(char), end=source.byte(char))
        numbers = self._of_frame.get(segment.frame, [])
        last = bisect_right(numbers, self._segment(end - 1)) - 1
        stop = char
        if last >= 0:
            number = numbers[last]
            inside = self.segments[number]
            stop = inside.start + min(inside.length, end - self._starts[number])
        return Span(file=source.path, start=source.byte(char), end=source.byte(max(stop, char)))

    def trimmed(self, start: int, end: int) -> Span:
        """``span(start, end)`` without blanks at its end."""
        span, raw = self.span(start, end), self.raw(start, end)
        blank = len(raw) - len(raw.rstrip())
        if not blank:
            return span
        segment, char = self._place(start)
        return span.model_copy(update={"end": segment.source.byte(char + len(raw) - blank)})

    def raw(self, start: int, end: int) -> str:
        """The original characters of ``span(start, end)``, comments included."""
        if not self.segments:
            return ""
        segment, char = self._place(start)
        span = self.span(start, end)
        return segment.source.text[char : segment.source.char(span.end)]

    def locate(self, file: str, byte: int) -> int | None:
        """The first character of `text` that stands at `byte` of `file`; None when it was not read."""
        for number, segment in enumerate(self.segments):
            if segment.source.path == file and segment.length:
                char = segment.source.char(byte)
                if segment.start <= char < segment.start + segment.length:
                    return self._starts[number] + char - segment.start
        return None

    def runs(self, start: int, end: int) -> list[tuple[int, int]]:
        """``[start, end)`` cut where one inclusion ends and another begins."""
        cuts: list[tuple[int, int, int]] = []
        for number in range(self._segment(start), self._segment(max(start, end - 1)) + 1):
            first = self._starts[number]
            last = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.text)
            frame = self.segments[number].frame
            if cuts and cuts[-1][2] == frame:
                cuts[-1] = (cuts[-1][0], min(last, end), frame)
            else:
                cuts.append((max(first, start), min(last, end), frame))
        return [(first, last) for first, last, _ in cuts]
