"""The shared script modules of lib/, each tested alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import DEVICES, Site, collect_errors
from tests.browser.polling import SHORT_TIMEOUT, TIMEOUT_MS, wait_until
from tests.browser.touch import advance_clock
from tests.web.collected import as_collected

CLEAR_PAGE = """() => {
  localStorage.clear();
  sessionStorage.clear();
  document.getElementById("main").replaceChildren();
}"""
"""Script that clears the storage and the content of the page."""


def run(page: Page, module: str, body: str, *given: Any) -> Any:
    """Import a module of lib/ in the page and return the result of a function body."""
    lib = f"const lib = await import('/static/sheets/lib/{module}.js');"
    return page.evaluate(f"async (given) => {{ {lib} {body} }}", given)


@pytest.fixture(scope="module")
def logged_errors() -> list[str]:
    """Errors that the page has logged during the current test."""
    return []


@pytest.fixture
def page_errors(logged_errors: list[str]) -> Iterator[list[str]]:
    """Errors inside the page; a test that expects some clears the list."""
    logged_errors.clear()
    yield logged_errors
    assert not logged_errors, "\n".join(logged_errors)


@pytest.fixture(scope="module")
def shared_page(site: Site, browser: Browser, logged_errors: list[str]) -> Iterator[Page]:
    """One page for all tests, which need neither a database nor another device."""
    context = browser.new_context(**DEVICES["phone"])
    context.set_default_timeout(TIMEOUT_MS)
    collect_errors(context, logged_errors)
    with as_collected():
        yield context.new_page()
    context.close()


@pytest.fixture
def page(shared_page: Page, site: Site, page_errors: list[str]) -> Page:
    """An empty page of the site with its Content-Security-Policy, and empty storage."""
    shared_page.unroute_all()
    shared_page.goto(f"{site.address}/rules/")
    shared_page.evaluate(CLEAR_PAGE)
    return shared_page


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
def test_page_stores_values_in_memory_when_the_device_refuses(page: Page, refusing: str) -> None:
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


def test_unchanged_parts_keep_their_elements(page: Page) -> None:
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
    assert page.locator("#part [id]").count() == 0  # keys are ids only during the swap


def test_duplicate_keys_identify_no_element(page: Page, page_errors: list[str]) -> None:
    """Keys repeat, for example, in the lines of several players."""
    lines = '<b data-key="row">{}</b><b data-key="column">{}</b>'
    part = '<div id="part"><p data-key="ana">{}</p><p data-key="ben">{}</p></div>'
    show(page, part.format(lines.format(1, 2), lines.format(3, 4)))
    swap(page, part.format(lines.format(5, 6), lines.format(7, 8)))
    assert page.locator("#part b").all_inner_texts() == ["5", "6", "7", "8"]
    assert not page_errors  # Idiomorph warns of duplicate ids


def test_ticks_of_the_user_stay_and_untouched_values_are_updated(page: Page) -> None:
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


def test_focus_moves_to_the_ancestor_of_a_removed_element(page: Page) -> None:
    show(
        page,
        '<section tabindex="-1" id="near"><div id="part"><button>Done</button></div></section>',
    )
    page.locator("#part button").focus()
    swap(page, '<div id="part"><p>Waiting</p></div>')
    expect(page.locator("#near")).to_be_focused()


def test_permanent_part_is_not_changed(page: Page) -> None:
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
  window.told = [];
  const tell = (what) => (...more) => window.told.push([what, more[0]?.n ?? more[0] ?? null]);
  window.outbox = lib.makeOutbox({
    name: 'test.outbox',
    post: (acts) => lib.postJson('/acts/', { acts }),
    together: 3,
    taken: tell('taken'), broken: tell('broken'), held: tell('held'), later: tell('later'),
    gone: () => { tell('gone')(); window.outbox.drop(); },
  });
"""
"""Script that creates an outbox and records its events in `window.told`."""


class Server:
    """Fake server that records the batches it receives and returns the prepared answers."""

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


def outbox_events(page: Page, what: str) -> list[Any]:
    """Return the values of all events of a kind."""
    return [more for name, more in page.evaluate("window.told") if name == what]


def add(page: Page, *names: Any) -> None:
    page.evaluate("(names) => window.outbox.add(...names.map((what) => ({ what })))", list(names))


def stored_acts(page: Page) -> list[str]:
    """Return the stored acts as JSON, in their order."""
    values = "(name) => Object.keys(localStorage).filter((one) => one.startsWith(name)).sort()"
    names = page.evaluate(values, "test.outbox")
    return [str(page.evaluate("(name) => localStorage.getItem(name)", name)) for name in names]


def expect_empty(page: Page) -> None:
    wait_until(page, lambda: page.evaluate("window.outbox.isEmpty() && !window.outbox.isSending()"))
    assert stored_acts(page) == []


def test_acts_are_sent_in_order_and_in_batches(page: Page) -> None:
    server = Server(page)
    run(page, "outbox", OUTBOX)
    add(page, 1, 2, 3, 4)
    expect_empty(page)
    assert server.sent == [[1, 2, 3], [4]]
    assert outbox_events(page, "taken") == [1, 2]


def test_acts_are_retried_with_the_same_ids(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.answers = [(0, None), (500, None), (429, None), (200, {"n": 9})]
    run(page, "outbox", OUTBOX)
    add(page, "a")
    before = stored_acts(page)
    for _ in range(3):
        wait_until(page, lambda: not page.evaluate("window.outbox.isSending()"))
        assert stored_acts(page) == before
        page.evaluate("window.outbox.wake()")
    expect_empty(page)
    assert server.sent == [["a"]] * 4
    assert len(outbox_events(page, "later")) == 3
    page_errors.clear()  # the answers that say no


def test_only_the_invalid_act_of_a_batch_is_dropped(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.bad = {2}
    run(page, "outbox", OUTBOX)
    add(page, 1, 2, 3)
    expect_empty(page)
    assert server.sent == [[1, 2, 3], [1], [2], [3]]
    assert len(outbox_events(page, "broken")) == 1
    add(page, 4, 5)  # the next acts form a batch again
    expect_empty(page)
    assert server.sent[-1] == [4, 5]
    page_errors.clear()


def test_message_of_a_server_that_cannot_store_is_shown_until_it_can(
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
    assert outbox_events(page, "held") == ["Full.", ""]
    assert outbox_events(page, "later") == []
    assert outbox_events(page, "taken") == [5]
    page_errors.clear()


def test_page_drops_acts_on_a_deleted_resource(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.answers = [(404, None)]
    run(page, "outbox", OUTBOX)
    add(page, "a", "b", "c", "d")
    expect_empty(page)
    assert server.sent == [["a", "b", "c"]]
    page_errors.clear()


def test_queued_acts_stay_stored_after_the_outbox_is_stopped(
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
    assert [json.loads(act)["what"] for act in stored_acts(page)] == ["a", "b"]
    page_errors.clear()


def test_refused_page_keeps_its_acts_and_stops_retrying(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.answers = [(403, {"sentence": "Anew."})]
    run(page, "outbox", OUTBOX)
    add(page, "a")
    wait_until(page, lambda: outbox_events(page, "held") == ["Anew."])
    page.wait_for_timeout(1500)
    assert server.sent == [["a"]]
    assert [act["what"] for act in page.evaluate("window.outbox.acts()")] == ["a"]
    page.reload()
    run(page, "outbox", OUTBOX)
    page.evaluate("window.outbox.send()")
    expect_empty(page)
    page_errors.clear()


def test_refusal_by_a_foreign_network_is_retried(page: Page, page_errors: list[str]) -> None:
    server = Server(page)
    server.answers = [(403, None)]
    run(page, "outbox", OUTBOX)
    add(page, "a")
    expect_empty(page)
    assert server.sent == [["a"], ["a"]]
    page_errors.clear()


@pytest.mark.parametrize("callback", ["taken", "changed"])
def test_error_while_drawing_is_reported_and_sending_goes_on(
    page: Page, page_errors: list[str], callback: str
) -> None:
    server = Server(page)
    server.answers = [(500, None)]
    options = f"""together: 1, {callback}(given) {{
      if (given) throw new Error("drawing");
    }}"""
    script = OUTBOX.replace("taken: tell('taken'), ", "").replace("together: 3", options)
    run(page, "outbox", script)
    add(page, "a", "b")
    expect_empty(page)
    assert server.sent == [["a"], ["a"], ["b"]]
    assert len(outbox_events(page, "later")) == 1
    assert "exception: drawing" in page_errors
    page_errors.clear()


def test_two_tabs_share_a_queue_and_overwrite_no_act(page: Page) -> None:
    other = page.context.new_page()
    other.goto(page.url)
    for tab in (page, other):
        run(tab, "outbox", OUTBOX)
        tab.evaluate("window.outbox.stop()")
    shown = "window.outbox.acts().map(({ what }) => what)"
    for count, tab in enumerate((page, other, page), start=1):
        add(tab, count)
        for one in (page, other):
            wait_until(one, lambda one=one, n=count: len(one.evaluate(shown)) == n)  # type: ignore[misc]
    assert other.evaluate(shown) == page.evaluate(shown) == [1, 2, 3]
    other.close()


@pytest.mark.parametrize("name", ["test.outbox", "test.outbox.left"])
def test_lists_stored_by_earlier_versions_are_sent_first(page: Page, name: str) -> None:
    server = Server(page)
    left = json.dumps([{"what": 0, "id": "left"}])
    page.evaluate("([name, acts]) => localStorage.setItem(name, acts)", [name, left])
    run(page, "outbox", OUTBOX)
    assert page.evaluate("(name) => localStorage.getItem(name)", name) is None
    add(page, 1)
    expect_empty(page)
    assert [what for batch in server.sent for what in batch] == [0, 1]


# Replaced history entries ------------------------------------------------------------------------


def test_form_without_an_answer_is_submitted_natively(page: Page) -> None:
    page.evaluate(f"() => {{ {SHORT_TIMEOUT} }}")
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.fulfill(body="<h1>Natively</h1>", content_type="text/html")

    page.route("**/again/", answer)
    show(page, '<form method="post" action="/again/" data-again><button>Again</button></form>')
    run(page, "single_history_entry", "")
    page.get_by_role("button", name="Again").click()
    expect(page.get_by_role("heading")).to_have_text("Natively")


# Messages --------------------------------------------------------------------------------------

MESSAGE = """
  document.getElementById('main').innerHTML = '<p id="said" role="alert" hidden></p>';
  const more = { ms: 150, stays: (sentence) => sentence === 'Held.' };
  window.say = lib.messageIn(document.getElementById('said'), more);
"""
"""Script that creates an area for messages."""


def test_message_disappears_unless_it_is_permanent(page: Page) -> None:
    run(page, "live_region", MESSAGE)
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


def test_repeated_message_is_announced_twice(page: Page) -> None:
    run(
        page,
        "live_region",
        "lib.announce('Place the 2.'); lib.announce('Ben: 4.', '', 'Place the 2.'); "
        "lib.announce(''); lib.announce('Ben: 4 on c7', 'Place the 2.');",
    )
    assert page.get_by_role("log").locator("p").all_inner_texts() == [
        "Place the 2.",
        "Ben: 4. Place the 2.",
        "Ben: 4 on c7. Place the 2.",
    ]


def test_names_in_messages_are_marked_and_stay_as_they_are(page: Page) -> None:
    names = ["<b>Ana</b>", "ميّادة", "Ana (7) $&", "Ana"]
    sentence = f"{names[2]}, {names[1]} and {names[0]} beat Anabel; Joana beats Ana: $1."
    run(
        page,
        "live_region",
        MESSAGE + "for (const name of given[0]) {"
        "  const marked = document.createElement('bdi');"
        "  marked.append(name);"
        "  document.getElementById('main').append(marked);"
        "}"
        "window.say(given[1]); lib.announce(given[1]);",
        names,
        sentence,
    )
    for message in (page.locator("#said"), page.get_by_role("log").locator("p")):
        assert message.text_content() == sentence
        marked = message.locator("bdi[translate=no]")
        assert marked.all_text_contents() == [names[2], names[1], names[0], "Ana"]
        assert message.locator("*").count() == len(names)


# Grid ------------------------------------------------------------------------------------------

GRID = """
  <div id="board">
    <p><button>a1</button><i></i><button>c1</button></p>
    <p><i></i><i></i><i></i></p>
    <p><i></i><button>b3</button><i></i></p>
    <p><button>a4</button><i></i><i></i></p>
  </div>
"""
"""Grid of buttons with gaps."""

WALKS = [
    ("a1", "ArrowRight", "c1"),  # over a gap
    ("c1", "ArrowRight", "c1"),  # no field in this direction
    ("c1", "ArrowDown", "b3"),  # the nearest field of the next row with fields
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
"""Field with the focus, key, and the field that gets the focus."""


def test_grid_is_walked_by_keyboard(page: Page) -> None:
    show(page, GRID)
    run(
        page,
        "grid",
        """const rows = [...document.querySelectorAll('#board p')].map((row) =>
             [...row.children].map((cell) => (cell.localName === 'button' ? cell : null)));
           const main = document.getElementById('main');
           lib.enableGridKeys(document.getElementById('board'), rows, () => main.focus())""",
    )
    for start, key, end in WALKS:
        page.get_by_role("button", name=start, exact=True).focus()
        page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.id || document.activeElement.textContent")
        assert focused == end, (start, key)
    assert page.locator("#board [tabindex='0']").all_inner_texts() == ["a1"]


# Presses ---------------------------------------------------------------------------------------

BUTTONS = """
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
  lib.rememberTap();
  button.textContent = button.textContent === "Done" ? "Not yet" : "Done";
};
"""
"""Script that records presses of buttons whose labels change."""


def test_press_counts_for_the_label_shown_when_the_finger_came_down(page: Page) -> None:
    show(
        page,
        """<button type="button" value="0">Done</button>
        <button type="button" data-steps>Undo</button>
        <button type="button">Five</button>""",
    )
    run(page, "double_taps", BUTTONS)
    # The clock stands still between presses, so a slow machine does not change the result.
    page.evaluate("performance.now = () => 0")

    def pressed(*tops: int) -> list[str]:
        for top in tops:
            page.mouse.click(9, top + 9)
        advance_clock(page, 500)
        found: list[str] = page.evaluate("window.pressed.splice(0)")
        return found

    turning = page.locator("#main button").first
    # Quick presses never trigger two different actions; a later one or a key does.
    assert pressed(0, 0, 0) == ["Done"]
    assert pressed(0) == ["Not yet"]
    assert pressed(100, 100) == ["Undo"]
    assert pressed(100) == ["Undo"]
    assert pressed(200, 200) == ["Five", "Five"]
    assert pressed(0, 200) == ["Done", "Five"]
    for _ in range(2):
        turning.press("Enter")
    assert pressed() == ["Not yet", "Done"]
    # A press at the moment of a late answer.
    page.evaluate("document.querySelector('#main button').value = 500")
    page.mouse.click(9, 9)
    expect(turning).to_have_text("Done")
    assert pressed(0) == ["Not yet"]
    # A label that changes during a press.
    page.mouse.move(9, 9)
    page.mouse.down()
    page.evaluate("window.turn()")
    page.mouse.up()
    assert pressed() == []
