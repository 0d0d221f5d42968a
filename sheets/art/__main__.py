"""Write the generated static files: ``python -m sheets.art``."""

from pathlib import Path

from sheets.art import svg

STYLE_SHEET = Path(__file__).parent.parent / "static" / "sheets" / "artwork.css"

if __name__ == "__main__":
    STYLE_SHEET.write_text(svg.css(), encoding="utf-8")
