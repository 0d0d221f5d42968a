"""What the page of a group shows first: who leads, the chart of wins, and what to do."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from sheets.charts.lines import PLAYER_COLOURS
from sheets.groups import store
from sheets.groups.documents import FORMAT, GameFile, GroupFile, PlayerFile
from sheets.groups.group_file_import import import_group
from sheets.groups.wins_chart import MAX_STEPS
from tests.groups import page_parsers
from tests.groups.test_standings import ANA, BEN, BOT, CEM, game

pytestmark = pytest.mark.django_db

ANA_WINS = {ANA: 30, BEN: 20}
BEN_WINS = {ANA: 20, BEN: 30}
SHARED = {ANA: 20, BEN: 20}
TIED = {ANA: 10, BEN: 10, CEM: 9}


def create_page(*games: GameFile, people: int = 3) -> str:
    """Create a group with these games, and return the address of its page."""
    names = ("Ana", "Ben", "Cem", *(f"Player {number}" for number in range(4, 40)))
    players = [PlayerFile(name) for name in names[:people]]
    return f"/groups/{import_group(GroupFile(FORMAT, 'Club', players, [], list(games)))}/"


def headlines(client: Client, url: str) -> list[str]:
    found = re.findall(r'<p class="headline[^>]*>(.*?)</p>', client.get(url).text, re.DOTALL)
    return [unescape(re.sub("<[^>]+>", "", sentence)) for sentence in found]


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([ANA_WINS], "Ana leads with 1 win in 1 game."),
        ([ANA_WINS, BEN_WINS, ANA_WINS], "Ana leads with 2 wins in 3 games."),
        ([ANA_WINS, SHARED], "Ana leads with 1.5 wins in 2 games."),
        ([BEN_WINS, {ANA: 40, BEN: 9}], "Ana leads by the average. Others have as many wins: 1."),
        ([ANA_WINS, BEN_WINS, TIED], "Ana and Ben share the lead. Wins: 1.5 each."),
        ([{ANA: 50}, {BEN: 40}], "Ana leads with 50.0 points on average."),
    ],
    ids=["one", "several", "shared", "average", "together", "solo"],
)
def test_first_sentence_says_who_leads(
    client: Client, points: list[dict[int, int | None]], sentence: str
) -> None:
    games = [game("2026-01-02", one) for one in points]
    assert headlines(client, create_page(*games))[0] == sentence


def test_nobody_leads_if_all_are_equal(client: Client) -> None:
    assert headlines(client, create_page(game("2026-01-02", SHARED))) == []
    assert headlines(client, create_page(game("2026-01-02", {ANA: 50}))) == []


def test_second_sentence_names_a_winning_streak_of_three_games(client: Client) -> None:
    games = [game("2026-01-02", one) for one in (BEN_WINS, ANA_WINS, ANA_WINS)]
    assert len(headlines(client, create_page(*games))) == 1
    games.append(game("2026-01-03", ANA_WINS))
    expected = "Ana has won 3 games in a row."
    assert headlines(client, create_page(*games))[1] == expected
    games.append(game("2026-01-04", {ANA: 9, BOT: 10}))  # games with bots do not count
    assert headlines(client, create_page(*games))[1] == expected


def test_names_in_sentences_are_escaped(client: Client) -> None:
    document = GroupFile(
        FORMAT, "Club", [PlayerFile("<b>A"), PlayerFile("Ben")], [], [game("2026-01-02", ANA_WINS)]
    )
    page = client.get(f"/groups/{import_group(document)}/").text
    assert '<bdi translate="no">&lt;b&gt;A</bdi> leads' in page


def test_chart_adds_up_the_wins_and_its_table_has_the_same_numbers(client: Client) -> None:
    games = [game("2026-01-02", one) for one in (ANA_WINS, BEN_WINS, SHARED)]
    page = client.get(create_page(*games)).text
    table = page_parsers.tables(page_parsers.read(page))["Wins over time"]
    assert table.heads == ["Games", "Ana", "Ben"]
    assert table.rows == [["0", "0", "0"], ["1", "1", "0"], ["2", "1", "1"], ["3", "1.5", "1.5"]]
    assert 'role="img" aria-label="Wins over time"' in page
    few = client.get(create_page(*games[:2])).text
    assert "Wins over time" not in few


def test_chart_of_many_games_and_players_stays_legible(client: Client) -> None:
    games = [game("2026-01-02", {number % 10: 30, (number + 1) % 10: 20}) for number in range(100)]
    page = client.get(create_page(*games, people=10)).text
    table = page_parsers.tables(page_parsers.read(page))["Wins over time"]
    assert len(table.rows) == MAX_STEPS + 1
    assert table.rows[-1] == ["100"] + ["10"] * len(PLAYER_COLOURS)
    assert "The chart shows the first 6 players." in page


def test_last_evening_comes_before_earlier_ones(client: Client) -> None:
    games = [game(f"2026-01-{day:02}", ANA_WINS) for day in range(1, 13)]
    url = create_page(*games)
    page = client.get(url).text
    last, earlier = page.index(">Last evening<"), page.index(">Earlier evenings<")
    assert last < page.index("12 Jan 2026</h3>") < earlier < page.index("11 Jan 2026</h3>")
    older = client.get(f"{url}?page=2").text
    assert ">Last evening<" not in older
    assert "1 Jan 2026</h3>" in older


def test_page_has_one_primary_button_and_an_empty_group_says_what_to_do(client: Client) -> None:
    url = f"/groups/{store.create('Club')}/"
    page = client.get(url).text
    assert page.count("button primary") == 1
    assert headlines(client, url) == ["No game yet."]
    assert "First start a table or score paper sheets" in page
    assert ">Last evening<" not in page
    reading = f"/groups/{store.find(url.split('/')[2]).share_key}/"
    assert "First start a table" not in client.get(reading).text
    assert "The games of this group will be listed here." in client.get(reading).text


def test_filter_is_at_the_top_only_while_it_is_active(client: Client) -> None:
    url = create_page(*[game("2026-01-02", ANA_WINS)] * 3)
    page = client.get(url).text
    assert page.index('class="filter"') > page.index(">Standings<")
    chosen = client.get(f"{url}?players=2").text
    assert chosen.index("Only these games:") < chosen.index(">Standings<")
    assert chosen.count('class="filter"') == 1
    assert headlines(client, f"{url}?players=3") == ["No game matches."]
