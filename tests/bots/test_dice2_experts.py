"""Do the bots at tables of Dice² play by the rules, the same each time, and see what is plain?"""

from __future__ import annotations

from random import Random
from statistics import fmean

import numpy as np
import pytest

from sheets.bots.dice2 import ending, square_ending, strengths
from sheets.bots.dice2.ending import chances, spread
from sheets.bots.dice2.layers import TooLarge
from sheets.bots.dice2.playouts import GreedyPolicy, Lanes
from sheets.bots.dice2.policy import AgainstGreedyPolicy, ThoughtfulPolicy
from sheets.bots.dice2.search import Round, are_behind
from sheets.bots.dice2.simple_bots import worth
from sheets.bots.dice2.square_ending import expected_points
from sheets.bots.dice2.strengths import DICE2_STRENGTHS
from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, new_game

from .by_chance import play_by_chance

GAMES = [("square", 1), ("four-wins", 2), ("last-man", 2), ("major", 2), ("major", 3)]
THINKING = ("player", "expert")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Experts who hardly think: what is plain they have to see all the same."""
    monkeypatch.setattr(strengths, "ROUNDS", dict.fromkeys(KINDS, (Round(99, 8), Round(3, 16))))
    for endings in (ending, square_ending):
        monkeypatch.setattr(endings, "MOST_POSITIONS", 300)


def play(name: str, players: int, seed: int) -> Dice2Game:
    """A game of bots of all strengths, the strongest first."""
    random = Random(seed)
    seats = [DICE2_STRENGTHS[strength](random) for strength in reversed(DICE2_STRENGTHS)]
    game = new_game(KINDS[name], players)
    while not game.is_finished:
        game = game.apply(seats[game.player].choose(game, random.randint(1, 6)))
    return game


def after(name: str, *dice: str) -> Dice2Game:
    """A game of two in which the players in turn have placed dice, ``e5=6`` say."""
    game = new_game(KINDS[name], 2)
    for die in dice:
        at, _, number = die.partition("=")
        game = game.apply(Dice2Action("place", game.player, int(number), at))
    return game


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_all_strengths_play_by_the_rules_and_the_same_again(name: str, players: int) -> None:
    """An action the rules forbid would raise."""
    assert play(name, players, 7) == play(name, players, 7)


@pytest.mark.parametrize("strength", THINKING)
def test_a_win_is_taken(strength: str) -> None:
    game = after("four-wins", "e5=3", "e4=1", "d5=3", "d4=1", "c5=3", "c4=1")
    for seed in range(4):
        chosen = DICE2_STRENGTHS[strength](Random(seed)).choose(game, 3)
        assert game.apply(chosen).winners == (0,)


@pytest.mark.parametrize("strength", THINKING)
def test_a_line_of_three_is_blocked(strength: str) -> None:
    """With f4 blue would win by five of six numbers, after b5 by one."""
    game = after("four-wins", "e5=6", "e4=2", "d5=6", "d4=2", "c5=4")
    for seed in range(4):
        assert DICE2_STRENGTHS[strength](Random(seed)).choose(game, 2).at == "b5"


@pytest.mark.parametrize("strength", THINKING)
def test_a_run_of_five_is_settled(strength: str) -> None:
    """With b6 three of its dice are one's own: two markers."""
    game = after("major", "e5=3", "e4=1", "d5=2", "e6=5", "d6=3", "c6=3", "f6=6")
    for seed in range(4):
        chosen = DICE2_STRENGTHS[strength](Random(seed)).choose(game, 2)
        assert game.apply(chosen).markers == (0, 2)


def test_only_those_are_given_up_that_are_clearly_behind_the_best_of_their_decision() -> None:
    """Four games after each option, those of one decision with the same dice."""
    after = [[0, 0, 0, 0.5], [1, 1, 0, 1], [1, 0, 1, 0.5], [0, 0, 0.5, 0], [0, 0, 1, 0]]
    values = np.array(after) + 0.25
    assert are_behind(np.array([0, 0, 0, 1, 1]), values).tolist() == [True, *4 * [False]]


def naive_chance(game: Dice2Game, deciding: int) -> float:
    """How probably the first player wins before somebody throws, by the rules themselves.

    Who decides does what is best; the other one does that, or what the greedy bot might do.
    Skips change nothing but the turn: they go round until that matters no more.
    """
    if game.is_finished:
        return float(0 in game.winners)
    if not all(game.dice_left):
        return float(game.dice_left[0] > 0)
    placed, skipped = [0.0, 0.0], [0.0, 0.0]
    for player, choose in ((0, max), (1, min)):
        turn = game._replace(player=player)
        for die, fields in turn.legal().items():
            afters = [turn.apply(Dice2Action("place", player, die, at)) for at in fields]
            values = [naive_chance(after, deciding) for after in afters]
            best = choose(values, default=0.0)
            if values and player != deciding:
                worths = [worth(after, player) for after in afters]
                pairs = zip(values, worths, strict=True)
                greedy = fmean(value for value, w in pairs if w == max(worths))
                best = ending.BEST_PLAY * best + (1 - ending.BEST_PLAY) * greedy
            placed[player] += best / 6
            skipped[player] += (not fields) / 6
    chances = [0.5, 0.5]
    for _ in range(200):
        chances = [placed[p] + skipped[p] * chances[1 - p] for p in (0, 1)]
    return chances[game.player]


@pytest.mark.parametrize("deciding", [0, 1])
def test_endings_of_last_man_are_worked_out_exactly(deciding: int) -> None:
    """Positions with three dice left at most, reached by chance."""
    compared = 0
    for seed in range(6):
        game = play_by_chance("last-man", 2, seed)
        if not game.is_finished:
            found = chances(Lanes([game]), deciding, 1000)
            assert found == pytest.approx([naive_chance(game, deciding)], abs=1e-6)
            compared += 0 < found[0] < 1
    assert compared > 1


@pytest.mark.slow
def test_who_plays_as_the_greedy_bot_wins_less_in_last_man(monkeypatch: pytest.MonkeyPatch) -> None:
    """With four dice left, reached by chance, and the other one playing better and better."""
    falling = 0
    for seed in range(12):
        game = play_by_chance("last-man", 2, seed, 4)
        if game.is_finished:
            continue
        found = []
        for part in (0.0, 0.5, 1.0):
            monkeypatch.setattr(ending, "BEST_PLAY", part)
            found.append(chances(Lanes([game]), 0, 5000)[0])
        assert found == sorted(found, reverse=True)
        falling += found[0] > found[-1]
    assert falling > 0


def naive_points(game: Dice2Game) -> float:
    """What a game of Square Dice ends with on average at best, by the rules themselves."""
    if game.is_finished:
        return game.points[0]
    best = [
        max(
            (naive_points(game.apply(Dice2Action("place", 0, die, at))) for at in fields),
            default=game.points[0],
        )
        for die, fields in game.legal().items()
    ]
    return sum(best) / len(best)


@pytest.mark.slow
def test_endings_of_square_are_worked_out_exactly() -> None:
    """Boards with three dice left at most, reached by chance."""
    compared = 0
    for seed in range(40):
        game = play_by_chance("square", 1, seed)
        if not game.is_finished:
            found = expected_points(Lanes([game], is_watched=True), 1000)
            assert found == pytest.approx([naive_points(game)])
            compared += found[0] > game.points[0]
    assert compared > 1


@pytest.mark.parametrize(("name", "players"), [("square", 1), ("last-man", 2)])
def test_no_more_positions_are_looked_at_than_may_be(name: str, players: int) -> None:
    """A position with five dice left, reached by chance, leads to more than two."""
    random = Random(3)
    game = new_game(KINDS[name], players)
    while sum(game.dice_left) > 5:
        fields = game.legal()[die := random.randint(1, 6)]
        if fields:
            game = game.apply(Dice2Action("place", game.player, die, random.choice(fields)))
        elif game.is_finished or name == "square":
            game = new_game(KINDS[name], players)
        else:
            game = game.apply(Dice2Action("skip", game.player, die))
    lanes = Lanes([game], is_watched=True)
    with pytest.raises(TooLarge):
        chances(lanes, 0, 2) if name == "last-man" else expected_points(lanes, 2)


@pytest.mark.parametrize("with_corners", [False, True])
def test_fields_spread_over_edges_or_corners(with_corners: bool) -> None:
    """Fields by chance; seven to a row, each row of eight bits."""
    random = Random(5)
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    steps += [(1, 1), (1, -1), (-1, 1), (-1, -1)] * with_corners
    spots = [(row, column) for row in range(7) for column in range(7)]
    for _ in range(20):
        fields = set(random.sample(spots, 25))
        start = set(random.sample(spots, 5))
        reached, more = set(), start & fields
        while more:
            reached |= more
            beside = {(row + down, col + right) for row, col in more for down, right in steps}
            more = (beside & fields) - reached
        words = [np.array([bits_of(these)], np.uint64) for these in (start, fields)]
        assert spread(*words, with_corners=with_corners).tolist() == [bits_of(reached)]


def bits_of(spots: set[tuple[int, int]]) -> int:
    """A bit for each field of the inner 7×7."""
    return sum(1 << 8 * row + column for row, column in spots)


def test_an_expert_at_the_end_of_square_takes_what_brings_most_on_average() -> None:
    """No other field does better, with three dice left at most."""
    looked_at = 0
    for seed in range(30):
        random = Random(seed)
        game = new_game(KINDS["square"], 1)
        player = DICE2_STRENGTHS["player"](random)
        while not game.is_finished and game.dice_left[0] > 3:
            game = game.apply(player.choose(game, random.randint(1, 6)))
        die = random.randint(1, 6)
        if game.is_finished or len(game.legal()[die]) < 2:
            continue
        worths = {
            at: naive_points(game.apply(Dice2Action("place", 0, die, at)))
            for at in game.legal()[die]
        }
        chosen = DICE2_STRENGTHS["expert"](random).choose(game, die).at
        assert worths[chosen] == pytest.approx(max(worths.values()))
        looked_at += min(worths.values()) < max(worths.values())
    assert looked_at > 1


@pytest.mark.parametrize("player", [0, 1])
def test_who_decides_in_last_man_expects_others_to_play_as_the_greedy_bot(player: int) -> None:
    """Positions after two dice, each as seen by either player."""
    game = new_game(KINDS["last-man"], 2).apply(Dice2Action("place", 0, 4, "e5"))
    games = [game.apply(Dice2Action("place", 1, 2, at)) for at in game.legal()[2]]
    lanes = GreedyPolicy().lanes(games * 2)
    players = np.arange(2).repeat(len(games))
    found = AgainstGreedyPolicy(player).worths(lanes, players)
    own, others = ThoughtfulPolicy(), GreedyPolicy()
    of_player = players == player
    assert found[of_player].tolist() == own.worths(lanes, players)[of_player].tolist()
    assert found[~of_player].tolist() == others.worths(lanes, players)[~of_player].tolist()
    assert own.worths(lanes, players).tolist() != others.worths(lanes, players).tolist()
