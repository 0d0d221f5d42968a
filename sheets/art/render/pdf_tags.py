"""Tagged PDF for screen readers: reading order, and alternative texts of figures.

ReportLab writes no tags itself. This module marks the parts of a page with literal operators, and
builds the tree of structure elements from ReportLab's objects (ISO 32000-1, 14.7).
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE
from typing import NamedTuple

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObject, PDFString
from reportlab.pdfgen.canvas import Canvas

from sheets.art.render.items import Part


def spoken(text: str) -> str:
    """Return the PDF operator that begins content for which screen readers read a text.

    The operator ``EMC`` ends the content.
    """
    try:
        plain = f"{text} ".encode("latin-1")
        code = f"({''.join(map(_escaped, plain))})"
    except UnicodeEncodeError:
        code = f"<{BOM_UTF16_BE.hex()}{text.encode('utf-16-be').hex()}0020>"
    return f"/Span <</ActualText {code}>> BDC"


def _escaped(byte: int) -> str:
    return chr(byte) if 31 < byte < 127 and byte not in b"()\\" else f"\\{byte:03o}"


class _Open(NamedTuple):
    """A structure element around others that is still open for further children."""

    name: tuple[str, str]
    element: PDFDictionary
    reference: PDFObject
    children: list[PDFObject]


class Tags:
    """Structure tree of a document under construction."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._document = PDFDictionary({"Type": PDFName("StructElem"), "S": PDFName("Document")})
        self._root = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        self._pages: list[list[PDFObject]] = []
        self._on_page: list[PDFObject] = []
        self._children: list[PDFObject] = []
        self._open: list[_Open] = []

    def begin(self, part: Part, *, is_repeated: bool) -> None:
        """Begin a part: all drawing until `end` belongs to it.

        Screen readers skip a part that is repeated from an earlier page.
        """
        if part.tag == "Artifact" or is_repeated:
            self._canvas.addLiteral("/Artifact BMC")
            return
        number = len(self._on_page)
        self._canvas.addLiteral(f"/{part.tag} <</MCID {number}>> BDC")
        if part.says:
            self._canvas.addLiteral(spoken(part.says))
        reference = self._canvas._doc.Reference
        entries = {
            "S": PDFName(part.tag),
            "Pg": self._canvas._doc.thisPageRef(),
            "K": number,
        }
        if part.tag == "TH":
            scope = "Column" if part.within[-1][1] == "head" else "Row"
            attributes = {"O": PDFName("Table"), "Scope": PDFName(scope)}
            entries["A"] = PDFDictionary(attributes)
        if part.alt:
            entries["Alt"] = PDFString(part.alt)
        element = PDFDictionary(entries)
        self._on_page.append(reference(element))
        element["P"] = self._parent(part, self._on_page[-1])

    def _parent(self, part: Part, element: PDFObject) -> PDFObject:
        """Add the element of a part to the innermost element around it, and return the latter.

        ``Part.within`` names the elements around it. They are created as needed, and stay open for
        the next part. ``element`` and the result are references.
        """
        same = 0
        while same < min(len(part.within), len(self._open)) and (
            self._open[same].name == part.within[same]
        ):
            same += 1
        del self._open[same:]
        for name in part.within[same:]:
            around = PDFDictionary({"S": PDFName(name[0])})
            reference = self._canvas._doc.Reference(around)
            around["P"] = self._add_to_open(reference)
            self._open.append(_Open(name, around, reference, []))
        return self._add_to_open(element)

    def _add_to_open(self, element: PDFObject) -> PDFObject:
        """Add an element to the innermost open one, or to the document; return the parent."""
        if not self._open:
            self._children.append(element)
            return self._canvas._doc.Reference(self._document)
        around = self._open[-1]
        around.children.append(element)
        around.element["K"] = PDFArray(around.children)
        return around.reference

    def end(self, part: Part, *, is_repeated: bool) -> None:
        """End a part that `begin` has begun."""
        if part.says and not is_repeated:
            self._canvas.addLiteral("EMC")
        self._canvas.addLiteral("EMC")

    def page_done(self) -> None:
        """Connect the elements since the last call with the page that the canvas has finished."""
        if not self._on_page:
            return
        page = self._canvas._doc.Pages.pages[-1]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self._pages), PDFName("S")
        self._pages.append(self._on_page)
        self._on_page, self._open = [], []

    def finish(self) -> None:
        """Add the structure tree to the catalog of the document, after the last page."""
        reference = self._canvas._doc.Reference
        numbers: list[object] = []
        for number, elements in enumerate(self._pages):
            numbers += [number, reference(PDFArray(elements))]
        self._document["P"] = reference(self._root)
        self._document["K"] = PDFArray(self._children)
        self._root["K"] = reference(self._document)
        self._root["ParentTree"] = reference(PDFDictionary({"Nums": PDFArray(numbers)}))
        self._root["ParentTreeNextKey"] = len(self._pages)
        catalog = self._canvas._doc.Catalog
        catalog.StructTreeRoot = reference(self._root)
        catalog.MarkInfo = PDFDictionary({"Marked": "true"})
