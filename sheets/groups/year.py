"""What was a year like, for a group or one of its players? Told in a few tiles, and each is true.

Below `ENOUGH` games there is nothing to tell but how many.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Final, NamedTuple

from django.db.models import Count, IntegerField, Max, Sum
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.db.models.query import QuerySet
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.artwork.layout import number
from sheets.groups.crosses import Crossed, crossed_in, crossed_on
from sheets.groups.figures import ENOUGH
from sheets.groups.filters import level_names
from sheets.groups.titles import title_among
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult
from sheets.rules.marks import Marks
from sheets.texts.players import join_names

PEN: Final = 0.02
"""Metres of felt pen that a cross takes: two strokes through a field of a centimetre."""

OFTEN: Final = 0.5
"""What is crossed on so many of the sheets is on the usual one."""


class NoSuchYear(LookupError):
    """Nothing was played then."""


class Tile(NamedTuple):
    """One thing to tell: ``sign`` is the id of a drawing, ``figure`` what is large."""

    sign: str
    figure: str
    words: str
    detail: str


class Favourite(NamedTuple):
    """The level that was played most: how often, and what was crossed on it where that is known.

    ``usual`` are the marks of the sheet as it mostly looks in the end. ``is_shared``: another level
    was played as often.
    """

    title: str
    games: int
    crossed: Crossed | None
    usual: Marks
    is_shared: bool


class Year(NamedTuple):
    """A year of a group, or of one player: ``tiles`` are empty where there is little to tell."""

    year: int
    name: str
    games: int
    evenings: int
    tiles: list[Tile]
    favourite: Favourite | None


class _Row(NamedTuple):
    """What is looked at of a result."""

    game: int
    evening: date
    player: int | None
    name: str
    won: float
    chance: float
    total: int | None
    digest: str
    crossed: str


def year_of(group: Group, year: int, player: GroupPlayer | None = None) -> Year:
    """In the language of who is reading. Raises NoSuchYear."""
    games = group.games.filter(is_open=False, evening__year=year)
    if player:
        games = games.filter(results__player=player)
    counts = games.aggregate(games=Count("pk"), evenings=Count("evening", distinct=True))
    if not counts["games"]:
        raise NoSuchYear
    name = player.name if player else group.name
    if counts["games"] < ENOUGH:
        return Year(year, name, counts["games"], counts["evenings"], [], None)
    rows = _rows(games)
    results = GroupResult.objects.filter(game__in=games, label="")
    if player:
        results = results.filter(player=player)
    crossed = _crossed(group, year, rows, player)
    names = level_names(group)
    favourite = _favourite(games, crossed, names)
    tiles = list(_tiles(rows, results, crossed, favourite, player, names))
    return Year(year, name, counts["games"], counts["evenings"], tiles, favourite)


def people_in(group: Group, year: int) -> list[GroupPlayer]:
    """Of whom there is something to tell of a year, in the order in which they joined."""
    games = group.games.filter(is_open=False, evening__year=year)
    played = GroupResult.objects.filter(game__in=games, player__isnull=False)
    counts = played.order_by().values("player").annotate(games=Count("game", distinct=True))
    enough = counts.filter(games__gte=ENOUGH).values("player")
    return list(group.players.filter(pk__in=enough).order_by("number"))


def latest_year(player: GroupPlayer) -> int | None:
    """The last year in which somebody has played, if any."""
    games = GroupResult.objects.filter(player=player, game__is_open=False)
    last = games.aggregate(last=Max("game__evening"))["last"]
    return last.year if last else None


class ToTell(NamedTuple):
    """The year that a group's page leads to; ``is_now``: it is the time to tell of it."""

    year: int
    is_now: bool


def year_to_tell(years: Sequence[int], today: date) -> ToTell | None:
    """Of the years with games, the latest first; None without any.

    A year is told of as it ends, and in the first month after it.
    """
    ending = today.year if today.month == 12 else today.year - 1 if today.month == 1 else 0
    if ending in years:
        return ToTell(ending, True)
    return ToTell(years[0], False) if years else None


def _rows(games: QuerySet[GroupGame]) -> list[_Row]:
    """Every result, game after game, as they were played; those of a game as they were placed."""
    found = GroupResult.objects.filter(game__in=games).order_by(
        "game__evening", "played", "game", "place", "seat"
    )
    rows = found.values_list(
        *("game", "game__evening", "player", "player__name", "label", "won", "chance", "total"),
        *("game__level_digest", "crossed"),
    )
    return [
        _Row(game, evening, player, name or label, *more)
        for game, evening, player, name, label, *more in rows
    ]


def _favourite(
    games: QuerySet[GroupGame], crossed: Mapping[str, Crossed], names: Mapping[str, str]
) -> Favourite | None:
    levels = games.exclude(level_digest="").order_by().values("level_digest")
    most = levels.annotate(count=Count("pk")).order_by("-count", "level_digest")
    if not most:
        return None
    first, *more = most[:2]
    title = names[first["level_digest"]]
    is_shared = any(other["count"] == first["count"] for other in more)
    found = crossed.get(first["level_digest"])
    if found is None or found.games < ENOUGH:
        return Favourite(title, first["count"], None, {}, is_shared)
    usual = {
        field: ("cross",)
        for field, share in found.shares.items()
        if share >= OFTEN and field in found.by_hand
    }
    return Favourite(title, first["count"], found, usual, is_shared)


def _crossed(
    group: Group, year: int, rows: Sequence[_Row], player: GroupPlayer | None
) -> dict[str, Crossed]:
    """What was crossed on each level: by all from the sums, by one from their own sheets."""
    found: dict[str, Crossed] = {}
    mine: dict[str, list[str]] = defaultdict(list)
    if player:
        for row in rows:
            if row.player == player.pk and row.crossed:
                mine[row.digest].append(row.crossed)
    for known in group.levels.all():
        if player is None:
            of_all = crossed_in(group, known.digest, year)
            found |= {known.digest: of_all} if of_all else {}
        elif known.digest in mine:
            found[known.digest] = crossed_on(known, mine[known.digest])
    return found


def _tiles(
    rows: Sequence[_Row],
    results: QuerySet[GroupResult],
    crossed: Mapping[str, Crossed],
    favourite: Favourite | None,
    player: GroupPlayer | None,
    names: Mapping[str, str],
) -> Iterator[Tile]:
    """The warmest first: not all of them fit into a picture."""
    yield from _best(results, player, names)
    if player:
        yield from _wins(rows, player)
    yield from _streak(rows, player)
    yield from _together(rows, player)
    yield from _closest(rows)
    yield from _pen(crossed)
    yield from _field(favourite)
    yield from _lost(results)
    yield from _weekday(rows)


def _best(
    results: QuerySet[GroupResult], player: GroupPlayer | None, names: Mapping[str, str]
) -> Iterator[Tile]:
    scored = results.filter(total__isnull=False).select_related("player", "game")
    best = scored.order_by("-total", "played", "pk").first()
    if best is None or best.total is None:
        return
    told = {"level": title_among(names, best.game), "day": _day(best.game.evening)}
    if player or best.player is None:
        detail = _("%(level)s, %(day)s") % told
    else:
        detail = _("%(name)s: %(level)s, %(day)s") % {"name": best.player.name, **told}
    yield Tile("gem-yellow", number(best.total), _("The best total"), detail)


def _wins(rows: Sequence[_Row], player: GroupPlayer) -> Iterator[Tile]:
    mine = [row for row in rows if row.player == player.pk and row.chance < 1]
    won = sum(row.won > 0 for row in mine)
    if won:
        words = ngettext("win", "wins", won)
        detail = ngettext(
            "Of %(count)d game with others", "Of %(count)d games with others", len(mine)
        )
        yield Tile("flag-green", str(won), words, detail % {"count": len(mine)})


def _streak(rows: Sequence[_Row], player: GroupPlayer | None) -> Iterator[Tile]:
    """Games won one after the other, those of several shared wins included."""
    running: Counter[int] = Counter()
    best, name = 1, ""
    for row in rows:
        if row.player is None or row.chance == 1 or (player and row.player != player.pk):
            continue
        running[row.player] = running[row.player] + 1 if row.won else 0
        if running[row.player] > best:
            best, name = running[row.player], row.name
    if name:
        detail = _("The longest streak") if player else name
        yield Tile("flag-red", str(best), _("wins in a row"), detail)


def _together(rows: Sequence[_Row], player: GroupPlayer | None) -> Iterator[Tile]:
    games: dict[int, set[int]] = defaultdict(set)
    names: dict[int, str] = {}
    for row in rows:
        if row.player is not None and row.name:
            games[row.game].add(row.player)
            names[row.player] = row.name
    pairs: Counter[tuple[int, ...]] = Counter()
    for people in games.values():
        pairs.update(combinations(sorted(people), 2))
    of_it = [pair for pair in pairs if player is None or player.pk in pair]
    if not of_it or (player is None and len(names) < 3):
        return
    most = max(of_it, key=lambda pair: (pairs[pair], [-one for one in pair]))
    who = [names[one] for one in most if player is None or one != player.pk]
    words = ngettext("game together", "games together", pairs[most])
    detail = join_names(who) if player is None else _("with %(name)s") % {"name": who[0]}
    yield Tile("key-blue", str(pairs[most]), words, detail)


def _closest(rows: Sequence[_Row]) -> Iterator[Tile]:
    """The game with others in which the first two were nearest to each other, and not even."""
    games: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        if row.chance < 1 and row.total is not None:
            games[row.game].append(row)
    found = [
        (first.total - second.total, first, second)
        for first, second in (tuple(several[:2]) for several in games.values() if len(several) > 1)
        if first.total is not None and second.total is not None and first.total > second.total
    ]
    if not found:
        return
    gap, first, second = min(found, key=lambda one: one[0])
    words = ngettext("point decided it", "points decided it", gap)
    names = [row.name or _("someone") for row in (first, second)]
    told = {"names": " – ".join(names), "day": _day(first.evening)}
    yield Tile("rocket", str(gap), words, _("%(names)s, %(day)s") % told)


def _pen(crossed: Mapping[str, Crossed]) -> Iterator[Tile]:
    drawn = sum(sum(one.by_hand.values()) for one in crossed.values())
    if drawn:
        metres = number_format(max(1, round(drawn * PEN)))
        detail = _("That makes some %(metres)s m of felt pen") % {"metres": metres}
        yield Tile("cross-2", number_format(drawn, force_grouping=True), _("crosses"), detail)


def _field(favourite: Favourite | None) -> Iterator[Tile]:
    if favourite and favourite.crossed:
        by_hand = favourite.crossed.by_hand
        field = max(by_hand, key=lambda name: by_hand[name], default="")
        if count := by_hand.get(field, 0):
            told = {"level": favourite.title, "count": count, "sheets": favourite.crossed.sheets}
            detail = _("%(level)s: on %(count)d of %(sheets)d sheets") % told
            yield Tile("sign-area", field, _("the field most loved"), detail)


def _lost(results: QuerySet[GroupResult]) -> Iterator[Tile]:
    """Points that bombs and heaps have cost; bombs bring some to who plays alone."""
    lost = 0
    for category in ("bombs", "heaps"):
        part = Cast(KT(f"parts__{category}"), IntegerField())
        lost += (
            results.annotate(part=part).filter(part__lt=0).aggregate(lost=Sum("part"))["lost"] or 0
        )
    if lost:
        yield Tile(
            "bomb", number(lost), _("points for bombs and heaps"), _("It was worth it. Mostly.")
        )


def _weekday(rows: Sequence[_Row]) -> Iterator[Tile]:
    days = Counter(day.weekday() for day in {row.evening for row in rows})
    most, count = max(days.items(), key=lambda one: (one[1], -one[0]))
    if count > 1:
        day = next(row.evening for row in rows if row.evening.weekday() == most)
        told = {"count": count, "all": sum(days.values())}
        detail = _("%(count)d of %(all)d evenings") % told
        yield Tile("planet", date_format(day, "l"), _("is when you play most"), detail)


def _day(day: date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")
