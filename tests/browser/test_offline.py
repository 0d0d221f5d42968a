"""Pages of the opened app without a network, and the device after "forget all".

The network is cut before the server, or ends with it: what a browser is told of being offline,
workers may pass.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, expect

from tests.browser.conftest import DEVICES
from tests.browser.cut import Line
from tests.browser.waiting import PATIENCE_MS, wait_until
from tests.site.running import CHECKOUT, Site, serving, started_before

pytestmark = pytest.mark.own_servers

KEPT = """async () => {
  const kept = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    kept[name] = {};
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      const isText = /html|script|css/.test(answer.headers.get("Content-Type"));
      kept[name][new URL(request.url).pathname] = isText ? await answer.text() : "";
    }
  }
  return kept;
}"""
"""All that is in the caches: texts by their addresses, by the names of the caches."""

NOTHING_IS_KEPT = """async () =>
  !(await navigator.serviceWorker.getRegistration()) && (await caches.keys()).length === 0"""
"""Looked at by names alone: to open what is just being deleted would make it anew."""

FORM_IS_KEPT = "() => (localStorage['dizzle.tally-form'] ?? '').includes('p2-stops')"
KEEP_OTHER_APP = """async () => {
  const headers = { "Content-Type": "text/html", Kept: Date.now(), "Kept-Files": "" };
  const own = await caches.open("dizzle-own");
  await own.put("/table/OTHERAPP/", new Response("<body><h1>Other app</h1>", { headers }));
}"""
"""As workers of release 1.1.0 did."""

MEMORY = ".from-memory"
NAME = "Zacharias"
WAITING = """() => Object.entries(localStorage)
  .filter(([name, text]) => name.startsWith("dizzle.outbox.") && text !== "[]").length"""


WAITING_AT_TABLES = """() =>
  Object.keys(localStorage).filter((name) => name.startsWith("dizzle.table.")).length"""
DROP = """() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["{}"], "level.json"));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(
      new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


class House:
    """A site that can be taken away and come back, at one address, with all its data."""

    def __init__(self, folder: Path) -> None:
        self.folder = started_before(folder)
        self._open = ExitStack()
        self.port = "0"
        self.begin()

    def begin(self, program: Path | None = None, **variables: str) -> None:
        """Serve, as the same version or as that of another ``program``."""
        site = serving(
            self.folder, program=program, **{"PORT": self.port, "OFFLINE": "yes"} | variables
        )
        self.site: Site = self._open.enter_context(site)
        self.port = str(self.site.port)

    def end(self) -> None:
        """Be gone: whoever asks finds nobody there."""
        self._open.close()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


class Lane:
    """The way to a site: it can be closed and opened again, and the site goes on meanwhile."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._line = Line(site.port)

    def begin(self) -> None:
        self._line.join()

    def end(self) -> None:
        """Let nobody through."""
        self._line.cut()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._line.port}{path}"


@pytest.fixture(scope="module")
def one_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all tests that do not change it, with short timeouts and a slow page."""
    folder = tmp_path_factory.mktemp("offline")
    program = impatient_version(folder / "impatient")
    with serving(started_before(folder / "site"), program=program, OFFLINE="yes") as site:
        yield site


@pytest.fixture
def house(one_site: Site) -> Iterator[Lane]:
    lane = Lane(one_site)
    yield lane
    os.kill(one_site.process.pid, signal.SIGCONT)  # whatever became of the test that stopped it
    lane.end()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "site")
    yield house
    house.end()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(**DEVICES["phone"], locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


def install(context: BrowserContext, house: House | Lane) -> Page:
    """Open the site until it is kept."""
    page = context.new_page()
    page.goto(house.url("/"))
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    wait_until(page, lambda: page.evaluate("() => Boolean(navigator.serviceWorker.controller)"))
    return page


def kept(page: Page) -> Any:
    return page.evaluate(KEPT)


def begin_scoring(page: Page, house: House | Lane) -> str:
    """Begin to score two sheets; gives the path of the first."""
    page.goto(house.url("/score/new/level-1/"))
    page.locator("#who input[type=text]").first.fill(NAME)
    page.get_by_role("main").get_by_role("button").last.click()
    page.wait_for_url("**/score/*/1/")
    return page.url.removeprefix(house.url(""))


def begin_table(page: Page, house: House | Lane) -> str:
    page.goto(house.url("/table/new/"))
    page.locator("[name=players][value='1']").check(force=True)
    page.get_by_role("main").get_by_role("button").last.click()
    page.wait_for_url("**/table/*/")
    return page.url.removeprefix(house.url(""))


def open_live(page: Page, house: House | Lane, path: str) -> None:
    """Open a page as the server has it: one that is slow to begin is as good as none."""
    is_live = "() => !document.querySelector('.from-memory')"
    wait_until(page, lambda: page.goto(house.url(path)) and page.evaluate(is_live))


def has_opened(page: Page, url: str) -> bool:
    """Whether a page opens within 20 seconds; a person would reload it after fewer.

    Once a browser that was replacing a service worker never loaded the page that it opened then.
    """
    try:
        page.goto(url, timeout=20_000)
    except TimeoutError:
        return False
    return True


def opened_with_nothing_kept(page: Page, house: House) -> bool:
    """Whether nothing is kept a moment after one more page was opened, as people do."""
    page.goto(house.url("/"), wait_until="load")
    page.wait_for_timeout(500)
    return bool(page.evaluate(NOTHING_IS_KEPT))


def forget_all(page: Page, house: House | Lane) -> None:
    page.goto(house.url("/my/forget/"), wait_until="load")
    page.get_by_role("button", name="Forget all").click()


def marks_of(text: str) -> str:
    """The marks that a sheet has by its page."""
    found = re.search(r'<script id="marks"[^>]*>(.*?)</script>', text)
    return found[1] if found else ""


def wait_until_kept(page: Page, *paths: str) -> None:
    wait_until(page, lambda: {*paths} <= {*kept(page).get("dizzle-own", {})})


def test_without_network_pages_come_from_memory(house: Lane, context: BrowserContext) -> None:
    page = install(context, house)
    page.goto(house.url("/print/"))
    page.locator("button[lang=de]").click()
    expect(page.locator("html[lang=de]")).to_be_attached()
    scoring, table = begin_scoring(page, house), begin_table(page, house)
    # The language was chosen after all was kept.
    shell = next(name for name in kept(page) if "shell" in name)
    wait_until(page, lambda: 'lang="de"' in kept(page)[shell]["/levels/level-8/"])
    wait_until_kept(page, scoring, table)
    # What is marked after that is kept with the sheet.
    open_live(page, house, scoring)
    page.locator(".sheet-grid [data-at=b1]").click()
    wait_until(page, lambda: '"b1":' in marks_of(kept(page)["dizzle-own"][scoring]))
    house.end()

    for path in ("/", "/rules/", "/levels/", "/levels/level-8/", "/tally/", "/score/"):
        page.goto(house.url(path))
        expect(page.locator(MEMORY)).to_contain_text("Kein Netz. Gespeicherte Fassung")
        expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator("button[lang=en]").click()
    expect(page.locator(MEMORY)).to_contain_text("nicht angekommen")
    page.locator(MEMORY).get_by_role("link").click()
    page.wait_for_url("**/score/")
    page.locator("main a[href='/score/new/level-1/']").click()
    page.wait_for_url("**/score/here/level-1/")
    page.goto(house.url("/print/sheets.pdf?level=level-1&copies=2"))
    expect(page.locator(MEMORY)).to_contain_text("nicht gespeichert")
    # What was opened is listed, and can be gone on with.
    page.locator(f"main a[href='{scoring}']").click()
    marks = page.locator("[data-field] > .over > use")
    before = marks.count()
    page.locator(".sheet-grid [data-at=a1]").click()
    expect(marks).to_have_count(before + 1)
    page.goto(house.url(table))
    expect(page.locator("#connection")).to_be_visible()
    field = page.locator(".sheet-grid [data-hint]").first
    at = str(field.get_attribute("data-at"))
    field.click()
    expect(page.locator("#connection")).to_contain_text(f": {at}")
    page.goto(house.url(table))
    expect(page.locator("#connection")).to_contain_text(f": {at}")
    page.goto(house.url("/nowhere/"))
    for path in (scoring, table):
        waiting = page.locator("#kept-waiting li").filter(has=page.locator(f"a[href='{path}']"))
        expect(waiting).to_have_text(re.compile(r"\w: 1$"))
    page.goto(house.url(scoring))
    expect(page.locator(MEMORY)).to_be_visible()

    # The network is back: what waited is sent, and nothing is from memory any more.
    lost = context.new_page()
    lost.goto(house.url("/print/"))
    expect(lost.locator(MEMORY)).to_be_visible()
    house.begin()
    for opened in (page, lost):
        opened.evaluate("() => dispatchEvent(new Event('online'))")
        expect(opened.locator(MEMORY)).to_have_count(0)
    lost.close()
    for path in (scoring, table):
        open_live(page, house, path)
    wait_until(page, lambda: not page.evaluate(WAITING))
    open_live(page, house, scoring)
    expect(marks).to_have_count(before + 1)


def test_taps_at_a_table_outlive_the_app_without_network(
    house: Lane, context: BrowserContext
) -> None:
    page = install(context, house)
    table = begin_table(page, house)
    wait_until_kept(page, table)
    hint = page.locator(".sheet-grid [data-hint=strong]")
    first = str(hint.first.get_attribute("data-at"))
    field = page.locator(f".sheet-grid [data-at={first}]")
    lies = f"[data-field={first}] :is(.under, .over, .top) > use"
    revision = page.locator("#table").get_attribute("data-revision")
    field.click()
    # After the page was kept the table went on.
    expect(page.locator("#table")).not_to_have_attribute("data-revision", str(revision))
    expect(page.locator(lies)).to_have_count(1)
    house.end()
    expect(page.locator("#connection")).to_be_visible()
    second = str(page.locator(".sheet-grid [data-hint=strong]").first.get_attribute("data-at"))
    assert second != first
    page.locator(f".sheet-grid [data-at={second}]").click()
    expect(page.locator("#connection")).to_contain_text(f": {second}")
    page.close()

    page = context.new_page()
    page.goto(house.url(table))
    expect(page.locator(MEMORY)).to_be_visible()
    expect(page.locator(f"[data-field={second}][data-unsent]")).to_be_attached()
    expect(page.locator("#connection")).to_contain_text(f": {second}")
    expect(page.locator(lies)).to_have_count(1)
    expect(page.locator(f"[data-field={first}][data-unsent]")).to_have_count(0)

    house.begin()
    open_live(page, house, table)
    wait_until(page, lambda: not page.evaluate(WAITING_AT_TABLES))
    game = page.context.request.get(house.url(f"{table}game.json")).json()
    placed = [act["at"] for act in game["actions"] if act["do"] == "place"]
    assert placed == [first, second]


FORM_WITH_FILE = {"name": "level.json", "mimeType": "application/json", "buffer": b"{}"}


@pytest.mark.slow  # stops and goes on with the server's process
def test_slow_site_is_waited_for_and_a_frozen_one_is_not(
    house: Lane, context: BrowserContext
) -> None:
    page = install(context, house)
    page.goto(house.url("/slow/"))
    expect(page.get_by_role("heading", name="Slow")).to_be_visible()
    os.kill(house.site.process.pid, signal.SIGSTOP)
    page.goto(house.url("/rules/"))
    expect(page.locator(MEMORY)).to_contain_text("No network. Offline copy")
    page.goto(house.url("/slow/"))
    expect(page.locator(MEMORY)).to_contain_text("not stored here")
    os.kill(house.site.process.pid, signal.SIGCONT)
    page.locator(MEMORY).get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Slow")).to_be_visible()

    # A form with a file stays, with its file.
    page.goto(house.url("/open/"))
    page.locator("input[type=file]").set_input_files([FORM_WITH_FILE])  # type: ignore[list-item]
    send = page.get_by_role("main").get_by_role("button").last
    os.kill(house.site.process.pid, signal.SIGSTOP)
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("the file was not sent")
    os.kill(house.site.process.pid, signal.SIGCONT)
    house.end()
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("the file was not sent")
    assert page.locator("input[type=file]").evaluate("(it) => it.files.length") == 1
    page.evaluate(DROP)
    # That of the form said so already; of what is dropped it stands at the top of the page.
    expect(page.locator("#main > [role=alert]")).to_contain_text("was not sent")
    house.begin()
    send.click()
    expect(page.get_by_role("main")).to_contain_text("cannot be opened here")


def test_forget_all_leaves_nothing_of_the_device(house: Lane, context: BrowserContext) -> None:
    page = install(context, house)
    sheet = begin_scoring(page, house)
    for path in (sheet, "/my/", "/", "/tally/", "/levels/"):
        page.goto(house.url(path))
    key = sheet.split("/")[2]
    wait_until_kept(page, sheet, "/my/", "/", "/tally/", "/levels/")
    assert key in json.dumps(kept(page))
    assert NAME in json.dumps(kept(page))

    # Without network what is kept here goes all the same, and first.
    page.evaluate("() => localStorage.setItem('dizzle.outbox.one', '[]')")
    other = context.new_page()
    other.goto(house.url(sheet))
    house.end()
    page.goto(house.url("/my/forget/"), wait_until="load")
    page.get_by_role("button", name="Forget all").click()
    expect(page.locator("#untold")).to_be_visible()
    found = json.dumps(kept(page))
    assert key not in found
    assert NAME not in found
    assert page.evaluate("() => localStorage.length") == 0
    assert other.url == house.url("/")

    # The server still knows the device, until it is told.
    house.begin()
    page.goto(house.url("/my/"))
    wait_until_kept(page, "/my/")
    assert NAME in json.dumps(kept(page))
    for path in (sheet, begin_table(page, house)):
        other = context.new_page()
        open_live(other, house, path)
    forget_all(page, house)
    page.wait_for_url("**/my/")
    cookies = {cookie["name"] for cookie in context.cookies()}
    assert cookies.isdisjoint({"dizzle_seat", "sessionid"})
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.goto(house.url("/"))
    is_active = "() => navigator.serviceWorker.getRegistration().then((it) => it?.active?.state)"
    wait_until(page, lambda: page.evaluate(is_active) == "activated")
    assert "/table/" not in json.dumps([*kept(page).get("dizzle-own", {})])
    found = json.dumps(kept(page))
    assert key not in found
    assert NAME not in found
    assert "/rules/" in found


@pytest.mark.slow  # starts three sites of its own
def test_update_leaves_no_stale_halves(
    own_house: House, context: BrowserContext, tmp_path: Path
) -> None:
    house = own_house
    page = install(context, house)
    sheet = begin_scoring(page, house)
    wait_until_kept(page, sheet)
    [old] = [name for name in kept(page) if "shell" in name]
    house.end()
    house.begin(another_version(tmp_path / "second", "second"))

    open_live(page, house, "/rules/")
    expect(page.get_by_role("heading", level=1)).to_have_text("The second rules")
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((it) => it.update())")
    waiting = "() => navigator.serviceWorker.getRegistration().then((it) => Boolean(it.waiting))"
    wait_until(page, lambda: page.evaluate(waiting))
    # As long as a page is open, its worker stays; both have all their files.
    assert len([name for name in kept(page) if "shell" in name]) == 2
    assert_whole(kept(page))

    page.evaluate(KEEP_OTHER_APP)
    page.close()  # the last page is gone, and with it the old worker
    page = context.new_page()
    wait_until(page, lambda: has_opened(page, house.url("/levels/")))
    wait_until(page, lambda: old not in kept(page))
    assert "/table/OTHERAPP/" not in kept(page)["dizzle-own"]
    assert sheet in kept(page)["dizzle-own"]
    assert_whole(kept(page))
    house.end()
    for path in ("/rules/", "/levels/level-1/", sheet):
        page.goto(house.url(path))
        expect(page.locator(MEMORY)).to_be_visible()
    page.locator(".sheet-grid [data-at=a1]").click()
    expect(page.locator("#saving")).not_to_have_text("")

    # Switched off, it leaves nothing behind.
    house.begin(OFFLINE="no")
    open_live(page, house, "/")
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((it) => it?.update())")
    wait_until(page, lambda: opened_with_nothing_kept(page, house))
    # Nor does what it was still keeping when it ended.
    page.evaluate(
        "() => caches.open('dizzle-own').then((own) => own.put('/my/', new Response('')))"
    )
    wait_until(page, lambda: opened_with_nothing_kept(page, house))


class OtherApp(BaseHTTPRequestHandler):
    """Another program's site, which knows the home page only."""

    def do_GET(self) -> None:
        """Answer with a page, and with 404 to addresses below the home page."""
        content = b"<!doctype html><html lang=en><title>Other</title><body><h1>Other app</h1>"
        self.send_response(200 if self.path in OTHER_PAGES else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words: object) -> None:
        """Print nothing."""


OTHER_PAGES = ("/", "/score/", "/table/OTHERAPP/")


@contextmanager
def other_app(port: str) -> Iterator[None]:
    """Serve another app at the address that the site had."""
    with ThreadingHTTPServer(("127.0.0.1", int(port)), OtherApp) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield
        server.shutdown()
        thread.join()


@pytest.mark.slow  # starts a site of its own
def test_pages_of_another_app_at_the_same_address_are_not_kept(
    own_house: House, context: BrowserContext
) -> None:
    page = install(context, own_house)
    sheet = begin_scoring(page, own_house)
    wait_until_kept(page, sheet)
    own_house.end()
    with other_app(own_house.port):
        for path in (*OTHER_PAGES, sheet):
            page.goto(own_house.url(path))
            expect(page.get_by_role("heading")).to_have_text("Other app")
        page.wait_for_timeout(500)
    assert "Other app" not in json.dumps(kept(page))
    for path in ("/", "/score/", sheet):
        page.goto(own_house.url(path))
        expect(page.locator(MEMORY)).to_contain_text("No network. Offline copy")


TIMEOUTS = {
    "sheets/worker.js": {"LONG_MS": 500, "SIGN_MS": 2500, "QUIET_MS": 400},
    "sheets/send_files.js": {"PATIENCE_MS": 2000},
    "sheets/score/tally.js": {"AGAIN_MS": 1000},
}
"""Timeouts in milliseconds that are shorter in the tests, by script and constant."""


def impatient_version(folder: Path) -> Path:
    """Write a version with short timeouts and a slow page, and return its program."""
    program = another_version(folder, "impatient")
    for name, timeouts in TIMEOUTS.items():
        script = folder / "sheets" / "static" / name
        text = script.read_text("utf-8")
        for constant, ms in timeouts.items():
            text, found = re.subn(rf"\bconst {constant} = \d+;", f"const {constant} = {ms};", text)
            assert found == 1, (name, constant)
        script.write_text(text, "utf-8")
    with (folder / "dizzle_site" / "urls.py").open("a") as urls:
        urls.write(SLOW_PAGE)
    return program


SLOW_PAGE = """
import time
from django.http import HttpResponse


def slow(request):
    time.sleep(1.2)
    return HttpResponse("<h1>Slow</h1>")


urlpatterns.insert(0, path("slow/", slow))
"""


def another_version(folder: Path, edition: str) -> Path:
    """Write a version with other pages and scripts, and return its program."""
    folder.mkdir()
    for name in ("dizzle_site", "sheets", "templates", "locale"):
        # What others are just compiling has a longer name until it is whole.
        shutil.copytree(CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc.*"))
    shutil.copy(CHECKOUT / "manage.py", folder)
    rules = folder / "templates" / "rules" / "rules.html"
    title = f"<h1>The {edition} rules</h1>"
    rules.write_text(re.sub("<h1>.*</h1>", title, rules.read_text("utf-8")))
    with (folder / "sheets" / "static" / "sheets" / "frame.js").open("a") as script:
        script.write(f'document.body.dataset.edition = "{edition}";\n')
    program = folder / "dizzle"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -u manage.py "$@"\n')
    program.chmod(0o755)
    return program


def assert_whole(caches: Any) -> None:
    """Every page that is kept has all files that it names."""
    files = {*caches["dizzle-files"]}
    pages = [text for name in caches if name != "dizzle-files" for text in caches[name].values()]
    assert pages
    for text in pages:
        assert {*re.findall(r'"(/static/[^" ]+)"', text)} <= files


COUNT_ALL = """() => {
  for (const [at, input] of document.querySelectorAll("[data-each]").entries()) {
    if (input.type === "checkbox") input.checked = at % 3 > 0;
    else input.value = at % 5;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""
SUMS = """() => [...document.querySelectorAll(".tally td, .player-total")].map((it) =>
  `${it.textContent.trim()} ${it.classList.contains("zero")}`)"""


def test_tally_adds_up_without_network(house: Lane, context: BrowserContext) -> None:
    page = install(context, house)
    # Begun without a network, it outlives other pages and a reload.
    house.end()
    page.goto(house.url("/tally/"))
    step = page.locator("#player-1 [data-step='1']").first
    first = page.locator("#total-1")
    for path in ("/rules/", "/tally/"):
        before = str(first.text_content())
        step.click()
        expect(first).not_to_have_text(before)
        total = str(first.text_content())
        page.goto(house.url(path))
        page.goto(house.url("/tally/"))
        expect(first).to_have_text(total)

    # Another one, begun with a network.
    page.goto(house.url("/rules/"))
    page.evaluate("() => localStorage.clear()")
    house.begin()
    open_live(page, house, "/tally/")
    page.locator("label.choice", has_text="3").first.click()
    page.locator("[name=gem_red]").fill("7")
    page.locator("[name=areas]").fill("4 12")
    page.locator("label", has=page.locator("[name=rails]")).click()
    red = page.locator("[name=p2-gem_red]")
    expect(red).to_be_attached()
    expect(page.locator("[name=p2-stops]")).to_be_attached()
    red.evaluate(
        "(it) => { it.value = 2; it.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    expect(page.locator("#total-3")).to_have_text("14")
    wait_until(page, lambda: page.evaluate(FORM_IS_KEPT))
    house.end()

    # Opened anew: the pad and the people are those that were there.
    page.close()
    page = context.new_page()
    page.goto(house.url("/tally/"))
    expect(page.locator("#tally-offline")).to_be_visible()
    expect(page.locator("#total-3")).to_have_text("14")
    page.evaluate(COUNT_ALL)
    added = page.evaluate(SUMS)
    assert len({*added}) > 10
    page.get_by_role("button", name="To the result").click()
    expect(page.locator("#tally-offline")).to_be_visible()

    # The server says the same, and who has won.
    house.begin()
    expect(page.locator("#tally-offline")).to_be_hidden()
    expect(page.locator("tfoot .winner")).to_have_count(1)
    assert page.evaluate(SUMS) == added
