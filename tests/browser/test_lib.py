"""The modules of lib/ that all scripts share, each by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import DEVICES, PATIENCE_MS, Site, watch
from tests.browser.finger import let_pass
from tests.browser.waiting import wait_until
from tests.web.collected import as_collected

EMPTY = """() => {
  localStorage.clear();
  sessionStorage.clear();
  document.getElementById("main").replaceChildren();
}"""


def run(page: Page, module: str, body: str, *given: Any) -> Any:
    """What the body of a function gives that is called with a module of lib/ and some values."""
    lib = f"const lib = await import('/static/sheets/lib/{module}.js');"
    return page.evaluate(f"async (given) => {{ {lib} {body} }}", given)


@pytest.fixture(scope="module")
def _logged() -> list[str]:
    """Errors that the page has logged during the current test."""
    return []


@pytest.fixture
def page_errors(_logged: list[str]) -> Iterator[list[str]]:
    """Errors inside the page; a test that expects some clears the list."""
    _logged.clear()
    yield _logged
    assert not _logged, "\n".join(_logged)


@pytest.fixture(scope="module")
def one_page(site: Site, browser: Browser, _logged: list[str]) -> Iterator[Page]:
    """One page for all tests: no test needs a database or another device."""
    context = browser.new_context(**DEVICES["phone"])
    context.set_default_timeout(PATIENCE_MS)
    watch(context, _logged)
    with as_collected():
        yield context.new_page()
    context.close()


@pytest.fixture
def page(one_page: Page, site: Site, page_errors: list[str]) -> Page:
    """An empty page of the site with its Content-Security-Policy, and nothing kept."""
    one_page.unroute_all()
    one_page.goto(f"{site.address}/rules/")
    one_page.evaluate(EMPTY)
    return one_page


def show(page: Page, html: str) -> None:
    page.evaluate("(html) => { document.getElementById('main').innerHTML = html }", html)


def swap(page: Page, html: str) -> None:
    run(page, "swap", "lib.swap('part', given[0])", html)


# Store -----------------------------------------------------------------------------------------


def test_device_remembers_values_and_texts(page: Page) -> None:
    body = "lib.deviceStore.write('a.1', [1]); lib.deviceStore.writeText('a.2', 'no');"
    run(page, "store", body)
    page.reload()
    read = "const s = lib.deviceStore; return [s.read('a.1'), s.readText('a.2'), s.read('a.2', 7)]"
    assert run(page, "store", read) == [[1], "no", 7]
    assert run(page, "store", "return lib.deviceStore.names('a.').sort()") == ["a.1", "a.2"]
    assert (
        run(page, "store", "lib.deviceStore.forget('a.1'); return lib.deviceStore.read('a.1')")
        is None
    )


@pytest.mark.parametrize("refusing", ["setItem", "getItem"])
def test_page_remembers_what_the_device_will_not(page: Page, refusing: str) -> None:
    page.evaluate(
        "(name) => { Storage.prototype[name] = () => { throw new Error('full') } }", refusing
    )
    if refusing == "getItem":
        page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no') } }")
    write = "const s = lib.deviceStore; const isKept = s.write('b', {x: 1});"
    found = run(page, "store", f"{write} return [isKept, s.read('b'), s.names('b')]")
    assert found == [False, {"x": 1}, ["b"]]
    assert (
        run(page, "store", "lib.deviceStore.forget('b'); return lib.deviceStore.read('b', 3)") == 3
    )


# Swap ------------------------------------------------------------------------------------------


def test_what_is_the_same_stays_the_same_element(page: Page) -> None:
    show(
        page,
        '<div id="part"><button data-key="one">1</button><button data-key="two">2</button>'
        '<details data-key="d"><summary>x</summary></details><input name="typed" value=""></div>',
    )
    page.evaluate("document.querySelector('[data-key=two]').dataset.mine = 'yes'")
    page.locator("#part input").fill("half a na")
    page.locator("#part summary").click()
    page.locator("[data-key=two]").focus()
    page.evaluate("window.two = document.activeElement")
    swap(
        page,
        '<div id="part" class="fresh"><button data-key="two">22</button><p data-key="three">3</p>'
        '<details data-key="d"><summary>y</summary></details><input name="typed" value=""></div>',
    )
    assert page.evaluate("document.activeElement === window.two && window.two.textContent") == "22"
    assert page.locator("#part").get_attribute("class") == "fresh"
    expect(page.locator("#part details")).to_have_attribute("open", "")
    expect(page.locator("#part input")).to_have_value("half a na")
    expect(page.locator("[data-key=one]")).to_have_count(0)
    assert page.locator("#part [id]").count() == 0  # keys are ids for a moment only


def test_keys_that_come_twice_tell_nothing(page: Page, page_errors: list[str]) -> None:
    """Such as those of the lines of several players, each in a part of its own."""
    lines = '<b data-key="row">{}</b><b data-key="column">{}</b>'
    part = '<div id="part"><p data-key="ana">{}</p><p data-key="ben">{}</p></div>'
    show(page, part.format(lines.format(1, 2), lines.format(3, 4)))
    swap(page, part.format(lines.format(5, 6), lines.format(7, 8)))
    assert page.locator("#part b").all_inner_texts() == ["5", "6", "7", "8"]
    assert not page_errors  # Idiomorph warns of ids that come twice


def test_ticks_are_theirs_and_untouched_values_follow(page: Page) -> None:
    box = '<input type="checkbox" name="{0}" id="{0}" {1}>'
    show(
        page,
        f'<div id="part">{box.format("a", "")}{box.format("b", "")}<input id="c" value="1"></div>',
    )
    page.locator("#a").check()
    fresh = box.format("a", "") + box.format("b", "checked")
    swap(page, f'<div id="part">{fresh}<input id="c" value="2"></div>')
    expect(page.locator("#a")).to_be_checked()
    expect(page.locator("#b")).to_be_checked()
    expect(page.locator("#c")).to_have_value("2")


def test_focus_goes_to_what_was_around_when_its_element_is_gone(page: Page) -> None:
    show(
        page,
        '<section tabindex="-1" id="near"><div id="part"><button>Done</button></div></section>',
    )
    page.locator("#part button").focus()
    swap(page, '<div id="part"><p>Waiting</p></div>')
    expect(page.locator("#near")).to_be_focused()


def test_part_that_the_page_keeps_is_left_alone(page: Page) -> None:
    show(page, '<div id="part"><span data-keep></span><b>1</b></div>')
    page.evaluate("document.querySelector('[data-keep]').textContent = 'drawn'")
    swap(page, '<div id="part"><span data-keep></span><b>2</b></div>')
    expect(page.locator("#part")).to_have_text("drawn2")


@pytest.mark.parametrize("fresh", ["null", "Object.assign(document.createElement('p'), {id: 'x'})"])
def test_part_does_not_become_another_one(page: Page, fresh: str) -> None:
    show(page, '<div id="part"><b>1</b></div>')
    body = f"return lib.morph(document.getElementById('part'), {fresh})"
    assert run(page, "swap", body) is None
    expect(page.locator("#part")).to_have_text("1")


# Outbox ----------------------------------------------------------------------------------------

OUTBOX = """
  const { deviceStore } = await import('/static/sheets/lib/store.js');
  const json = await import('/static/sheets/lib/json_outbox.js');
  window.told = [];
  const tell = (what) => (...more) => window.told.push([what, more[0]?.n ?? more[0] ?? null]);
  window.outbox = lib.makeOutbox({
    queue: json.sharedQueue(deviceStore, 'test.outbox'),
    post: (acts) => json.postJson('/acts/', { acts }),
    together: 3,
    taken: tell('taken'), broken: tell('broken'), held: tell('held'), later: tell('later'),
    gone: () => { tell('gone')(); window.outbox.drop(); },
  });
"""


class Server:
    """Answers acts as it is told to, and remembers which were sent together."""

    def __init__(self, page: Page) -> None:
        self.sent: list[list[Any]] = []
        self.answers: list[tuple[int, Any]] = []
        self.bad: set[Any] = set()
        page.route("**/acts/", self.answer)

    def answer(self, route: Route) -> None:
        acts = json.loads(route.request.post_data or "")["acts"]
        self.sent.append([act["what"] for act in acts])
        assert len({act["id"] for act in acts}) == len(acts)
        if self.answers:
            status, body = self.answers.pop(0)
        else:
            status = 400 if self.bad & set(self.sent[-1]) else 200
            body = {"n": len(self.sent)}
        if status == 0:
            route.abort()
        else:
            route.fulfill(status=status, body=json.dumps(body), content_type="application/json")


def told(page: Page, what: str) -> list[Any]:
    return [more for name, more in page.evaluate("window.told") if name == what]


def add(page: Page, *names: Any) -> None:
    page.evaluate("(names) => window.outbox.add(...names.map((what) => ({ what })))", list(names))


def expect_empty(page: Page) -> None:
    wait_until(page, lambda: page.evaluate("window.outbox.isEmpty() && !window.outbox.isSending()"))
    assert page.evaluate("localStorage.getItem('test.outbox')") is None


def test_acts_are_sent_in_their_order_some_at_a_time(page: Page) -> None:
    server = Server(page)
    run(page, "outbox", OUTBOX)
    add(page, 1, 2, 3, 4)
    expect_empty(page)
    assert server.sent == [[1, 2, 3], [4]]
    assert told(page, "taken") == [1, 2]


def test_acts_are_sent_again_under_their_ids(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.answers = [(0, None), (500, None), (429, None), (200, {"n": 9})]
    run(page, "outbox", OUTBOX)
    add(page, "a")
    before = page.evaluate("localStorage.getItem('test.outbox')")
    for _ in range(3):
        wait_until(page, lambda: not page.evaluate("window.outbox.isSending()"))
        assert page.evaluate("localStorage.getItem('test.outbox')") == before
        page.evaluate("window.outbox.wake()")
    expect_empty(page)
    assert server.sent == [["a"]] * 4
    assert len(told(page, "later")) == 3
    page_errors.clear()  # the answers that say no


def test_broken_act_is_given_up_alone(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.bad = {2}
    run(page, "outbox", OUTBOX)
    add(page, 1, 2, 3)
    expect_empty(page)
    assert server.sent == [[1, 2, 3], [1], [2], [3]]
    assert len(told(page, "broken")) == 1
    add(page, 4, 5)  # and the next go together again
    expect_empty(page)
    assert server.sent[-1] == [4, 5]
    page_errors.clear()


def test_sentence_of_a_server_that_can_store_nothing_is_said_until_it_can(
    page: Page, page_errors: list[str]
) -> None:
    server = Server(page)
    server.answers = [(503, {"sentence": "Full."}), (503, {"sentence": "Full."}), (409, {"n": 5})]
    run(page, "outbox", OUTBOX)
    add(page, "a")
    for _ in range(2):
        wait_until(page, lambda: not page.evaluate("window.outbox.isSending()"))
        page.evaluate("window.outbox.wake()")
    expect_empty(page)
    assert told(page, "held") == ["Full.", ""]
    assert told(page, "later") == []
    assert told(page, "taken") == [5]
    page_errors.clear()


def test_acts_about_what_is_gone_are_let_go_by_the_page(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.answers = [(404, None)]
    run(page, "outbox", OUTBOX)
    add(page, "a", "b", "c", "d")
    expect_empty(page)
    assert server.sent == [["a", "b", "c"]]
    page_errors.clear()


def test_what_waits_stays_where_it_is_once_nothing_is_sent_any_more(
    page: Page, page_errors: list[str]
) -> None:
    server = Server(page)
    server.answers = [(404, None)]
    run(page, "outbox", OUTBOX.replace("window.outbox.drop()", "window.outbox.stop()"))
    add(page, "a")
    wait_until(page, lambda: server.sent and not page.evaluate("window.outbox.isSending()"))
    add(page, "b")
    page.evaluate("window.outbox.wake()")
    page.wait_for_timeout(200)
    assert server.sent == [["a"]]
    kept = json.loads(page.evaluate("localStorage.getItem('test.outbox')"))
    assert [act["what"] for act in kept] == ["a", "b"]
    page_errors.clear()


def test_page_that_is_refused_keeps_its_acts_and_does_not_ask_for_ever(
    page: Page, page_errors: list[str]
) -> None:
    server = Server(page)
    server.answers = [(403, {"sentence": "Anew."})]
    run(page, "outbox", OUTBOX)
    add(page, "a")
    wait_until(page, lambda: told(page, "held") == ["Anew."])
    page.wait_for_timeout(1500)
    assert server.sent == [["a"]]
    assert [act["what"] for act in page.evaluate("window.outbox.acts()")] == ["a"]
    page.reload()
    run(page, "outbox", OUTBOX)
    page.evaluate("window.outbox.send()")
    expect_empty(page)
    page_errors.clear()


def test_foreign_network_that_refuses_is_asked_again(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.answers = [(403, None)]
    run(page, "outbox", OUTBOX)
    add(page, "a")
    expect_empty(page)
    assert server.sent == [["a"], ["a"]]
    page_errors.clear()


def test_queue_of_one_page_tells_what_to_keep(page: Page) -> None:
    Server(page)
    own = "json.ownQueue([{ what: 0, id: 'left' }], (acts) => window.kept.push(acts.length))"
    shared = "json.sharedQueue(deviceStore, 'test.outbox')"
    run(page, "outbox", "window.kept = [];" + OUTBOX.replace(shared, own))
    add(page, 1)
    expect_empty(page)
    assert page.evaluate("window.kept") == [2, 0]


# Say -------------------------------------------------------------------------------------------

SAY = """
  document.getElementById('main').innerHTML = '<p id="said" role="alert" hidden></p>';
  const more = { ms: 150, stays: (sentence) => sentence === 'Held.' };
  window.say = lib.sayIn(document.getElementById('said'), more);
"""


def test_sentence_goes_by_itself_unless_it_is_to_stay(page: Page) -> None:
    run(page, "say", SAY)
    said = page.locator("#said")
    say_it = """() => {
      window.say('No.', Object.assign(document.createElement('a'), { href: '/' }));
      return document.getElementById('said').hidden;
    }"""
    assert page.evaluate(say_it) is False
    assert said.locator("a").get_attribute("href") == "/"
    expect(said).to_be_hidden()
    page.evaluate("window.say('No.'); window.say('Held.')")
    page.wait_for_timeout(300)
    expect(said).to_have_text("Held.")
    assert said.is_visible()
    page.evaluate("window.say('')")
    expect(said).to_be_hidden()


def test_the_same_sentence_twice_in_a_row_is_heard_twice(page: Page) -> None:
    run(
        page,
        "say",
        "lib.hear('Place the 2.'); lib.hear('Ben: 4.', '', 'Place the 2.'); lib.hear(''); "
        "lib.hear('Ben: 4 on c7', 'Place the 2.');",
    )
    assert page.get_by_role("log").locator("p").all_inner_texts() == [
        "Place the 2.",
        "Ben: 4. Place the 2.",
        "Ben: 4 on c7. Place the 2.",
    ]


# Grid ------------------------------------------------------------------------------------------

GRID = """
  <div id="board">
    <p><button>a1</button><i></i><button>c1</button></p>
    <p><i></i><i></i><i></i></p>
    <p><i></i><button>b3</button><i></i></p>
    <p><button>a4</button><i></i><i></i></p>
  </div>
"""
WALKS = [
    ("a1", "ArrowRight", "c1"),  # over a hole
    ("c1", "ArrowRight", "c1"),  # nothing lies there
    ("c1", "ArrowDown", "b3"),  # the nearest of the next row that has one
    ("b3", "ArrowUp", "a1"),
    ("a1", "End", "c1"),
    ("c1", "Home", "a1"),
    ("a1", "PageDown", "a4"),
    ("a4", "PageUp", "a1"),
    ("c1", "PageDown", "c1"),
    ("a1", "Control+End", "a4"),
    ("b3", "Control+Home", "a1"),
    ("a1", "Escape", "main"),
]


def test_grid_is_walked_by_keyboard(page: Page) -> None:
    show(page, GRID)
    run(
        page,
        "grid",
        """const rows = [...document.querySelectorAll('#board p')].map((row) =>
             [...row.children].map((cell) => (cell.localName === 'button' ? cell : null)));
           const main = document.getElementById('main');
           lib.walkByKeys(document.getElementById('board'), rows, () => main.focus())""",
    )
    for start, key, end in WALKS:
        page.get_by_role("button", name=start, exact=True).focus()
        page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.id || document.activeElement.textContent")
        assert focused == end, (start, key)
    assert page.locator("#board [tabindex='0']").all_inner_texts() == ["a1"]


# Presses ---------------------------------------------------------------------------------------

TURNING = """
window.pressed = [];
for (const [nth, button] of document.querySelectorAll("#main button").entries()) {
  button.style = `position: fixed; left: 0; top: ${nth * 100}px; height: 50px; z-index: 9`;
  button.onclick = () => {
    window.pressed.push(button.textContent);
    if (button.value === "0") window.turn();
    else if (button.value) setTimeout(window.turn, button.value);
  };
}
window.turn = () => {
  const button = document.querySelector("#main button");
  lib.remember();
  button.textContent = button.textContent === "Done" ? "Not yet" : "Done";
};
"""


def test_a_press_means_what_stood_there_when_the_finger_came_down(page: Page) -> None:
    show(
        page,
        """<button type="button" value="0">Done</button>
        <button type="button" data-steps>Undo</button>
        <button type="button">Five</button>""",
    )
    run(page, "presses", TURNING)

    def pressed(*tops: int) -> list[str]:
        for top in tops:
            page.mouse.click(9, top + 9)
        let_pass(page, 500)
        found: list[str] = page.evaluate("window.pressed.splice(0)")
        return found

    turning = page.locator("#main button").first
    # Two quick ones never do two things; a later one does, and so does a key at once.
    assert pressed(0, 0, 0) == ["Done"]
    assert pressed(0) == ["Not yet"]
    assert pressed(100, 100) == ["Undo"]
    assert pressed(100) == ["Undo"]
    assert pressed(200, 200) == ["Five", "Five"]
    assert pressed(0, 200) == ["Done", "Five"]
    for _ in range(2):
        turning.press("Enter")
    assert pressed() == ["Not yet", "Done"]
    # An impatient one, just as the answer comes that was long in coming.
    page.evaluate("document.querySelector('#main button').value = 500")
    page.mouse.click(9, 9)
    expect(turning).to_have_text("Done")
    assert pressed(0) == ["Not yet"]
    # What changes while the finger lies on it.
    page.mouse.move(9, 9)
    page.mouse.down()
    page.evaluate("window.turn()")
    page.mouse.up()
    assert pressed() == []
