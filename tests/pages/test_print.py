"""Print page, which makes the same files as the command."""

import re
from io import BytesIO

import pypdf
import pytest
from django.core.management import call_command
from django.test import Client

from sheets.levels import shipped_levels
from sheets.printing.web.request import MAX_PAGES
from sheets.text.languages import languages
from tests.form_errors import parse_form_errors
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin, tap
from tests.tables.table_clients import client_of, finished_party

CHOICES = [
    ("level=level-3&paper=a5&lang=en", ["level-3", "--paper", "a5"]),
    (
        "level=level-1&level=level-2&paper=a4&per-page=1&copies=3&duplex=on&bw=on&rules=on"
        "&no-markers=on&lang=de",
        ["level-1", "level-2", "--per-page", "1", "--copies", "3", "--duplex", "--bw", "--rules",
         "--no-markers", "--lang", "de"],
    ),
    ("level=level-3", ["level-3"]),
    ("level=level-2&level=level-1&duplex=on", ["level-1", "level-2", "--duplex"]),
    ("level=level-8&paper=letter&large=on&lang=en", ["level-8", "--paper", "letter", "--large"]),
]  # fmt: skip


@pytest.mark.parametrize(("query", "arguments"), CHOICES)
def test_page_and_command_make_the_same_file(client, tmp_path, query: str, arguments) -> None:
    response = client.get(f"/print/sheets.pdf?{query}", headers={"accept-language": "en"})
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/pdf"
    file = tmp_path / "sheets.pdf"
    call_command("print", *arguments, "-o", str(file))
    assert response.content == file.read_bytes()


def test_no_level_is_chosen_at_first(client: Client) -> None:
    response = client.get("/print/?bw=on", headers={"accept-language": "en"})
    page = response.content.decode()
    assert response.status_code == 200
    assert not re.findall(r'name="level"[^>]* checked', page)
    assert page.count('<span class="shape g-') == len(shipped_levels())
    assert "Choose at least one level. Then its pages appear here." in page
    assert 'class="fault' not in page
    assert "/print/page-" not in page
    assert "sheets.pdf" not in page


@pytest.mark.parametrize(
    ("languages", "paper"),
    [
        ("en-US,en;q=0.9", "letter"),
        ("en-CA", "letter"),
        ("fr-CA,fr;q=0.9", "letter"),
        ("es-MX;q=1", "letter"),
        ("es-419", "letter"),
        ("fil-PH", "letter"),
        ("en-latn-us", "letter"),
        ("en-GB,en-US;q=0.8", "a4"),
        ("de,en-US;q=0.7", "a4"),
        ("ca", "a4"),
        ("", "a4"),
    ],
)
def test_default_paper_depends_on_the_browsers_region(
    client: Client, languages: str, paper: str
) -> None:
    headers = {"accept-language": languages}
    for query in ("", "?level=level-1"):
        page = client.get(f"/print/{query}", headers=headers).content.decode()
        assert re.findall(r'<option value="(\w+)" selected>(?:A4|Letter|US)', page) == [paper]
    wide = pypdf.PdfReader(
        BytesIO(client.get("/print/sheets.pdf?level=level-1", headers=headers).content)
    ).pages[0]
    assert (round(wide.mediabox[2]) == 612) == (paper == "letter")
    other = client.get("/print/?level=level-1&paper=a5", headers=headers).content.decode()
    assert '<option value="a5" selected>' in other


@pytest.mark.parametrize(
    "query",
    [
        "&".join(f"level=level-{n}" for n in range(1, 9)),
        "level=level-1&paper=a5&copies=9&lang=de&bw=on",
    ],
)
def test_preview_shows_every_page_of_the_file(client: Client, query: str) -> None:
    page = client.get(f"/print/?{query}").content.decode()
    found = re.findall(r'<img src="(/print/page-[^"]+)"', page)
    addresses = [address.replace("&amp;", "&") for address in found]
    assert addresses
    for address in addresses:
        drawing = client.get(address)
        assert drawing.status_code == 200
        assert drawing.headers["Content-Type"] == "image/svg+xml"
    one = client.get(re.search(r'href="(/print/sheets.pdf[^"]*)"', page)[1].replace("&amp;", "&"))
    assert len(pypdf.PdfReader(BytesIO(one.content)).pages) == len(addresses) * (
        9 if "copies=9" in query else 1
    )


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("paper=a4", "Choose at least one level.</p>"),
        ("level=nope", "There is no level “nope” here."),
        ("level=level-1&level=nope&paper=a4", "There is no level “nope” here."),
        ("level=level-1&paper=a4&copies=501", "Copies: a number from 1 to 500."),
        ("level=level-1&paper=a4&copies=x", "Copies: a number from 1 to 500."),
        ("level=level-1&paper=a4&copies=²", "Copies: a number from 1 to 500."),
        ("level=level-1&paper=a5&per-page=2", "Two sheets per page need A4 or letter paper."),
        ("level=level-1&paper=a4&per-page=2&large=on", "Large prints one sheet per page, not two."),
        ("level=level-1&paper=a5&large=on", "Large needs A4 or letter paper."),
        ("level=level-1&paper=a3", "Paper: a4, a5 or letter."),
        ("level=level-1&per-page=3", "Sheets per page: 1 or 2."),
        ("level=level-1&lang=xx", f"Sheets have one of these languages: {', '.join(languages())}."),
        ("level=level-1&bw=off", "“bw” is “on”, or it is left out."),
        ("level=level-1&copies=", "Copies: a number from 1 to 500."),
        ("level=level-1&copies=-3", "Copies: a number from 1 to 500."),
        ("level=level-1&copies=1.5", "Copies: a number from 1 to 500."),
        (
            "level=level-1&per_page=1",
            "There is no option “per_page” for printing; there are: level, ",
        ),
        (
            "level=level-1&foo=bar",
            "paper, per-page, copies, lang, duplex, bw, large, rules, no-mark",
        ),
        ("lang=de&bw=on&=", "There is no option “” for printing"),
        ("level=level-1&paper=a5&copies=201", "That would be 201 pages; 200 are the most at once."),
    ],
)
def test_invalid_options_are_refused_with_a_clear_sentence(
    client: Client, query: str, sentence: str
) -> None:
    for address in ("/print/", "/print/sheets.pdf"):
        response = client.get(f"{address}?{query}", headers={"accept-language": "en"})
        assert response.status_code == 400
        assert sentence in response.content.decode()
    assert client.get(f"/print/page-1.svg?{query}").status_code == 404


def test_the_limit_itself_is_printed(client: Client) -> None:
    response = client.get(f"/print/sheets.pdf?level=level-1&paper=a5&copies={MAX_PAGES}")
    assert response.status_code == 200


@pytest.mark.parametrize("name", ["utm_source", "fbclid", "gclid", "mc_eid", "igsh"])
def test_unknown_parameters_are_ignored(client: Client, name: str) -> None:
    for address in ("/print/", "/print/sheets.pdf", "/print/page-1.svg"):
        assert client.get(f"{address}?level=level-1&{name}=x").status_code == 200


@pytest.mark.parametrize("number", [0, 2, 25, 10**12])
def test_a_missing_page_is_not_found(client: Client, number: int) -> None:
    assert client.get(f"/print/page-{number}.svg?level=level-1&paper=a5").status_code == 404


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("level=level-1", "dizzle-butterfly.pdf"),
        ("level=level-1&level=dice2&paper=a5&bw=on", "dizzle-butterfly-dice2-a5-bw.pdf"),
        ("level=level-1&large=on&copies=20", "dizzle-butterfly-large-x20.pdf"),
        ("&".join(f"level=level-{n}" for n in range(1, 9)), "dizzle-8-levels.pdf"),
        ("level=level-1&lang=en&paper=a4&per-page=1", "dizzle-butterfly.pdf"),
        ("level=level-1&lang=de&rules=on", "dizzle-butterfly-rules-de.pdf"),
        (
            "level=level-1&level=level-2&duplex=on&no-markers=on",
            "dizzle-butterfly-castle-duplex-no-markers.pdf",
        ),
    ],
)
def test_file_name_describes_the_content(client: Client, query: str, name: str) -> None:
    response = client.get(f"/print/sheets.pdf?{query}", headers={"accept-language": "en"})
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'


def test_the_form_leaves_validation_to_the_server(client: Client) -> None:
    """A browser reports invalid fields only if the user submits the form, not a script."""
    assert re.search(
        r'<form class="print-form[^>]* novalidate', client.get("/print/").content.decode()
    )


@pytest.mark.parametrize(
    ("query", "sentence", "has_hint"),
    [
        ("level=level-1", "Dice of up to 17 ", False),
        ("level=level-1&level=level-2", "Dice of up to 12", True),
        ("level=level-1&large=on", "Dice of up to 18.", False),
        ("level=dice2", "", False),
    ],
)
def test_the_page_says_which_dice_are_the_right_size(
    client: Client, query: str, sentence: str, has_hint: bool
) -> None:
    page = client.get(f"/print/?{query}", headers={"accept-language": "en"}).content.decode()
    assert (sentence or "Dice²") in page
    assert ("Dice of up to" in page) == bool(sentence)
    assert ("For the usual ones of 16 mm" in page) == has_hint


@pytest.mark.django_db
def test_a_scoring_is_printed_filled_in(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1", "a4")
    page = client.get(url).content.decode()
    address = re.search(r'href="(/print/filled/[^"]+)"', page)[1]
    english = {"accept-language": "en"}
    assert "No font here" not in client.get(address, headers=english).content.decode()
    chosen = f"{address}?paper=letter&per-page=1&bw=on&lang=de"
    page = client.get(chosen, headers=english).content.decode().replace("&amp;", "&")
    shown = re.findall(r'<img src="(/print[^"]+)"', page)
    assert len(shown) == 2
    for preview in shown:
        assert "svg" in client.get(preview).headers["Content-Type"]
    response = client.get(re.search(r'href="(/print/filled/[^"]+pdf[^"]*)"', page)[1])
    assert response.headers["Content-Type"] == "application/pdf"
    assert "-ana-ben-letter-bw-de.pdf" in response.headers["Content-Disposition"]
    pages = pypdf.PdfReader(BytesIO(response.content)).pages
    assert [round(float(side)) for side in pages[0].mediabox[2:]] == [612, 792]
    text = "".join(page.extract_text() for page in pages)
    assert all(word in text for word in ("Ana", "Ben", "Summe"))
    for wrong in ("copies=0", "paper=a3", "lang=xx"):
        refused = client.get(f"{address}?{wrong}", headers=english)
        assert refused.status_code == 400
        assert parse_form_errors(refused.content.decode()).keys() == {wrong.partition("=")[0]}
    for unknown in ("per_page=1", "level=level-1"):
        refused = client.get(f"{address}?{unknown}", headers=english)
        assert refused.status_code == 400
        assert f"“{unknown.partition('=')[0]}”" in refused.content.decode()


@pytest.mark.django_db
def test_a_scoring_cannot_be_printed_without_its_link(client: Client) -> None:
    for end in (".pdf", "/", "/page-1.svg"):
        assert client.get(f"/print/filled/{'x' * 32}{end}").status_code == 404


@pytest.mark.django_db
def test_a_game_is_printed_with_the_same_options() -> None:
    party = finished_party()
    client = client_of(party)
    results = client.get(f"/table/{party.code}/").content.decode()
    address = re.search(r'href="(/table/[^"]+/print/)"', results)[1]
    page = client.get(f"{address}?paper=a5&lang=de").content.decode().replace("&amp;", "&")
    assert client.get(re.search(r'<img src="(/table/[^"]+)"', page)[1]).status_code == 200
    file = client.get(re.search(r'href="([^"]+pdf[^"]*)"', page)[1])
    assert "-a5-de.pdf" in file.headers["Content-Disposition"]
    assert client.get(f"{address}?copies=x").status_code == 400
