"""The addresses of printing."""

from django.urls import path

from sheets.views import print as printing

urlpatterns = [
    path("", printing.print_page, name="print"),
    path("sheets.pdf", printing.print_pdf, name="print-pdf"),
    path("page-<int:number>.svg", printing.preview, name="print-preview"),
    path("filled/<key:key>.pdf", printing.filled_pdf, name="print-filled"),
]
