"""How does a PDF say in which order it is read aloud, and what its figures show?

ReportLab draws no tags itself; here the page's parts are marked by its literal operators, and the
tree of structure elements is built from its own objects (ISO 32000-1, 14.7).
"""

from __future__ import annotations

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFName,
    PDFObject,
    PDFString,
)
from reportlab.pdfgen.canvas import Canvas

from sheets.printing.items import Part


class Tags:
    """The structure of a document under construction."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._document = PDFDictionary({"Type": PDFName("StructElem"), "S": PDFName("Document")})
        self._root = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        self._elements: list[PDFObject] = []
        self._pages: list[list[PDFObject]] = []
        self._on_page: list[PDFObject] = []

    def begin(self, part: Part, *, is_repeated: bool) -> None:
        """Everything drawn until `end` belongs to this part; repeated sheets are read once."""
        if part.tag == "Artifact" or is_repeated:
            self._canvas.addLiteral("/Artifact BMC")
            return
        number = len(self._on_page)
        self._canvas.addLiteral(f"/{part.tag} <</MCID {number}>> BDC")
        reference = self._canvas._doc.Reference
        entries = {
            "Type": PDFName("StructElem"),
            "S": PDFName(part.tag),
            "P": reference(self._document),
            "Pg": self._canvas._doc.thisPageRef(),
            "K": number,
        }
        if part.alt:
            entries["Alt"] = PDFString(part.alt)
        self._on_page.append(reference(PDFDictionary(entries)))

    def end(self) -> None:
        """The part is drawn."""
        self._canvas.addLiteral("EMC")

    def page_done(self) -> None:
        """The canvas has just begun a new page: tie the elements to the one before it."""
        if not self._on_page:
            return
        page = self._canvas._doc.Pages.pages[-1]
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents, page.Tabs = len(self._pages), PDFName("S")
        self._pages.append(self._on_page)
        self._elements += self._on_page
        self._on_page = []

    def finish(self) -> None:
        """Hang the tree into the document."""
        reference = self._canvas._doc.Reference
        numbers: list[object] = []
        for number, elements in enumerate(self._pages):
            numbers += [number, reference(PDFArray(elements))]
        self._document["P"] = reference(self._root)
        self._document["K"] = PDFArray(self._elements)
        self._root["K"] = reference(self._document)
        self._root["ParentTree"] = reference(PDFDictionary({"Nums": PDFArray(numbers)}))
        self._root["ParentTreeNextKey"] = len(self._pages)
        catalog = self._canvas._doc.Catalog
        catalog.StructTreeRoot = reference(self._root)
        catalog.MarkInfo = PDFDictionary({"Marked": "true"})
