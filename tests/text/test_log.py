"""Sentences for log entries and effects, in both languages."""

from __future__ import annotations

from django.utils.translation import override

from sheets.rules import Action, Game, new_game, parse_level
from sheets.rules.effect_list import STORY_RULES, Effect
from sheets.rules.game import ACTS
from sheets.tables.replay import replay_log, sentence_of
from sheets.text.event_log import act_sentence, effect_sentence
from tests.score_levels import GARDEN

NAMES = ("Ana", "Ben", "Cem")
LEVEL = parse_level(GARDEN)


def game(*, tracked: bool = False, names: tuple[str, ...] = NAMES) -> Game:
    return new_game(LEVEL, names, tracked=tracked)


def sentences(*entries: dict[str, object]) -> list[str]:
    return [sentence_of(replayed) for replayed in replay_log(game(), entries)]


def test_entries_name_player_and_act() -> None:
    assert sentences(
        {"do": "place", "player": 0, "at": "b1"},
        {"do": "place", "player": 1, "at": "a2"},
        {"do": "return", "player": 1, "at": "a2"},
        {"do": "drop", "player": 2},
        {"do": "done", "player": 0},
        {"do": "not_done", "player": 0},
        {"do": "undo", "player": 2, "entry": 4},
        {"do": "propose", "player": 0, "to": 2},
        {"do": "agree", "player": 1},
        {"do": "disagree", "player": 2},
        {"do": "propose", "player": 0, "to": 2},
        {"do": "wind_back", "to": 2},
        {"do": "end_pass"},
    ) == [
        "Ana: 5 on b1",
        "Ben: 2 on a2",
        "Ben: die from a2 back",
        "Cem: drops out",
        "Ana is done",
        "Ana is not done yet",
        "Cem takes back: drops out",
        "Ana proposes to go back to before “Ben: 2 on a2”",
        "Ben agrees",
        "Cem would leave it as it is",
        "Ana proposes to go back to before “Ben: 2 on a2”",
        "The game goes back to before “Ben: 2 on a2”",
        "The pass ends",
    ]


def test_rolls_name_the_player_who_rolled() -> None:
    start = game(tracked=True, names=("Ana", "Ben"))
    roll = {"do": "roll", "dice": [1, 2, 3, 4, 5, 6, 6]}
    assert [sentence_of(replayed) for replayed in replay_log(start, [roll])] == [
        "Ana: rolls 1, 2, 3, 4, 5, 6, 6"
    ]
    later = start._replace(passes_done=1, start_player=1)
    assert [sentence_of(replayed) for replayed in replay_log(later, [roll])] == [
        "Ben: rolls 1, 2, 3, 4, 5, 6, 6"
    ]


def test_every_act_has_words_in_both_languages() -> None:
    found = {}
    for language in ("en", "de"):
        with override(language):
            found[language] = [
                act_sentence(Action(do, 0, "b1", 5, (1, 2), "NS"), LEVEL) for do in ACTS
            ]
    assert len(set(found["en"])) == len(ACTS)
    assert all(en != de for en, de in zip(found["en"], found["de"], strict=True))


def test_a_bomb_names_the_sheets_it_goes_off_on() -> None:
    bomb = Effect("bomb", (0,), ("c1",), others=(1, 2))
    assert (
        effect_sentence(bomb, LEVEL, NAMES)
        == "The bomb on c1 explodes on the sheets of Ben and Cem."
    )
    assert "on the sheet of Ben." in effect_sentence(bomb._replace(others=(1,)), LEVEL, NAMES)
    assert "Ana" in effect_sentence(bomb._replace(others=()), LEVEL, NAMES)


def test_flags_and_races_name_points_and_takers() -> None:
    flag = Effect("flag", (0,), ("d1",), place="flag red", points=10)
    assert effect_sentence(flag, LEVEL, NAMES) == "Red flag: 10 points for Ana."
    shared = flag._replace(players=(0, 1), points=1)
    assert effect_sentence(shared, LEVEL, NAMES) == "Red flag: 1 point each for Ana and Ben."
    race = Effect("race", (2,), ("a4", "b4"), place="race 1", points=8)
    assert effect_sentence(race, LEVEL, NAMES) == "Race 1: 8 points for Cem."


def test_every_effect_has_words_in_both_languages() -> None:
    places = {"flag": "flag red", "race": "race 1"}
    for rule in STORY_RULES:
        effect = Effect(rule, (0,), ("c1", "d1"), (1,), places.get(rule, ""), points=10)
        told = set()
        for language in ("en", "de"):
            with override(language):
                told.add(effect_sentence(effect, LEVEL, NAMES))
        assert len(told) == 2, rule


def test_markup_in_names_stays_text() -> None:
    names = ("<b>Ana</b>", "100 % %(who)s")
    start = game(names=names)
    entries = [{"do": "drop", "player": 0}, {"do": "undo", "player": 0, "entry": 1}]
    entries += [{"do": "drop", "player": 1}, {"do": "propose", "player": 0, "to": 3}]
    told = [sentence_of(replayed) for replayed in replay_log(start, entries)]
    assert told[0] == "<b>Ana</b>: drops out"
    assert told[3] == "<b>Ana</b> proposes to go back to before “100 % %(who)s: drops out”"
