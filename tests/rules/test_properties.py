"""Properties of every game, checked on random levels and games."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from sheets.documents.structure import read_game, read_level
from sheets.rules import (
    Action,
    Game,
    RuleViolation,
    check_placement,
    format_level,
    score_sheet,
    targets,
)
from sheets.rules.design_warnings import reachable
from sheets.rules.documents.game import (
    format_game,
    format_state,
    history,
    no_shipped_level,
    parse_game,
    replay_actions,
)
from sheets.rules.doubts import find_doubts
from sheets.rules.paper_scoring import Paper
from sheets.rules.scoring import find_winners
from sheets.rules.violations import CATEGORIES, REFUSALS
from tests.rules.random_games import random_game, random_level

SEEDS = st.integers(0, 2**32)
"""Seeds of random games."""

FEW = settings(max_examples=25, deadline=None)
"""Few examples, as each is a whole game, and no deadline, as games differ in length."""


def position(seed: int) -> Game:
    """Return a random game at a random moment."""
    random = Random(seed)
    record = parse_game(random_game(random))
    moment = random.randint(0, len(record.actions))
    return replay_actions(record.start(), record.actions[:moment])[0]


def is_accepted(game: Game, action: Action) -> bool:
    """Return whether the rules allow an action; a refused one must leave the game unchanged."""
    before = format_state(game)
    try:
        game.apply(action)
    except RuleViolation as violation:
        return violation.rule not in REFUSALS
    finally:
        assert format_state(game) == before
    return True


@FEW
@given(SEEDS)
def test_listed_moves_are_the_accepted_moves(seed: int) -> None:
    game = position(seed)
    names = [*game.level.index, "z9"]
    if game.phase == "turn":
        legal = game.legal()
        for die in range(1, 7):
            for at in names:
                listed = at in legal.get(die, [])
                assert is_accepted(game, Action("place", game.player or 0, at, die)) == listed
        dice = (1,) * len(game.pool)
        assert is_accepted(game, Action("reroll", game.player or 0, dice=dice)) == (
            "reroll" in game.may()
        )
        assert is_accepted(game, Action("drop", game.player or 0)) == ("drop" in game.may())
    for player in range(len(game.players)):
        if game.phase == "open":
            listed_fields = game.legal()[player]
            assert [at for at in names if is_accepted(game, Action("place", player, at))] == (
                listed_fields
            )
        owed = {entry.player: entry for entry in game.pending()}
        for do in ("lava", "rocket", "track"):
            accepted = [at for at in names if is_accepted(game, Action(do, player, at, shape="NS"))]
            entry = owed.get(player)
            assert accepted == (list(entry.at) if entry and entry.do == do else [])


@FEW
@given(SEEDS)
def test_placements_checked_one_by_one_are_the_targets(seed: int) -> None:
    for sheet in position(seed).sheets:
        allowed = [at for at in sheet.level.index if check_placement(sheet, at, 0) is None]
        assert allowed == sheet.level.names(targets(sheet))


@FEW
@given(SEEDS)
def test_document_to_game_to_document_is_the_identity(seed: int) -> None:
    document: dict[str, Any] = random_game(Random(seed))
    record = read_game(msgspec.json.encode(document), no_shipped_level)
    if house_rules := document.pop("house_rules", None):  # a whole level contains them
        document["level"] = {**document["level"], "house_rules": house_rules}
    assert format_game(record) == document


@FEW
@given(SEEDS)
def test_level_document_to_level_to_document_is_the_identity(seed: int) -> None:
    document = random_level(Random(seed))
    assert format_level(read_level(msgspec.json.encode(document))) == document


@FEW
@given(SEEDS)
def test_history_ends_where_the_replay_ends_and_never_loses_a_mark(seed: int) -> None:
    record = parse_game(random_game(Random(seed)))
    last, applied, _ = replay_actions(record.start(), record.actions)
    games = list(history(record._replace(actions=record.actions[:applied])))
    assert games[-1] == last
    for before, after in pairwise(games):
        for old, new in zip(before.sheets, after.sheets, strict=True):
            assert not old.crosses & ~new.crosses
            assert not old.exploded & ~new.exploded
            assert not old.lava & ~new.lava


def test_advice_and_doubts_accept_every_sheet_of_a_game() -> None:
    """Many games, because a missing effect shows in few of them."""
    for seed in range(400):
        record = parse_game(random_game(Random(seed)))
        game, applied, _violation = replay_actions(record.start(), record.actions)
        for sheet in game.sheets:
            assert not sheet.crosses & ~reachable(game.level), seed
        if game.phase != "finished":
            continue
        paper = Paper(game.level, "", game.players, game.sheets, game.is_solo, ())
        # Returning a die between two groups can leave a lonely cross: legal, but so rare that it
        # stays a doubt.
        has_returned = any(action.do == "return" for action in record.actions[:applied])
        allowed = {"lonely-cross"} if has_returned else set()
        assert {doubt.name for doubt in find_doubts(paper)} <= allowed, seed


@FEW
@given(SEEDS)
def test_every_amount_adds_up_and_names_marked_fields(seed: int) -> None:
    game = position(seed)
    scores = [score_sheet(sheet, solo=game.is_solo) for sheet in game.sheets]
    for sheet, score in zip(game.sheets, scores, strict=True):
        assert (
            score.total
            == sum(item.points for item in score.items)
            == sum(score.by_category.values())
        )
        assert list(score.by_category) == list(CATEGORIES)
        for item in score.items:
            marked = sheet.level.mask(item.fields)
            assert not marked & ~(sheet.crosses | sheet.exploded)
            assert not marked & sheet.level.mask(item.missing)
            spoilt = sheet.level.mask(item.spoilt)
            assert not spoilt & ~(sheet.exploded | sheet.lava)
            assert not sheet.level.mask(item.missing) & (sheet.exploded | sheet.lava)
            assert not item.points or marked
    assert find_winners(scores)
