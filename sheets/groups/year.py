"""What was a year like, for a group or one of its players? Told in a few tiles, and each is true.

Below `ENOUGH` games there is nothing to tell but how many.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Count, Max, Q
from django.db.models.query import QuerySet
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.artwork.layout import number
from sheets.groups.bundles import EVERYBODY, Bundle, together
from sheets.groups.bundling import Bundled, bundles_of, crossed_among, freshen
from sheets.groups.crosses import Crossed, crossed_on, usual_marks
from sheets.groups.figures import ENOUGH
from sheets.groups.filters import ALL, Choice, level_names
from sheets.groups.titles import title_among
from sheets.models import Group, GroupPlayer, GroupResult
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
    """A year of a group, or of one player: ``tiles`` are empty where there is little to tell.

    ``people`` are those of whom there is something to tell, too, in the order in which they joined;
    ``left`` games are still to be added up.
    """

    year: int
    name: str
    games: int
    evenings: int
    tiles: list[Tile]
    favourite: Favourite | None
    people: list[GroupPlayer]
    left: int


class _Told(NamedTuple):
    """What is looked at: the results of a year, somebody's or all, and what the year adds up to.

    ``days`` are the evenings of the results, ``names`` those of the levels.
    """

    group: Group
    player: GroupPlayer | None
    results: QuerySet[GroupResult]
    found: Bundle
    days: list[date]
    names: Mapping[str, str]

    @property
    def who(self) -> int:
        """By what bundles know whose year it is."""
        return self.player.pk if self.player else EVERYBODY


def year_of(group: Group, year: int, player: GroupPlayer | None = None) -> Year:
    """In the language of who is reading. Raises NoSuchYear."""
    choice = Choice(year)
    left = freshen(group, choice)
    bundles = bundles_of(group, choice)
    found = together(one.sums for one in bundles)
    counts = _counts(bundles, player)
    games = sum(counts.values())
    if not games and not left:
        raise NoSuchYear
    results = GroupResult.objects.filter(
        choice.on_results(), game__group=group, game__is_open=False
    )
    if player:
        results = results.filter(player=player)
    days = sorted(results.order_by().values_list("game__evening", flat=True).distinct())
    name = player.name if player else group.name
    told = Year(year, name, games, len(days), [], None, [], left)
    if games < ENOUGH:
        return told
    crossed = _crossed(group, bundles, results if player else None)
    looked = _Told(group, player, results, found, days, level_names(group))
    favourite = _favourite(counts, crossed, looked.names)
    people = [pk for pk, mine in found.people.items() if mine.games >= ENOUGH and not player]
    return told._replace(
        tiles=list(_tiles(looked, crossed, favourite)),
        favourite=favourite,
        people=list(group.players.filter(pk__in=people).order_by("number")),
    )


def _counts(bundles: Sequence[Bundled], player: GroupPlayer | None) -> Counter[str]:
    """How many games there were on each level, empty for none."""
    counts: Counter[str] = Counter()
    for one in bundles:
        if player is None:
            counts[one.level] += one.sums.games
        elif mine := one.sums.people.get(player.pk):
            counts[one.level] += mine.games
    return counts


def latest_year(player: GroupPlayer, choice: Choice = ALL) -> int | None:
    """The last year in which somebody has played a game of a choice, if any."""
    games = GroupResult.objects.filter(choice.on_results(), player=player, game__is_open=False)
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


def _favourite(
    counts: Mapping[str, int], crossed: Mapping[str, Crossed], names: Mapping[str, str]
) -> Favourite | None:
    most = sorted((-count, digest) for digest, count in counts.items() if digest)
    if not most:
        return None
    games, digest = -most[0][0], most[0][1]
    title = names[digest]
    is_shared = any(-count == games for count, _digest in most[1:])
    found = crossed.get(digest)
    if found is None or found.games < ENOUGH:
        return Favourite(title, games, None, {}, is_shared)
    usual = {
        field for field, share in found.shares.items() if share >= OFTEN and field in found.by_hand
    }
    return Favourite(title, games, found, usual_marks(found, usual), is_shared)


def _crossed(
    group: Group, bundles: Sequence[Bundled], results: QuerySet[GroupResult] | None
) -> dict[str, Crossed]:
    """What was crossed on each level: by all as it is added up, or on the sheets of ``results``."""
    found: dict[str, Crossed] = {}
    mine: dict[str, list[str]] = defaultdict(list)
    if results is not None:
        sheets = results.exclude(crossed="").values_list("game__level_digest", "crossed")
        for digest, crossed in sheets:
            mine[digest].append(crossed)
    for known in group.levels.all():
        if results is None:
            of_all = crossed_among(known, bundles)
            found |= {known.digest: of_all} if of_all else {}
        elif known.digest in mine:
            found[known.digest] = crossed_on(known, mine[known.digest])
    return found


def _tiles(
    told: _Told, crossed: Mapping[str, Crossed], favourite: Favourite | None
) -> Iterator[Tile]:
    """The warmest first: not all of them fit into a picture."""
    yield from _best(told)
    yield from _wins(told)
    yield from _streak(told)
    yield from _together(told)
    yield from _closest(told)
    yield from _pen(crossed)
    yield from _field(favourite)
    yield from _lost(told)
    yield from _weekday(told.days)


def _best(told: _Told) -> Iterator[Tile]:
    if told.player:
        scored = told.results.filter(total__isnull=False, label="")
    else:  # there are many
        best_of_all = told.found.best.get("")
        scored = told.results.filter(pk=best_of_all.result if best_of_all else 0)
    rows = scored.select_related("player", "game").order_by("-total", "played", "pk")
    best = rows.first()
    if best is None or best.total is None:
        return
    words = {"level": title_among(told.names, best.game), "day": _day(best.game.evening)}
    if told.player or best.player is None:
        detail = _("%(level)s, %(day)s") % words
    else:
        detail = _("%(name)s: %(level)s, %(day)s") % {"name": best.player.name, **words}
    yield Tile("gem-yellow", number(best.total), _("The best total"), detail)


def _wins(told: _Told) -> Iterator[Tile]:
    if told.player is None:
        return
    matches = told.results.filter(chance__lt=1)
    counts = matches.aggregate(all=Count("pk"), won=Count("pk", filter=Q(won__gt=0)))
    if counts["won"]:
        words = ngettext("win", "wins", counts["won"])
        detail = ngettext(
            "Of %(count)d game with others", "Of %(count)d games with others", counts["all"]
        )
        told_of = {"count": counts["all"]}
        yield Tile("flag-green", str(counts["won"]), words, detail % told_of)


def _streak(told: _Told) -> Iterator[Tile]:
    """Games won one after the other, those of several shared wins included."""
    rows = (
        told.results.filter(chance__lt=1, player__isnull=False)
        .order_by("game__evening", "played", "game", "place", "seat")
        .values_list("player", "won")
    )
    running: Counter[int] = Counter()
    best, whose = 1, 0
    for player, won in rows:
        running[player] = running[player] + 1 if won else 0
        if running[player] > best:
            best, whose = running[player], player
    if whose:
        name = GroupPlayer.objects.get(pk=whose).name
        detail = _("The longest streak") if told.player else name
        yield Tile("flag-red", str(best), _("wins in a row"), detail)


def _together(told: _Told) -> Iterator[Tile]:
    people = told.found.people
    pairs = {
        (one, other): met.games
        for one, mine in people.items()
        for other, met in mine.met.items()
        if one < other and (told.player is None or told.player.pk in (one, other))
    }
    if not pairs or (told.player is None and len(people) < 3):
        return
    most = max(pairs, key=lambda pair: (pairs[pair], [-one for one in pair]))
    names = dict(told.group.players.filter(pk__in=most).values_list("pk", "name"))
    who = [names[one] for one in most if told.player is None or one != told.player.pk]
    words = ngettext("game together", "games together", pairs[most])
    detail = join_names(who) if told.player is None else _("with %(name)s") % {"name": who[0]}
    yield Tile("key-blue", str(pairs[most]), words, detail)


def _closest(told: _Told) -> Iterator[Tile]:
    """The game with others in which the first two were nearest to each other, and not even."""
    close = told.found.closest.get(told.who)
    if close is None:
        return
    results = GroupResult.objects.select_related("player").in_bulk([close.first, close.second])
    both = [results[close.first], results[close.second]]
    names = [one.player.name if one.player else one.label or _("someone") for one in both]
    words = ngettext("point decided it", "points decided it", close.gap)
    told_of = {"names": " – ".join(names), "day": _day(close.evening)}
    yield Tile("rocket", str(close.gap), words, _("%(names)s, %(day)s") % told_of)


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


def _lost(told: _Told) -> Iterator[Tile]:
    """Points that bombs and heaps have cost; bombs bring some to who plays alone."""
    lost = told.found.lost.get(told.who)
    if lost:
        yield Tile(
            "bomb", number(lost), _("points for bombs and heaps"), _("It was worth it. Mostly.")
        )


def _weekday(evenings: Sequence[date]) -> Iterator[Tile]:
    days = Counter(day.weekday() for day in evenings)
    most, count = max(days.items(), key=lambda one: (one[1], -one[0]))
    if count > 1:
        day = next(day for day in evenings if day.weekday() == most)
        told = {"count": count, "all": sum(days.values())}
        detail = _("%(count)d of %(all)d evenings") % told
        yield Tile("planet", date_format(day, "l"), _("is when you play most"), detail)


def _day(day: date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")
