"""Tests that every act a table waits for, and every refusal, has a sentence in both languages."""

from random import Random

import pytest
from django.utils import translation

from sheets.rules.documents.game import history, parse_game, replay_actions
from sheets.tables import sentences as table_words
from sheets.tables.event_log import LogState
from sheets.tables.pending_acts import Pending, find_pending
from tests.rules.random_games import random_game

ASKED = (
    "dice",
    "roll",
    "erupt",
    "extra",
    "place",
    "reroll",
    "return",
    "lava",
    "rocket",
    "track",
)
REASONS = (
    "not-started",
    "seat-free",
    "nothing-to-undo",
    "others-acted",
    "no-proposal",
    "no-such-entry",
    "log-full",
    "nothing-to-decide",
    "stale",
    "seat-taken",
)


def test_random_games_ask_only_known_kinds_of_acts() -> None:
    asked = set()
    for seed in range(40):
        record = parse_game(random_game(Random(seed)))
        _game, applied, _violation = replay_actions(record.start(), record.actions)
        for game in history(record._replace(actions=record.actions[:applied])):
            asked |= {pending.what for pending in find_pending(LogState(game))}
    assert asked == set(ASKED)


@pytest.mark.parametrize("what", ASKED)
def test_every_kind_of_act_has_sentences_in_both_languages(what: str) -> None:
    said = set()
    for language in ("en", "de"):
        with translation.override(language):
            for dice in ("table", "typed", "rolled"):
                said.add((language, table_words.task(Pending(0, what), dice=dice, count=7)))
            said.add((language, table_words.waiting([Pending(0, what)], ["Ana"])))
    assert all(sentence for _language, sentence in said)
    english = {sentence for language, sentence in said if language == "en"}
    assert not english & {sentence for language, sentence in said if language == "de"}


@pytest.mark.parametrize("reason", REASONS)
def test_every_refusal_of_the_table_has_a_sentence(reason: str) -> None:
    english = table_words.refusal(reason)
    with translation.override("de"):
        assert table_words.refusal(reason) not in ("", english)


def test_several_awaited_players_are_named_in_one_sentence() -> None:
    awaited = [Pending(player, "lava") for player in range(3)]
    sentence = table_words.waiting(awaited, ["Ana", "Ben", "Cem"])
    assert sentence == "Choosing a field for the lava: Ana, Ben and Cem"
    assert table_words.waiting([], ["Ana"]) == ""


def test_a_roll_is_typed_only_with_real_dice() -> None:
    roll = Pending(0, "roll")
    assert "type" in table_words.task(roll, dice="typed", count=7)
    assert "type" not in table_words.task(roll, dice="rolled", count=7)
