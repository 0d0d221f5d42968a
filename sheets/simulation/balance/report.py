"""Balance report of a level: bots play it alone and with others.

A report is a plain document, so that it can be stored and shown later in either language. The same
level and seed result in the same report on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sheets.rules import Level
from sheets.rules.scoring import rate
from sheets.rules.symbols import COLOURED_PAYING_EACH, PAYING
from sheets.simulation.games import CHUNK, Tally, simulate
from sheets.simulation.summary import GRADE_COUNT, summarise
from sheets.stats import chance_margin, quantile

BOT: Final = "greedy"
"""Bot of all seats."""

SEED: Final = 1
"""Seed of the games."""

SOLO_GAMES: Final = 240
"""Number of solo games."""

TABLE_GAMES: Final = 160
"""Number of games for each larger number of players."""

MIN_GAMES: Final = 20
"""Minimum number of games on a huge level."""

RANDOM_BOT: Final = "random"
"""Bot that knows the rules and nothing else."""

RANDOM_GAMES: Final = 60
"""Number of solo games of random bots."""

USUAL_WORK: Final = 88 * 80
"""Usual work of a game: fields times dice thrown, as on a shipped level."""


class PlannedGames(NamedTuple):
    """A part of a report: a number of games for a number of players."""

    players: int
    games: int


class Finding(NamedTuple):
    """A remark about a level: one of `FINDINGS`, and the facts of its sentence.

    ``weight`` is its importance; below 1 it is praise.
    """

    name: str
    weight: float
    facts: Mapping[str, Any]


FINDINGS: Final = (
    *("never-pays", "rarely-pays", "seat", "median-far", "crossed-little", "crossed-much"),
    *("grades-low", "grades-high", "always-pays", "lottery", "size-fits"),
    *("seats-fair", "grades-fit", "all-pays"),
)
"""Names of all findings."""

MAX_SEAT_DEVIATION: Final = 0.08
"""Accepted distance of a seat's share of wins from the fair share."""

COST_GROUPS: Final = tuple(symbol.category for symbol in PAYING.values() if symbol.costs)
"""Groups of ``pays`` that players avoid: it is no fault if they never count."""

MAX_RARE_SHARE: Final = 0.03
"""Share of sheets below which something hardly ever pays."""

MIN_ALWAYS_SHARE: Final = 0.97
"""Share of sheets above which the report says that an item of the score always pays."""

GOOD_CROSSED_SHARES: Final = (0.4, 0.8)
"""Range of the share of crossed fields on a sheet that is neither too large nor too small."""

GOOD_GRADES: Final = (2, 4)
"""Range of the grade of the solo median on a level whose ratings suit it."""


def plan_games(level: Level) -> list[PlannedGames]:
    """Return the games to play: alone and with each number of players of the level.

    A huge level has fewer games, so that reports take about the same time.
    """
    settings = []
    for players in level.player_counts:
        games = SOLO_GAMES if players == 1 else TABLE_GAMES
        games = round(games / _work(level, players) / 10) * 10
        settings.append(PlannedGames(players, max(MIN_GAMES, games)))
    return settings


def _work(level: Level, players: int) -> float:
    """Return the work of a game (fields × dice thrown), relative to a usual one; at least 1."""
    thrown = level.dice[players] * level.rounds[players]
    return max(1.0, len(level.fields) * thrown / USUAL_WORK)


def measure(
    level: Level,
    settings: list[PlannedGames],
    *,
    seed: int = SEED,
    bot: str = BOT,
    processes: int = 0,
    on_progress: Callable[[int], object] = lambda games: None,
) -> dict[str, Any]:
    """Play all games and return the report; ``on_progress`` is called with numbers of new games."""
    tallies = {
        setting.players: simulate(
            level,
            players=setting.players,
            games=setting.games,
            bot=bot,
            seed=seed,
            processes=processes,
            chunk=max(1, round(CHUNK / _work(level, setting.players))),
            on_progress=on_progress,
        )
        for setting in settings
    }
    by_chance = None
    if 1 in tallies:
        by_chance = simulate(
            level,
            players=1,
            games=min(RANDOM_GAMES, tallies[1].games),
            bot=RANDOM_BOT,
            seed=seed,
            processes=processes,
            # They are few and fast, so the progress leaves them out.
            on_progress=lambda _games: on_progress(0),
        )
    return report(level, tallies, by_chance, seed=seed, bot=bot)


def report(
    level: Level,
    tallies: Mapping[int, Tally],
    by_chance: Tally | None = None,
    *,
    seed: int = SEED,
    bot: str = BOT,
) -> dict[str, Any]:
    """Return the report on simulated games.

    Args:
        level: the level.
        tallies: the games by number of players.
        by_chance: solo games of random bots.
        seed: the seed of all games.
        bot: the bot of ``tallies``.

    In the report, ``settings`` has for each number of players its ``games``, the parts of
    `summarise`, and ``totals``, all scores in ascending order. ``ratings`` are six totals that
    would suit solo games, None without solo games. ``random`` has the number of ``games`` of random
    bots and their ``median``, None without such games.
    """
    settings = []
    for players, tally in tallies.items():
        summary = summarise(level, tally)
        totals = sorted(tally.totals)
        settings.append({"players": players, "games": tally.games, "totals": totals, **summary})
    solo = next((s["totals"] for s in settings if s["players"] == 1), None)
    return {
        "level": level.id,
        "seed": seed,
        "bot": bot,
        "settings": settings,
        "ratings": suggest_ratings(solo) if solo else None,
        "random": by_chance
        and {
            "games": by_chance.games,
            "median": quantile(sorted(by_chance.totals), 0.5),
        },
    }


NON_PLAYING_KEYS: Final = ("id", "name", "about", "author", "labels", "difficulty", "ratings")
"""Parts of a level that do not affect games."""


def plays_alike(document: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether games on two levels are the same.

    That is so if their documents differ only in texts, grades and blanks.
    """
    return _playing_parts(document) == _playing_parts(other)


def _playing_parts(document: Mapping[str, Any]) -> dict[str, Any]:
    parts = {key: part for key, part in document.items() if part and key not in NON_PLAYING_KEYS}
    return parts | {"grid": [row.split() for row in document["grid"]]}


def with_ratings(document: Mapping[str, Any], ratings: Sequence[int]) -> dict[str, Any]:
    """Return a report with the solo games graded by other ratings."""
    settings = [
        setting | {"grades": rate_totals(setting["totals"], ratings)}
        if setting["grades"]
        else setting
        for setting in document["settings"]
    ]
    return {**document, "settings": settings}


def rate_totals(totals: Sequence[int], ratings: Sequence[int]) -> dict[str, Any]:
    """Return the ``grades`` of `summarise` for ascending totals."""
    grades = [rate(total, ratings) for total in totals]
    return {
        "median": rate(quantile(totals, 0.5), ratings),
        "best": grades[-1],
        "shares": [round(grades.count(grade) / len(grades), 4) for grade in range(GRADE_COUNT)],
    }


def suggest_ratings(totals: list[int]) -> list[int]:
    """Return ratings for a level: six ascending totals.

    Nine of ten solo games reach the first one, one of a hundred the last one.

    >>> suggest_ratings(list(range(30, 91)))
    [36, 47, 57, 68, 79, 89]
    """
    ordered = sorted(totals)
    low = quantile(ordered, 0.1)
    high = max(quantile(ordered, 0.99), low + 10)
    return [round(low + (high - low) * step / 5) for step in range(6)]


MAX_MEDIAN_DISTANCE: Final = 0.15
"""Accepted distance of a solo median from the shipped levels' range, as a share of its ends."""


def is_far(median: float, ours: tuple[float, float]) -> bool:
    """Return whether a solo median is far from the medians of the shipped levels.

    ``ours`` are the minimum and the maximum of these medians.
    """
    least, most = ours
    return not least * (1 - MAX_MEDIAN_DISTANCE) <= median <= most * (1 + MAX_MEDIAN_DISTANCE)


def top_findings(
    level: Level, document: Mapping[str, Any], ours: tuple[float, float] | None = None
) -> list[Finding]:
    """Return the three findings of a report that matter most, in descending order of weight.

    ``ours`` are the minimum and the maximum of the shipped levels' solo medians.
    """
    findings: list[Finding] = []
    for setting in document["settings"]:
        findings += _about_seats(setting)
        findings += _about_fields(setting)
        findings += _about_scores(setting)
        findings += _about_median(setting, ours) if ours else []
    findings += _about_paying(level, document["settings"])
    best: dict[str, Finding] = {}
    for finding in findings:
        if finding.name not in best or finding.weight > best[finding.name].weight:
            best[finding.name] = finding
    ordered = sorted(best.values(), key=lambda finding: -finding.weight)
    troubles = [finding for finding in ordered if finding.weight >= 1]
    # An unfair seat with three players rules out praise for the seats with two.
    praise = [f for f in ordered if f.weight < 1 and not _is_ruled_out(f, troubles)]
    return (troubles + praise)[:3]


def _is_ruled_out(praise: Finding, troubles: list[Finding]) -> bool:
    spoilers = {
        "seats-fair": {"seat"},
        "grades-fit": {"grades-low", "grades-high"},
        "all-pays": {"never-pays", "rarely-pays"},
    }
    return bool({trouble.name for trouble in troubles} & spoilers.get(praise.name, set()))


def _about_seats(setting: Mapping[str, Any]) -> list[Finding]:
    wins: list[float] = setting["wins"]
    if len(wins) == 1:
        return []
    fair = 1 / len(wins)
    seat = max(range(len(wins)), key=lambda seat: abs(wins[seat] - fair))
    off = wins[seat] - fair
    margin = chance_margin(fair, setting["games"])
    facts = {"players": len(wins), "seat": seat + 1, "share": wins[seat], "fair": fair}
    facts |= {"games": setting["games"], "margin": round(margin, 4)}
    if abs(off) > max(MAX_SEAT_DEVIATION, margin):
        return [Finding("seat", 2 + 10 * abs(off), facts)]
    return [Finding("seats-fair", 0.8, facts)]


def _about_fields(setting: Mapping[str, Any]) -> list[Finding]:
    share, players = setting["crossed"], setting["players"]
    facts = {"players": players, "share": share}
    if share < GOOD_CROSSED_SHARES[0]:
        return [Finding("crossed-little", 1.5 + 5 * (GOOD_CROSSED_SHARES[0] - share), facts)]
    if share > GOOD_CROSSED_SHARES[1]:
        return [Finding("crossed-much", 1.5 + 5 * (share - GOOD_CROSSED_SHARES[1]), facts)]
    return [Finding("size-fits", 0.3, facts)]


def _about_scores(setting: Mapping[str, Any]) -> list[Finding]:
    scores, grades = setting["scores"], setting["grades"]
    if not grades:
        return []
    spread = scores["upper_quartile"] - scores["lower_quartile"]
    facts = {
        "median": scores["median"],
        "best": scores["best"],
        "grade": grades["median"],
        "spread": spread,
    }
    findings = []
    if grades["median"] < GOOD_GRADES[0]:
        findings.append(Finding("grades-low", 3.0 - grades["median"], facts))
    elif grades["median"] > GOOD_GRADES[1]:
        findings.append(Finding("grades-high", grades["median"] - 2.5, facts))
    else:
        findings.append(Finding("grades-fit", 0.7, facts))
    if scores["median"] > 0 and spread > scores["median"] * 0.6:
        findings.append(Finding("lottery", 1.2 + spread / scores["median"] / 2, facts))
    return findings


def _about_median(setting: Mapping[str, Any], ours: tuple[float, float]) -> list[Finding]:
    if setting["players"] != 1:
        return []
    (least, most), median = ours, setting["scores"]["median"]
    if not is_far(median, ours):
        return []
    off = max(least - median, median - most) / (least if median < least else most)
    facts = {"median": median, "least": least, "most": most}
    return [Finding("median-far", 1.8 + 4 * off, facts)]


def _about_paying(level: Level, settings: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """Return findings on things that never, hardly ever or always pay in all games together."""
    everything = mean_shares(settings)
    shares = {key: share for key, share in everything.items() if key[0] not in COST_GROUPS}
    if not shares:
        return []
    findings = []
    never = [key for key, share in shares.items() if share == 0]
    rare = [key for key, share in shares.items() if 0 < share < MAX_RARE_SHARE]
    sure = [
        key for key, share in shares.items() if share > MIN_ALWAYS_SHARE and key[0] != "planets"
    ]
    for name, weight, keys in (
        ("never-pays", 3.5, never),
        ("rarely-pays", 2.5, rare),
        ("always-pays", 1.4, sure),
    ):
        if keys:
            first = min(keys, key=lambda key: (shares[key], key))
            facts = {"group": first[0], "key": first[1], "more": len(keys) - 1}
            findings.append(Finding(name, weight, facts))
    if not never and not rare:
        rarest = min(shares, key=lambda key: (shares[key], key))
        facts = {"group": rarest[0], "key": rarest[1], "share": shares[rarest]}
        findings.append(Finding("all-pays", 0.6, facts))
    return findings


def mean_shares(settings: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    """Return on what share of all sheets each thing pays, by group and key of ``pays``.

    A symbol that pays for each crossed field, such as a gem, counts by the share of its fields that
    are crossed.
    """
    sums: dict[tuple[str, str], float] = {}
    sheets = 0
    for setting in settings:
        count = setting["games"] * len(setting["wins"])
        sheets += count
        for group, shares in setting["pays"].items():
            for key, share in shares.items():
                if group != "symbols" or key.partition(" ")[0] in COLOURED_PAYING_EACH:
                    sums[group, key] = sums.get((group, key), 0) + share * count
    return {key: total / sheets for key, total in sums.items()} if sheets else {}
