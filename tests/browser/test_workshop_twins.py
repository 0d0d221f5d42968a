"""Edits and drawings of the editor's script compared with those of the server.

The script shows at once what the server will answer: it edits drafts as `sheets.workshop.edits`
does and draws them as `sheets.artwork` does. Here both get the same edits of random people.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from sheets.artwork.compose import (
    compose_mark,
    compose_number,
    compose_symbol,
    field_group,
)
from sheets.artwork.glyphs import CHARACTERS
from sheets.artwork.layout import lay_out
from sheets.levels import shipped_levels
from sheets.rules import Level, format_level
from sheets.rules.marks import printed_marks
from sheets.workshop.acts import read_batch
from sheets.workshop.draft import Draft, entry_fields, new_draft, visible_level
from sheets.workshop.edits import EditRefused, apply_edit
from tests.browser.random_edits import EDITS, KINDS, any_edit
from tests.browser.test_workshop_drawing import printed_boxes

Facts = dict[str, Any]

PEOPLE: Final = 27
STEPS: Final = 40

ANSWERED: Final = frozenset({"grid", "insert", "remove", "arrange"})
"""The script knows nothing of these: a page shows them when the server has answered."""

TOGETHER: Final = 4
"""So many acts at most wait for the server in one case."""

TWICE: Final = [{"row": row, "points": row} for _ in "ab" for row in (1, 2, 3)]
"""Documents may let a row pay more than once."""

SAYS_NOTHING: Final = {"difficulty": 0, "repeat_last": False, "marks": "crosses"}
"""Parts that mean what a missing one does; the script leaves them as it leaves empty ones."""

SCRIPT = """async (text) => {
    const from = (name) => import(`/static/sheets/workshop/${name}.js`);
    const [{ applyActs, gridOf }, { layOut, drawing }, { words }] =
        await Promise.all(["draft", "draw", "page"].map(from));
    const pen = drawing(words);
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
        const fields = pen.fields(draft, grid, layout, () => "");
        // What is only named here need not be drawn: that would take most of the time.
        svg.innerHTML = ([...fields.values()].join("") + pen.furniture(draft, grid, layout))
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


class Case(NamedTuple):
    """A draft, acts on it, and the draft after them; None where the server refuses."""

    before: Facts
    acts: list[Facts]
    after: Facts | None


def somebody(seed: int) -> Iterator[Case]:
    """What somebody does to a draft, some acts at a time as a slow network has them."""
    random = Random(seed)
    new = new_draft({"en": "Fir"}, "fir", 4, 4) | {"lines": TWICE}
    begun = [new, *map(format_level, shipped_levels().values())]
    document = Draft(dict(begun[seed % len(begun)])).document()
    case = Case(document, [], document)
    for _ in range(STEPS):
        act = any_edit(random, document)
        [edit] = read_batch(json.dumps({"acts": [act]}).encode()).acts
        try:
            document = apply_edit(document, edit)  # type: ignore[arg-type]
        except EditRefused:
            yield Case(document, [act], None)
            continue
        if act["do"] not in ANSWERED:
            case = Case(case.before, [*case.acts, act], document)
            if len(case.acts) < random.randint(1, TOGETHER):
                continue
        yield case
        case = Case(document, [], document)


def meant(document: Facts) -> Facts:
    """A draft without what says nothing: blanks between its fields, and empty parts."""

    def said(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        parts = {key: said(part) for key, part in value.items()}
        return {key: part for key, part in parts.items() if part not in ({}, [], "", None)}

    grid = [" ".join(row.split()) for row in document["grid"]]
    shifts = document.get("shifts", ()) if any(document.get("shifts", ())) else None
    parts = said(document | {"grid": grid, "shifts": shifts})
    return {key: part for key, part in parts.items() if part != SAYS_NOTHING.get(key)}


def glyphs_of(text: str) -> list[str]:
    return [f"art-n{CHARACTERS.index(character)}" for character in text]


def printed(level: Level, document: Facts) -> Facts:
    """What is printed, from the sheet's first field and in the order of the script's drawing."""
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
    # Beside a row's end the editor leaves room for its holes, too.
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
    ends = (end for tie in layout.ties for end in (tie.start, tie.end))
    return {
        "fields": fields,
        "labels": labels,
        "links": [[x - x0, y - y0] for x, y in ends],
        **{kind: boxes[kind] for kind in ("borders", "lengths", "walls")},
    }


def shown(found: Facts) -> Facts:
    """The script's drawing in the same terms: of each label the corner where print has it, too."""
    labels: list[Any] = []
    for one in found["labels"]:
        if isinstance(one, str):
            labels[-1][3].append(one)
        else:
            kind, left, top, right, _ = one
            labels.append([kind, right if kind == "rect" else left, top, []])
    return found | {"labels": labels}


def is_near(a: Any, b: Any) -> bool:
    """Whether two drawings are the same but for what nobody sees; arrows may differ by 0.03."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_near, a, b))
    if isinstance(a, str) or isinstance(b, str):
        return bool(a == b)
    return bool(abs(a - b) <= 0.03)


def has_idle_arrow(document: Facts) -> bool:
    """Whether an arrow's row has no field to cross: the editor shows it, to be taken away."""
    draft = Draft(document)
    crossable = {name for name, square in draft.places() if square.symbol != "V"}
    arrows = [line for line in document.get("lines", ()) if "fields" not in line]
    return not all(crossable & entry_fields(draft, line) for line in arrows)


@pytest.mark.slow
def test_editor_and_server_agree_on_what_people_do(
    open_page: Callable[..., Page], made: Callable[..., str]
) -> None:
    cases = [case for seed in range(PEOPLE) for case in somebody(seed)]
    assert set(EDITS) == KINDS
    done = {act["do"] for case in cases if case.after for act in case.acts}
    assert done == KINDS - ANSWERED
    page = open_page(made(), "desktop")
    expect(page.locator("#drawing [data-field=a1]")).to_be_attached()
    # As text: Playwright takes ten times as long over so many objects.
    answers = json.loads(page.evaluate(SCRIPT, json.dumps([case[:2] for case in cases])))
    drawn = 0
    for case, answer in zip(cases, answers, strict=True):
        if case.after is None:  # nothing broke, and the page says so when the server has answered
            continue
        assert meant(answer["draft"]) == meant(case.after), case
        level = visible_level(case.after, open_as="1")
        if not level:
            continue
        drawn += 1
        here, there = shown(answer["drawn"]), printed(level, case.after)
        if has_idle_arrow(case.after):
            for side in (here, there):
                side["labels"] = [label for label in side["labels"] if label[0] == "rect"]
        for kind, parts in there.items():
            assert is_near(here[kind], parts), (kind, here[kind], parts, case)
    assert drawn > len(cases) / 2
