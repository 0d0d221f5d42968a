"""How does a page show the artwork?

A page holds one inline `sprite` with the drawings it uses and refers to them by ``<use>``. Colours
come from classes only (``f-ROLE`` fills, ``s-ROLE`` strokes) and from ``artwork.css``, which `css`
writes: no style attributes, so that a strict Content-Security-Policy holds and themes work. Around
anything coloured stands an element of class ``g-GROUP`` (``g-red``, ``g-bomb``); it sets the
custom properties ``--solid``, ``--tint`` … for what is inside, HTML too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from sheets.artwork.compose import (
    HALO_WIDTH,
    Placed,
    Text,
    compose,
    compose_mark,
    field_group,
    glyph_places,
)
from sheets.artwork.drawings import drawing, drawings, symbol_id
from sheets.artwork.furniture import Piece, over_fields
from sheets.artwork.glyphs import CHARACTERS, glyphs
from sheets.artwork.layout import Layout, lanes, lay_out
from sheets.artwork.marks import MARK_IDS, mark_id
from sheets.artwork.palette import DARK, GROUP_ROLES, LIGHT, Palette
from sheets.artwork.shapes import Shape, number_text, rectangle
from sheets.artwork.short_path import short_path
from sheets.rules.level import Field, Level
from sheets.rules.marks import Marks, printed_marks

PREFIX = "art-"

NAMES = 26
"""How much room the names of columns and rows have, in hundredths of a field (sheet/sheet.css)."""
"""Ids in the page begin with this, so that they meet no other id."""

_GLYPH_IDS = {character: f"n{i}" for i, character in enumerate(CHARACTERS)}


def sprite(ids: Iterable[str] | None = None, characters: str = CHARACTERS) -> str:
    """An invisible ``<svg>`` with a ``<symbol>`` per drawing id (all by default).

    The outlines of ``characters`` are always in it. The same ids give the same text.
    """
    wanted = sorted(drawings() if ids is None else set(ids))
    symbols = "".join(_symbol(id) for id in wanted)
    numbers = "".join(
        f'<path id="{PREFIX}{_GLYPH_IDS[c]}" d="{glyphs()[c].path}"/>'
        for c in dict.fromkeys(characters)
    )
    return (
        '<svg class="art-sprite" xmlns="http://www.w3.org/2000/svg" width="0" height="0" '
        f'aria-hidden="true"><defs>{numbers}</defs>{symbols}</svg>'
    )


def _symbol(id: str) -> str:
    found = drawing(id)
    group = f"art g-{found.group}" if found.group else "art"
    shapes = "".join(map(draw_path, found.shapes))
    return (
        f'<symbol id="{PREFIX}{id}" viewBox="0 0 100 100" overflow="visible">'
        f'<g class="{group}">{shapes}</g></symbol>'
    )


def draw_path(shape: Shape) -> str:
    """A shape as ``<path>``."""
    classes = " ".join(
        f"{kind}-{role}" for kind, role in (("f", shape.fill), ("s", shape.stroke)) if role
    )
    fill = "" if shape.fill else ' fill="none"'
    width = f' stroke-width="{number_text(shape.width)}"' if shape.stroke else ""
    return f'<path class="{classes}"{fill}{width} d="{short_path(shape.path)}"/>'


def use(item: Placed) -> str:
    """A placed drawing as ``<use>``."""
    x, y, size = map(number_text, (item.x, item.y, item.size))
    at = "" if (x, y) == ("0", "0") else f' x="{x}" y="{y}"'
    return f'<use href="#{PREFIX}{item.id}"{at} width="{size}" height="{size}"/>'


def text(item: Text, role: str = "ink") -> str:
    """A number as ``<use>`` of its characters' outlines: no font is needed on the page."""
    scale = f"{item.size / 100:.3f}".rstrip("0")
    paint, width = f"f-{role}", ""
    if item.halo:
        paint, width = f"art {paint} s-{item.halo}", f' stroke-width="{number_text(HALO_WIDTH)}"'
    return "".join(
        f'<use class="{paint}"{width} href="#{PREFIX}{_GLYPH_IDS[character]}" '
        f'transform="translate({number_text(x)} {number_text(item.y)})scale({scale})"/>'
        for character, x in glyph_places(item)
    )


def field_content(field: Field, stack: Sequence[str] = (), *, opened: bool = False) -> str:
    """The inside of a field's ``<svg viewBox="0 0 100 100">``, see `compose.compose`."""
    return "".join(
        use(item) if isinstance(item, Placed) else text(item)
        for item in compose(field, stack, opened=opened)
    )


def mark_content(name: str, mark: str) -> str:
    """A mark alone, to be put over a field's content by name."""
    return use(compose_mark(name, mark))


def furniture(pieces: Iterable[Piece]) -> str:
    """Arrows, borders, badges … over or under the fields, in hundredths of a field."""
    return "".join(
        '<g class="art">'
        + "".join(
            draw_path(item) if isinstance(item, Shape) else text(item, "on-badge")
            for item in piece.items
        )
        + "</g>"
        for piece in pieces
    )


def lane_names(layout: Layout) -> str:
    """What columns and rows are called, above and beside the fields: sentences name fields by it.

    They have `NAMES` of room there, in hundredths of a field.
    """
    columns, rows = lanes({name: box.middle for name, box in layout.fields.items()})
    across = (
        f'<text x="{number_text(x * 100)}" y="-5">{name}</text>' for name, x in columns.items()
    )
    down = (
        f'<text x="-13" y="{number_text(y * 100 + 8)}">{name}</text>' for name, y in rows.items()
    )
    return f'<g class="art-names" text-anchor="middle">{"".join((*across, *down))}</g>'


def sheet_frame(layout: Layout, content: str, *, is_named: bool) -> str:
    """The ``<svg>`` around what a sheet consists of, with the names of columns and rows or not."""
    room, names = (NAMES, lane_names(layout)) if is_named else (0, "")
    width, height = (number_text(side * 100 + room) for side in (layout.width, layout.height))
    return (
        f'<svg class="art-sheet" viewBox="{-room} {-room} {width} {height}" aria-hidden="true">'
        f"{content}{names}</svg>"
    )


def draw_sheet(
    level: Level,
    marks: Marks | None = None,
    ringed: Iterable[str] = (),
    *,
    is_named: bool = False,
) -> str:
    """A whole sheet as one ``<svg>`` that refers to the page's sprite (see `sheet_ids`).

    ``marks`` are the players'; printed crosses and tracks are added. Fields that are ``ringed``
    have a line around them. ``is_named`` says what columns and rows are called.
    """
    layout = lay_out(level)
    shown = {**printed_marks(level), **(marks or {})}
    parts = []
    for field in level.fields:
        box = layout.fields[field.name]
        x, y, scale = number_text(box.x * 100), number_text(box.y * 100), f"{box.width:.3f}"
        group = field_group(field)
        parts.append(
            f'<g class="art-field{f" g-{group}" if group else ""}" '
            f'transform="translate({x} {y})scale({scale})">'
            f'<rect class="f-{"tint" if group else "paper"} s-field-line" '
            f'width="100" height="100" rx="14" stroke-width="2.5"/>'
            f"{field_content(field, shown.get(field.name, ()))}</g>"
        )
    parts.append(furniture(over_fields(layout)))
    for name in ringed:
        box = layout.fields[name]
        side = box.width * 100 - 14
        ring = rectangle(box.x * 100 + 7, box.y * 100 + 7, side, side, 12)
        parts.append(draw_path(Shape(ring, "", "pen", 10)))
    return sheet_frame(layout, "".join(parts), is_named=is_named)


def sheet_ids(level: Level, marks: Iterable[str] = ()) -> set[str]:
    """The drawings a page needs for a level: its symbols, printed marks and ``marks``."""
    ids = {symbol_id(field.symbol, field.colour) for field in level.fields if field.symbol}
    ids |= {symbol_id("open-lock", f.colour) for f in level.fields if f.symbol == "lock"}
    ids |= {mark_id(name, mark) for name, (mark,) in printed_marks(level).items()}
    return ids | mark_ids(marks)


@lru_cache(maxsize=128)
def sheet_characters(level: Level) -> str:
    """Of what the numbers on a level's sheet consist: those of its fields, arrows and badges."""
    fields = chain.from_iterable(map(compose, level.fields))
    around = chain.from_iterable(piece.items for piece in over_fields(lay_out(level)))
    texts = (item.text for item in chain(fields, around) if isinstance(item, Text))
    return "".join(sorted(set(chain.from_iterable(texts))))


def mark_ids(marks: Iterable[str]) -> set[str]:
    """The drawings that the given marks may need, on whatever fields they lie."""
    return {id for mark in marks for id in MARK_IDS[mark]}


def css() -> str:
    """The style sheet with the classes and the colours of both themes (``artwork.css``)."""
    roles = dict.fromkeys((*LIGHT.roles, *GROUP_ROLES))
    paint = "\n".join(
        f".f-{role}{{fill:var(--{role})}}.s-{role}{{stroke:var(--{role})}}" for role in roles
    )
    groups = "\n".join(
        f".g-{group}{{{';'.join(f'--{role}:var(--{group}-{role})' for role in GROUP_ROLES)}}}"
        for group in LIGHT.groups
    )
    light, dark = _variables(LIGHT), _variables(DARK)
    changed = {name: colour for name, colour in dark.items() if light[name] != colour}
    return "\n".join((
        "/* Written by `python -m sheets.artwork` from sheets/artwork/palette.py. */",
        _rule(":root", light),
        "@media (prefers-color-scheme:dark){",
        _rule(":root:not([data-theme=light])", changed) + "}",
        _rule(":root[data-theme=dark]", changed),
        "@media (prefers-contrast:more){:root{--field-line:var(--ink);--tie:var(--rail)}}",
        "@media (forced-colors:active){.art-sheet,.art-field{forced-color-adjust:none}}",
        ".art-sprite{position:absolute}",
        ".art-names{fill:var(--text);font:600 24px system-ui,sans-serif}",
        ".art{paint-order:stroke;stroke-linecap:round;stroke-linejoin:round}",
        groups,
        paint,
        "",
    ))  # fmt: skip


def _variables(palette: Palette) -> dict[str, str]:
    """Colours by the names of their custom properties.

    They all stand at the root: within ``<use>`` a selector sees nothing of the page around it, so
    that a theme can reach the inside of a symbol by inheritance only.
    """
    return dict(palette.roles) | {
        f"{group}-{role}": colour
        for group, roles in palette.groups.items()
        for role, colour in roles.items()
    }


def _rule(selector: str, variables: Mapping[str, str]) -> str:
    declarations = ";".join(f"--{name}:{colour}" for name, colour in variables.items())
    return f"{selector}{{{declarations}}}"
