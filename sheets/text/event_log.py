"""Sentences for a table's log: one for each entry, one for each effect of a pass end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.rules import Action, Level
from sheets.rules.documents.game import parse_action
from sheets.rules.effect_list import Effect
from sheets.text.player_names import join_names
from sheets.text.points import format_points
from sheets.text.rulebook.games import GAME_NAMES
from sheets.text.symbols import MARK_NAMES, track_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Entry = Mapping[str, Any]

TABLE_SENTENCES: Final[Mapping[str, _StrPromise]] = {
    "done": gettext_lazy("%(who)s is done"),
    "done_for": gettext_lazy("%(who)s says that all are done"),
    "not_done": gettext_lazy("%(who)s is not done yet"),
    "agree": gettext_lazy("%(who)s agrees"),
    "disagree": gettext_lazy("%(who)s would leave it as it is"),
    "undo": gettext_lazy("%(who)s takes back: %(what)s"),
    "propose": gettext_lazy("%(who)s proposes to go back to before “%(what)s”"),
    "wind_back": gettext_lazy("The game goes back to before “%(what)s”"),
    "propose_forward": gettext_lazy("%(who)s proposes to go forward again"),
    "propose_correction": gettext_lazy("%(who)s proposes to correct the sheet of %(others)s"),
    "propose_own_correction": gettext_lazy("%(who)s proposes to correct their own sheet"),
    "wind_forward": gettext_lazy("The game goes forward again to where it was"),
    "end_pass": gettext_lazy("The pass ends"),
    "hurry": gettext_lazy("%(who)s asks whether %(others)s will go on"),
    "hurry_answer": gettext_lazy("%(who)s asks %(others)s for an answer"),
    "hurry_host": gettext_lazy("%(who)s would like to become host in place of %(others)s"),
    "bot": gettext_lazy("%(who)s: a bot plays on"),
    "pause": gettext_lazy("%(who)s pauses the game until another day"),
    "resume": gettext_lazy("%(who)s goes on with the game"),
    "move": gettext_lazy("%(who)s goes on with another phone"),
    "host": gettext_lazy("%(who)s is the host now"),
    "host_by": gettext_lazy("%(who)s makes %(others)s the host"),
    "here": gettext_lazy("%(who)s is here"),
    "free": gettext_lazy("%(who)s frees the seat of %(others)s"),
    "leave": gettext_lazy("%(who)s gets up"),
    "ask": gettext_lazy("%(who)s asks what the hard bot would do"),
}
"""Sentence by kind of an entry about the table itself (`_kind_of`)."""

ACT_PHRASES: Final[Mapping[str, _StrPromise]] = {
    "place": gettext_lazy("%(die)s on %(at)s"),
    "return": gettext_lazy("die from %(at)s back"),
    "drop": gettext_lazy("drops out"),
    "roll": gettext_lazy("rolls %(dice)s"),
    "reroll": gettext_lazy("rerolls %(dice)s"),
    "extra": gettext_lazy("rolls the extra dice %(dice)s"),
    "erupt": gettext_lazy("rolls %(die)s for the volcano"),
    "lava": gettext_lazy("lava on %(at)s"),
    "rocket": gettext_lazy("rocket to %(at)s"),
    "track": gettext_lazy("%(track)s on %(at)s"),
    "end_pass": gettext_lazy("end of the pass"),
    "correct": gettext_lazy("sheet corrected after the game"),
}
"""Phrase by kind of an act of Dizzle."""

_START_PLAYER_ACTS: Final = frozenset({"erupt", "roll"})
"""Acts whose entries name no player: only the start player does them."""

DICE2_ACT_PHRASES: Final[Mapping[str, _StrPromise]] = {
    "place": gettext_lazy("%(die)s on %(at)s"),
    "skip": gettext_lazy("skip, the %(die)s fits nowhere"),
    "throw": gettext_lazy("rolls %(die)s"),
}
"""Phrase by kind of an act of Dice² whose entry has the number of the die."""

DICE2_ACT_PHRASES_WITHOUT_DIE: Final[Mapping[str, _StrPromise]] = {
    "begin": gettext_lazy("start of %(game)s"),
    "place": gettext_lazy("the die on %(at)s"),
    "skip": gettext_lazy("skip, nothing fits"),
}
"""Phrase by kind of an act of Dice² without the number of a die."""


def is_act(entry: Entry) -> bool:
    """Return whether an entry is an act of the game, not one about the table."""
    return entry["do"] in {*ACT_PHRASES, *DICE2_ACT_PHRASES, *DICE2_ACT_PHRASES_WITHOUT_DIE}


def entry_sentence(
    entry: Entry,
    entries: Sequence[Entry],
    level: Level | None,
    names: Sequence[str],
    roller: str = "",
) -> str:
    """Return the sentence for a log entry: “Ana: 5 on c4”; empty for a hint to a single seat.

    Args:
        entry: the entry; its ``by`` is the host, if the host decided for another player.
        entries: the log, at least up to the entry, because some entries refer to earlier ones.
        level: the level that is played, None for Dice².
        names: names of the players in seating order.
        roller: name of the player who rolled the dice, for entries of rolls, which name no player.
    """
    if entry["do"] == "advise":
        return ""
    facts = {"who": names[entry["player"]] if "player" in entry else roller}
    if "correct" in entry:
        facts["others"] = names[entry["correct"]["player"]]
    elif entry["do"] in ("propose", "wind_back") and "forward" not in entry:
        facts["what"] = entry_sentence(entries[entry["to"] - 1], entries, level, names)
    elif entry["do"] == "undo":
        facts["what"] = act_sentence(parse_action(entries[entry["entry"] - 1]), level)
    elif entry["do"] in ("hurry", "free"):
        facts["others"] = join_names([names[player] for player in entry["for"]])
    elif entry["do"] == "host":
        facts["others"] = names[entry["to"]]
    sentence = TABLE_SENTENCES.get(_kind_of(entry))
    if sentence:
        text = sentence % facts
    else:
        act = act_sentence(parse_action(entry), level)
        who = facts["who"] or (_("Start player") if entry["do"] in _START_PLAYER_ACTS else "")
        text = _("%(who)s: %(what)s") % {"who": who, "what": act}
        if not who:
            text = act[:1].upper() + act[1:]
    if "by" not in entry:
        return text
    return _("%(told)s (decided by %(host)s)") % {"told": text, "host": names[entry["by"]]}


def _kind_of(entry: Entry) -> str:
    """Return the key of an entry in `TABLE_SENTENCES`; for an act of the game, another key."""
    match entry["do"]:
        case "done" if "for" in entry:
            return "done_for"
        case "propose" if "forward" in entry:
            return "propose_forward"
        case "propose" if "correct" in entry:
            is_own = entry["correct"]["player"] == entry["player"]
            return "propose_own_correction" if is_own else "propose_correction"
        case "hurry" if "proposal" in entry:
            return "hurry_answer"
        case "hurry" if "host" in entry:
            return "hurry_host"
        case "host" if entry["player"] != entry["to"]:
            return "host_by"
    return str(entry["do"])


def act_sentence(action: Action, level: Level | None) -> str:
    """Return the phrase for an action without its player: “5 on c4”."""
    die = action.die
    if level is None:
        return dice2_act_sentence(action)
    if action.do == "place":
        die = die or level.numbers[level.index[action.at]]
    facts = {
        "at": action.at,
        "die": die,
        "dice": ", ".join(map(str, action.dice)),
        "track": MARK_NAMES[action.shape],
    }
    return ACT_PHRASES[action.do] % facts


def dice2_act_sentence(action: Action) -> str:
    """Return the phrase for an action of Dice².

    For ``place`` and ``skip`` it has no number if the app rolled the die: the entry ``throw`` has
    it.
    """
    facts = {"die": action.die, "at": action.at, "game": GAME_NAMES.get(action.shape, "")}
    sentences = DICE2_ACT_PHRASES if action.die else DICE2_ACT_PHRASES_WITHOUT_DIE
    return sentences[action.do] % facts


def effect_sentence(effect: Effect, level: Level, names: Sequence[str]) -> str:
    """Return the sentence for an effect: “The bomb on d3 goes off on the sheets of Ben and Cem.”"""
    who = join_names([names[player] for player in effect.players])
    facts = {"who": who, "fields": join_names(effect.fields)}
    match effect.rule:
        case "bomb":
            return _bomb_sentence(effect, names, who)
        case "flag" | "race":
            return _points_sentence(effect, level, who)
        case "rocket":
            return ngettext(
                "The rocket of %(who)s flies to %(fields)s.",
                "The rockets of %(who)s fly to %(fields)s.",
                len(effect.fields),
            ) % facts  # fmt: skip
        case "full-sheet":
            return ngettext(
                "%(who)s has no field left to cross: the game is over.",
                "%(who)s have no field left to cross: the game is over.",
                len(effect.players),
            ) % facts  # fmt: skip
        case "stuck":
            return ngettext(
                "%(who)s is stuck and out: no field takes a die any more.",
                "%(who)s are stuck and out: no field takes a die any more.",
                len(effect.players),
            ) % facts  # fmt: skip
        case "corrected" if not effect.fields:
            return _("Another number is circled on the sheet of %(who)s.") % facts
        case "game-end":
            return _("That was the last pass: the game is over.")
    return {
        "lava": _("Lava flows over %(fields)s on the sheet of %(who)s."),
        "cross-dice": _("%(who)s crosses %(fields)s."),
        "track": _("%(who)s draws tracks on %(fields)s."),
        "corrected": _("Changed on the sheet of %(who)s: %(fields)s."),
    }[effect.rule] % facts


def _bomb_sentence(effect: Effect, names: Sequence[str], who: str) -> str:
    facts = {
        "at": effect.fields[0],
        "who": who,
        "others": join_names([names[player] for player in effect.others]),
    }
    if not effect.others:
        return _("The bomb on %(at)s, crossed by %(who)s, explodes on no sheet.") % facts
    return ngettext(
        "The bomb on %(at)s explodes on the sheet of %(others)s.",
        "The bomb on %(at)s explodes on the sheets of %(others)s.",
        len(effect.others),
    ) % facts  # fmt: skip


def _points_sentence(effect: Effect, level: Level, who: str) -> str:
    what = track_name(level, level.number_tracks[effect.place])
    points = format_points(effect.points)
    facts = {"what": what[:1].upper() + what[1:], "points": points, "who": who}
    return ngettext(
        "%(what)s: %(points)s for %(who)s.",
        "%(what)s: %(points)s each for %(who)s.",
        len(effect.players),
    ) % facts  # fmt: skip
