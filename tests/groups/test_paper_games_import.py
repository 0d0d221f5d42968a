"""Entry of old paper games, typed or pasted, with a preview before they are added."""

from __future__ import annotations

import html
import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from sheets.access.keys import Access
from sheets.groups import dates as days_module
from sheets.groups import paper_games_import, players, store
from sheets.groups.dates import parse_day, read_day
from sheets.groups.pasted_table import read_table
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult
from tests.page_text import unmarked

pytestmark = pytest.mark.django_db


def create_group() -> Group:
    return create_family().resource


def create_family() -> Access[Group]:
    return store.find(store.create("Family"))


def test_dates_are_parsed_in_all_usual_notations() -> None:
    written = {
        date(2025, 12, 26): (
            *("2025-12-26", "2025/12/26", "2025.12.26", "2025-12-26T20:15:00Z", "2025 Dec 26"),
            *("20251226", "20251226T2015", "20251226 20:15", "Fri 20251226"),
            *(
                " 26.12.2025",
                "26.12.25",
                "26. 12. 25",
                "26.12.2025 20:15",
                "26-12-2025",
                "26–12–2025",
            ),
            *("26/12/2025", "12/26/2025", "12/26/25", "12/26/2025 8:15 PM", "12-26-2025"),
            *("26 Dec 2025", "26. Dez. 2025", "26-Dec-25", "Dec 26, 2025", "December 26th 2025"),
            *("Fr, 26.12.2025", "Fri 26 Dec 2025", "Freitag, 26. Dezember 2025, 20.15 Uhr"),
        ),
        date(2026, 1, 1): ("1er janvier 2026", "jeudi 1er janvier 2026 à 20h30", "1 janv. 2026"),
        date(2026, 8, 2): ("dim. 2 août 2026 à 20 h 30", "2 août 2026 20 h"),
        date(2026, 3, 4): ("4. März 2026", "4 Mar 2026", "4. Mrz 2026", "Wed 03/04/2026"),
        date(2025, 3, 4): ("Mar 4, 2025", "Mar. 4 2025 8:15 PM", "mar. 4 mars 2025"),
        date(2026, 4, 3): ("03/04/2026", "03-04-2026", "03.04.2026", "Fri 03/04/2026"),
        None: (
            *("25-12-26", "26.12.125", "31.2.2025", "26.12.0025", "2025-26-12", "13/13/2025"),
            *("2025126", "20251326", "220251226", "26122025"),
            *("Mo, 26.12.2025", "Thursday, 26 December 2025", "Sat 2025-12-26", "Mon 03/04/2026"),
            *("yesterday", "26 Foo 2025", "Dec 2025", "26.12.2025 " + "x" * 60, ""),
        ),
    }
    wrong = {
        text: read_day(text)
        for day, texts in written.items()
        for text in texts
        if read_day(text) != day
    }
    assert wrong == {}
    assert read_day("03/04/2026", is_month_first=True) == date(2026, 3, 4)
    assert parse_day("22 Nov 2025").proves_month_first is None


def days_of(
    client: Client, *days: str, language: str = "en-GB", **more: str
) -> tuple[list[str], str]:
    """Return the days on the page in words, and the page."""
    text = "\n".join(["Day;Ana", *(f"{day};{n}" for n, day in enumerate(days))])
    answer = client.post(
        f"/groups/{create_family().key}/enter/",
        {"table": text, **more},
        HTTP_ACCEPT_LANGUAGE=language,
    )
    page = html.unescape(answer.content.decode())
    return re.findall(r"<li>\s*(\w+ [\w. ]+):\s*<span", page), page


@pytest.mark.parametrize("language", ["en-US", "en-GB", "de"])
def test_one_day_above_12_decides_for_the_whole_column(client: Client, language: str) -> None:
    client.cookies["django_language"] = "en"
    days, page = days_of(client, "03/04/2026", "15/04/2026", "05/11/2025", language=language)
    assert days == ["Fri 3 Apr 2026", "Wed 15 Apr 2026", "Wed 5 Nov 2025"]
    assert "Day or month first?" not in page
    days, _page = days_of(client, "03-04-2026", "04-15-2026", language=language)
    assert days == ["Wed 4 Mar 2026", "Wed 15 Apr 2026"]
    # Dates with dots have their own order.
    days, _page = days_of(client, "03.04.2026", "04/15/2026", "05/04/2026", language=language)
    assert days == ["Fri 3 Apr 2026", "Wed 15 Apr 2026", "Mon 4 May 2026"]
    days, _page = days_of(client, "03.04.2026", "04.15.2026", language=language)
    assert days == ["Wed 4 Mar 2026", "Wed 15 Apr 2026"]


@pytest.mark.parametrize(
    ("language", "first"),
    [
        ("en-US,en;q=0.9", "Wed 4 Mar 2026"),
        ("en", "Wed 4 Mar 2026"),
        ("en-GB,en;q=0.9", "Fri 3 Apr 2026"),
        ("en-XX,en-AU", "Fri 3 Apr 2026"),
        ("de-AT", "Fr 3. April 2026"),
        ("de", "Fr 3. April 2026"),
    ],
)
def test_ambiguous_dates_follow_the_region_and_one_tap_reverses_them(
    client: Client, language: str, first: str
) -> None:
    days, page = days_of(client, "03/04/2026", language=language)
    assert days == [first]
    assert "This is a guess." in page or "Das ist geraten." in page
    ((other,),) = [re.findall('<button[^>]* name="order" value="(day|month)"', page)]
    days, page = days_of(client, "03/04/2026", language="en-GB", order=other)
    assert days == ["Fri 3 Apr 2026" if other == "day" else "Wed 4 Mar 2026"]
    assert "This is a guess." not in page
    assert f'<input type="hidden" name="order" value="{other}">' in page
    proven, _page = days_of(client, "03/04/2026", "15/04/2026", order="month")
    assert proven == ["Fri 3 Apr 2026", "Wed 15 Apr 2026"]


def test_guessed_order_avoids_days_in_the_future(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(days_module, "last_day", lambda: date(2026, 7, 6))
    days, page = days_of(client, "03/04/2026", "05/11/2026")
    assert days == ["Wed 4 Mar 2026", "Mon 11 May 2026"]
    assert "This is a guess." in page
    # The reader's choice counts more.
    days, page = days_of(client, "03/04/2026", "05/11/2026", order="day")
    assert days == ["Fri 3 Apr 2026"]
    assert "This day is yet to come." in page


def test_wrong_weekday_leaves_out_its_line_and_says_the_day(client: Client) -> None:
    written = ("Mo, 22.11.2025", "Sa, 22.11.2025", "Mon 03/04/2026")
    days, page = days_of(client, *written)
    assert days == ["Sat 22 Nov 2025"]
    assert "The weekday does not fit: it was Saturday, 22 November 2025." in page
    assert "The weekday does not fit: it was Friday, 3 April 2026." in page
    # Neither order fits.
    assert "Day or month first?" not in page


def test_contradictory_dates_are_reported_and_no_line_is_lost(client: Client) -> None:
    days, page = days_of(client, "03/04/2026", "15/04/2026", "04/16/2026", "13/13/2026")
    assert days == ["Fri 3 Apr 2026", "Wed 15 Apr 2026", "Thu 16 Apr 2026"]
    assert "“15/04/2026” has the day first, “04/16/2026” the month first." in page
    assert "“03/04/2026” is read as 3 Apr 2026." in page
    assert "“13/13/2026” is not a date." in page
    _days, page = days_of(client, "22.11.2025", "11.23.2025")
    assert "“22.11.2025” has the day first, “11.23.2025” the month first." in page


def test_days_are_added_in_the_order_that_was_shown(client: Client) -> None:
    access = create_family()
    sent = {"table": "Day;Ana\n03/04/2026;44", "order": "month", "keep": "yes"}
    client.post(f"/groups/{access.key}/enter/", sent, HTTP_ACCEPT_LANGUAGE="en-GB")
    assert GroupGame.objects.get().evening == date(2026, 3, 4)


def test_a_preview_shows_what_was_parsed() -> None:
    text = (
        "Datum;Level;Ana;Ben;Ida\n26.12.2025;Burg;44;51;\n\n2025-12-27;;−3;;7\n?;x;1;2;3\n"
        "2025-12-28;;many;2;3\n"
    )
    games, strange, *_counts = read_table(text, create_group())
    assert [(game.day.day, game.level, game.totals) for game in games] == [
        (26, "Burg", (("Ana", 44), ("Ben", 51))),
        (27, "", (("Ana", -3), ("Ida", 7))),
    ]
    assert [one.number for one in strange] == [5, 6]
    without_level = read_table("day,Ana,Ben\n2025-12-26,44,51", create_group())
    assert without_level.games[0].totals == (("Ana", 44), ("Ben", 51))
    assert read_table('day,"Ana\n' + "x" * 200_000, create_group()).games == []
    assert read_table("", create_group()).games == []


@pytest.mark.parametrize("margin", ["", "\t", "\t \t"])
def test_empty_headings_and_margins_shift_no_column(margin: str) -> None:
    lines = ("\tAna\tBen", "2025-12-26\t44\t51", "", "2025-12-27\t\t7", "?\t1\t2")
    games, strange, *_counts = read_table(
        "\n\t\n" + "\n".join(margin + line for line in lines) + "\n\t\t\n", create_group()
    )
    assert [game.totals for game in games] == [(("Ana", 44), ("Ben", 51)), (("Ben", 7),)]
    assert [(one.number, one.line) for one in strange] == [(7, f"{margin}?\t1\t2")]


def test_the_same_totals_on_another_level_are_another_game(client: Client) -> None:
    access = store.find(store.create("Family"))
    url = f"/groups/{access.key}/enter/"
    lines = ["day;level;Ana;Ben", *(f"26.12.2025;{name};44;51" for name in ("Castle", "Attic", ""))]
    client.post(url, {"table": "\n".join(lines), "keep": "yes"})
    assert GroupGame.objects.count() == 3
    # "Burg" is the German name of the castle.
    more = [*lines, "26.12.2025;Burg;44;51", "26.12.2025;Attic;45;51"]
    sent = {"table": "\n".join(more)}
    assert "1 line says the same as one before it" in client.post(url, sent).content.decode()
    page = client.post(url, sent | {"keep": "yes"}, follow=True).content.decode()
    assert "1 game is added. 3 games were there already." in page
    assert GroupGame.objects.count() == 4


def test_a_day_in_the_future_is_refused(client: Client) -> None:
    access = store.find(store.create("Family"))
    today = timezone.localdate()
    days = [today + timedelta(days=ahead) for ahead in (0, 1, 2)]
    text = "\n".join(["Day;Ana", *(f"{day};44" for day in days)])
    read = read_table(text, create_group())
    assert [game.day for game in read.games] == days[:2]
    assert [(one.number, one.why) for one in read.faulty_lines] == [(4, "ahead")]
    only = client.post(f"/groups/{access.key}/enter/", {"table": "Day;Ana\n2199-12-31;44"})
    assert only.status_code == 400
    assert "This day is yet to come." in only.content.decode()


@pytest.mark.parametrize(
    ("head", "level"), [("Level", ""), ("level", "7"), ("Sheet", ""), ("", "Attic")]
)
def test_a_column_of_levels_is_recognised_by_all_its_cells(head: str, level: str) -> None:
    rows = [["2025-12-26", level, "44"], ["2025-12-27", "Castle", "51"], ["2025-12-28", "", "3"]]
    read = read_table(
        "\n".join(";".join(row) for row in [["Day", head, "Ana"], *rows]), create_group()
    )
    assert read.faulty_lines == []
    assert [(game.level, game.totals) for game in read.games] == [
        (level, (("Ana", 44),)),
        ("Castle", (("Ana", 51),)),
        ("", (("Ana", 3),)),
    ]


def test_a_faulty_line_is_reported_as_it_was_typed(client: Client) -> None:
    lines = {
        "31.02.2025;;1;2;;": "“31.02.2025” is not a date.",
        ";;1;;3;": "On which day was it?",
        "2199-12-31;;1;hello;;": "This day is yet to come.",
        "26.12.2025;;1e3;2;;": "“1e3” cannot be points: they are whole numbers up to 999.",
        "26.12.2025; ;1;hello;;": "“hello” cannot be points",
        "26.12.2025;;1;2;;": "“ANA” is in this game twice.",
        "26.12.2025;;1;;;4": "No name stands over “4”.",
        "26.12.2025;Castle;;;;": "Nobody has points in this line.",
        "26.12.2025;Castle;1;;lost;": "Who won? Type all points, or say who won.",
        "26.12.2025;Castle;won;;;": "Type the points of a game alone.",
        "26.12.2025;Castle;3 won;;4;": "Another player has more points than the winner.",
    }
    text = "\n".join(["Day;Level;Ana;ANA;Ben;", *lines, '2025-12-27;"Our\nattic";1;;2;'])
    read = read_table(text, create_group())
    assert [one.line for one in read.faulty_lines] == list(lines)
    assert [one.number for one in read.faulty_lines] == list(range(2, 13))
    assert len(read.games) == 1
    page = html.unescape(
        unmarked(client.post(f"/groups/{create_family().key}/enter/", {"table": text}))
    )
    for line, said in lines.items():
        assert re.search(rf"<code>{re.escape(line)}</code>\s*<b>\s*{re.escape(said)}", page), line
    names = ";".join("ABCDEFG")
    [many] = read_table(f"Day;{names}\n26.12.2025;1;2;3;4;5;6;7", create_group()).faulty_lines
    assert many.why == "many"


def test_a_mistyped_total_is_not_taken_for_a_level() -> None:
    read = read_table("Day;Ana\n2025-12-26;many\n2025-12-27;51\n2025-12-28;3", create_group())
    assert [game.totals for game in read.games] == [(("Ana", 51),), (("Ana", 3),)]
    assert [one.number for one in read.faulty_lines] == [2]


def test_too_large_a_table_is_reported(client: Client) -> None:
    access = store.find(store.create("Family"))
    text = "day;Ana\n" + "".join(f"2025-12-26;{number}\n\n" for number in range(600))
    read = read_table(text, create_group())
    assert (len(read.games), read.games[-1].totals, read.skipped_count) == (
        500,
        (("Ana", 499),),
        100,
    )
    page = client.post(f"/groups/{access.key}/enter/", {"table": text}).content.decode()
    assert "100 further lines were not read" in page


def test_old_paper_games_are_previewed_and_then_added_once(client: Client) -> None:
    access = store.find(store.create("Family"))
    url = f"/groups/{access.key}/enter/"
    sent = {"table": "day;level;Ana;Ben\n26.12.2025;Castle;44;44\n27.12.2025;Attic;38;"}
    page = client.post(url, sent).content.decode()
    assert "2 games were understood" in page
    assert GroupGame.objects.count() == 0
    for said in ("2 games are added.", "0 games are added. 2 games were there already."):
        answer = client.post(url, sent | {"keep": "yes"}, follow=True)
        assert answer.redirect_chain[0][1] == 302
        assert said in answer.content.decode()
    first, second = GroupGame.objects.order_by("number")
    assert (first.kind, first.level_id, first.evening) == ("typed", "level-2", date(2025, 12, 26))
    assert [(one.place, one.won) for one in first.results.all()] == [(1, 0.5), (1, 0.5)]
    assert (second.level_id, second.level_name["en"]) == ("", "Attic")
    assert second.results.get().won == 0
    assert client.post(url, {"table": "nothing"}).status_code == 400
    looker = f"/groups/{access.share_key}/enter/"
    assert client.post(looker, sent | {"keep": "yes"}).status_code == 403


def paste_table(client: Client, access: Access[Group], text: str) -> str:
    answer = client.post(
        f"/groups/{access.key}/enter/", {"table": text, "keep": "yes"}, follow=True
    )
    return unmarked(answer)


def test_a_player_cannot_be_in_a_game_twice(client: Client) -> None:
    access = create_family()
    text = "Day;Ana;ana;Аnа;Ben\n2025-12-26;44;51;;\n2025-12-27;;38;;7\n2025-12-28;1;;2;\n"
    page = unmarked(client.post(f"/groups/{access.key}/enter/", {"table": text}))
    assert "“ana” is in this game twice." in page
    assert "“Аnа” is in this game twice." in page
    assert "1 game was understood" in page
    assert "1 game is added." in paste_table(client, access, text)
    assert [one.name for one in access.resource.players.all()] == ["ana", "Ben"]


def test_merged_players_cannot_be_in_a_game_twice(client: Client) -> None:
    access = create_family()
    paste_table(client, access, "Day;Ana;Ben;Anna\n2025-12-26;44;51;\n2025-12-27;;51;3")
    players.merge(access, 3, 1)
    players.rename(access, 1, "Ana Maria")
    for names in ("Ana;Ana Maria", "anna;Ana"):
        read = read_table(f"Day;{names}\n2025-12-28;1;2", access.resource)
        assert [one.why for one in read.faulty_lines] == ["twice"]
    assert GroupGame.objects.count() == 2


@pytest.mark.parametrize("change", ["rename", "merge", "forget", "both"])
def test_the_same_table_is_added_once_although_its_players_changed(
    client: Client, change: str
) -> None:
    access = create_family()
    text = "Day;Ana;Ben;Anna\n2025-12-26;44;51;\n2025-12-27;;51;3"
    assert "2 games are added." in paste_table(client, access, text)
    if change in ("rename", "both"):
        players.rename(access, 1, "Ana Maria")
    if change in ("merge", "both"):
        players.merge(access, 3, 1)
    if change == "forget":
        players.delete(access, 1)
    page = client.post(f"/groups/{access.key}/enter/", {"table": text}).content.decode()
    assert page.count("Is there already.") == 2
    assert "0 games are added. 2 games were there already." in paste_table(client, access, text)
    assert "1 game is added. 1 game was there already." in paste_table(
        client, access, "Day;Ana;Ben\n2025-12-26;44;51\n2025-12-26;51;44"
    )


def test_totals_without_a_name_in_the_heading_are_refused() -> None:
    read = read_table("Day;Ana\n2025-12-26;44;51", create_group())
    assert (read.games, [one.number for one in read.faulty_lines]) == ([], [2])


def confirm_game(client: Client, url: str, typed: dict[str, str]) -> str:
    """Return the page after a game was typed, previewed and added."""
    shown = client.post(url, typed).content.decode()
    told = re.search('name="keep" value="([^"]+)"', shown)
    assert told
    sent = typed | {"keep": html.unescape(told[1])}
    return client.post(url, sent, follow=True).content.decode()


def test_a_form_that_changed_after_its_preview_is_previewed_again(client: Client) -> None:
    access = create_family()
    url = f"/groups/{access.key}/enter/"
    typed = {"day": "2025-12-26", "name-new-1": "Ana", "points-new-1": "44"}
    told = re.search('name="keep" value="([^"]+)"', client.post(url, typed).content.decode())
    assert told
    changed = typed | {"points-new-1": "4", "keep": html.unescape(told[1])}
    answer = client.post(url, changed)
    assert answer.status_code == 200
    assert '<bdi translate="no">Ana</bdi> 4<' in answer.content.decode()
    assert GroupGame.objects.count() == 0


def test_a_typed_game_is_previewed_and_added(client: Client) -> None:
    access = create_family()
    url = f"/groups/{access.key}/enter/"
    first = {
        "day": "2025-12-26",
        "level": "level-2",
        "name-new-1": "Ana",
        "points-new-1": "44",
        "name-new-4": "Ben",
        "points-new-4": "-3",
    }
    page = client.post(url, first).content.decode()
    assert "1 game was understood" in page
    assert "New in this group:" in page
    assert GroupGame.objects.count() == 0
    page = confirm_game(client, url, first)
    assert "1 game is added." in page
    # The form for the next game has the same day and level and offers all players.
    assert 'value="2025-12-26"' in page
    assert re.search(r'value="level-2" selected', page)
    assert re.search(
        r'<bdi translate="no">Ana</bdi></span>\s*<input type="number" name="points-1"', page
    )
    game = GroupGame.objects.get()
    assert (game.kind, game.level_id, game.evening) == ("typed", "level-2", date(2025, 12, 26))
    assert [(one.player.name, one.total, one.won) for one in game.results.all() if one.player] == [
        ("Ana", 44, 1.0),
        ("Ben", -3, 0.0),
    ]
    again = {"day": "2025-12-26", "level": "level-2", "points-1": "44", "points-2": "-3"}
    page = client.post(url, again).content.decode()
    assert "Is there already." in page
    page = confirm_game(client, url, again | {"level": "", "other": "Attic"})
    assert 'name="other" maxlength="60" autocomplete="off" value="Attic"' in page
    assert GroupGame.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"day": ""}, "On which day was it?"),
        ({"day": "2199-12-31"}, "This day is yet to come."),
        ({"points-1": "many"}, "A number of points, please."),
        ({"points-1": ""}, "Type the points of everyone who played."),
        ({"points-new-1": "4"}, "Who was this?"),
        ({"mark-new-1": "won"}, "Who was this?"),
        ({"points-1": "", "mark-1": "won"}, "Type the points of a game alone."),
        ({"points-2": "", "mark-2": "lost"}, "Who won? Type all points, or say who won."),
        ({"points-2": "45", "mark-1": "won"}, "Another player has more points than the winner."),
        ({"name-new-1": "Ida"}, "How many points?"),
        ({"name-new-1": "ANA", "points-new-1": "4"}, "“ANA” is in this game twice."),
        ({f"points-{number}": "4" for number in range(1, 8)}, "At most six play in one game."),
    ],
)
def test_an_invalid_typed_game_gets_a_reason(
    client: Client, change: dict[str, str], said: str
) -> None:
    access = create_family()
    for number, name in enumerate(("Ana", "Ben", "C", "D", "E", "F", "G"), start=1):
        access.resource.players.create(number=number, name=name)
    sent = {"day": "2025-12-26", "points-1": "44", "keep": "yes"} | change
    answer = client.post(f"/groups/{access.key}/enter/", sent)
    assert answer.status_code == 400
    assert said in unmarked(answer)
    assert "games were understood" not in unmarked(answer)
    assert GroupGame.objects.count() == 0


@pytest.mark.postgresql
def test_many_players_are_folded_and_retired_ones_are_not_offered(client: Client) -> None:
    access = create_family()
    for number in range(1, 16):
        access.resource.players.create(number=number, name=f"Player of {number}")
    paper_games_import.enter(
        access, [paper_games_import.PaperGame(date(2025, 12, 26), "", (("Player of 15", 4),))]
    )
    players.retire(access, 3, True)
    page = client.get(f"/groups/{access.key}/enter/").content.decode()
    assert page.index("Player of 15") < page.index("Player of 1<") < page.index("More players")
    assert page.index("More players") < page.index("Player of 14")
    assert "Player of 3<" not in page
    assert GroupPlayer.objects.count() == 15
    assert GroupResult.objects.count() == 1
