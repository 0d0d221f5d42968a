"""Players of a scoring; deletion by an editor, and pruning of unused scorings."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from sheets.models import Mark, Scoring
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin, share_url, state, tap

pytestmark = pytest.mark.django_db


def names(url: str) -> list[str]:
    return [sheet.player for sheet in Scoring.objects.get().sheets.all()]


def test_players_are_renamed(client: Client) -> None:
    url = begin(client, GARDEN)
    client.post(f"{url}players/", {"name-1": " Anna ", "name-2": ""})
    assert names(url) == ["Anna", ""]
    assert "Player 2" in client.get(f"{url}1/").content.decode()


def test_player_is_added_up_to_six(client: Client) -> None:
    url = begin(client, GARDEN)
    for _ in range(4):
        assert client.post(f"{url}players/", {"add": "1"}).status_code == 302
    response = client.post(f"{url}players/", {"add": "1"})
    assert response.status_code == 409
    assert "Six sheets" in response.content.decode()
    assert len(names(url)) == 6


def test_player_is_removed_but_not_the_last(client: Client) -> None:
    url = begin(client, GARDEN)
    client.post(f"{url}players/", {"remove": "2"})
    assert names(url) == ["Ana"]
    assert client.post(f"{url}players/", {"remove": "1"}).status_code == 409
    assert client.post(f"{url}players/", {"remove": "2"}).status_code == 409


def test_marked_sheet_is_removed_only_after_a_question(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "b1", "c2", number=2)
    response = client.post(f"{url}players/", {"name-1": "Anna", "remove": "2"})
    assert response.headers["Location"] == f"{url}players/2/remove/"
    assert names(url) == ["Anna", "Ben"]
    page = client.get(f"{url}players/2/remove/").content.decode()
    assert "Remove the sheet of" in page
    assert "Ben" in page
    assert names(url) == ["Anna", "Ben"]
    assert client.post(f"{url}players/2/remove/").status_code == 302
    assert names(url) == ["Anna"]
    assert not Mark.objects.exists()
    assert client.get(f"{url}players/2/remove/").status_code == 404
    assert client.post(f"{url}players/2/remove/").status_code == 409


def test_removal_by_the_question_needs_the_right_to_write(client: Client) -> None:
    url = begin(client, GARDEN)
    shared = share_url(client, url)
    assert client.get(f"{shared}players/2/remove/").status_code == 403
    assert client.post(f"{shared}players/2/remove/").status_code == 403
    assert names(url) == ["Ana", "Ben"]


def test_last_sheet_is_no_solo_game_until_the_user_says_so(client: Client) -> None:
    url = begin(client, GARDEN)
    tap(client, url, "c1", "c1")
    assert state(client, url)["total"] == -2
    client.post(f"{url}players/", {"remove": "2"})
    assert state(client, url)["total"] == -2
    assert 'class="grade"' not in client.get(f"{url}1/").content.decode()
    client.post(f"{url}solo/", {"solo": "yes"})
    client.post(f"{url}players/", {"add": "1"})
    client.post(f"{url}players/", {"remove": "3"})
    assert 'class="grade"' in client.get(f"{url}1/").content.decode()


def test_number_of_a_removed_sheet_is_never_given_again(client: Client) -> None:
    url = begin(client, GARDEN)
    client.post(f"{url}players/", {"remove": "2"})
    client.post(f"{url}players/", {"add": "1"})
    assert client.get(f"{url}2/").status_code == 404
    assert client.get(f"{url}3/").status_code == 200


@pytest.mark.parametrize(
    "sent",
    [{"name-1": "x" * 41}, {"name-x": "Ana"}, {"name-1": "a\0"}, {"remove": "all"}],
    ids=["long", "no number", "zero byte", "no sheet"],
)
def test_malformed_players_change_nothing(client: Client, sent: dict[str, str]) -> None:
    url = begin(client, GARDEN)
    assert client.post(f"{url}players/", sent).status_code == 400
    assert names(url) == ["Ana", "Ben"]


def test_rename_of_a_removed_player_is_stale(client: Client) -> None:
    url = begin(client, GARDEN)
    response = client.post(f"{url}players/", {"name-1": "Anna", "name-7": "Cem"})
    assert response.status_code == 409
    assert names(url) == ["Ana", "Ben"]


def test_deletion_asks_first_and_leaves_nothing(client: Client) -> None:
    url = begin(client, GARDEN)
    shared = share_url(client, url)
    tap(client, url, "b1")
    assert "cannot be undone" in client.get(f"{url}delete/").content.decode()
    assert Scoring.objects.exists()
    assert client.post(f"{url}delete/", follow=True).status_code == 200
    assert not Scoring.objects.exists()
    assert not Mark.objects.exists()
    assert client.get(f"{url}1/").status_code == 404
    assert client.get(shared).status_code == 404


@pytest.mark.postgresql
def test_prune_removes_unused_scorings(client: Client) -> None:
    old, new = begin(client, GARDEN), begin(client, GARDEN)
    past = timezone.now() - timedelta(days=31)
    Scoring.objects.filter(pk=Scoring.objects.earliest("pk").pk).update(touched=past)
    out = StringIO()
    call_command("prune", "--days=30", stdout=out)
    assert "Deleted 1" in out.getvalue()
    assert client.get(old).status_code == 404
    assert client.get(new).status_code == 200


def test_a_visit_protects_a_scoring_from_prune(client: Client) -> None:
    url = begin(client, GARDEN)
    Scoring.objects.update(touched=timezone.now() - timedelta(days=31))
    client.get(share_url(client, url) + "1/")
    call_command("prune", "--days=30", stdout=StringIO())
    assert state(client, url)["marks"] == {}


@pytest.mark.parametrize("days", ["0", "-1", "x", "99999999999"])
def test_prune_needs_a_valid_number_of_days(days: str) -> None:
    with pytest.raises(CommandError):
        call_command("prune", f"--days={days}")
