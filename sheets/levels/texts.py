"""Names and stories of the shipped levels, for the catalogues of translations.

The level files have the English texts; `sheets.levels.shipped_levels` adds the translations.
"""

from typing import Final

from django.utils.translation import gettext_noop as _

TEXTS: Final = (
    _("Butterfly"),
    _(
        "Four wings and a narrow waist. On this level you learn about fields, gems, arrows and "
        "bombs. You start at the eyes of the upper wings."
    ),
    _("Castle"),
    _(
        "Two towers, a gate and locked rooms. The keys in the yard open the way up to the flag on "
        "the battlements."
    ),
    _("Rocket"),
    _(
        "The sheet is shaped like a rocket. The rockets on its fins and its nose fly to the "
        "planets in the sky. Each fin pays when all of its fields are crossed."
    ),
    _("Treasure islands"),
    _(
        "The mainland is poor; the treasure lies on two islands in the sea, and only a rocket "
        "takes you across."
    ),
    _("By the lake"),
    _(
        "A path all around the lake. Fire a rocket on the shore and land on the island in the "
        "middle."
    ),
    _("Four bridges"),
    _(
        "A river divides the sheet. Every bridge is locked; the keys lie on the north bank, most "
        "of the gems on the south bank."
    ),
    _("Fire mountain"),
    _(
        "The crater is at the top, and gems glitter on the slopes. Take the gems before the lava "
        "covers them."
    ),
    _("Tramway"),
    _(
        "Lay tracks through the streets between the houses. Fields of a closed loop pay double or "
        "triple points, and each stop on a loop pays, too."
    ),
)
"""Name and story of each level, in the order of the levels."""
