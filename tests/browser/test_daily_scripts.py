"""Solo games played by the script of the sheet of the day, compared with the engine.

Python plays random games, with forbidden actions in between. The script plays the same actions, and
describes each state, or the rule that forbids the action, in one line of text. Both compare the
checksums of these lines, because the lines of thousands of games are too many to pass.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any, Final, NamedTuple
from zlib import crc32

import pytest
from playwright.sync_api import Page

from sheets.daily.day import FIRST_DAY, LEVELS, dice_of_pass, level_of
from sheets.daily.solo_level import solo_level
from sheets.levels import shipped_levels
from sheets.rules import Action, Game, Level, RuleViolation, new_game, parse_level
from sheets.rules.level import SHAPES
from sheets.rules.placement import targets
from sheets.rules.score_column import score_column
from sheets.rules.sheet import opened_colours
from tests.browser.conftest import OpenPage
from tests.daily.played_days import played_day
from tests.rules.random_games import random_level

GAMES_PER_LEVEL: Final = 12
"""Number of games on each shipped level in the fast test."""

MANY_GAMES_PER_LEVEL: Final = 250
"""Number of games on each shipped level in the slow test: 2,000 in all."""

RANDOM_LEVELS: Final = 150
"""Number of random levels with all features of the format, with two games each."""

FORBIDDEN_SHARE: Final = 0.15
"""Share of the steps at which a game also tries an arbitrary action."""

SCRIPT: Final = r"""async (text) => {
    const rules = await import("/static/sheets/daily/game.js");
    const { scoreSheet, rate } = await import("/static/sheets/offline_scoring/scoring.js");
    const table = Array.from({ length: 256 }, (_, n) => {
        for (let bit = 0; bit < 8; bit += 1) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
        return n >>> 0;
    });
    function crc32(line) {
        let sum = 0xffffffff;
        for (const byte of new TextEncoder().encode(line)) {
            sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
        }
        return (sum ^ 0xffffffff) >>> 0;
    }
    const show = (fields) => [...fields].join(" ");
    const facts = (given) => Object.keys(given).sort().map((name) => `${name}=${given[name]}`);
    function describe(level, game) {
        const { phase, passesDone, pool, sheet } = game;
        const pick = (fields) => show(level.fields.filter((at) => fields.has(at)));
        const numbers = Object.entries(sheet.circled).map((one) => one.join(":"));
        const drawn = level.fields.filter((at) => at in sheet.tracks);
        const tracks = drawn.map((at) => at + sheet.tracks[at]);
        const between = ["roll", "erupt", "finished"].includes(phase);
        const score = between ? scoreSheet(level.column, sheet, true) : null;
        const owed = game.owed.length ? rules.choices(level, game) : [];
        const owes = phase === "lava" ? 1 : game.owed.length;
        return [
            phase, passesDone, show(pool), rules.diceToRoll(level, game),
            `${owes} of ${show(owed)}`,
            pick(sheet.crosses), pick(sheet.dice), pick(sheet.lava), show(tracks),
            show(numbers.sort()), show(rules.legalFields(level, game)),
            show(rules.targets(level, sheet)),
            Number(rules.isBoxedIn(level, game)), show(rules.openedColours(level, sheet)),
            score ? `${score.total} ${score.marks} ${rate(score.total, level.column.ratings)}` : "",
        ].join("|");
    }
    function play(level, actions) {
        let game = rules.newGame(level);
        const lines = [describe(level, game)];
        for (const action of actions) {
            try {
                game = rules.apply(level, game, action);
                lines.push(describe(level, game));
            } catch (error) {
                if (!(error instanceof rules.RuleViolation)) throw error;
                lines.push([error.rule, ...facts(error.facts)].join(" "));
            }
        }
        return lines;
    }
    function check(level, { actions, sums }) {
        const lines = play(level, actions);
        const wrong = lines.findIndex((line, i) => crc32(line) !== sums[i]);
        return wrong < 0 ? null : [wrong, lines[wrong]];
    }
    return JSON.stringify(
        JSON.parse(text).map(([level, games]) => games.map((game) => check(level, game))));
}"""
"""Script that plays games; returns the first different line of each game, or null."""


class Played(NamedTuple):
    """A game that Python played: the actions, and a line for each state or refusal."""

    actions: list[dict[str, Any]]
    lines: list[str]


def show(level: Level, fields: int) -> str:
    return " ".join(level.names(fields))


def describe(game: Game) -> str:
    """Return a state as one line."""
    level, (sheet,) = game.level, game.sheets
    pending = game.pending()
    numbers = [f"flag {colour}:{number}" for colour, number in sheet.flags.items()]
    numbers += [f"race {area}:{number}" for area, number in sheet.races.items()]
    legal = {at for fields in game.legal().values() for at in fields}
    score = ""
    if game.phase in ("roll", "erupt", "finished"):
        (found,) = game.scores()
        grade = sum(found.total >= limit for limit in level.ratings)
        score = f"{found.total} {found.marks} {grade}"
    return "|".join(
        (
            game.phase,
            str(game.passes_done),
            " ".join(map(str, game.pool)),
            str(game.dice_to_roll),
            f"{pending[0].times} of {' '.join(pending[0].at)}" if pending else owes_nothing(game),
            show(level, sheet.crosses),
            show(level, sheet.dice),
            show(level, sheet.lava),
            " ".join(level.fields[i].name + sheet.tracks[i] for i in sorted(sheet.tracks)),
            " ".join(sorted(numbers)),
            show(level, level.mask(legal)),
            show(level, targets(sheet)),
            str(int(game.is_boxed_in())),
            " ".join(opened_colours(level, sheet.crosses)),
            score,
        )
    )


def owes_nothing(game: Game) -> str:
    assert game.phase not in ("lava", "marking")
    return "0 of "


def describe_violation(violation: RuleViolation) -> str:
    names = sorted(set(violation.facts) - {"player"})
    return " ".join((violation.rule, *(f"{name}={violation.facts[name]}" for name in names)))


def some_dice(random: Random, count: int) -> tuple[int, ...]:
    return tuple(random.randint(1, 6) for _ in range(count))


def fitting_action(random: Random, game: Game) -> Action:
    """Return a random legal action."""
    phase = game.phase
    if phase == "erupt":
        return Action("erupt", die=random.randint(1, 6))
    if phase in ("roll", "extra"):
        return Action(phase, dice=some_dice(random, game.dice_to_roll))
    if phase == "turn":
        fields = [at for fields in game.legal().values() for at in fields]
        if fields:
            return Action("place", 0, random.choice(fields))
        if random.random() < 0.6:
            return Action("reroll", 0, dice=some_dice(random, game.dice_to_roll))
        return Action("drop", 0)
    if phase == "return":
        return Action("return", 0, random.choice(game.level.names(game.sheets[0].dice)))
    (owed,) = game.pending()
    return Action(owed.do, 0, random.choice(owed.at), shape=random.choice(SHAPES))


def any_action(random: Random, level: Level) -> Action:
    """Return an arbitrary action, which is usually forbidden."""
    do = random.choice(
        ("place",) * 8
        + ("return", "lava", "rocket", "track", "roll", "erupt", "extra", "reroll", "drop")
    )
    at = random.choice((*level.index, "z9"))
    dice = some_dice(random, random.choice((1, 2, 3, 8)))
    die = random.choice((0, 0, *range(1, 7)))
    if do == "erupt":
        return Action(do, die=dice[0])
    if do in ("roll", "extra", "reroll"):
        return Action(do, 0, dice=dice)
    return Action(do, 0, at, die=die, shape=random.choice(SHAPES))


def to_script(action: Action) -> dict[str, Any]:
    """Return an action for the script, in which the die of an eruption is one of the ``dice``."""
    dice = [action.die] if action.do == "erupt" else [*action.dice]
    die = 0 if action.do == "erupt" else action.die
    return {"do": action.do, "at": action.at, "die": die, "dice": dice, "shape": action.shape}


def play_game(random: Random, level: Level) -> Played:
    """Play a random game with forbidden actions in between."""
    game = new_game(level, ["Ana"], tracked=True)
    played = Played([], [describe(game)])
    while not game.is_finished:
        trying = random.random() < FORBIDDEN_SHARE
        action = any_action(random, level) if trying else fitting_action(random, game)
        played.actions.append(to_script(action))
        try:
            game = game.apply(action)
            played.lines.append(describe(game))
        except RuleViolation as violation:
            played.lines.append(describe_violation(violation))
    return played


def compare(page: Page, games: list[tuple[Level, list[Played]]]) -> None:
    asked = [
        (
            {**solo_level(level), "column": score_column(level)},
            [
                {"actions": one.actions, "sums": [crc32(line.encode()) for line in one.lines]}
                for one in played
            ],
        )
        for level, played in games
    ]
    answers = json.loads(page.evaluate(SCRIPT, json.dumps(asked)))
    for (level, played), found in zip(games, answers, strict=True):
        for one, wrong in zip(played, found, strict=True):
            if wrong:
                index, line = wrong
                assert line == one.lines[index], (level.id, index, one.actions[index - 1])
                raise AssertionError("the checksums differ, but not the lines")


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page("/score/", "desktop")


def test_script_plays_as_the_engine_does(page: Page) -> None:
    random = Random(0)
    documents = [random_level(random) for _ in range(RANDOM_LEVELS)]
    own = [*map(parse_level, documents)]
    games = [
        (level, [play_game(random, level) for _ in range(GAMES_PER_LEVEL)])
        for level in shipped_levels().values()
    ]
    games += [(level, [play_game(random, level) for _ in range(2)]) for level in own]
    compare(page, games)
    # The games have reached every phase and broken every rule that a solo game can break.
    lines = [line for _, played in games for one in played for line in one.lines]
    words = Counter(line.replace("|", " ").split()[0] for line in lines)
    phases = {"erupt", "lava", "roll", "turn", "return", "extra", "marking", "finished"}
    rules = {
        *("not-now", "must-place", "must-return", "bad-dice", "no-field", "field-taken"),
        *("no-number", "locked", "not-a-choice", "not-next-to-cross", "not-next-to-die"),
        *("wrong-number", "no-such-die"),
    }
    assert phases | rules <= {*words}
    assert any(line.startswith("lava at=") for line in lines)  # the rule, not the phase


@pytest.mark.slow
def test_script_plays_two_thousand_games_as_the_engine_does(page: Page) -> None:
    random = Random(1)
    for level in shipped_levels().values():
        compare(page, [(level, [play_game(random, level) for _ in range(MANY_GAMES_PER_LEVEL)])])


REPLAY = """async (text) => {
    const { replay, undone } = await import("/static/sheets/daily/record.js");
    const { scoreSheet } = await import("/static/sheets/offline_scoring/scoring.js");
    return JSON.stringify(JSON.parse(text).map(([level, passes, record]) => {
        const words = record.split(" ");
        const { game, totals } = replay(level, passes, words);
        const { total } = scoreSheet(level.column, game.sheet, true);
        return [game.phase, game.passesDone, totals, total, undone(words) !== null];
    }));
}"""
"""Script that replays records."""


def test_script_replays_records_as_the_server_does(page: Page) -> None:
    asked, expected = [], []
    for number in range(120):
        day = FIRST_DAY + timedelta(days=number * 7)
        record, played = played_day(day, number)
        level = level_of(day)
        described = {**solo_level(level), "column": score_column(level)}
        passes = [
            "".join(map(str, dice_of_pass(day, one))) for one in range(1, level.rounds[1] + 1)
        ]
        asked.append((described, passes, record))
        (score,) = played.game.scores()
        ends_with_choice = not record.endswith("*")
        expected.append(
            [
                *(played.game.phase, played.game.passes_done, played.totals, score.total),
                ends_with_choice,
            ]
        )
    assert json.loads(page.evaluate(REPLAY, json.dumps(asked))) == expected
    assert {level_of(FIRST_DAY + timedelta(days=n * 7)).id for n in range(120)} == set(LEVELS)
