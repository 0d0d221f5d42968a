"""A label and its text, in each language's punctuation."""

from django.utils.translation import override

from sheets.text.labels import with_label


def test_french_has_a_narrow_space_before_the_colon() -> None:
    with override("en"):
        assert with_label("c4", "open") == "c4: open"
    with override("fr"):
        assert with_label("c4", "libre") == "c4\u202f: libre"
