"""The page about a table's dice, contributions of devices, and the secrecy of the seed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver, reverse

from sheets.models import Seat, Table
from sheets.tables import acts, seating
from sheets.tables.dice_seeds import commitment_of, contribute
from sheets.tables.event_loader import load
from sheets.tables.family import PageQuery, family_of
from sheets.tables.page_state import page_state
from tests.addresses import patterns
from tests.app_dice import ANA, BEN, play_rolled, rolled, seed_of
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_fragments import FROM_SCRIPT
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of, finished_party
from tests.web.test_read_limits import ARGUMENTS

pytestmark = pytest.mark.django_db


def words_of(party: Party, player: int = 0) -> str:
    """Return the text of the page, without markup."""
    return words_at(client_of(party, player), f"/table/{party.code}/dice/")


def words_at(client: Client, path: str) -> str:
    html = unmarked(client.get(path))
    main = html.partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<script.*?</script>|<[^>]*>", " ", main, flags=re.DOTALL).split())


def send(party: Party, player: int, text: str) -> int:
    url = f"/table/{party.code}/contribute/"
    return client_of(party, player).post(url, {"contribution": text}).status_code


def stored(party: Party) -> list[str]:
    seats = Seat.objects.filter(table__code=party.code).order_by("number")
    return list(seats.values_list("contribution", flat=True))


def finished() -> Party:
    party = rolled()
    acts.start(party.access())
    play_rolled(party)
    return party


# Contributions -----------------------------------------------------------------------------------


def test_contributions_of_two_devices_are_shown_to_all_before_the_start() -> None:
    party = sit_down(level=TINY, dice="rolled", start=False)
    lobby = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert f'data-contribute="/table/{party.code}/contribute/"' in lobby
    assert commitment_of(party.access().table) in lobby
    assert [send(party, 0, ANA), send(party, 1, BEN)] == [204, 204]
    for client in (client_of(party), client_of(party, 1), Client()):
        lobby = client.get(f"/table/{party.code}/").content.decode()
        assert ANA in lobby
        assert BEN in lobby
        assert "data-contribute" not in lobby


@pytest.mark.parametrize("text", ["", "0a", ANA + "0", ANA.upper(), ANA + "\n", "é" * 32])
def test_malformed_contribution_is_refused(text: str) -> None:
    party = sit_down(level=TINY, dice="rolled", start=False)
    assert send(party, 0, text) == 400
    assert stored(party) == ["", ""]


def test_game_that_has_begun_takes_contributions_until_the_first_throw() -> None:
    party = sit_down(level=TINY, dice="rolled")
    page = client_of(party, 1).get(f"/table/{party.code}/").content.decode()
    assert f'data-contribute="/table/{party.code}/contribute/"' in page
    assert send(party, 1, BEN) == 204
    assert party.access().table.contributions == f",{BEN}"
    party.act("roll", by=0)
    assert send(party, 0, ANA) == 204
    assert stored(party) == ["", BEN]
    assert party.access().table.contributions == f",{BEN}"
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert "data-contribute" not in page
    play_rolled(party)
    assert "They all agree with the seed." in words_of(party)


def test_throw_that_was_taken_back_still_ends_contributions() -> None:
    party = sit_down(("Ana",), TINY, "rolled")
    party.act("roll", by=0)
    acts.propose(party.access(), 0, 1, request="back-1234")
    assert send(party, 0, ANA) == 204
    assert party.access().table.contributions == ""


def test_contributions_of_a_game_of_dice2_end_when_it_begins() -> None:
    party = sit_down_for("four-wins", dice="rolled")
    assert send(party, 0, ANA) == 204
    assert party.access().table.contributions == ","


def test_throw_is_decided_again_if_a_contribution_arrives_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    party = sit_down(("Ana",), TINY, "rolled")
    family = type(family_of(party.access().table))
    with_dice, calls = family.with_dice, []

    def contribute_meanwhile(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 1:
            contribute(party.access(), ANA)
        return with_dice(*args)

    monkeypatch.setattr(family, "with_dice", contribute_meanwhile)
    party.act("roll", by=0)
    assert len(calls) == 2
    monkeypatch.undo()
    play_rolled(party)
    assert party.access().table.contributions == ANA
    assert "They all agree with the seed." in words_of(party)


def test_table_with_real_dice_asks_for_no_contribution() -> None:
    party = sit_down(level=TINY, dice="typed", start=False)
    assert send(party, 0, ANA) == 204
    assert stored(party) == ["", ""]
    lobby = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert "contribute" not in lobby
    assert "data-commitment" not in lobby


def test_one_device_with_two_seats_contributes_once() -> None:
    party = sit_down(level=TINY, dice="rolled", start=False)
    seating.free_seat(party.access(1), 1)
    seating.take_seat(party.access(), 1, "Ben", party.tokens[0])
    assert send(party, 0, ANA) == 204
    assert send(party, 0, BEN) == 204
    assert stored(party) == [ANA, ""]


# The page ----------------------------------------------------------------------------------------


def test_page_of_a_running_game_shows_the_commitment_and_no_seed() -> None:
    party = rolled()
    acts.start(party.access())
    play_rolled(party, passes=1)
    said = words_of(party)
    assert commitment_of(party.access().table) in said
    assert f"Contribution of Ana’s phone {ANA}" in said
    assert "Going back gives the same dice again." in said
    assert "Seed" not in said
    assert "too few dice for a comparison" in said


def test_page_of_a_finished_game_shows_seed_and_check() -> None:
    party = finished()
    said = words_of(party)
    thrown = party.loaded.state.throws[-1]
    assert f"Seed {seed_of(party)}" in said
    assert f"{thrown} dice were thrown before the seed was shown. They all agree" in said
    assert f"All dice {thrown}" in said
    assert f'href="/table/{party.code}/dice/"' in (
        client_of(party).get(f"/table/{party.code}/").content.decode()
    )


def test_server_names_a_die_that_differs() -> None:
    party = finished()
    Table.objects.filter(code=party.code).update(contributions=f"{BEN},{ANA}")
    said = words_of(party)
    assert re.search(r"Die \d+ of the game is [1-6]; the seed gives [1-6]\.", said)
    assert "agree with the seed" not in said


def test_server_names_a_commitment_that_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    party = finished()
    monkeypatch.setattr("sheets.tables.dice_seeds.commitment_of", lambda _table: "0" * 64)
    assert "The commitment does not belong to the seed." in words_of(party)


def test_page_says_that_the_seed_was_shown_when_a_finished_game_goes_back() -> None:
    party = rolled(names=("Ana",))
    acts.start(party.access())
    play_rolled(party)
    acts.propose(party.access(), 0, 1, request="back-1234")
    said = words_of(party)
    assert "This game was over once, and its seed was shown." in said
    assert seed_of(party) not in said


@pytest.mark.parametrize("game", ["four-wins", "relay"])
def test_dice2_has_a_check_for_each_player(game: str) -> None:
    party = sit_down_for(game, dice="rolled", target=5 if game == "relay" else 0, start=False)
    contribute(party.access(1), BEN)
    acts.start(party.access(), 1)
    while not party.game.is_finished:
        if party.game.phase == "begin":
            assert party.game.relay
            party.act("begin", party.game.relay.next_starter or 0, shape="four-wins")
        party.play_on(games=1)
    said = words_of(party)
    total = sum(party.loaded.state.throws.values())
    assert f"{total} dice were thrown before the seed was shown. They all agree" in said
    assert f"Contribution of Ben’s phone {BEN}" in said
    html = client_of(party).get(f"/table/{party.code}/dice/").content.decode()
    script = html.partition('<script id="proof" type="application/json">')[2]
    data = json.loads(script.partition("<")[0])
    assert [one["player"] for one in data["sequences"]] == [0, 1]
    names = [one["name"] for one in data["sequences"]]
    assert names == (["Ben", "Ana"] if game == "four-wins" else ["Ana", "Ben"])


def test_typed_dice_are_counted_and_not_checked() -> None:
    party = sit_down(level=TINY, dice="typed")
    party.act("roll", by=0, dice=(1, 1, 2, 3, 4, 5, 6)[: party.game.dice_to_roll])
    said = words_of(party)
    assert "real dice that the players type in. Nobody can check them." in said
    assert f"All dice {len(party.game.pool)}" in said
    assert "Commitment" not in said


def test_typed_dice_of_dice2_are_counted_without_skips_that_had_no_die() -> None:
    party = sit_down_for("four-wins")
    party.play_on()
    entries = [entry for entry in load(party.access()).entries if entry.get("die")]
    assert f"All dice {len(entries)}" in words_of(party)


def test_dice_on_the_table_are_unknown() -> None:
    party = finished_party("Ana", "Ben")
    said = words_of(party)
    assert "The app does not know what they show." in said
    assert "All dice" not in said
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert f"/table/{party.code}/dice/" not in page


def test_table_from_before_this_release_has_no_proof() -> None:
    party = rolled()
    Table.objects.filter(code=party.code).update(dice_seed="", contributions="")
    Seat.objects.filter(table__code=party.code).update(contribution="")
    acts.start(party.access())
    play_rolled(party)
    said = words_of(party)
    assert "The app rolls these dice, but without a proof." in said
    assert "Commitment" not in said


def open_file(document: dict[str, Any]) -> str:
    """Open the file of a game, and return the address of its replay."""
    file = SimpleUploadedFile("game.json", json.dumps(document).encode())
    return Client().post("/table/file/", {"document": file})["Location"]


def test_file_of_a_game_has_the_same_check() -> None:
    party = finished()
    document = client_of(party).get(f"/table/{party.code}/game.json").json()
    replay = open_file(document)
    assert f'href="{replay}dice/"' in Client().get(replay).content.decode()
    said = words_at(Client(), f"{replay}dice/")
    thrown = party.loaded.state.throws[-1]
    assert f"Seed {seed_of(party)}" in said
    assert f"{thrown} dice were thrown before the seed was shown. They all agree" in said
    assert f"All dice {thrown}" in said
    document["dice_proof"]["contributions"] = [BEN, ANA]
    assert "the seed gives" in words_at(Client(), f"{open_file(document)}dice/")
    del document["dice_proof"]
    said = words_at(Client(), f"{open_file(document)}dice/")
    assert "This file has no proof of its dice." in said
    assert f"All dice {thrown}" in said


def test_file_of_a_game_with_real_dice_says_that_they_are_unknown() -> None:
    party = finished_party("Ana", "Ben")
    replay = open_file(client_of(party).get(f"/table/{party.code}/game.json").json())
    assert "dice/" not in Client().get(replay).content.decode().partition("<main")[2]
    assert "The app does not know what they show." in words_at(Client(), f"{replay}dice/")


def test_page_opens_in_the_lobby() -> None:
    party = rolled()
    said = words_of(party)
    assert commitment_of(party.access().table) in said
    assert "How often" not in said


# Secrecy -----------------------------------------------------------------------------------------


def all_answers(party: Party) -> dict[str, bytes]:
    """Return what each address of a table answers, to a page's script, too."""
    found: dict[str, bytes] = {}
    known: dict[str, Any] = ARGUMENTS | {"code": party.code, "number": 0}
    for pattern in patterns(get_resolver()):
        blanks = pattern.pattern.converters
        if "code" not in blanks:
            continue
        url = reverse(str(pattern.name), kwargs={one: known[one] for one in blanks})
        for headers in ({}, FROM_SCRIPT):
            answer = client_of(party).get(url, headers=headers)
            content = b"".join(answer) if answer.streaming else answer.content
            found[f"{url} {headers}"] = content + str(answer.headers).encode()
    return found


@pytest.mark.parametrize("family", ["dizzle", "dice2"])
def test_seed_is_in_no_answer_before_the_end(family: str) -> None:
    party: Party
    if family == "dizzle":
        party = rolled()
    else:
        party = sit_down_for("four-wins", dice="rolled", start=False)
    seed = seed_of(party)
    assert len(seed) == 64

    def is_secret() -> None:
        answers = all_answers(party)
        assert len(answers) > 40
        raw = bytes.fromhex(seed)
        assert [url for url, text in answers.items() if seed.encode() in text or raw in text] == []

    is_secret()
    acts.start(party.access())
    is_secret()
    if family == "dizzle":
        play_rolled(party, passes=1)
    else:
        party.act("place", 0, "e5")
    is_secret()
    streamed = page_state(party.access(), PageQuery()).as_html()
    assert commitment_of(party.access().table)[:8] not in streamed
    assert seed not in streamed
    assert seed not in str(load(party.access()))


def test_seed_is_in_the_answers_after_the_end() -> None:
    party = finished()
    seed = seed_of(party).encode()
    shown = {url.partition(" ")[0] for url, text in all_answers(party).items() if seed in text}
    assert shown == {f"/table/{party.code}/dice/", f"/table/{party.code}/game.json"}
