"""Words that players look for although a rule does not contain them, in the active language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

KEYWORDS: Final[Mapping[str, _StrPromise]] = {
    "chapter-set-up": _("setup prepare beginning aim goal material pen pencil"),
    "dice-count": _("number of dice amount players"),
    "round-count": _("number of rounds amount players length duration"),
    "start-order": _("begin first player starting player youngest"),
    "free": _("empty available open allowed"),
    "not-next-to-cross": _("beside adjacent neighbour diagonal corner start of pass first die"),
    "not-next-to-die": _("beside adjacent neighbour diagonal corner second die chain connected"),
    "jump": _("blocked trapped stuck enclosed surrounded dead end no way"),
    "not-boxed-in": _("blocked trapped stuck wait"),
    "wrong-number": _("same number mismatch different value"),
    "field-taken": _("occupied twice full"),
    "no-number": _("blank empty field"),
    "locked": _("unlock open door colour closed"),
    "exploded": _("explode explosion blown up burst destroyed blocked"),
    "no-field": _("gap missing outside"),
    "bridges-and-walls": _("connection link barrier border blocked line"),
    "printed-crosses": _("preprinted start cross"),
    "must-place": _("forced compulsory obliged voluntary refuse allowed"),
    "reroll": _("roll again second roll new roll repeat cannot place stuck"),
    "must-return": _("take back give back remove die return"),
    "drop-out": _("pass stop quit give up leave withdraw"),
    "stuck": _("blocked trapped dead end cannot move impossible out"),
    "last-player": _("last one alone final turn"),
    "pass-end": _("finish over empty pool"),
    "not-your-turn": _("sequence who is next direction"),
    "dropped-out": _("back in return again rejoin"),
    "cross-dice": _("mark fields x"),
    "bomb": _("explode explosion blow up burst scribble"),
    "flag": _("tie same time simultaneous several players first number track"),
    "rocket": _("fly launch planets space"),
    "race": _("area first tie same time simultaneous"),
    "full-sheet": _("finished complete everything crossed early"),
    "game-end": _("finish over how long"),
    "gems": _("jewel diamond stone value"),
    "lines": _("row column line complete full bonus"),
    "puzzles": _("jigsaw set complete"),
    "areas": _("region bordered zone complete full bonus"),
    "flags": _("number track value"),
    "heaps": _("poop pile minus negative penalty"),
    "bombs": _("explode explosion minus negative penalty"),
    "winner": _("tie tied draw tiebreak tie-break equal same victory win final score"),
    "chapter-solo": _("solo single player alone one player extra dice double"),
    "rating": _("solo level score table medal result alone"),
    "erupt": _("volcano single die lava roll"),
    "lava": _("volcano spread flow burn blocked"),
    "track": _("rail draw direction curve straight"),
    "tracks": _("rail circle circuit longest closed connected"),
    "stops": _("station halt"),
    "bad-dice": _("typed wrong number of dice"),
    "not-now": _("error refused too early"),
    "return": _("undo mistake correct take back"),
    "chapter-dice2": _("skip cannot place neighbour edge"),
    "row-order": _("ascending descending sort left right"),
    "column-order": _("ascending descending sort top bottom"),
    "square-bounds": _("4x4 limit area"),
    "own-colour": _("neighbour adjacent corner diagonal"),
    "six-in-a-row": _("too many line"),
    "square": _("solo alone one player points"),
    "four-wins": _("connect four line diagonal tie draw"),
    "last-man": _("last die wins tie draw"),
    "major": _("majority markers tie draw three players"),
    "relay": _("series tournament match handicap target"),
}
"""Words by anchor on the rules page: the name of a rule, or ``chapter-`` and a chapter's name."""
