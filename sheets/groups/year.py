"""What was a year like, for a group or one of its players? Told in a few tiles, and each is true.

Below `ENOUGH` games there is nothing to tell but how many.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Count, Max, Sum
from django.db.models.query import QuerySet
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.artwork.layout import number
from sheets.groups.bundles import EVERYBODY, Bundle, together
from sheets.groups.bundling import Bundled, bundles_of, crossed_among, freshen
from sheets.groups.crosses import Crossed, crossed_on, usual_marks
from sheets.groups.figures import ENOUGH, wins_words
from sheets.groups.filters import ALL, MATCHES, Choice, level_names
from sheets.groups.standings import champions_of
from sheets.groups.titles import title_among
from sheets.models import Group, GroupPlayer, GroupResult
from sheets.rules.marks import Marks
from sheets.texts.players import join_names

PEN: Final = 0.02
"""Metres of felt pen that a cross takes: two strokes through a field of a centimetre."""

MOST_NAMED: Final = 3
"""Maximum number of holders of a record that a tile names; it counts the others."""

MOST_DAYS: Final = 2
"""Maximum number of weekdays that a tile names; where more are equal, none stands out."""

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

    ``usual`` are the marks of the sheet as it mostly looks in the end. ``as_often`` are the titles
    of other levels that were played as often.
    """

    title: str
    games: int
    crossed: Crossed | None
    usual: Marks
    as_often: list[str]


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
    as_often = [names[other] for count, other in most[1:] if -count == games]
    found = crossed.get(digest)
    if found is None or found.games < ENOUGH:
        return Favourite(title, games, None, {}, as_often)
    usual = {
        field for field, share in found.shares.items() if share >= OFTEN and field in found.by_hand
    }
    return Favourite(title, games, found, usual_marks(found, usual), as_often)


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
    yield from _champions(told)
    yield from _best(told)
    yield from _wins(told)
    yield from _streak(told)
    yield from _together(told)
    yield from _closest(told)
    yield from _pen(crossed)
    yield from _field(favourite)
    yield from _lost(told)
    yield from _weekday(told.days)


def _champions(told: _Told) -> Iterator[Tile]:
    year = told.days[0].year
    first = None if told.player else champions_of(told.group, year)
    if first and first.wins:
        is_over = year < timezone.localdate().year
        detail = _("Champion: %(names)s") if is_over else _("In the lead: %(names)s")
        words = ngettext("win", "wins", 1 if first.wins == 1 else 2)
        champion = detail % {"names": _named(first.winners)}
        if first.by_average:
            champion = _("%(champion)s, by the average") % {"champion": champion}
        yield Tile("flag-yellow", wins_words(first.wins), words, champion)


def _best(told: _Told) -> Iterator[Tile]:
    if told.player:
        scored = told.results.filter(total__isnull=False, label="")
    else:  # there are many
        best_of_all = told.found.best.get("")
        holders = best_of_all.holders if best_of_all else []
        scored = told.results.filter(pk__in=[holder.result for holder in holders])
    rows = scored.select_related("player", "game").order_by("-total", "played", "pk")
    best = rows.first()
    if best is None or best.total is None:
        return
    names = [] if told.player else [one.player.name if one.player else _("someone") for one in rows]
    words = {"level": title_among(told.names, best.game), "day": _day(best.game.evening)}
    if len(names) > 1:
        detail = _named(names)
    elif told.player or best.player is None:
        detail = _("%(level)s, %(day)s") % words
    else:
        detail = _("%(name)s: %(level)s, %(day)s") % {"name": best.player.name, **words}
    yield Tile("gem-yellow", number(best.total), _("The best total"), detail)


def _wins(told: _Told) -> Iterator[Tile]:
    if told.player is None:
        return
    counts = told.results.filter(MATCHES).aggregate(all=Count("pk"), won=Sum("won"))
    if won := counts["won"]:
        words = ngettext("win", "wins", 1 if won == 1 else 2)
        detail = ngettext(
            "Of %(count)d game with others", "Of %(count)d games with others", counts["all"]
        )
        told_of = {"count": counts["all"]}
        yield Tile("flag-green", wins_words(won), words, detail % told_of)


def _streak(told: _Told) -> Iterator[Tile]:
    """Games with others won one after the other; a shared win ends the row."""
    rows = (
        told.results.filter(MATCHES, player__isnull=False)
        .order_by("game__evening", "played", "game", "place", "seat")
        .values_list("player", "won")
    )
    running: Counter[int] = Counter()
    longest: Counter[int] = Counter()
    for player, won in rows:
        running[player] = running[player] + 1 if won == 1 else 0
        longest[player] = max(longest[player], running[player])
    best = max(longest.values(), default=0)
    if best > 1:
        holders = [player for player, count in longest.items() if count == best]
        people = GroupPlayer.objects.filter(pk__in=holders).order_by("number")
        detail = _("The longest streak") if told.player else _named([one.name for one in people])
        yield Tile("flag-red", str(best), _("outright wins in a row"), detail)


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
    most = max(pairs.values())
    names = dict(told.group.players.values_list("pk", "name"))
    found = sorted(pair for pair, games in pairs.items() if games == most)
    if told.player is None:
        detail = _named([f"{names[one]} – {names[other]}" for one, other in found])
    else:
        others = [one for pair in found for one in pair if one != told.player.pk]
        detail = _("with %(name)s") % {"name": _named([names[one] for one in others])}
    words = ngettext("game together", "games together", most)
    yield Tile("key-blue", str(most), words, detail)


def _closest(told: _Told) -> Iterator[Tile]:
    """The game with others in which the first two were nearest to each other, and not even."""
    close = told.found.closest.get(told.who)
    if close is None:
        return
    results = GroupResult.objects.select_related("player").in_bulk([close.first, close.second])
    both = [results[close.first], results[close.second]]
    names = [one.player.name if one.player else one.label or _("someone") for one in both]
    words = ngettext("point decided it", "points decided it", close.gap)
    told_of = {"names": " – ".join(names), "day": _day(close.evening), "count": close.games - 1}
    detail = _("%(names)s, %(day)s")
    if more := close.games - 1:
        detail = ngettext("%(names)s, %(count)d more game", "%(names)s, %(count)d more games", more)
    detail %= told_of
    yield Tile("rocket", str(close.gap), words, detail)


def _pen(crossed: Mapping[str, Crossed]) -> Iterator[Tile]:
    drawn = sum(sum(one.by_hand.values()) for one in crossed.values())
    if drawn:
        metres = number_format(max(1, round(drawn * PEN)))
        detail = _("That makes some %(metres)s m of felt pen") % {"metres": metres}
        yield Tile("cross-2", number_format(drawn, force_grouping=True), _("crosses"), detail)


def _field(favourite: Favourite | None) -> Iterator[Tile]:
    if favourite and favourite.crossed:
        by_hand = favourite.crossed.by_hand
        count = max(by_hand.values(), default=0)
        fields = [field for field, crossed in by_hand.items() if crossed == count]
        if count and len(fields) <= MOST_NAMED:
            told = {"level": favourite.title, "count": count, "sheets": favourite.crossed.sheets}
            detail = _("%(level)s: on %(count)d of %(sheets)d sheets") % told
            words = ngettext("the field most loved", "the fields most loved", len(fields))
            yield Tile("sign-area", ", ".join(fields), words, detail)


def _lost(told: _Told) -> Iterator[Tile]:
    """Points that bombs and heaps have cost; bombs bring some to who plays alone."""
    lost = told.found.lost.get(told.who)
    if lost:
        yield Tile(
            "bomb", number(lost), _("points for bombs and heaps"), _("It was worth it. Mostly.")
        )


def _weekday(evenings: Sequence[date]) -> Iterator[Tile]:
    days = Counter(day.weekday() for day in evenings)
    count = max(days.values())
    if count > 1:
        most = sorted(day for day, evenings_on_it in days.items() if evenings_on_it == count)
        names = [date_format(date(2024, 1, 1 + day), "l") for day in most]  # a Monday
        told = {"count": count, "all": sum(days.values())}
        detail = _("%(count)d of %(all)d evenings")
        if len(most) > 1:
            detail = _("%(count)d of %(all)d evenings each")
        if len(most) <= MOST_DAYS:
            words = _("is when you play most")
            yield Tile("planet", ", ".join(names), words, detail % told)


def _named(names: Sequence[str]) -> str:
    """All who hold a record, the first of them by name."""
    if len(names) <= MOST_NAMED:
        return join_names(names)
    more = len(names) - MOST_NAMED
    words = ngettext("%(names)s and %(count)d more", "%(names)s and %(count)d more", more)
    return words % {"names": ", ".join(names[:MOST_NAMED]), "count": more}


def _day(day: date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")
