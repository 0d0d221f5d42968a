"""What all pages that print share: the choices of a print, its pages, and its file."""
