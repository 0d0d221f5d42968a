"""What is said to people of a look at a game?"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from math import hypot
from typing import Any, Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.artwork.pointers import BETTER, PLAYED, Pointer
from sheets.charts.figure import Figure, make_figure
from sheets.charts.lines import Label, Line, Point, line_chart
from sheets.charts.numbers import percent
from sheets.rules import Action, Level
from sheets.texts.log import act_sentence

MOST_COSTLY: Final = 3
"""So many mistakes are named at once, of all players."""

SMALL: Final = 1.95
"""Fewer points are said with a tenth."""

AT_ONCE: Final = 4
"""So many choices of a decision are shown unasked, besides what was played and what is better."""

NOTABLE: Final = 0.01
"""Smaller differences of chances to win are not named."""

Report = Mapping[str, Any]
"""A ``dizzle-analysis/1``."""


class Mistake(NamedTuple):
    """A choice that clearly cost something: after how many acts it shows, whose, and in words."""

    at: int
    player: int
    sentence: str
    more: str


class Source(NamedTuple):
    """Where points came from; ``cells`` by player, each an amount and what it may be off.

    ``beside`` says what it is compared with, if with anything.
    """

    name: str
    cells: tuple[tuple[str, str], ...]
    is_sum: bool = False
    beside: str = ""


class Option(NamedTuple):
    """One of the choices of a decision, in words; of each amount what it may be off."""

    name: str
    points: tuple[str, str]
    more: tuple[str, str]
    win: tuple[str, str] | None
    is_played: bool
    is_best: bool

    @property
    def is_notable(self) -> bool:
        """Whether it is always shown."""
        return self.is_played or self.is_best


class Named(NamedTuple):
    """A field that the sheet points at, and what was or could have been done there, in words."""

    pointer: Pointer
    name: str


class Step(NamedTuple):
    """A decision as it is shown beside the sheets; ``verdict`` says what may be said of it.

    ``others`` are choices that one has to ask for, where there are many. Of a mistake on fields
    ``pointers`` say where on the sheet of its ``player`` it was made and what was better.
    """

    options: tuple[Option, ...]
    others: tuple[Option, ...]
    verdict: str
    is_mistake: bool
    has_win: bool
    player: int
    pointers: tuple[Named, ...]


def mistakes(report: Report, level: Level, bots: Container[int] = ()) -> list[Mistake]:
    """The choices that cost most, of all players but those who were ``bots``."""
    found = [
        one
        for one in report["decisions"]
        if one.get("best", {}).get("clear") and one["player"] not in bots
    ]
    found.sort(key=lambda one: one["best"]["more"]["points"]["mean"], reverse=True)
    return [_mistake(report, one, level) for one in found[:MOST_COSTLY]]


def count_mistakes(report: Report, player: int) -> int:
    """How many choices of a player clearly cost something."""
    return sum(
        one["player"] == player and bool(one.get("best", {}).get("clear"))
        for one in report["decisions"]
    )


def _mistake(report: Report, decision: Report, level: Level) -> Mistake:
    more = decision["best"]["more"]
    played, best = (
        choice_words(decision["choices"][place], level)
        for place in (decision["played"], decision["best"]["choice"])
    )
    number_of_pass = sum(one["after"] <= decision["action"] for one in report["course"])
    points = more["points"]
    sentence = _(
        "Pass %(number)d: %(best)s instead of %(played)s would have been worth %(points)s."
    )
    said = _("It may be %(within)s more or less.") % {"within": amount(points["within"])}
    if "win" in more and abs(more["win"]["mean"]) >= NOTABLE:
        done = decision["choices"][decision["played"]]["win"]["mean"]
        chances = (min(1.0, max(0.0, chance)) for chance in (done + more["win"]["mean"], done))
        better, worse = (percent(chance, is_rough=True) for chance in chances)
        said = _(
            "It may be %(within)s more or less. The chance to win: %(better)s instead of %(worse)s."
        ) % {"within": amount(points["within"]), "better": better, "worse": worse}
    facts = {"number": number_of_pass, "best": best, "played": played}
    return Mistake(
        decision["action"] + 1,
        decision["player"],
        sentence % (facts | {"points": points_words(points["mean"])}),
        said,
    )


def choice_words(choice: Report, level: Level) -> str:
    """What somebody could do, short: “e5”, “roll again”."""
    match choice["do"]:
        case "place":
            return str(choice["at"])
        case "reroll":
            return _("rerolling")
        case "drop":
            return _("dropping out")
    action = Action(choice["do"], at=choice.get("at", ""), shape=choice.get("shape", ""))
    return act_sentence(action, level)


def points_words(mean: float) -> str:
    """So many points, of few with a tenth."""
    count = 1 if abs(mean) < SMALL and amount(mean) == amount(1) else 2
    return ngettext("%(amount)s point", "%(amount)s points", count) % {"amount": amount(mean)}


def amount(mean: float, *, is_signed: bool = False) -> str:
    """A number of points without its unit."""
    small = abs(mean) < SMALL
    rounded = round(mean, 1 if small else 0)
    shown = number_format(abs(rounded), decimal_pos=1 if small and rounded % 1 else 0)
    if rounded < 0:
        return f"\N{MINUS SIGN}{shown}"
    return f"+{shown}" if is_signed and rounded else shown


def sources(report: Report) -> list[Source]:
    """Where everybody's points came from, from what could be hoped for to what came of it."""
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
        beside = _("compared with a bot") if key in ("play", "others") else ""
        rows.append(Source(name, cells, is_sum, beside))
    return rows


def _cell(part: Report, *, is_sum: bool) -> tuple[str, str]:
    """An amount and what it may be off; what is off by points has no tenths."""
    mean, within = part["mean"], part["within"]
    shown = amount(float(round(mean)) if within >= 1 else mean, is_signed=not is_sum)
    return shown, f"±\N{NO-BREAK SPACE}{amount(within)}" if within else ""


def _chance(part: Report) -> tuple[str, str]:
    """A chance to win and what it may be off."""
    chances = (min(1.0, max(0.0, part["mean"])), part["within"])
    mean, within = (percent(chance, is_rough=True) for chance in chances)
    return mean, f"±\N{NO-BREAK SPACE}{within}"


def course_figure(report: Report, names: Sequence[str]) -> Figure:
    """Everybody's chance to win over the game; alone, the points that were to be expected."""
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
    title = _("Points to be expected") if is_solo else _("The chance to win")
    if is_solo:
        sentence = _(
            "What could be expected at the beginning of each pass, and how far it may be off."
        )
    else:
        sentence = _("How likely each one was to win, at the beginning of each pass.")
    rows = [
        [_moment(place, len(report["course"])), *_cells(entry[kind], is_share=not is_solo)]
        for place, entry in enumerate(report["course"])
    ]
    step = next(step for step in (1, 2, 3, 5, 10, 25, 100) if passes / step <= 12)
    labels = [
        Label((number - 0.5) / passes, str(number)) for number in range(step, passes + 1, step)
    ]
    drawn = line_chart(title, lines, labels, foot=_("Passes"), is_share=not is_solo)
    return make_figure("course", title, sentence, drawn, [_("When"), *names], rows)


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


def step(report: Report, at: int, level: Level) -> Step | None:
    """What the choices were worth with the last of so many acts; None if nobody had any."""
    found = next((one for one in report["decisions"] if one["action"] == at - 1), None)
    if found is None:
        return None
    best = found.get("best")
    choices = _found_anew(found)
    options = [
        Option(
            choice_words(choice, level),
            _cell(choice["points"], is_sum=True),
            _cell(choice["more"]["points"], is_sum=False),
            _chance(choice["win"]) if "win" in choice else None,
            place == found["played"],
            bool(best and best["clear"] and place == best["choice"]),
        )
        for place, choice in enumerate(choices)
    ]
    # What the verdict speaks of comes first, then what is worth more at least: a high number that
    # is hardly known says little.
    worth = [choice["points"] for choice in choices]
    order = sorted(
        range(len(options)),
        key=lambda place: (
            not options[place].is_best,
            worth[place]["within"] - worth[place]["mean"],
        ),
    )
    first = [n for rank, n in enumerate(order) if rank < AT_ONCE or options[n].is_notable]
    return Step(
        tuple(options[n] for n in first),
        tuple(options[n] for n in order if n not in first),
        _verdict(found, level),
        bool(best and best["clear"]),
        any(option.win for option in options),
        found["player"],
        tuple(_pointers(found, level)),
    )


def _pointers(found: Report, level: Level) -> Iterator[Named]:
    best = found.get("best")
    if not best or not best["clear"]:
        return
    for kind, place in ((PLAYED, found["played"]), (BETTER, best["choice"])):
        choice = found["choices"][place]
        if "at" in choice:
            yield Named(Pointer(choice["at"], kind), choice_words(choice, level))


def _found_anew(found: Report) -> list[Report]:
    """The choices, what looked better as the games made it that were played after it did.

    So it is worth the same here as in the verdict and among the mistakes: the games before chose
    it, which flatters it.
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
        return _("%(best)s would have been worth %(points)s more, give or take %(within)s.") % {
            "best": choice_words(found["choices"][best["choice"]], level),
            "points": points_words(points["mean"]),
            "within": amount(points["within"]),
        }
    if best and best["more"]["points"]["mean"] > 0:
        return _("Perhaps something else was better, but that is not clear.")
    return _("Nothing that could be done here was clearly better.")
