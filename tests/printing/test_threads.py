"""Thread safety of the fonts, which several drawings of a page of previews use at once."""

import string
import sys
from concurrent.futures import ThreadPoolExecutor

from fontTools.pens.recordingPen import RecordingPen

from sheets.art.render.fonts import Face


def outline(face: Face, character: str) -> list[tuple[str, object]]:
    """Return the recorded pen commands of a character."""
    pen = RecordingPen()
    face.draw(character, pen)
    return list(pen.value)


def test_outlines_drawn_by_many_threads_at_once_are_those_drawn_by_one() -> None:
    characters = string.ascii_letters + string.digits
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            for _ in range(8):
                face, alone = Face(bold=True), Face(bold=True)
                with face.font, alone.font:
                    drawn = list(threads.map(lambda c, f=face: outline(f, c), characters * 4))
                    assert drawn == [outline(alone, c) for c in characters * 4]
    finally:
        sys.setswitchinterval(interval)
