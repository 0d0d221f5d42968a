"""Steps of the tutorial: what each explains, and what the rules answer to each tap."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sheets.pages.tutorial.positions import (
    OPPONENT,
    OPPONENT_NAME,
    OWN,
    TURNS,
    positions,
    tutorial_level,
)
from sheets.rules import Action, Game, Item, RuleViolation
from sheets.rules.effect_list import find_effects_of
from sheets.scoring.score_view import sign
from sheets.scoring.sentences import item_detail, item_name
from sheets.text.event_log import effect_sentence
from sheets.text.player_names import join_names
from sheets.text.refusals import explain


class Step(NamedTuple):
    """Texts of a step: its title, what to do, and what has happened after the right tap."""

    title: str | Promise
    task: str | Promise
    done: str | Promise


STEPS: Final = (
    Step(
        gettext_lazy("The first die"),
        gettext_lazy(
            "Your first die goes next to one of your crosses, on a field with its number: tap "
            "the place for the %(die)d."
        ),
        gettext_lazy("Well placed: the %(die)d lies on %(at)s, next to a cross."),
    ),
    Step(
        gettext_lazy("Next to a die"),
        gettext_lazy(
            "Every further die goes next to one of your own dice: tap the place for the %(die)d."
        ),
        gettext_lazy("Right: the %(die)d lies on %(at)s, next to your other die."),
    ),
    Step(
        gettext_lazy("Boxed in"),
        gettext_lazy(
            "No free field touches your dice, so you are boxed in and jump: the %(die)d goes next "
            "to any cross."
        ),
        gettext_lazy("You have jumped: the %(die)d lies on %(at)s, and you go on from there."),
    ),
    Step(
        gettext_lazy("Nothing fits"),
        gettext_lazy("The last die, a %(die)d, fits nowhere: roll it again."),
        gettext_lazy(
            "Now it is a %(rolled)d and fits; otherwise, one of your dice would have gone back to "
            "the pool."
        ),
    ),
    Step(
        gettext_lazy("The bomb"),
        gettext_lazy(
            "The last die ends the pass: put the %(die)d on the bomb, before %(name)s gets there."
        ),
        gettext_lazy(
            "The pass is over: dice become crosses, and the bomb explodes for all who did not "
            "reach it."
        ),
    ),
    Step(
        gettext_lazy("The points"),
        gettext_lazy(
            "Crossed gems and complete rows pay, exploded bombs cost: how many points do you have?"
        ),
        gettext_lazy("Correct: you have %(own)d points, and %(name)s has %(other)d."),
    ),
)
"""The steps in order: one for each of `TURNS`, and the score."""

SCORE_STEP: Final = len(STEPS)
"""Number of the step that asks for the score; steps count from 1."""


class Answer(NamedTuple):
    """Answer to a tap: the step is done, or ``sentence`` says why not.

    ``is_refused`` is false for an act that the rules allow, but that does not complete the step.
    """

    is_done: bool = False
    is_refused: bool = False
    sentence: str = ""


class ScoreRow(NamedTuple):
    """One line of the score column of both players; ``sign`` is the id of a drawing."""

    sign: str
    name: str
    detail: str
    own: int
    other: int


class Price(NamedTuple):
    """What a line of the score column pays for one field or one row."""

    sign: str
    name: str
    points: int


class PassEnd(NamedTuple):
    """What the end of a pass does on the sheets of both players, with the fields it changes."""

    own: str
    own_fields: tuple[str, ...]
    other: str
    other_fields: tuple[str, ...]


def position(number: int, *, is_done: bool) -> Game:
    """Return the game of a step, before or after the right tap."""
    if number == SCORE_STEP:
        return positions()[-1]
    before = positions()[number - 1]
    return before.apply(TURNS[number - 1].act) if is_done else before


def asked_die(number: int) -> int:
    """Return the number of the die that a step is about; 0 for the score."""
    if number == SCORE_STEP:
        return 0
    return TURNS[number - 1].act.die or positions()[number - 1].pool[0]


def title_of(number: int) -> str:
    """Return the title of a step."""
    return str(STEPS[number - 1].title)


def task_sentence(number: int) -> str:
    """Return the sentence that explains a step."""
    return str(STEPS[number - 1].task) % _facts(number)


def done_sentence(number: int) -> str:
    """Return the sentence about what the right tap of a step did."""
    return str(STEPS[number - 1].done) % _facts(number)


def _facts(number: int) -> dict[str, str | int]:
    own, other = (score.total for score in positions()[-1].scores())
    facts: dict[str, str | int] = {
        **{"die": asked_die(number), "name": OPPONENT_NAME},
        **{"own": own, "other": other},
    }
    if number != SCORE_STEP:
        act = TURNS[number - 1].act
        facts |= {"at": act.at, "rolled": sum(act.dice)}
    return facts


def meanwhile_sentence(number: int) -> str:
    """Return what the opponent has placed since the previous step; empty for nothing."""
    acts = TURNS[number - 1].meanwhile if number != SCORE_STEP else ()
    return " ".join(
        _("%(name)s has placed a %(die)d.") % {"name": OPPONENT_NAME, "die": act.die}
        for act in acts
    )


def right_tap(number: int) -> tuple[str, str]:
    """Return the name and the value of the button that completes a step."""
    if number == SCORE_STEP:
        return "points", str(positions()[-1].scores()[OWN].total)
    act = TURNS[number - 1].act
    return ("at", act.at) if act.do == "place" else ("do", act.do)


def offered_taps(number: int) -> list[tuple[str, str]]:
    """Return the names and values of all buttons of a step."""
    if number == SCORE_STEP:
        return [("points", str(points)) for points in point_choices()]
    fields = [("at", field.name) for field in tutorial_level().fields]
    return fields + [("do", do) for do in acts_to_choose(number)]


def acts_to_choose(number: int) -> list[str]:
    """Return the acts next to the sheet: ``reroll`` and ``drop`` if nothing fits, else none."""
    may = positions()[number - 1].may() if number != SCORE_STEP else []
    return [] if "place" in may else may


def point_choices() -> list[int]:
    """Return the totals to choose from: the right one, one without the line, one with the bomb."""
    level, total = tutorial_level(), positions()[-1].scores()[OWN].total
    return sorted((total, total - level.lines[0].points, total + level.points["bomb"]))


def answer_to(number: int, name: str, value: str) -> Answer:
    """Return the answer to a tap on a button, whose action the rules carry out or refuse."""
    if number == SCORE_STEP:
        return _answer_to_points(value)
    game, act = positions()[number - 1], TURNS[number - 1].act
    tried = {
        "place": Action("place", OWN, value, asked_die(number)),
        "reroll": Action("reroll", OWN, dice=act.dice or game.pool),
        "drop": Action("drop", OWN),
    }["place" if name == "at" else value]
    try:
        game.apply(tried)
    except RuleViolation as violation:
        return Answer(is_refused=True, sentence=explain(violation, game.players))
    if tried == act:
        return Answer(is_done=True)
    return Answer(
        sentence=_("You may drop out: your dice would become crosses. But first, roll again.")
    )


def _answer_to_points(value: str) -> Answer:
    if ("points", value) == right_tap(SCORE_STEP):
        return Answer(is_done=True)
    sentence = _("It is not %(points)s: add up what your crosses on gems and your row pay.")
    return Answer(is_refused=True, sentence=sentence % {"points": value})


def pass_end(number: int) -> PassEnd | None:
    """Return what the tap of a step does at the end of the pass; None if it does not end it."""
    if number == SCORE_STEP:
        return None
    before, act = positions()[number - 1], TURNS[number - 1].act
    effects = find_effects_of(before, act, before.apply(act))
    if not effects:
        return None
    [crossed] = [e.fields for e in effects if e.rule == "cross-dice" and OWN in e.players]
    [bomb] = [effect for effect in effects if effect.rule == "bomb"]
    return PassEnd(
        _("Your dice become crosses: %(fields)s.") % {"fields": join_names(crossed)},
        crossed,
        effect_sentence(bomb, before.level, before.players),
        bomb.fields,
    )


def prices() -> list[Price]:
    """Return what gems, the line and an exploded bomb pay on the sheet."""
    level = tutorial_level()
    return [
        Price(sign(item), item_name(level, item), _price(item))
        for item in positions()[-1].scores()[OWN].items
    ]


def _price(item: Item) -> int:
    level = tutorial_level()
    return {
        "gems": level.points_by_colour["gem"].get(item.key, 0),
        "lines": level.lines[0].points,
        "bombs": level.points["bomb"],
    }[item.category]


def paying_fields() -> tuple[str, ...]:
    """Return the fields of the user's sheet that pay."""
    items = positions()[-1].scores()[OWN].items
    return tuple(sorted({at for item in items if item.points for at in item.fields}))


def score_rows() -> list[ScoreRow]:
    """Return the lines of the score column that pay or cost one of the players something."""
    level, scores = tutorial_level(), positions()[-1].scores()
    return [
        ScoreRow(
            sign(own), item_name(level, own), item_detail(level, own), own.points, other.points
        )
        for own, other in zip(scores[OWN].items, scores[OPPONENT].items, strict=True)
        if own.points or other.points
    ]
