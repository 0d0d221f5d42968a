"""Texts, tables and the chart of a game analysis, from its ``dizzle-analysis/1`` document."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from math import hypot
from typing import Any, Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.art.pointers import BETTER, PLAYED, Pointer
from sheets.charts.figure import Figure, make_figure
from sheets.charts.lines import Label, Line, Point, line_chart
from sheets.charts.numbers import percent
from sheets.names.markup import untranslated
from sheets.rules import Action, Level
from sheets.text.event_log import act_sentence

MAX_MISTAKES: Final = 3
"""Maximum number of mistakes on the page, of all players together."""

MAX_WITH_TENTHS: Final = 1.95
"""Amounts of points below this have one decimal."""

MIN_POINTS: Final = 0.5
"""Smallest amount of points from dice or play that a sentence mentions."""

MAX_OPEN_OPTIONS: Final = 4
"""Number of a decision's choices that are shown without a tap; the played and the better choice are
always shown."""

MIN_CHANCE_DIFFERENCE: Final = 0.01
"""Smallest difference of two chances to win, from 0 to 1, that a mistake's text mentions."""

Report = Mapping[str, Any]
"""A ``dizzle-analysis/1`` document, or a part of one."""


class PointedField(NamedTuple):
    """A field that is marked on a sheet by ``pointer``, and ``name``, the choice there in words."""

    pointer: Pointer
    name: str


class Mistake(NamedTuple):
    """A choice that clearly cost points.

    ``at`` is the number of actions in the game up to this choice. ``chance`` is a sentence about
    the chance to win, empty if it hardly changed.
    """

    at: int
    player: int
    sentence: str
    chance: str
    pointers: tuple[PointedField, ...]


class Source(NamedTuple):
    """A row of the table of sources of points, such as luck.

    ``cells`` has an amount and its margin of error for each player. ``compared_with`` names what
    the amount is compared with, if anything. ``is_sum``: the amount is a total, not a difference.
    """

    name: str
    cells: tuple[tuple[str, str], ...]
    is_sum: bool = False
    compared_with: str = ""


class Option(NamedTuple):
    """A choice of a decision, in words.

    ``points`` is the expected total, ``more`` the difference from the played choice, ``win`` the
    chance to win, None in a solo game. Each has its amount and its margin of error.
    """

    name: str
    points: tuple[str, str]
    more: tuple[str, str]
    win: tuple[str, str] | None
    is_played: bool
    is_best: bool

    @property
    def is_notable(self) -> bool:
        """Whether the choice is always shown."""
        return self.is_played or self.is_best


class Step(NamedTuple):
    """A decision next to the replayed sheets; ``verdict`` is one sentence about it.

    ``others`` are the choices that are shown after a tap. For a mistake, ``pointers`` are the
    fields of the played and the better choice on the sheet of ``player``.
    """

    options: tuple[Option, ...]
    others: tuple[Option, ...]
    verdict: str
    is_mistake: bool
    has_win: bool
    player: int
    pointers: tuple[PointedField, ...]


def find_mistakes(report: Report, level: Level, bots: Container[int] = ()) -> list[Mistake]:
    """Return the choices that cost most points, the costliest first; ``bots`` are left out."""
    found = [
        one
        for one in report["decisions"]
        if one.get("best", {}).get("clear") and one["player"] not in bots
    ]
    found.sort(key=lambda one: one["best"]["more"]["points"]["mean"], reverse=True)
    return [_mistake(report, one, level) for one in found[:MAX_MISTAKES]]


def count_mistakes(report: Report, player: int) -> int:
    """Count the choices of a player that clearly cost points."""
    return sum(
        one["player"] == player and bool(one.get("best", {}).get("clear"))
        for one in report["decisions"]
    )


def _mistake(report: Report, decision: Report, level: Level) -> Mistake:
    more = decision["best"]["more"]
    played, best = (
        format_choice(decision["choices"][place], level)
        for place in (decision["played"], decision["best"]["choice"])
    )
    number_of_pass = sum(one["after"] <= decision["action"] for one in report["course"])
    sentence = _("Pass %(number)d, played: %(played)s. Better: %(best)s, about %(points)s more.")
    chance = ""
    if "win" in more and abs(more["win"]["mean"]) >= MIN_CHANCE_DIFFERENCE:
        done = decision["choices"][decision["played"]]["win"]["mean"]
        chances = (min(1.0, max(0.0, share)) for share in (done + more["win"]["mean"], done))
        better, worse = (percent(share, is_rough=True) for share in chances)
        chance = _("The chance to win would have been %(better)s instead of %(worse)s.") % {
            "better": better,
            "worse": worse,
        }
    points = format_points_estimate(more["points"]["mean"])
    facts = {"number": number_of_pass, "best": best, "played": played, "points": points}
    return Mistake(
        decision["action"] + 1,
        decision["player"],
        sentence % facts,
        chance,
        tuple(_pointers(decision, level)),
    )


def luck_sentence(report: Report, names: Sequence[str]) -> str:
    """Return one sentence about what the dice brought the players."""
    return _sentence_on_extremes(
        _extremes(report, "luck", names),
        both=_(
            "%(best)s was lucky with the dice (about %(more)s more than usual), "
            "and %(worst)s unlucky (about %(less)s less)."
        ),
        gain=_("%(best)s was lucky with the dice: about %(more)s more than usual."),
        loss=_("%(worst)s was unlucky with the dice: about %(less)s less than usual."),
        neither=_("Nobody was clearly lucky or unlucky with the dice."),
    )


def play_sentence(report: Report, names: Sequence[str]) -> str:
    """Return one sentence about the players' choices, compared with the greedy bot's choices."""
    return _sentence_on_extremes(
        _extremes(report, "play", names),
        both=_(
            "Compared with a simple bot, the choices of %(best)s brought about %(more)s more, "
            "and those of %(worst)s about %(less)s less."
        ),
        gain=_("The choices of %(best)s brought about %(more)s more than those of a simple bot."),
        loss=_("The choices of %(worst)s brought about %(less)s less than those of a simple bot."),
        neither=_("The choices were about as good as those of a simple bot."),
    )


def _sentence_on_extremes(
    found: Mapping[str, str], *, both: str, gain: str, loss: str, neither: str
) -> str:
    """Return the sentence that fits the result of `_extremes`, with its names and points."""
    if "more" in found:
        sentence = both if "less" in found else gain
    else:
        sentence = loss if "less" in found else neither
    return sentence % found


def _extremes(report: Report, source: str, names: Sequence[str]) -> dict[str, str]:
    """Return who clearly gained most points by a source, and who clearly lost most.

    The keys are ``best`` and ``more`` (name and points) for the gain, ``worst`` and ``less`` for
    the loss. They are left out if nobody clearly gained or lost.
    """
    parts = [one["points"][source] for one in report["players"]]
    means = [
        part["mean"] if abs(part["mean"]) >= max(MIN_POINTS, part["within"]) else 0.0
        for part in parts
    ]
    most, least = max(means), min(means)
    found: dict[str, str] = {}
    if most > 0:
        found |= {"best": names[means.index(most)], "more": format_points_estimate(most)}
    if least < 0:
        found |= {"worst": names[means.index(least)], "less": format_points_estimate(-least)}
    return found


def format_choice(choice: Report, level: Level) -> str:
    """Return a choice in few words: “e5”, “rerolling”."""
    match choice["do"]:
        case "place":
            return str(choice["at"])
        case "reroll":
            return _("rerolling")
        case "drop":
            return _("dropping out")
    action = Action(choice["do"], at=choice.get("at", ""), shape=choice.get("shape", ""))
    return act_sentence(action, level)


def format_points_estimate(mean: float) -> str:
    """Return an amount with its unit: “6 points”."""
    count = 1 if amount(mean) == amount(1) else 2
    return ngettext("%(amount)s point", "%(amount)s points", count) % {"amount": amount(mean)}


def amount(mean: float, *, is_signed: bool = False) -> str:
    """Return an amount of points without the unit: “6”, “0.4”."""
    small = abs(mean) < MAX_WITH_TENTHS
    rounded = round(mean, 1 if small else 0)
    shown = number_format(abs(rounded), decimal_pos=1 if small and rounded % 1 else 0)
    if rounded < 0:
        return f"\N{MINUS SIGN}{shown}"
    return f"+{shown}" if is_signed and rounded else shown


def source_rows(report: Report) -> list[Source]:
    """Return the rows of the table with the sources of each player's points."""
    names = {
        "start": _("Expected"),
        "luck": _("Luck"),
        "play": _("Own play"),
        "others": _("The others’ play"),
        "end": _("In the end"),
    }
    if len(report["players"]) == 1:
        del names["others"]
    rows = []
    for key, name in names.items():
        is_sum = key in ("start", "end")
        cells = tuple(_cell(one["points"][key], is_sum=is_sum) for one in report["players"])
        compared_with = _("compared with a bot") if key in ("play", "others") else ""
        rows.append(Source(name, cells, is_sum, compared_with))
    return rows


def _cell(part: Report, *, is_sum: bool) -> tuple[str, str]:
    """Return an amount and its margin of error; if this is a point or more, without tenths."""
    mean, within = part["mean"], part["within"]
    shown = amount(float(round(mean)) if within >= 1 else mean, is_signed=not is_sum)
    return shown, f"±\N{NO-BREAK SPACE}{amount(within)}" if within else ""


def chance_cell(part: Report) -> tuple[str, str]:
    """Return a chance to win and its margin of error."""
    chances = (min(1.0, max(0.0, part["mean"])), part["within"])
    mean, within = (percent(chance, is_rough=True) for chance in chances)
    return mean, f"±\N{NO-BREAK SPACE}{within}"


def course_figure(report: Report, names: Sequence[str]) -> Figure:
    """Return the chart of the chances to win, or of the expected points of a single player."""
    is_solo = len(names) == 1
    kind = "points" if is_solo else "win"
    passes = max(1, len(report["course"]) - 1)
    lines = [
        Line(
            [
                Point(place / passes, one[kind][player]["mean"], one[kind][player]["within"])
                for place, one in enumerate(report["course"])
            ],
            player,
        )
        for player in range(len(names))
    ]
    title = _("Expected points") if is_solo else _("The chance to win")
    if is_solo:
        sentence = _("How many points were likely at the beginning of each pass.")
    else:
        sentence = _("How likely each player was to win at the beginning of each pass.")
    rows = [
        [_moment(place, len(report["course"])), *_cells(entry[kind], is_share=not is_solo)]
        for place, entry in enumerate(report["course"])
    ]
    step = next(step for step in (1, 2, 3, 5, 10, 25, 100) if passes / step <= 12)
    labels = [
        Label((number - 0.5) / passes, str(number)) for number in range(step, passes + 1, step)
    ]
    drawn = line_chart(title, lines, labels, foot=_("Passes"), is_share=not is_solo)
    return make_figure(
        "course", title, sentence, drawn, [_("When"), *map(untranslated, names)], rows
    )


def _moment(place: int, moments: int) -> str:
    if place == moments - 1:
        return _("at the end")
    return _("before pass %(number)d") % {"number": place + 1}


def _cells(estimates: Sequence[Report], *, is_share: bool) -> list[str]:
    say = (lambda value: percent(value, is_rough=True)) if is_share else amount
    return [
        f"{say(one['mean'])} ± {say(one['within'])}" if one["within"] else say(one["mean"])
        for one in estimates
    ]


def decision_step(report: Report, at: int, level: Level) -> Step | None:
    """Return the decision of action number ``at``, counted from 1; None if it was no decision."""
    found = next((one for one in report["decisions"] if one["action"] == at - 1), None)
    if found is None:
        return None
    best = found.get("best")
    choices = _remeasured(found)
    options = [
        Option(
            format_choice(choice, level),
            _cell(choice["points"], is_sum=True),
            _cell(choice["more"]["points"], is_sum=False),
            chance_cell(choice["win"]) if "win" in choice else None,
            place == found["played"],
            bool(best and best["clear"] and place == best["choice"]),
        )
        for place, choice in enumerate(choices)
    ]
    # The better choice comes first, then the others by the lower bound of their interval, because
    # a high but uncertain estimate says little.
    worth = [choice["points"] for choice in choices]
    order = sorted(
        range(len(options)),
        key=lambda place: (
            not options[place].is_best,
            worth[place]["within"] - worth[place]["mean"],
        ),
    )
    first = [n for rank, n in enumerate(order) if rank < MAX_OPEN_OPTIONS or options[n].is_notable]
    return Step(
        tuple(options[n] for n in first),
        tuple(options[n] for n in order if n not in first),
        _verdict(found, level),
        bool(best and best["clear"]),
        any(option.win for option in options),
        found["player"],
        tuple(_pointers(found, level)),
    )


def _pointers(found: Report, level: Level) -> Iterator[PointedField]:
    best = found.get("best")
    if not best or not best["clear"]:
        return
    for kind, place in ((PLAYED, found["played"]), (BETTER, best["choice"])):
        choice = found["choices"][place]
        if "at" in choice:
            yield PointedField(Pointer(choice["at"], kind), format_choice(choice, level))


def _remeasured(found: Report) -> list[Report]:
    """Return a decision's choices, with a corrected value of the best one.

    The games that selected the best choice overestimate it. So its value comes only from the games
    played after it was selected, as in the verdict and in the list of mistakes.
    """
    choices = list(found["choices"])
    best = found.get("best")
    if best:
        done, more = choices[found["played"]], best["more"]
        worth = {part: _on_top(done[part], more[part]) for part in more}
        choices[best["choice"]] = choices[best["choice"]] | worth | {"more": more}
    return choices


def _on_top(done: Report, more: Report) -> Report:
    return {"mean": done["mean"] + more["mean"], "within": hypot(done["within"], more["within"])}


def _verdict(found: Report, level: Level) -> str:
    best = found.get("best")
    if best and best["clear"]:
        points = best["more"]["points"]
        return _("Better: %(best)s, about %(points)s more (give or take %(within)s).") % {
            "best": format_choice(found["choices"][best["choice"]], level),
            "points": format_points_estimate(points["mean"]),
            "within": amount(points["within"]),
        }
    if best and best["more"]["points"]["mean"] > 0:
        return _("Perhaps something else was better, but that is not clear.")
    return _("Nothing that could be done here was clearly better.")
