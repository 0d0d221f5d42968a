"""PDF writer: real text and vector graphics, each drawing stored once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any, BinaryIO, Final, NamedTuple
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFName, PDFStream
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from sheets.art.palette import Palette, rgb
from sheets.art.render.fonts import face, typeset
from sheets.art.render.items import POINT_MM, DrawnPage, Item, Part, PlacedPart, Stamp, TextLine
from sheets.art.render.pdf_tags import Tags, spoken
from sheets.art.shapes import Shape, commands
from sheets.art.text_shaping import EM, shape_text

PROGRAM: Final = "Dizzle Companion"
"""Author and creator in the metadata of a document."""

XMP: Final = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{program}</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>{lang}</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{program}</xmp:CreatorTool>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>
"""
"""Template of the metadata stream (XMP)."""

FONT_NAMES: Final = {True: "Sheet-Bold", False: "Sheet-Regular"}
"""Names of the bold (True) and the regular font in ReportLab."""

_NON_ZERO: Final = 1
"""ReportLab's fill mode for the non-zero winding rule."""

DECIMALS: Final = 2
"""Number of decimals of millimetres in the file: more cost bytes, and no printer is as precise."""

rl_config.useA85 = 0  # binary streams are a quarter smaller than ASCII ones


def write_pdf(
    pages: Iterable[DrawnPage], file: BinaryIO, *, title: str, lang: str, is_duplex: bool = False
) -> None:
    """Write the pages as one PDF; equal pages result in equal bytes.

    Args:
        pages: the pages; they are taken and written one at a time, to save memory.
        file: the output.
        title: the title of the document; ``lang`` is its language, such as ``de``.
        is_duplex: whether a viewer proposes to print on both sides of the paper.
    """
    _register_fonts()
    writer = _Writer(file, lang)
    writer.canvas.setTitle(title)
    writer.canvas.setAuthor(PROGRAM)
    writer.canvas.setSubject(title)
    writer.canvas.setCreator(PROGRAM)
    writer.canvas.setViewerPreference("DisplayDocTitle", "true")
    writer.canvas.setViewerPreference("PrintScaling", "None")
    if is_duplex:
        writer.canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    writer.canvas._doc.Catalog.Metadata = _metadata(title, lang)
    writer.canvas.showOutline()
    for page in pages:
        writer.page(page)
    writer.save()


@lru_cache(maxsize=1)
def _register_fonts() -> None:
    for bold, name in FONT_NAMES.items():
        pdfmetrics.registerFont(TTFont(name, str(face(bold).path)))


def _metadata(title: str, lang: str) -> PDFStream:
    """Return the metadata of the document as XMP, in addition to the information dictionary."""
    plain = escape("".join(filter(str.isprintable, title)))
    content = XMP.format(title=plain, lang=lang, program=PROGRAM)
    entries = {"Type": PDFName("Metadata"), "Subtype": PDFName("XML")}
    return PDFStream(PDFDictionary(entries), content.encode(), filters=[])


class _Run(NamedTuple):
    """Consecutive parts of a page that all were, or all were not, on an earlier page.

    Repeated parts are drawn as one form, and a screen reader skips them.
    """

    x_mm: float
    is_repeated: bool
    parts: tuple[Part, ...]

    @property
    def key(self) -> tuple[int, ...]:
        """Cache key of the parts: the ids of the objects."""
        return tuple(map(id, self.parts))


class _Writer:
    """PDF document under construction."""

    def __init__(self, file: BinaryIO, lang: str) -> None:
        self.canvas = Canvas(
            file,
            invariant=1,
            pageCompression=1,
            lang=lang,
            pdfVersion=(1, 7),
            initialFontName=FONT_NAMES[False],
        )
        self._tags = Tags(self.canvas)
        self._stamps: dict[tuple[Any, ...], str] = {}
        self._seen: dict[int, Part] = {}
        self._forms: dict[tuple[int, ...], str] = {}
        self._colours: dict[str, tuple[float, float, float]] = {}
        self._palette: Palette

    def page(self, page: DrawnPage) -> None:
        """Write one page. A part that was on an earlier page becomes a form, stored once."""
        canvas = self.canvas
        self._palette = page.palette
        height = page.height_mm / POINT_MM
        canvas.setPageSize((page.width_mm / POINT_MM, height))
        for bookmark in page.bookmarks:
            canvas.bookmarkPage(bookmark.key)
            canvas.addOutlineEntry(bookmark.title, bookmark.key)
        runs = list(self._runs(page))
        for run in runs:
            self._prepare(run, page.height_mm)
        for run in runs:
            for part in (run.parts[0],) if run.is_repeated else run.parts:
                self._tags.begin(part, is_repeated=run.is_repeated)
                canvas.saveState()
                canvas.translate(run.x_mm / POINT_MM, height)
                canvas.scale(1 / POINT_MM, 1 / POINT_MM)
                if run.is_repeated:
                    canvas.doForm(self._forms[run.key])
                else:
                    self._draw_part(part)
                canvas.restoreState()
                self._tags.end(part, is_repeated=run.is_repeated)
        canvas.showPage()
        self._tags.page_done()

    def save(self) -> None:
        """Write the file."""
        self._tags.finish()
        self.canvas.save()

    def _runs(self, page: DrawnPage) -> Iterator[_Run]:
        """Yield the parts of a page in order, in runs of new and of repeated ones."""

        def is_repeated(placed: PlacedPart) -> bool:
            part = placed.part
            is_known = id(part) in self._seen
            self._seen[id(part)] = part  # a reference, so that no other part gets its id
            return is_known

        found = [(placed.x_mm, is_repeated(placed), placed.part) for placed in page.parts]
        for (x_mm, repeated), parts in groupby(found, key=lambda one: one[:2]):
            yield _Run(x_mm, repeated, tuple(part for *_, part in parts))

    def _prepare(self, run: _Run, height_mm: float) -> None:
        """Write the forms that a run needs, unless the file has them.

        This must precede the content of the page, because forms cannot be nested.
        """
        if not run.is_repeated:
            for part in run.parts:
                for item in part.items:
                    if isinstance(item, Stamp):
                        self._stamp(item)
        elif run.key not in self._forms:
            name = f"part-{len(self._forms)}"
            self._forms[run.key] = name
            self.canvas.beginForm(name, 0, -height_mm, 1000, 0)
            for part in run.parts:
                self._draw_part(part)
            self.canvas.endForm()

    def _draw_part(self, part: Part) -> None:
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)
        for item in part.items:
            self._draw(item)

    def _draw(self, item: Item) -> None:
        canvas = self.canvas
        if isinstance(item, TextLine):
            self._text_line(item)
            return
        says = item.says if isinstance(item, Stamp) else ""
        if says:
            canvas.addLiteral(spoken(says))
        canvas.saveState()
        if isinstance(item, Stamp):
            self._place(item.x, item.y, item.size / 100)
            canvas.doForm(self._stamp(item))
        else:
            self._place(item.x, item.y, item.scale)
            self._shape(item.shape, item.group)
        canvas.restoreState()
        if says:
            canvas.addLiteral("EMC")

    def _place(self, x: float, y: float, scale: float) -> None:
        """Move the origin and set the scale (mm per unit) for the next path; y points down."""
        scale = round(scale, DECIMALS + 4)
        self.canvas.transform(scale, 0, 0, -scale, round(x, DECIMALS), -round(y, DECIMALS))

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
            self._ink(shape.stroke, group, is_stroke=True)
            canvas.setLineWidth(shape.width)
            canvas.drawPath(path, stroke=1, fill=0)
        if shape.fill:
            self._ink(shape.fill, group)
            canvas.drawPath(path, stroke=0, fill=1, fillMode=_NON_ZERO)

    def _text_line(self, words: TextLine) -> None:
        canvas = self.canvas
        font, text, x = typeset(words)
        if not font.is_plain(text):
            self._outlined_text(text, x, words)
            return
        self._ink(words.role, words.group)
        canvas.setFont(FONT_NAMES[words.bold], round(words.size, DECIMALS))
        # The blank separates it from the next text for screen readers and copying.
        canvas.drawString(round(x, DECIMALS), -round(words.y, DECIMALS), f"{text} ")

    def _outlined_text(self, text: str, x: float, words: TextLine) -> None:
        """Draw a text in other scripts as outlines, with its characters as replacement text."""
        canvas, scale = self.canvas, words.size / EM
        canvas.addLiteral(spoken(text))
        canvas.saveState()
        self._place(x, words.y, scale)
        self._shape(Shape(shape_text(text, bold=words.bold).path, words.role), words.group)
        canvas.restoreState()
        canvas.addLiteral("EMC")

    def _ink(self, role: str, group: str, *, is_stroke: bool = False) -> None:
        """Set a colour; greys are DeviceGray, so that no printer mixes black from four inks."""
        canvas, (red, green, blue) = self.canvas, self._rgb(role, group)
        if red == green == blue:
            (canvas.setStrokeGray if is_stroke else canvas.setFillGray)(red)
        elif is_stroke:
            canvas.setStrokeColorRGB(red, green, blue)
        else:
            canvas.setFillColorRGB(red, green, blue)

    def _rgb(self, role: str, group: str) -> tuple[float, float, float]:
        colour = self._palette.colour(role, group)
        if colour not in self._colours:
            red, green, blue = rgb(colour)
            self._colours[colour] = (red / 255, green / 255, blue / 255)
        return self._colours[colour]


_CELL: Final = re.compile(r"M(\d+) (\d+)H(\d+)V(\d+)H\d+Z")
"""Pattern of path data of one rectangle with integer coordinates."""

_CELLS: Final = re.compile(rf"(?:{_CELL.pattern})+")
"""Pattern of path data of one or more such rectangles, as in a marker or QR code."""


@lru_cache(maxsize=4096)
def _pdf_path(path: str) -> PDFPathObject:
    """Return SVG path data as a path of ReportLab; quadratic curves become cubic ones."""
    found = PDFPathObject()
    if _CELLS.fullmatch(path):  # half as many bytes as lines
        for left, top, right, bottom in _CELL.findall(path):
            x, y = int(left), int(top)
            found.rect(x, y, int(right) - x, int(bottom) - y)
        return found
    at = (0.0, 0.0)
    for name, exact in commands(path):
        points = [(round(x, 2), round(y, 2)) for x, y in exact]
        match name:
            case "moveTo":
                found.moveTo(*points[0])
            case "lineTo":
                found.lineTo(*points[0])
            case "curveTo":
                found.curveTo(*points[0], *points[1], *points[2])
            case "qCurveTo":
                (cx, cy), (x, y) = points
                near = (at[0] + (cx - at[0]) * 2 / 3, at[1] + (cy - at[1]) * 2 / 3)
                far = (x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3)
                found.curveTo(*(round(value, 2) for value in (*near, *far)), x, y)
            case "closePath":
                found.close()
        if points:
            at = points[-1]
    return found
