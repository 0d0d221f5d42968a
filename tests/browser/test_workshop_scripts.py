"""Edits and drawings of the editor's script, compared with those of the server.

The script shows the expected answer of the server at once: it edits drafts like
`sheets.workshop.edits` and draws them like `sheets.art`. Both get the same random edits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import expect

from sheets.art.field_contents import compose_mark, compose_number, compose_symbol, field_group
from sheets.art.glyphs import CHARACTERS
from sheets.art.layout import lay_out
from sheets.levels import shipped_levels
from sheets.rules import Level, format_level
from sheets.rules.marks import printed_marks
from sheets.workshop.acts import read_batch
from sheets.workshop.draft import Draft, entry_fields, new_draft, visible_level
from sheets.workshop.edits import EditRefused, apply_edit
from tests.browser.conftest import MakePath, OpenPage
from tests.browser.random_edits import EDIT_KINDS, EDITS, random_edit
from tests.browser.test_workshop_drawing import printed_boxes

Facts = dict[str, Any]
"""Part of a document."""

RANDOM_DRAFTS: Final = 27
"""Number of randomly edited drafts."""

EDITS_PER_DRAFT: Final = 40
"""Number of edits of each draft."""

SERVER_EDITS: Final = frozenset({"grid", "insert", "remove", "arrange"})
"""Edits that only the server applies: a page shows them after the answer."""

MAX_BATCH: Final = 4
"""Maximum number of acts in one case."""

DUPLICATE_LINES: Final = [{"row": row, "points": row} for _ in "ab" for row in (1, 2, 3)]
"""Documents may let a row pay more than once."""

DEFAULTS: Final = {"difficulty": 0, "repeat_last": False, "marks": "crosses"}
"""Values that mean the same as a missing part; the script leaves them like empty parts."""

SCRIPT = """async (text) => {
    const from = (name) => import(`/static/sheets/workshop/${name}.js`);
    const [{ applyActs, gridOf }, { layOut, fields, furniture }] =
        await Promise.all(["draft", "draw"].map(from));
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    document.body.append(svg);
    const all = (selector, found, within = svg) =>
        [...within.querySelectorAll(selector)].map(found);
    const id = (use) => use.getAttribute("href").slice(1);
    const placed = (use) =>
        [id(use), ...["x", "y", "width"].map((one) => Number(use.getAttribute(one)))];
    const matrixOf = (field) => field?.transform.baseVal.consolidate().matrix ?? { e: 0, f: 0 };

    function drawn(draft) {
        const grid = gridOf(draft);
        const layout = layOut(draft, grid, 0.5);
        const drawings = fields(draft, grid, layout, () => "");
        // What is only named here need not be drawn: that would take most of the time.
        svg.innerHTML = ([...drawings.values()].join("") + furniture(draft, grid, layout))
            .replaceAll("<use", "<title");
        const origin = matrixOf(svg.querySelector(".art-field:not(.hole)"));
        const place = (x, y) => [(x - origin.e) / 100, (y - origin.f) / 100];
        const box = (one) => {
            const { x, y, width, height } = one.getBBox();
            return [...place(x, y), ...place(x + width, y + height)];
        };
        const bordered = all(".border-line, .chain-line", (path) => path).filter((path) =>
            path.getTotalLength());
        return {
            fields: all(".art-field:not(.hole)", (field) => {
                const { e, f, a } = matrixOf(field);
                const group = [...field.classList].find((name) => name.startsWith("g-")) ?? "";
                const uses = all("title:not(.f-ink)", placed, field);
                const digits = all(".f-ink", id, field);
                return [field.dataset.field, group.slice(2), [...place(e, f), a], uses, digits];
            }),
            borders: bordered.map(box),
            lengths: bordered.map((path) => [path.getTotalLength() / 100]),
            labels: all(".f-badge, .f-on-badge", (one) =>
                one.localName === "title" ? id(one) : [one.localName, ...box(one)]),
            links: all(".link-end", ({ cx, cy }) => place(cx.baseVal.value, cy.baseVal.value)),
            walls: all(".wall-line", box),
        };
    }
    const answers = JSON.parse(text).map(([before, acts]) => {
        const draft = applyActs(before, acts);
        return { draft, drawn: drawn(draft) };
    });
    svg.remove();
    return JSON.stringify(answers);
}"""
"""Script that applies acts to drafts and draws the results."""


class Case(NamedTuple):
    """A draft, acts on it, and the resulting draft; None if the server refuses them."""

    before: Facts
    acts: list[Facts]
    after: Facts | None


def random_cases(seed: int) -> Iterator[Case]:
    """Edit a draft randomly; yield batches of edits as on a slow network."""
    random = Random(seed)
    new = new_draft({"en": "Fir"}, "fir", 4, 4) | {"lines": DUPLICATE_LINES}
    begun = [new, *map(format_level, shipped_levels().values())]
    document = Draft(dict(begun[seed % len(begun)])).document()
    case = Case(document, [], document)
    for _ in range(EDITS_PER_DRAFT):
        act = random_edit(random, document)
        [edit] = read_batch(json.dumps({"acts": [act]}).encode()).acts
        try:
            document = apply_edit(document, edit)  # type: ignore[arg-type]
        except EditRefused:
            yield Case(document, [act], None)
            continue
        if act["do"] not in SERVER_EDITS:
            case = Case(case.before, [*case.acts, act], document)
            if len(case.acts) < random.randint(1, MAX_BATCH):
                continue
        yield case
        case = Case(document, [], document)


def normalised(document: Facts) -> Facts:
    """Return a draft without blanks between its fields and without default parts."""

    def said(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        parts = {key: said(part) for key, part in value.items()}
        return {key: part for key, part in parts.items() if part not in ({}, [], "", None)}

    grid = [" ".join(row.split()) for row in document["grid"]]
    shifts = document.get("shifts", ()) if any(document.get("shifts", ())) else None
    parts = said(document | {"grid": grid, "shifts": shifts})
    return {key: part for key, part in parts.items() if part != DEFAULTS.get(key)}


def glyphs_of(text: str) -> list[str]:
    return [f"art-n{CHARACTERS.index(character)}" for character in text]


def printed_drawing(level: Level, document: Facts) -> Facts:
    """Return the printed parts, from the sheet's first field and in the script's order."""
    layout, marks, squares = lay_out(level), printed_marks(level), dict(Draft(document).places())
    x0, y0 = next(iter(layout.fields.values()))[:2]
    fields = []
    for field in level.fields:
        over = [compose_mark(field.name, mark) for mark in marks.get(field.name, ())]
        uses = [[f"art-{one.id}", *one[1:]] for one in (*compose_symbol(field), *over)]
        is_open = squares[field.name].number == "?"
        number = "" if is_open else "".join(text.text for text in compose_number(field))
        x, y, width, _ = layout.fields[field.name]
        place = [x - x0, y - y0, width]
        fields.append([field.name, field_group(field), place, uses, glyphs_of(number)])
    # The editor also leaves space for the holes at the end of a row.
    shifts = level.shifts or (0.0,) * level.rows
    right = max(field.column + shifts[field.row] + 1 for field in level.fields)
    room = Draft(document).columns + max(0.0, *shifts) - right
    labels: list[Any] = []
    for badge in layout.badges:
        labels.append(
            ["rect", badge.box.x + badge.box.width - x0, badge.box.y - y0, glyphs_of(badge.text)]
        )
    for arrow in layout.arrows:
        x = arrow.box.x + (room if arrow.direction == "left" else 0)
        labels.append(["path", x - x0, arrow.box.y - y0, glyphs_of(arrow.text)])
    boxes = printed_boxes(layout)
    ends = (end for link in layout.links for end in (link.start, link.end))
    return {
        "fields": fields,
        "labels": labels,
        "links": [[x - x0, y - y0] for x, y in ends],
        **{kind: boxes[kind] for kind in ("borders", "lengths", "walls")},
    }


def script_drawing(found: Facts) -> Facts:
    """Return the script's drawing in the same terms; of labels the corner that print has, too."""
    labels: list[Any] = []
    for one in found["labels"]:
        if isinstance(one, str):
            labels[-1][3].append(one)
        else:
            kind, left, top, right, _ = one
            labels.append([kind, right if kind == "rect" else left, top, []])
    return found | {"labels": labels}


def is_near(a: Any, b: Any) -> bool:
    """Return whether two drawings differ only invisibly; arrows may differ by 0.03."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_near, a, b))
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    return bool(abs(a - b) <= 0.03)


def has_idle_arrow(document: Facts) -> bool:
    """Return whether the row of an arrow has no field: the editor shows it for deletion."""
    draft = Draft(document)
    crossable = {name for name, square in draft.places() if square.symbol != "V"}
    arrows = [line for line in document.get("lines", ()) if "fields" not in line]
    return not all(crossable & entry_fields(draft, line) for line in arrows)


@pytest.mark.slow
def test_editor_and_server_agree_on_random_edits(open_page: OpenPage, make_level: MakePath) -> None:
    cases = [case for seed in range(RANDOM_DRAFTS) for case in random_cases(seed)]
    assert set(EDITS) == EDIT_KINDS
    done = {act["do"] for case in cases if case.after for act in case.acts}
    assert done == EDIT_KINDS - SERVER_EDITS
    page = open_page(make_level(), "desktop")
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    # As JSON: Playwright takes ten times as long to pass objects.
    answers = json.loads(page.evaluate(SCRIPT, json.dumps([case[:2] for case in cases])))
    drawn = 0
    for case, answer in zip(cases, answers, strict=True):
        if case.after is None:  # the page shows the refusal after the answer
            continue
        assert normalised(answer["draft"]) == normalised(case.after), case
        level = visible_level(case.after, open_as="1")
        if not level:
            continue
        drawn += 1
        here, there = script_drawing(answer["drawn"]), printed_drawing(level, case.after)
        if has_idle_arrow(case.after):
            for side in (here, there):
                side["labels"] = [label for label in side["labels"] if label[0] == "rect"]
        for kind, parts in there.items():
            assert is_near(here[kind], parts), (kind, here[kind], parts, case)
    assert drawn > len(cases) / 2
