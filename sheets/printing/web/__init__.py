"""Print options, preview pages and PDFs, shared by all pages that print."""
