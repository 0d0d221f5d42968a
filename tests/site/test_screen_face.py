"""Font of headings, buttons and points on screen, the same as in print and pictures."""

from pathlib import Path

from babel.messages.pofile import read_po
from PIL import ImageFont

ROOT = Path(__file__).parents[2]
SIZE = 64
PRINTED = ImageFont.truetype(ROOT / "sheets/art/fonts/Nunito-ExtraBold.ttf", SIZE)
SHOWN = ImageFont.truetype(ROOT / "sheets/static/sheets/fonts/nunito-800.woff2", SIZE)


def test_letters_on_screen_are_the_printed_ones() -> None:
    with open(ROOT / "locale/de/LC_MESSAGES/django.po", "rb") as file:
        texts = [
            text
            for message in read_po(file, locale="de")
            for said in (message.id, message.string)
            for text in ([said] if isinstance(said, str) else said)
        ]
    letters = {letter for text in texts for letter in text if letter.isalnum()}
    assert letters >= set("azAZ09äöüßÄÖÜ")
    assert {letter for letter in letters if is_missing(letter)} == set()
    assert all(drawn(SHOWN, letter) == drawn(PRINTED, letter) for letter in "Dizzle 0123456789äß")


def is_missing(letter: str) -> bool:
    return drawn(SHOWN, letter) == drawn(SHOWN, "\uffff")


def drawn(face: ImageFont.FreeTypeFont, letter: str) -> bytes:
    """Return the pixels of a letter, row by row."""
    return bytes(face.getmask(letter))
