"""How are pages written as a PDF? As real text and vectors, each drawing stored once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, BinaryIO, Final

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from sheets.artwork.palette import Palette
from sheets.artwork.shapes import Shape, commands
from sheets.printing.items import POINT_MM, DrawnPage, Item, Part, Stamp, Words
from sheets.printing.tags import Tags, spoken
from sheets.printing.type import face

FONTS: Final = {True: "Sheet-Bold", False: "Sheet-Regular"}
_NON_ZERO: Final = 1

rl_config.useA85 = 0  # bytes as they are: a quarter smaller than as ASCII


def write_pdf(
    pages: Iterable[DrawnPage], file: BinaryIO, *, title: str, lang: str, author: str = ""
) -> None:
    """Write the pages as one PDF; the same pages give the same bytes.

    Args:
        pages: drawn one at a time.
        file: where the bytes go.
        title: the document's title; ``lang`` its language, such as ``de``.
    """
    _register_fonts()
    writer = _Writer(file, lang)
    writer.canvas.setTitle(title)
    writer.canvas.setAuthor(author)
    writer.canvas.setCreator("Dizzle Companion")
    writer.canvas.setViewerPreference("DisplayDocTitle", "true")
    writer.canvas.showOutline()
    for page in pages:
        writer.page(page)
    writer.save()


@lru_cache(maxsize=1)
def _register_fonts() -> None:
    for bold, name in FONTS.items():
        pdfmetrics.registerFont(TTFont(name, str(face(bold).path)))


class _Writer:
    """A PDF under construction."""

    def __init__(self, file: BinaryIO, lang: str) -> None:
        self.canvas = Canvas(
            file,
            invariant=1,
            pageCompression=1,
            lang=lang,
            pdfVersion=(1, 7),
            initialFontName=FONTS[False],
        )
        self._tags = Tags(self.canvas)
        self._stamps: dict[tuple[Any, ...], str] = {}
        self._seen: dict[int, Part] = {}
        self._forms: dict[int, str] = {}
        self._colours: dict[str, tuple[float, float, float]] = {}
        self._palette: Palette

    def page(self, page: DrawnPage) -> None:
        """Write one page. A part that was on a page before becomes a form, held once."""
        canvas = self.canvas
        self._palette = page.palette
        height = page.height_mm / POINT_MM
        canvas.setPageSize((page.width_mm / POINT_MM, height))
        for bookmark in page.bookmarks:
            canvas.bookmarkPage(bookmark.key)
            canvas.addOutlineEntry(bookmark.title, bookmark.key)
        for part, _x in page.parts:
            self._prepare(part, page.height_mm)
        for part, x_mm in page.parts:
            form = self._forms.get(id(part))
            self._tags.begin(part, is_repeated=form is not None)
            canvas.saveState()
            canvas.translate(x_mm / POINT_MM, height)
            canvas.scale(1 / POINT_MM, 1 / POINT_MM)
            if form:
                canvas.doForm(form)
            else:
                self._draw_part(part)
            canvas.restoreState()
            self._tags.end(part, is_repeated=form is not None)
        canvas.showPage()
        self._tags.page_done()

    def save(self) -> None:
        """Write the file."""
        self._tags.finish()
        self.canvas.save()

    def _prepare(self, part: Part, height_mm: float) -> None:
        """Make the forms a part needs, before the page's own content: they cannot be nested."""
        if id(part) in self._forms:
            return
        if id(part) not in self._seen:
            self._seen[id(part)] = part  # kept, so that no other part gets its id
            for item in part.items:
                if isinstance(item, Stamp):
                    self._stamp(item)
            return
        name = f"part-{len(self._forms)}"
        self._forms[id(part)] = name
        self.canvas.beginForm(name, 0, -height_mm, 1000, 0)
        self._draw_part(part)
        self.canvas.endForm()

    def _draw_part(self, part: Part) -> None:
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)
        for item in part.items:
            self._draw(item)

    def _draw(self, item: Item) -> None:
        canvas = self.canvas
        if isinstance(item, Words):
            self._words(item)
            return
        says = item.says if isinstance(item, Stamp) else ""
        if says:
            canvas.addLiteral(spoken(says))
        canvas.saveState()
        if isinstance(item, Stamp):
            scale = item.size / 100
            canvas.transform(scale, 0, 0, -scale, item.x, -item.y)
            canvas.doForm(self._stamp(item))
        else:
            canvas.transform(item.scale, 0, 0, -item.scale, item.x, -item.y)
            self._shape(item.shape, item.group)
        canvas.restoreState()
        if says:
            canvas.addLiteral("EMC")

    def _stamp(self, item: Stamp) -> str:
        key = (item.id, item.shapes, id(self._palette))
        if key not in self._stamps:
            name = f"{item.id}-{len(self._stamps)}"
            self._stamps[key] = name
            self.canvas.beginForm(name, -20, -20, 120, 120)
            self.canvas.setLineCap(1)
            self.canvas.setLineJoin(1)
            for shape in item.shapes:
                self._shape(shape, item.group)
            self.canvas.endForm()
        return self._stamps[key]

    def _shape(self, shape: Shape, group: str) -> None:
        canvas, path = self.canvas, _pdf_path(shape.path)
        if shape.stroke:
            canvas.setStrokeColorRGB(*self._rgb(shape.stroke, group))
            canvas.setLineWidth(shape.width)
            canvas.drawPath(path, stroke=1, fill=0)
        if shape.fill:
            canvas.setFillColorRGB(*self._rgb(shape.fill, group))
            canvas.drawPath(path, stroke=0, fill=1, fillMode=_NON_ZERO)

    def _words(self, words: Words) -> None:
        canvas = self.canvas
        font = face(words.bold)
        text = font.printable(words.text)
        x = words.x
        if words.anchor != "start":
            x -= font.width(text) * words.size / (2 if words.anchor == "middle" else 1)
        canvas.setFillColorRGB(*self._rgb(words.role, words.group))
        canvas.setFont(FONTS[words.bold], words.size)
        canvas.drawString(x, -words.y, f"{text} ")  # the blank parts it from what is read next

    def _rgb(self, role: str, group: str) -> tuple[float, float, float]:
        colour = self._palette.colour(role, group)
        if colour not in self._colours:
            red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
            self._colours[colour] = (red, green, blue)
        return self._colours[colour]


@lru_cache(maxsize=4096)
def _pdf_path(path: str) -> PDFPathObject:
    found = PDFPathObject()
    at = (0.0, 0.0)
    for name, points in commands(path):
        match name:
            case "moveTo":
                found.moveTo(*points[0])
            case "lineTo":
                found.lineTo(*points[0])
            case "curveTo":
                found.curveTo(*points[0], *points[1], *points[2])
            case "qCurveTo":
                (cx, cy), (x, y) = points
                found.curveTo(
                    at[0] + (cx - at[0]) * 2 / 3, at[1] + (cy - at[1]) * 2 / 3,
                    x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3, x, y,
                )  # fmt: skip
            case "closePath":
                found.close()
        if points:
            at = points[-1]
    return found
