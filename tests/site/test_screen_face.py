"""Typeface of the pages, the same as in print and pictures."""

from pathlib import Path

from babel.messages.pofile import read_po
from PIL import ImageFont

ROOT = Path(__file__).parents[2]
SIZE = 64
PRINTED = ImageFont.truetype(ROOT / "sheets/art/fonts/Nunito-ExtraBold.ttf", SIZE)
SHOWN = ImageFont.truetype(ROOT / "sheets/static/sheets/fonts/nunito.woff2", SIZE)
SHOWN.set_variation_by_axes([800])


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
    # Outlines on screen are rounded to 1/400 of the size.
    for letter in "Dizzle 0123456789äß":
        assert abs(SHOWN.getlength(letter) - PRINTED.getlength(letter)) < 0.1


def is_missing(letter: str) -> bool:
    return bytes(SHOWN.getmask(letter)) == bytes(SHOWN.getmask("\uffff"))
