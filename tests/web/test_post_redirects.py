"""GET requests on POST-only addresses.

The page with a refused form has such an address: the language and the theme button lead back to it,
and a phone that has discarded the tab loads it again.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from sheets.models import Table
from sheets.workshop import store
from tests.addresses import patterns
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of

pytestmark = pytest.mark.django_db

AT_TABLES = (
    *("sit", "rename", "free", "bot", "host", "start", "link"),
    *("act", "done", "undo", "propose", "answer", "stand-in", "again"),
)
BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.fixture
def party() -> Party:
    return sit_down(level=TINY)


@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("what", AT_TABLES)
def test_addresses_of_a_tables_forms_lead_to_the_table(
    party: Party, what: str, method: str
) -> None:
    before = Table.objects.get().revision
    for client in (client_of(party, 0), Client()):
        answer = getattr(client, method)(f"/table/{party.code}/{what}/", HTTP_ACCEPT=BROWSER)
        assert (answer.status_code, answer["Location"]) == (302, f"/table/{party.code}/")
        assert "no-store" in answer["Cache-Control"]
        assert client.get(answer["Location"]).status_code == 200
    assert Table.objects.get().revision == before


def test_they_accept_typed_codes_and_refuse_wrong_ones(party: Party) -> None:
    answer = Client().get(f"/table/{party.typed_code}/act/", follow=True)
    assert answer.redirect_chain[-1] == (f"/table/{party.code}/", 302)
    assert Client().get("/table/WRNGX/act/").status_code == 404
    put = Client().put(f"/table/{party.code}/act/")
    assert (put.status_code, put["Allow"]) == (405, "GET, HEAD, POST")


@pytest.mark.parametrize(
    ("form", "sent"),
    [("/i18n/setlang/", {"language": "de"}), ("/theme/", {"theme": "dark"})],
    ids=["language", "theme"],
)
def test_language_and_theme_redirect_from_a_refused_form_to_the_table(
    party: Party, form: str, sent: dict[str, str]
) -> None:
    here = f"/table/{party.code}/sit/"
    refused = Client().post(here, {"number": 0, "name": "Zoe"})
    assert refused.status_code == 409
    assert f'name="next" value="{here}"' in refused.text
    answer = Client().post(form, {**sent, "next": here}, follow=True)
    assert answer.redirect_chain[-1] == (f"/table/{party.code}/", 302)
    assert answer.status_code == 200


def test_addresses_of_a_scorings_forms_lead_to_the_scoring(client: Client) -> None:
    url = begin(client, GARDEN)
    for what, page in (("1/mark/", "1/"), ("1/undo/", "1/"), ("solo/", "")):
        assert client.get(url + what)["Location"] == url + page
        assert client.get(url + page).status_code == 200
    assert client.get(f"/score/{'x' * 32}/solo/").status_code == 404


def test_trying_a_level_alone_leads_to_the_level(client: Client) -> None:
    url = f"/workshop/{store.create(GARDEN)}/"
    answer = client.get(f"{url}solo/")
    assert (answer.status_code, answer["Location"]) == (302, url)
    assert not Table.objects.exists()


def test_other_forms_lead_to_their_page(client: Client) -> None:
    assert client.get("/open/use/?do=play")["Location"] == "/open/"
    answer = client.get("/theme/?theme=dark")
    assert answer["Location"] == "/"
    assert "theme" not in answer.cookies


@pytest.mark.usefixtures("few_trials")
def test_every_address_leads_to_a_page(client: Client) -> None:
    arguments = {"code": "A" * 16, "key": "x" * 32, "number": 1}
    arguments |= {"level_id": "level-1", "step": "size", "day": "2026-11-22"}
    arguments |= {"kind": "score", "name": "x" * 32, "year": 2026, "digest": "5" * 16}
    for pattern in patterns(get_resolver("sheets.pages.urls")):
        assert pattern.name, f"{pattern}: every address has a name"
        names = pattern.pattern.converters
        assert arguments.keys() >= names.keys(), "give `arguments` a value for what is new"
        url = reverse(pattern.name, kwargs={name: arguments[name] for name in names})
        assert client.delete(url).status_code in (404, 405), f"{url}: name its methods"
        assert client.get(url).status_code != 405, f"{url}: lead to a page"
