"""Time and size of the pages of groups with 10,000 games, compared with those of one with ten.

All in one process and one run, on SQLite and PostgreSQL; and the time to import each large group
and to add up all of its games. The games are by chance: their numbers cost the same as others. One
of the large groups has three games an evening, some 1,100 a year; the other all on one evening.
"""

from __future__ import annotations

import statistics
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402

FEW, MANY = 10, 10_000
ROUNDS = 25
AN_EVENING = 3
LAST = datetime(2025, 12, 31, 20, tzinfo=UTC)
PAGES = {
    "the group's page": "",
    "the standings": "standings/",
    "a year of it": "?year=2025",
    "a player's page": "players/1/",
    "a player's games of two": "players/1/?players=2",
    "all players, one year": "players/?year=2025",
    "an evening's page": f"evening/{LAST:%Y-%m-%d}/",
    "a level's page": f"levels/{'1' * 16}/",
    "a level's year": f"levels/{'1' * 16}/?year=2025",
    "the page of a year": "year/2025/",
}
PEOPLE = ("Ana", "Ben", "Ida", "Tom", "Uwe", "Zoe")


def main() -> None:
    """Measure on each database."""
    _site.on_each_database(__file__, measure)


def measure(kind: str) -> None:
    """Print how long each page takes, how large it is, and the ratio to that with few games."""
    from django.conf import settings
    from django.test import Client

    from sheets.groups.joining import take_in
    from sheets.http import rate_limits
    from sheets.models import Group

    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    few = take_in(games_by_chance(FEW))
    client.get(f"/groups/{few}/players/1/")
    for words_of_group, an_evening in (("many evenings", AN_EVENING), ("one evening", MANY)):
        begun = time.perf_counter()
        many = take_in(games_by_chance(MANY, an_evening))
        imported = time.perf_counter() - begun
        parts: list[float] = []
        # A player's page adds up some games each time.
        while Group.objects.exclude(changed_from=None).exists():
            begun = time.perf_counter()
            client.get(f"/groups/{many}/players/1/")
            parts.append(time.perf_counter() - begun)
        print(
            f"{kind}, {words_of_group}: imported in {imported:.1f} s; added up by {len(parts)} "
            f"pages, {max(parts):.2f} s at most"
        )
        for words, page in PAGES.items():
            urls = [f"/groups/{key}/{page}" for key in (few, many)]
            took: dict[str, list[float]] = {url: [] for url in urls}
            for url in urls:  # the device has opened them before
                size = len(client.get(url).content)
            for _ in range(ROUNDS):
                rate_limits.reset()
                for url, times in took.items():
                    begun = time.perf_counter()
                    if client.get(url).status_code != 200:
                        raise RuntimeError("the page does not come")
                    times.append(time.perf_counter() - begun)
            short, long = (statistics.median(times) for times in took.values())
            print(
                f"{kind}, {words_of_group}, {words}: {FEW} games {1000 * short:.1f} ms, "
                f"{MANY:,} games {1000 * long:.1f} ms and {size / 1000:.0f} kB, "
                f"ratio {long / short:.2f}; aim: at most 3, and 300 kB"
            )


def games_by_chance(count: int, an_evening: int = AN_EVENING):  # type: ignore[no-untyped-def]  # Django is not there yet
    """Return a group with so many games, some on each evening, of two to four of six people."""
    from sheets.groups.documents import FORMAT, GameFile, GroupFile, PlayerFile, ResultFile

    random = Random(count)
    games = []
    for number in range(count):
        when = LAST - timedelta(days=(count - 1 - number) // an_evening)
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
