"""House rules: each changes one rule, and is part of the documents."""

import msgspec
import pytest

from sheets.documents.structure import read_game, read_level
from sheets.rules import Action, DocumentError, Game, RuleViolation, new_game, score_sheet
from sheets.rules.documents.game import format_game, no_shipped_level, parse_game
from sheets.rules.documents.level import with_house_rules
from sheets.rules.house_rules import NO_HOUSE_RULES, HouseRules
from tests.rules.drawing import drawn, level_of, sheet_of, turn_of

ROW = "4x 2 3 5 6 1"
"""The sheet of most tests."""


def with_rules(game: Game, house: HouseRules) -> Game:
    """Return a position of a drawn game with house rules."""
    level = with_house_rules(game.level, house)
    sheets = tuple(sheet._replace(level=level) for sheet in game.sheets)
    return game._replace(level=level, sheets=sheets)


def test_keep_dice_returns_nothing_after_a_failed_reroll() -> None:
    game = with_rules(turn_of("4x 2* 3 5", ROW, pool=(5, 5)), HouseRules(keep_dice=True))
    after = game.apply(Action("reroll", 0, dice=(6, 6)))
    assert (after.phase, after.player, after.pool) == ("turn", 1, (6, 6))
    assert drawn(after.sheets[0]) == "4x 2* 3 5"
    with pytest.raises(RuleViolation) as raised:
        after.apply(Action("return", 0, "b1"))
    assert raised.value.facts["house_rule"] == "keep-dice"


def test_keep_dice_still_makes_a_player_place_a_die_that_fits() -> None:
    game = with_rules(turn_of("4x 2* 3 5", ROW, pool=(5, 5)), HouseRules(keep_dice=True))
    assert game.apply(Action("reroll", 0, dice=(6, 3))).may() == ["place"]


def test_with_play_on_the_last_player_has_more_than_one_turn() -> None:
    game = with_rules(turn_of("4x 2 3", ROW, pool=(2, 3, 6)), HouseRules(play_on=True))
    game = game._replace(sheets=(game.sheets[0], game.sheets[1]._replace(is_out=True)))
    game = game.apply(Action("place", 0, "b1")).apply(Action("place", 0, "c1"))
    # After the second die no field is left: the player is stuck, and the pass ends.
    assert (game.phase, game.passes_done, drawn(game.sheets[0])) == ("finished", 1, "4x 2X 3X")


def test_the_player_with_the_fewest_points_starts_the_next_pass() -> None:
    level = level_of("1x 2Gr 3 4Gb 5 6", house_rules={"starter": "fewest-points"})
    game = new_game(level, ["Ana", "Ben", "Cem"], tracked=False)
    # Ana and Cem cross a gem; Ben would start by `start-order`, too.
    for player in (0, 2):
        game = game.apply(Action("place", player, "b1"))
    game = game.apply(Action("end_pass"))
    assert game.start_player == 1
    # All have equally few points now: the next player clockwise, Cem, starts.
    game = game.apply(Action("place", 1, "b1")).apply(Action("end_pass"))
    assert game.start_player == 2
    # Ben and Cem get a second gem: Ana has the fewest.
    for player in (1, 2):
        game = game.apply(Action("place", player, "c1")).apply(Action("place", player, "d1"))
    game = game.apply(Action("end_pass"))
    assert game.start_player == 0


def test_the_same_player_can_start_every_pass() -> None:
    game = new_game(
        level_of(ROW, house_rules={"starter": "same-player"}), ["Ana"] * 2, tracked=False
    )
    assert game.apply(Action("end_pass")).apply(Action("end_pass")).start_player == 0


@pytest.mark.parametrize("players", [1, 2])
def test_without_bombs_nothing_explodes_and_a_bomb_pays_nothing(players: int) -> None:
    level = level_of("1x 2B 3", house_rules={"no_bombs": True})
    game = new_game(level, ["Ana"] * players, tracked=False)
    game = game.apply(Action("place", 0, "b1")).apply(Action("end_pass"))
    assert [sheet.exploded for sheet in game.sheets] == [0] * players
    assert [score_sheet(sheet, solo=players == 1).total for sheet in game.sheets] == [0] * players
    assert not [item for item in game.scores()[0].items if item.category == "bombs"]


def test_more_players_add_three_dice_each_and_keep_the_last_flag_number() -> None:
    level = level_of(
        "1x 2Fr 3", house_rules={"more_players": True}, points={"flag": {"red": [8, 4]}}
    )
    assert level.player_counts == (1, 2, 3, 4, 5, 6)
    assert [level.dice[players] for players in (4, 5, 6)] == [13, 16, 19]
    assert [level.rounds[players] for players in (4, 5, 6)] == [3, 2, 2]
    game = new_game(level, ["Ana"] * 6, tracked=False)
    for player in (0, 1, 2):
        game = game.apply(Action("place", player, "b1")).apply(Action("end_pass"))
    assert [sheet.flags.get("red") for sheet in game.sheets[:3]] == [8, 4, 4]


def test_dice_and_rounds_of_the_level_count_for_more_players() -> None:
    keys = {"dice": {"5": 19}, "rounds": {"5": 1}, "house_rules": {"more_players": True}}
    level = level_of(ROW, **keys)
    assert (level.dice[5], level.dice[6], level.rounds[5], level.rounds[6]) == (19, 22, 1, 2)


def test_number_of_dice_and_rounds() -> None:
    level = level_of(ROW, dice={"5": 19}, rounds={"5": 1}, house_rules={"dice": 9, "rounds": 1})
    assert set(level.dice.values()) == {9}
    assert set(level.rounds.values()) == {1}
    game = new_game(level, ["Ana", "Ben"], tracked=True)
    with pytest.raises(RuleViolation) as raised:
        game.apply(Action("roll", dice=(1,) * 7))
    assert raised.value.facts == {"count": 9, "given": 7, "house_rule": "dice"}
    game = new_game(level, ["Ana", "Ben"], tracked=False)
    game = game.apply(Action("end_pass")).apply(Action("end_pass"))
    assert game.is_finished
    with pytest.raises(RuleViolation) as raised:
        game.apply(Action("place", 0, "b1"))
    assert raised.value.facts["house_rule"] == "rounds"
    # A full sheet ends the game by the rules.
    level = level_of("1x 2", house_rules={"rounds": 5})
    game = new_game(level, ["Ana"], tracked=False)
    game = game.apply(Action("place", 0, "b1")).apply(Action("end_pass"))
    assert game.is_finished
    with pytest.raises(RuleViolation) as raised:
        game.apply(Action("place", 0, "b1"))
    assert "house_rule" not in raised.value.facts


def test_the_house_rules_of_a_game_replace_those_of_its_level() -> None:
    level = {"id": "row", "name": "Row", "grid": [ROW], "house_rules": {"dice": 9}}
    document = {
        "format": "dizzle-game/1",
        "level": level,
        "dice": "tracked",
        "players": ["Ana", "Ben"],
        "actions": [],
        "house_rules": {"rounds": 2},
    }
    record = parse_game(document)
    assert record.level.house_rules == HouseRules(rounds=2)
    assert (record.level.dice[2], record.level.rounds[2]) == (7, 2)
    # A shipped level is named by its id, so the document names the house rules, too.
    named = format_game(record._replace(level_id="row"))
    assert (named["level"], named["house_rules"]) == ("row", {"rounds": 2})
    whole = format_game(record)
    assert whole["level"]["house_rules"] == {"rounds": 2}
    assert "house_rules" not in whole


def test_house_rules_can_be_removed_again() -> None:
    level = level_of(ROW)
    changed = with_house_rules(level, HouseRules(no_bombs=True))
    assert with_house_rules(changed, NO_HOUSE_RULES).document == level.document


@pytest.mark.parametrize(
    ("house_rules", "fault"),
    [
        ({"bombs": True}, "unknown-key"),
        ({"keep_dice": 1}, "not-a-boolean"),
        ({"starter": "youngest"}, "not-allowed"),
        ({"dice": 0}, "too-small"),
        ({"dice": 31}, "too-great"),
        ({"rounds": 51}, "too-great"),
        ([], "not-an-object"),
    ],
)
def test_faults_in_house_rules_have_their_names(house_rules: object, fault: str) -> None:
    level = {
        "format": "dizzle-level/1",
        "id": "row",
        "name": "Row",
        "grid": [ROW],
        "house_rules": house_rules,
    }
    with pytest.raises(DocumentError) as raised:
        read_level(msgspec.json.encode(level))
    assert (raised.value.fault, raised.value.place[0]) == (fault, "house_rules")
    game = {
        "format": "dizzle-game/1",
        "level": "level-1",
        "dice": "tracked",
        "players": ["Ana"],
        "actions": [],
        "house_rules": house_rules,
    }
    with pytest.raises(DocumentError) as raised:
        read_game(msgspec.json.encode(game), no_shipped_level)
    assert (raised.value.fault, raised.value.place[0]) == (fault, "house_rules")


def test_a_sheet_without_bombs_lists_no_bombs_in_its_score() -> None:
    sheet = sheet_of("1x 2B! 3", house_rules={"no_bombs": True})
    assert score_sheet(sheet, solo=False).by_category["bombs"] == 0
