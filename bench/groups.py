"""Time of the pages of groups with 2,000 and 20,000 games, compared with a group of ten games.

Also the time to import each group, and to compute its ratings. All groups are measured in the same
process. The results of the games are random, which does not affect the times.
"""

from __future__ import annotations

import statistics
import sys
import time
from argparse import Namespace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402

if TYPE_CHECKING:
    from sheets.groups.documents import GroupFile

BASELINE_GAMES: Final = 10
"""Number of games of the small group."""

TARGETS: Final = {2000: "at most 1.5 times, plus 150 ms", 20_000: "at most 1 s"}
"""Targets by the number of games of the large groups."""

ROUNDS: Final = 9
"""Number of requests of each page, in turn for both groups."""

GAMES_PER_EVENING: Final = 3
"""Number of games with the same date."""

LAST_EVENING: Final = datetime(2025, 12, 31, 20, tzinfo=UTC)
"""Time of the last game."""

PAGES: Final = {
    "the group": "",
    "the standings": "standings/",
    "the group in a year": "?year=2025",
    "a player": "players/1/",
    "a player in games of two": "players/1/?players=2",
    "all players in a year": "players/?year=2025",
    "an evening": f"evening/{LAST_EVENING:%Y-%m-%d}/",
    "a level": f"levels/{'1' * 16}/",
    "a level in a year": f"levels/{'1' * 16}/?year=2025",
    "a year": "year/2025/",
}
"""Paths of the measured pages, relative to the path of the group, by name."""

PEOPLE: Final = ("Ana", "Ben", "Ida", "Tom", "Uwe", "Zoe")
"""Members of the groups."""


def main() -> None:
    """Measure on each database."""
    _site.on_each_database(__file__, measure)


def measure(kind: str, _options: Namespace) -> None:
    """Print how long each page takes."""
    from django.conf import settings
    from django.test import Client

    from sheets.groups.group_file_import import import_group
    from sheets.http import rate_limits
    from sheets.models import Group

    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    few = import_group(random_games(BASELINE_GAMES))
    client.get(f"/groups/{few}/players/1/")
    for count, target in TARGETS.items():
        begun = time.perf_counter()
        many = import_group(random_games(count))
        imported = time.perf_counter() - begun
        rated: list[float] = []
        # Each request of a player's page rates some games.
        while Group.objects.exclude(changed_from=None).exists():
            begun = time.perf_counter()
            client.get(f"/groups/{many}/players/1/")
            rated.append(time.perf_counter() - begun)
        print(
            f"{kind}, {count:,} games: imported in {imported:.1f} s; rated by {len(rated)} pages, "
            f"{max(rated):.2f} s at most"
        )
        for name, path in PAGES.items():
            urls = [f"/groups/{key}/{path}" for key in (few, many)]
            took: dict[str, list[float]] = {url: [] for url in urls}
            for url in urls:  # the first request does not count
                client.get(url)
            for _ in range(ROUNDS):
                rate_limits.reset()
                for url, times in took.items():
                    begun = time.perf_counter()
                    if client.get(url).status_code != 200:
                        raise RuntimeError(f"{url} failed")
                    times.append(time.perf_counter() - begun)
            short, long = (1000 * statistics.median(times) for times in took.values())
            print(
                f"{kind}, {count:,} games, page of {name}: {long:.0f} ms; "
                f"{BASELINE_GAMES} games {short:.0f} ms; target: {target}"
            )


def random_games(count: int) -> GroupFile:
    """Return a group with some games on each evening, of two to four of six people."""
    from sheets.groups.documents import FORMAT, GameFile, GroupFile, PlayerFile, ResultFile

    random = Random(count)
    games = []
    for number in range(count):
        when = LAST_EVENING - timedelta(days=(count - 1 - number) // GAMES_PER_EVENING)
        players = random.sample(range(len(PEOPLE)), random.randint(2, 4))
        totals = [random.randint(20, 70) for _ in players]
        best = max(totals)
        results = [
            ResultFile(
                1 + sum(other > total for other in totals),
                player,
                points=total,
                won=1 / totals.count(best) if total == best else 0.0,
                parts={"gems": total // 2, "lines": total - total // 2},
            )
            for player, total in zip(players, totals, strict=True)
        ]
        level = 1 + number % 8
        games.append(
            GameFile(
                when,
                when.date(),
                "sheets",
                results,
                {"en": f"Level {level}"},
                f"level-{level}",
                f"{level}" * 16,
            )
        )
    return GroupFile(FORMAT, "Club", [PlayerFile(name) for name in PEOPLE], [], games)


if __name__ == "__main__":
    main()
