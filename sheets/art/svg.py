"""Inline SVG of drawings, fields and sheets, and the style sheet with their colours.

A page has one inline `sprite` with its drawings and refers to them by ``<use>``. Colours come only
from classes (``f-ROLE`` fills, ``s-ROLE`` strokes) and from ``artwork.css``, which `css` generates.
There are no style attributes: a strict Content-Security-Policy forbids them, and themes could not
change them. An element of class ``g-GROUP`` (``g-red``, ``g-bomb``) encloses coloured content, SVG
or HTML, and sets the custom properties ``--solid``, ``--tint`` … for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from sheets.art.decorations import Decoration, sheet_decorations
from sheets.art.drawings import drawing, drawings, symbol_id
from sheets.art.field_contents import (
    HALO_WIDTH,
    PlacedDrawing,
    Text,
    compose,
    compose_mark,
    field_group,
    glyph_places,
)
from sheets.art.glyphs import CHARACTERS, glyphs
from sheets.art.layout import Layout, lanes, lay_out
from sheets.art.marks import MARK_IDS, mark_id
from sheets.art.palette import DARK, GROUP_ROLES, LIGHT, Palette
from sheets.art.path_compression import short_path
from sheets.art.shapes import Shape, number_text, rectangle
from sheets.rules.level import Field, Level
from sheets.rules.marks import Marks, printed_marks

PREFIX = "art-"
"""Prefix of element ids in the page, so that they differ from all other ids."""

NAMES_MARGIN = 26
"""Room for the names of columns and rows, in hundredths of a field; sheet/sheet.css repeats it."""

_GLYPH_IDS = {character: f"n{i}" for i, character in enumerate(CHARACTERS)}
"""Element id of the outline of each of the `CHARACTERS`, without `PREFIX`."""


def sprite(ids: Iterable[str] | None = None, characters: str = CHARACTERS) -> str:
    """Return an invisible ``<svg>`` with a ``<symbol>`` for each drawing id, by default for all.

    It also has the outlines of ``characters``. The same ids always return the same text.
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
    """Return a shape as ``<path>``."""
    classes = " ".join(
        f"{kind}-{role}" for kind, role in (("f", shape.fill), ("s", shape.stroke)) if role
    )
    fill = "" if shape.fill else ' fill="none"'
    width = f' stroke-width="{number_text(shape.width)}"' if shape.stroke else ""
    return f'<path class="{classes}"{fill}{width} d="{short_path(shape.path)}"/>'


def use(item: PlacedDrawing) -> str:
    """Return a placed drawing as ``<use>``."""
    x, y, size = map(number_text, (item.x, item.y, item.size))
    at = "" if (x, y) == ("0", "0") else f' x="{x}" y="{y}"'
    return f'<use href="#{PREFIX}{item.id}"{at} width="{size}" height="{size}"/>'


def text(item: Text, role: str = "ink") -> str:
    """Return a number as ``<use>`` of its characters' outlines, so that the page needs no font."""
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
    """Return the contents of a field as SVG elements, in hundredths of the field."""
    return "".join(
        use(item) if isinstance(item, PlacedDrawing) else text(item)
        for item in compose(field, stack, opened=opened)
    )


def mark_content(name: str, mark: str) -> str:
    """Return a mark on the field with this name as an SVG element, for a layer of the field."""
    return use(compose_mark(name, mark))


def draw_decorations(decorations: Iterable[Decoration]) -> str:
    """Return the decorations over the fields as SVG, in hundredths of a field."""
    return "".join(
        '<g class="art">'
        + "".join(
            draw_path(item) if isinstance(item, Shape) else text(item, "on-badge")
            for item in decoration.items
        )
        + "</g>"
        for decoration in decorations
    )


def lane_names(layout: Layout) -> str:
    """Return SVG with the names of columns, above the fields, and of rows, to their left.

    They lie in `NAMES_MARGIN`. Sentences refer to fields by these names.
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
    """Return ``<svg>`` with a sheet's content; ``is_named`` adds the names of columns and rows."""
    room, names = (NAMES_MARGIN, lane_names(layout)) if is_named else (0, "")
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
    """Return a whole sheet as one ``<svg>`` that refers to the page's sprite (see `sheet_ids`).

    ``marks`` are the player's; printed crosses and tracks are added. ``ringed`` fields have a line
    around them. ``is_named`` adds the names of columns and rows.
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
    parts.append(draw_decorations(sheet_decorations(layout)))
    for name in ringed:
        box = layout.fields[name]
        side = box.width * 100 - 14
        ring = rectangle(box.x * 100 + 7, box.y * 100 + 7, side, side, 12)
        parts.append(draw_path(Shape(ring, "", "pen", 10)))
    return sheet_frame(layout, "".join(parts), is_named=is_named)


def sheet_ids(level: Level, marks: Iterable[str] = ()) -> set[str]:
    """Return the ids of all drawings for sheets of a level: symbols, printed marks, ``marks``."""
    ids = {symbol_id(field.symbol, field.colour) for field in level.fields if field.symbol}
    ids |= {symbol_id("open-lock", f.colour) for f in level.fields if f.symbol == "lock"}
    ids |= {mark_id(name, mark) for name, (mark,) in printed_marks(level).items()}
    return ids | mark_ids(marks)


@lru_cache(maxsize=128)
def sheet_characters(level: Level) -> str:
    """Return the characters of all numbers on a level's sheet: in fields, arrows and badges."""
    fields = chain.from_iterable(map(compose, level.fields))
    around = chain.from_iterable(one.items for one in sheet_decorations(lay_out(level)))
    texts = (item.text for item in chain(fields, around) if isinstance(item, Text))
    return "".join(sorted(set(chain.from_iterable(texts))))


def mark_ids(marks: Iterable[str]) -> set[str]:
    """Return the drawing ids of marks, with all variants."""
    return {id for mark in marks for id in MARK_IDS[mark]}


def css() -> str:
    """Return the style sheet ``artwork.css``: the classes, and the colours of both themes."""
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
        "/* Written by `python -m sheets.art` from sheets/art/palette.py. */",
        _rule(":root", light),
        "@media (prefers-color-scheme:dark){",
        _rule(":root:not([data-theme=light])", changed) + "}",
        _rule(":root[data-theme=dark]", changed),
        "@media (prefers-contrast:more){:root{--field-line:var(--ink);--tie:var(--rail)}}",
        "@media (forced-colors:active){.art-sheet,.art-field{forced-color-adjust:none}}",
        ".art-sprite{position:absolute}",
        ".art-names{fill:var(--text);font:600 24px var(--font)}",
        ".art{paint-order:stroke;stroke-linecap:round;stroke-linejoin:round}",
        groups,
        paint,
        "",
    ))  # fmt: skip


def _variables(palette: Palette) -> dict[str, str]:
    """Return the colours by the name of their CSS custom property.

    All properties are set at the root element. Selectors do not match inside of ``<use>``, so a
    theme can change the inside of a symbol only by inheritance.
    """
    return dict(palette.roles) | {
        f"{group}-{role}": colour
        for group, roles in palette.groups.items()
        for role, colour in roles.items()
    }


def _rule(selector: str, variables: Mapping[str, str]) -> str:
    declarations = ";".join(f"--{name}:{colour}" for name, colour in variables.items())
    return f"{selector}{{{declarations}}}"
