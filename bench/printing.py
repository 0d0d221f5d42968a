"""Time and size of a PDF of all levels, and memory for 200 copies.

The PDF is made in three ways, in turn and in one process: by the site; by a baseline, which draws
the same shapes, already laid out, with ReportLab calls and shares no drawing; and by WeasyPrint
from the pages as SVG (in requirements/bench.txt; left out if it is not installed). ``manage.py
print`` makes the 200 copies, in a process of its own.
"""

from __future__ import annotations

import base64
import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django  # noqa: E402

django.setup()

from reportlab.pdfgen.canvas import Canvas  # noqa: E402

from sheets.art.palette import rgb  # noqa: E402
from sheets.art.render.fonts import typeset  # noqa: E402
from sheets.art.render.items import POINT_MM, DrawnPage, Stamp, TextLine  # noqa: E402
from sheets.art.render.pdf import FONT_NAMES, write_pdf  # noqa: E402
from sheets.art.render.svg import draw_svg  # noqa: E402
from sheets.art.shapes import Shape, commands  # noqa: E402
from sheets.levels import shipped_levels  # noqa: E402
from sheets.printing.booklet import draw_booklet  # noqa: E402
from sheets.printing.geometry import PageOptions  # noqa: E402

ROUNDS: Final = 7
"""Number of measurements of each way to make the PDF."""

COPIES: Final = 200
"""Number of copies in the measurement of memory."""

LAUNCHER: Final = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Program that runs a command and prints its memory in kB.

The system counts at least the memory of the process that starts a command, so this one is small.
"""

LEVELS: Final = list(shipped_levels().values())
"""Levels of the PDF."""

OPTIONS: Final = PageOptions()
"""Usual paper and layout."""

Primitive = tuple[Any, ...]
"""Text or path to draw: its kind, then the arguments of the function that draws this kind."""


def main() -> None:
    """Print times, sizes, ratios and memory."""
    pages = list(draw_booklet(LEVELS, OPTIONS))
    primitives = [(page, list(flat(page))) for page in pages]
    ways: dict[str, Callable[[], bytes]] = {
        "PDF": make_pdf,
        "baseline": lambda: draw_baseline(primitives),
    }
    if importlib.util.find_spec("weasyprint"):
        ways["WeasyPrint"] = lambda: make_with_weasyprint(pages)
    else:
        print("WeasyPrint: left out, because it is not installed")
    times: dict[str, list[float]] = {name: [] for name in ways}
    sizes = {name: len(make()) for name, make in ways.items()}
    for _ in range(ROUNDS):
        for name, make in ways.items():
            start = time.perf_counter()
            make()
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in medians.items():
        low, high = min(times[name]), max(times[name])
        print(
            f"{name:<11}{seconds * 1000:>9.0f} ms ({low * 1000:.0f}-{high * 1000:.0f}, "
            f"median of {ROUNDS}){sizes[name] / 1000:>9.0f} kB"
        )
    ratio = medians["PDF"] / medians["baseline"]
    print(f"PDF / baseline {ratio:.2f} (target: at most 2)")
    if "WeasyPrint" in medians:
        ratio = medians["WeasyPrint"] / medians["PDF"]
        print(f"WeasyPrint / PDF {ratio:.1f} (target: at least 4)")
    print("targets: below 400 ms and 160 kB")
    print_copies()


def make_pdf() -> bytes:
    """Return the PDF as the site makes it."""
    file = BytesIO()
    write_pdf(draw_booklet(LEVELS, OPTIONS), file, title="Booklet", lang="en")
    return file.getvalue()


def flat(page: DrawnPage) -> Iterator[Primitive]:
    """Yield all texts and paths of a page."""
    for part, x_mm in page.parts:
        for item in part.items:
            if isinstance(item, TextLine):
                _font, text, x = typeset(item)
                colour = ink(page, item.role, item.group)
                yield "text", x_mm + x, item.y, FONT_NAMES[item.bold], item.size, text, colour
            elif isinstance(item, Stamp):
                for shape in item.shapes:
                    place = (x_mm + item.x, item.y, item.size / 100)
                    yield from paths(shape, place, item.group, page)
            else:
                place = (x_mm + item.x, item.y, item.scale)
                yield from paths(item.shape, place, item.group, page)


def paths(
    shape: Shape, place: tuple[float, float, float], group: str, page: DrawnPage
) -> Iterator[Primitive]:
    """Yield the stroke and the fill of a shape."""
    steps = commands(shape.path)
    if shape.stroke:
        yield "stroke", place, steps, shape.width, ink(page, shape.stroke, group)
    if shape.fill:
        yield "fill", place, steps, 0, ink(page, shape.fill, group)


def ink(page: DrawnPage, role: str, group: str) -> tuple[float, ...]:
    """Return the colour of a role as red, green and blue, each from 0 to 1."""
    return tuple(value / 255 for value in rgb(page.palette.colour(role, group)))


def draw_baseline(primitives: list[tuple[DrawnPage, list[Primitive]]]) -> bytes:
    """Return a PDF of these primitives on these pages."""
    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    for page, found in primitives:
        height = page.height_mm / POINT_MM
        canvas.setPageSize((page.width_mm / POINT_MM, height))
        canvas.translate(0, height)
        canvas.scale(1 / POINT_MM, 1 / POINT_MM)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        for kind, *rest in found:
            if kind == "text":
                x, y, font, size, text, colour = rest
                canvas.setFillColorRGB(*colour)
                canvas.setFont(font, size)
                canvas.drawString(x, -y, text)
            else:
                draw_path(canvas, kind, *rest)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def draw_path(
    canvas: Canvas,
    kind: str,
    place: tuple[float, float, float],
    steps: tuple[tuple[str, tuple[Any, ...]], ...],
    width: float,
    colour: tuple[float, ...],
) -> None:
    """Compute the points of a path on the page, and draw it."""
    dx, dy, scale = place
    path = canvas.beginPath()
    last = (0.0, 0.0)
    for name, points in steps:
        moved = [(dx + x * scale, -dy - y * scale) for x, y in points]
        if name == "moveTo":
            path.moveTo(*moved[0])
        elif name == "lineTo":
            path.lineTo(*moved[0])
        elif name == "curveTo":
            path.curveTo(*moved[0], *moved[1], *moved[2])
        elif name == "qCurveTo":
            (cx, cy), (x, y) = moved
            path.curveTo(
                last[0] + (cx - last[0]) * 2 / 3, last[1] + (cy - last[1]) * 2 / 3,
                x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3, x, y,
            )  # fmt: skip
        elif name == "closePath":
            path.close()
        last = moved[-1] if moved else last
    if kind == "stroke":
        canvas.setStrokeColorRGB(*colour)
        canvas.setLineWidth(width * scale)
        canvas.drawPath(path, stroke=1, fill=0)
    else:
        canvas.setFillColorRGB(*colour)
        canvas.drawPath(path, stroke=0, fill=1, fillMode=1)


def make_with_weasyprint(pages: list[DrawnPage]) -> bytes:
    """Return a PDF of the pages as SVG pictures."""
    import weasyprint

    width, height = pages[0].width_mm, pages[0].height_mm
    images = "".join(
        '<img src="data:image/svg+xml;base64,'
        f'{base64.b64encode(draw_svg(page, "a page").encode()).decode()}">'
        for page in pages
    )
    style = (
        f"@page {{ size: {width}mm {height}mm; margin: 0 }} body {{ margin: 0 }} "
        f"img {{ display: block; width: {width}mm; height: {height}mm; break-after: page }}"
    )
    return weasyprint.HTML(string=f"<style>{style}</style>{images}").write_pdf()


def print_copies() -> None:
    """Print time, size and memory of `COPIES` copies, made by `manage.py print`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "many.pdf"
        command = [sys.executable, "manage.py", "print", *shipped_levels(),
                   "--copies", str(COPIES), "-o", str(file)]  # fmt: skip
        start = time.perf_counter()
        launcher = [sys.executable, "-c", LAUNCHER, *command]
        most = subprocess.run(launcher, cwd=ROOT, check=True, capture_output=True).stdout
        seconds = time.perf_counter() - start
        size = file.stat().st_size
    print(
        f"{COPIES} copies, whole command: {seconds:.1f} s, {size / 1e6:.1f} MB, "
        f"{int(most) / 1024:.0f} MB of memory (target: below 150)"
    )


if __name__ == "__main__":
    main()
