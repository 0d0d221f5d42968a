"""Lines of text in the fonts of the sheets."""

from sheets.art.render.fonts import wrap


def test_lines_do_not_break_before_french_punctuation() -> None:
    text = "Rien n’explose\u202f; une bombe cochée\nrapporte 2\u00a0points."
    lines = list(wrap(text, 1, 5))
    assert lines == [
        "Rien",
        "n’explose\u202f;",
        "une",
        "bombe",
        "cochée",
        "rapporte",
        "2\u00a0points.",
    ]
