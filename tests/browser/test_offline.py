"""Pages of the opened app without a network, and the device after "forget all".

The network is cut at the server, or the server is stopped: a browser's offline mode does not apply
to service workers.
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
from datetime import date
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, expect

from tests.browser.conftest import DEVICES
from tests.browser.cuttable_proxy import CuttableProxy
from tests.browser.polling import TIMEOUT_MS, wait_until
from tests.daily.played_days import played_day
from tests.site.served_site import CHECKOUT, Site, serving, started_before

pytestmark = pytest.mark.own_servers

CACHED_TEXTS = """async () => {
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
"""Script that returns the cached texts by cache name and address."""

IS_CACHE_EMPTY = """async () =>
  !(await navigator.serviceWorker.getRegistration()) && (await caches.keys()).length === 0"""
"""Script that checks names only: opening a cache that is being deleted would create it."""

IS_FORM_STORED = "() => (localStorage['dizzle.tally-form'] ?? '').includes('p2-stops')"
"""Script that returns whether a form of a tally is stored."""

CACHE_OTHER_APP = """async () => {
  const headers = { "Content-Type": "text/html", Kept: Date.now(), "Kept-Files": "" };
  const own = await caches.open("dizzle-own");
  await own.put("/table/OTHERAPP/", new Response("<body><h1>Other app</h1>", { headers }));
}"""
"""Script that caches a page of another app, as service workers of release 1.1.0 did."""

CACHED_MARK = ".from-memory"
"""Selector of the note on cached pages."""

NAME = "Zacharias"
"""Name of the player."""

QUEUED_COUNT = """() => Object.entries(localStorage)
  .filter(([name, text]) => name.startsWith("dizzle.outbox.") && text !== "[]").length"""
"""Script that returns the number of outboxes with unsent acts."""


DAY = date(2026, 9, 24)
"""Day whose sheet is played."""

PLAY_WORD = """async (word) => {
  const [, at, shape] = /^([a-z]\\d+)?(.*)$/.exec(word);
  const selector = { "*": "#throw", out: "#drop" }[word] ?? `.sheet-grid [data-at=${at}]`;
  const stored = () => localStorage["dizzle.day.2026-09-24"];
  const before = stored();
  for (let tries = 0; tries < 5 && stored() === before; tries += 1) {
    if (tries) await new Promise((resolve) => setTimeout(resolve, 350));
    document.querySelector(selector).click();
    if (at && shape) document.querySelector(`#bar [data-shape=${shape}]`).click();
  }
  return stored() !== before;
}"""
"""Script that does what a word of a record says. It repeats a tap that comes too soon."""

QUEUED_TABLE_COUNT = """() =>
  Object.keys(localStorage).filter((name) => name.startsWith("dizzle.table.")).length"""
"""Script that returns the number of unsent acts at tables."""

DROP = """() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["{}"], "level.json"));
  for (const kind of ["dragenter", "dragover", "drop"])
    document.body.dispatchEvent(
      new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""
"""Script that drops a file on the page."""


class RestartableSite:
    """Site that can be stopped and started again at one address, with all its data."""

    def __init__(self, folder: Path) -> None:
        self.folder = started_before(folder)
        self._open = ExitStack()
        self.port = "0"
        self.start()

    def start(self, program: Path | None = None, **variables: str) -> None:
        """Serve the site with this version or that of another ``program``."""
        site = serving(
            self.folder, program=program, **{"PORT": self.port, "OFFLINE": "yes"} | variables
        )
        self.site: Site = self._open.enter_context(site)
        self.port = str(self.site.port)

    def stop(self) -> None:
        """Stop the site: connections are refused."""
        self._open.close()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


class ProxiedSite:
    """Site behind a proxy whose connections can be cut while the site runs on."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._proxy = CuttableProxy(site.port)

    def start(self) -> None:
        self._proxy.connect()

    def stop(self) -> None:
        """Refuse all connections."""
        self._proxy.cut()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._proxy.port}{path}"


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all tests that do not change it, with short timeouts and a slow page."""
    folder = tmp_path_factory.mktemp("offline")
    program = fast_version(folder / "impatient")
    with serving(started_before(folder / "site"), program=program, OFFLINE="yes") as site:
        yield site


@pytest.fixture
def proxied_site(shared_site: Site) -> Iterator[ProxiedSite]:
    site = ProxiedSite(shared_site)
    yield site
    os.kill(shared_site.process.pid, signal.SIGCONT)  # a failed test may have left it stopped
    site.stop()


@pytest.fixture
def restartable_site(tmp_path: Path) -> Iterator[RestartableSite]:
    site = RestartableSite(tmp_path / "site")
    yield site
    site.stop()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(**DEVICES["phone"], locale="en-GB")
    context.set_default_timeout(TIMEOUT_MS)
    yield context
    context.close()


def install(context: BrowserContext, site: RestartableSite | ProxiedSite) -> Page:
    """Open the site and wait until its service worker controls the page."""
    page = context.new_page()
    page.goto(site.url("/"))
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    wait_until(page, lambda: page.evaluate("() => Boolean(navigator.serviceWorker.controller)"))
    return page


def cached_texts(page: Page) -> Any:
    return page.evaluate(CACHED_TEXTS)


def begin_scoring(page: Page, site: RestartableSite | ProxiedSite) -> str:
    """Create a scoring of two sheets; return the path of the first sheet."""
    page.goto(site.url("/score/new/level-1/"))
    page.locator("#who input[type=text]").first.fill(NAME)
    page.get_by_role("main").get_by_role("button").last.click()
    page.wait_for_url("**/score/*/1/")
    return page.url.removeprefix(site.url(""))


def begin_table(page: Page, site: RestartableSite | ProxiedSite) -> str:
    page.goto(site.url("/table/new/"))
    page.locator("[name=players][value='1']").check(force=True)
    page.get_by_role("main").get_by_role("button").last.click()
    page.wait_for_url("**/table/*/")
    return page.url.removeprefix(site.url(""))


def open_live(page: Page, site: RestartableSite | ProxiedSite, path: str) -> None:
    """Open a page until the server answers in time, instead of the cache."""
    is_live = "() => !document.querySelector('.from-memory')"
    wait_until(page, lambda: page.goto(site.url(path)) and page.evaluate(is_live))


def has_opened(page: Page, url: str) -> bool:
    """Return whether a page opens within 20 seconds; users reload sooner.

    Chromium sometimes never loads a page that is opened while a service worker is replaced.
    """
    try:
        page.goto(url, timeout=20_000)
    except TimeoutError:
        return False
    return True


def is_cache_empty_after_a_visit(page: Page, site: RestartableSite) -> bool:
    """Return whether nothing is cached shortly after another visit."""
    page.goto(site.url("/"), wait_until="load")
    page.wait_for_timeout(500)
    return bool(page.evaluate(IS_CACHE_EMPTY))


def forget_all(page: Page, site: RestartableSite | ProxiedSite) -> None:
    page.goto(site.url("/my/forget/"), wait_until="load")
    page.get_by_role("button", name="Forget all").click()


def marks_of(text: str) -> str:
    """Return the marks in the HTML of a sheet's page."""
    found = re.search(r'<script id="marks"[^>]*>(.*?)</script>', text)
    return found[1] if found else ""


def wait_until_cached(page: Page, *paths: str) -> None:
    wait_until(page, lambda: {*paths} <= {*cached_texts(page).get("dizzle-own", {})})


def is_german(page: Page, cache: str, path: str) -> bool:
    """Whether the copy of a page is German; a page that names own games is cached with these."""
    texts = cached_texts(page)
    return '<html lang="de"' in (texts["dizzle-own"].get(path) or texts[cache][path])


def test_without_network_pages_come_from_the_cache(
    proxied_site: ProxiedSite, context: BrowserContext
) -> None:
    page = install(context, proxied_site)
    page.goto(proxied_site.url("/print/"))
    page.locator(".language-button").click()
    page.locator("button[lang=de]").click()
    expect(page.locator("html[lang=de]")).to_be_attached()
    scoring, table = begin_scoring(page, proxied_site), begin_table(page, proxied_site)
    # The language was changed after everything was cached.
    shell = next(name for name in cached_texts(page) if "shell" in name)
    wait_until(page, lambda: is_german(page, shell, "/levels/level-8/"))
    paths = ("/", "/rules/", "/levels/", "/levels/level-8/", "/tally/", "/score/")
    for path in paths:
        page.goto(proxied_site.url(path))
        wait_until(page, partial(is_german, page, shell, path))
    wait_until_cached(page, scoring, table)
    # Later marks are cached with the sheet.
    open_live(page, proxied_site, scoring)
    page.locator(".sheet-grid [data-at=b1]").click()
    wait_until(page, lambda: '"b1":' in marks_of(cached_texts(page)["dizzle-own"][scoring]))
    proxied_site.stop()

    for path in paths:
        page.goto(proxied_site.url(path))
        expect(page.locator(CACHED_MARK)).to_contain_text("Kein Netz. Gespeicherte Fassung")
        expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator(".language-button").click()
    page.locator("button[lang=en]").click()
    expect(page.locator(CACHED_MARK)).to_contain_text("nicht angekommen")
    page.locator(CACHED_MARK).get_by_role("link").click()
    page.wait_for_url("**/score/")
    page.locator("main a[href='/score/new/level-1/']").click()
    page.wait_for_url("**/score/here/level-1/")
    page.goto(proxied_site.url("/print/sheets.pdf?level=level-1&copies=2"))
    expect(page.locator(CACHED_MARK)).to_contain_text("nicht gespeichert")
    # Opened games are listed and can be continued.
    page.locator(f"main a[href='{scoring}']").click()
    marks = page.locator("[data-field] > .over > use")
    before = marks.count()
    page.locator(".sheet-grid [data-at=a1]").click()
    expect(marks).to_have_count(before + 1)
    page.goto(proxied_site.url(table))
    expect(page.locator("#connection")).to_be_visible()
    field = page.locator(".sheet-grid [data-hint]").first
    at = str(field.get_attribute("data-at"))
    field.click()
    expect(page.locator("#connection")).to_contain_text(f": {at}")
    page.goto(proxied_site.url(table))
    expect(page.locator("#connection")).to_contain_text(f": {at}")
    page.goto(proxied_site.url("/nowhere/"))
    for path in (scoring, table):
        waiting = page.locator("#kept-waiting li").filter(has=page.locator(f"a[href='{path}']"))
        expect(waiting).to_have_text(re.compile(r"\w: 1$"))
    page.goto(proxied_site.url(scoring))
    expect(page.locator(CACHED_MARK)).to_be_visible()

    # The network is back: queued acts are sent, and pages come from the server.
    lost = context.new_page()
    lost.goto(proxied_site.url("/print/"))
    expect(lost.locator(CACHED_MARK)).to_be_visible()
    proxied_site.start()
    for opened in (page, lost):
        opened.evaluate("() => dispatchEvent(new Event('online'))")
        expect(opened.locator(CACHED_MARK)).to_have_count(0)
    lost.close()
    for path in (scoring, table):
        open_live(page, proxied_site, path)
    wait_until(page, lambda: not page.evaluate(QUEUED_COUNT))
    open_live(page, proxied_site, scoring)
    expect(marks).to_have_count(before + 1)


def test_taps_at_a_table_outlive_the_app_without_network(
    proxied_site: ProxiedSite, context: BrowserContext
) -> None:
    page = install(context, proxied_site)
    table = begin_table(page, proxied_site)
    wait_until_cached(page, table)
    hint = page.locator(".sheet-grid [data-hint=strong]")
    first = str(hint.first.get_attribute("data-at"))
    field = page.locator(f".sheet-grid [data-at={first}]")
    lies = f"[data-field={first}] :is(.under, .over, .top) > use"
    revision = page.locator("#table").get_attribute("data-revision")
    field.click()
    # The game continued after the page was cached.
    expect(page.locator("#table")).not_to_have_attribute("data-revision", str(revision))
    expect(page.locator(lies)).to_have_count(1)
    proxied_site.stop()
    expect(page.locator("#connection")).to_be_visible()
    second = str(page.locator(".sheet-grid [data-hint=strong]").first.get_attribute("data-at"))
    assert second != first
    page.locator(f".sheet-grid [data-at={second}]").click()
    expect(page.locator("#connection")).to_contain_text(f": {second}")
    page.close()

    page = context.new_page()
    page.goto(proxied_site.url(table))
    expect(page.locator(CACHED_MARK)).to_be_visible()
    expect(page.locator(f"[data-field={second}][data-unsent]")).to_be_attached()
    expect(page.locator("#connection")).to_contain_text(f": {second}")
    expect(page.locator(lies)).to_have_count(1)
    expect(page.locator(f"[data-field={first}][data-unsent]")).to_have_count(0)

    proxied_site.start()
    open_live(page, proxied_site, table)
    wait_until(page, lambda: not page.evaluate(QUEUED_TABLE_COUNT))
    game = page.context.request.get(proxied_site.url(f"{table}game.json")).json()
    placed = [act["at"] for act in game["actions"] if act["do"] == "place"]
    assert placed == [first, second]


FORM_WITH_FILE = {"name": "level.json", "mimeType": "application/json", "buffer": b"{}"}
"""File for a form."""


@pytest.mark.slow  # stops and continues the server's process
def test_pages_load_from_the_network_if_the_storage_is_broken(
    proxied_site: ProxiedSite, context: BrowserContext
) -> None:
    page = install(context, proxied_site)
    context.service_workers[0].evaluate(
        """() => {
          const fail = async () => { throw new Error("broken"); };
          CacheStorage.prototype.open = CacheStorage.prototype.match = fail;
        }"""
    )
    page.goto(proxied_site.url("/rules/"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("rules")
    expect(page.locator(CACHED_MARK)).to_have_count(0)
    expect(page.locator("html.scripted")).to_be_attached()


def test_slow_site_is_waited_for_and_a_frozen_one_is_not(
    proxied_site: ProxiedSite, context: BrowserContext
) -> None:
    page = install(context, proxied_site)
    page.goto(proxied_site.url("/slow/"))
    expect(page.get_by_role("heading", name="Slow")).to_be_visible()
    os.kill(proxied_site.site.process.pid, signal.SIGSTOP)
    page.goto(proxied_site.url("/rules/"))
    expect(page.locator(CACHED_MARK)).to_contain_text("No network. Offline copy")
    page.goto(proxied_site.url("/slow/"))
    expect(page.locator(CACHED_MARK)).to_contain_text("not stored here")
    os.kill(proxied_site.site.process.pid, signal.SIGCONT)
    page.locator(CACHED_MARK).get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Slow")).to_be_visible()

    # A form with a file stays open, with its file.
    page.goto(proxied_site.url("/open/"))
    page.locator("input[type=file]").set_input_files([FORM_WITH_FILE])  # type: ignore[list-item]
    send = page.get_by_role("main").get_by_role("button").last
    os.kill(proxied_site.site.process.pid, signal.SIGSTOP)
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("the file was not sent")
    os.kill(proxied_site.site.process.pid, signal.SIGCONT)
    proxied_site.stop()
    send.click()
    expect(page.get_by_role("alert")).to_contain_text("the file was not sent")
    assert page.locator("input[type=file]").evaluate("(it) => it.files.length") == 1
    page.evaluate(DROP)
    # The form has its own message; for dropped files it is at the top of the page.
    expect(page.locator("#main > [role=alert]")).to_contain_text("was not sent")
    proxied_site.start()
    send.click()
    expect(page.get_by_role("main")).to_contain_text("cannot be opened here")


def test_forget_all_deletes_all_data_of_the_device(
    proxied_site: ProxiedSite, context: BrowserContext
) -> None:
    page = install(context, proxied_site)
    sheet = begin_scoring(page, proxied_site)
    for path in (sheet, "/my/", "/", "/tally/", "/levels/"):
        page.goto(proxied_site.url(path))
    key = sheet.split("/")[2]
    wait_until_cached(page, sheet, "/my/", "/", "/tally/", "/levels/")
    assert key in json.dumps(cached_texts(page))
    assert NAME in json.dumps(cached_texts(page))

    # Without network the data on the device is deleted first.
    page.evaluate("() => localStorage.setItem('dizzle.outbox.one', '[]')")
    other = context.new_page()
    other.goto(proxied_site.url(sheet))
    proxied_site.stop()
    page.goto(proxied_site.url("/my/forget/"), wait_until="load")
    page.get_by_role("button", name="Forget all").click()
    expect(page.locator("#untold")).to_be_visible()
    found = json.dumps(cached_texts(page))
    assert key not in found
    assert NAME not in found
    assert page.evaluate("() => localStorage.length") == 0
    assert other.url == proxied_site.url("/")

    # The server still knows the device until the request arrives.
    proxied_site.start()
    page.goto(proxied_site.url("/my/"))
    wait_until_cached(page, "/my/")
    assert NAME in json.dumps(cached_texts(page))
    for path in (sheet, begin_table(page, proxied_site)):
        other = context.new_page()
        open_live(other, proxied_site, path)
    forget_all(page, proxied_site)
    page.wait_for_url("**/my/")
    cookies = {cookie["name"] for cookie in context.cookies()}
    assert cookies.isdisjoint({"dizzle_seat", "sessionid"})
    page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    page.goto(proxied_site.url("/"))
    is_active = "() => navigator.serviceWorker.getRegistration().then((it) => it?.active?.state)"
    wait_until(page, lambda: page.evaluate(is_active) == "activated")
    assert "/table/" not in json.dumps([*cached_texts(page).get("dizzle-own", {})])
    found = json.dumps(cached_texts(page))
    assert key not in found
    assert NAME not in found
    assert "/rules/" in found


@pytest.mark.slow  # starts three sites of its own
def test_update_never_mixes_two_versions(
    restartable_site: RestartableSite, context: BrowserContext, tmp_path: Path
) -> None:
    site = restartable_site
    page = install(context, site)
    sheet = begin_scoring(page, site)
    wait_until_cached(page, sheet)
    [old] = [name for name in cached_texts(page) if "shell" in name]
    site.stop()
    site.start(another_version(tmp_path / "second", "second"))

    open_live(page, site, "/rules/")
    expect(page.get_by_role("heading", level=1)).to_have_text("The second rules")
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((it) => it.update())")
    waiting = "() => navigator.serviceWorker.getRegistration().then((it) => Boolean(it.waiting))"
    wait_until(page, lambda: page.evaluate(waiting))
    # While a page is open, its worker stays; both versions have all their files.
    assert len([name for name in cached_texts(page) if "shell" in name]) == 2
    assert_whole(cached_texts(page))

    page.evaluate(CACHE_OTHER_APP)
    page.close()  # closing the last page ends the old worker
    page = context.new_page()
    wait_until(page, lambda: has_opened(page, site.url("/levels/")))
    wait_until(page, lambda: old not in cached_texts(page))
    assert "/table/OTHERAPP/" not in cached_texts(page)["dizzle-own"]
    assert sheet in cached_texts(page)["dizzle-own"]
    assert_whole(cached_texts(page))
    site.stop()
    for path in ("/rules/", "/levels/level-1/", sheet):
        page.goto(site.url(path))
        expect(page.locator(CACHED_MARK)).to_be_visible()
    page.locator(".sheet-grid [data-at=a1]").click()
    expect(page.locator("#saving")).not_to_have_text("")

    # After offline pages are disabled, nothing stays cached.
    site.start(OFFLINE="no")
    open_live(page, site, "/")
    page.evaluate("() => navigator.serviceWorker.getRegistration().then((it) => it?.update())")
    wait_until(page, lambda: is_cache_empty_after_a_visit(page, site))
    # Neither does a page that was being cached at that time.
    page.evaluate(
        "() => caches.open('dizzle-own').then((own) => own.put('/my/', new Response('')))"
    )
    wait_until(page, lambda: is_cache_empty_after_a_visit(page, site))


class OtherApp(BaseHTTPRequestHandler):
    """Site of another program, which has a home page only."""

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
"""Pages that a browser requests from the other app."""


@contextmanager
def other_app(port: str) -> Iterator[None]:
    """Serve another app at the address of the site."""
    with ThreadingHTTPServer(("127.0.0.1", int(port)), OtherApp) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield
        server.shutdown()
        thread.join()


@pytest.mark.slow  # starts a site of its own
def test_pages_of_another_app_at_the_same_address_are_not_cached(
    restartable_site: RestartableSite, context: BrowserContext
) -> None:
    page = install(context, restartable_site)
    sheet = begin_scoring(page, restartable_site)
    wait_until_cached(page, sheet)
    restartable_site.stop()
    with other_app(restartable_site.port):
        for path in (*OTHER_PAGES, sheet):
            page.goto(restartable_site.url(path))
            expect(page.get_by_role("heading")).to_have_text("Other app")
        page.wait_for_timeout(500)
    assert "Other app" not in json.dumps(cached_texts(page))
    for path in ("/", "/score/", sheet):
        page.goto(restartable_site.url(path))
        expect(page.locator(CACHED_MARK)).to_contain_text("No network. Offline copy")


TIMEOUTS = {
    "sheets/worker.js": {
        "RESPONSE_TIMEOUT_MS": 500,
        "HEALTH_TIMEOUT_MS": 2500,
        "QUIET_PERIOD_MS": 400,
    },
    "sheets/send_files.js": {"HEALTH_TIMEOUT_MS": 2000},
    "sheets/score/tally.js": {"RETRY_MS": 1000},
}
"""Shorter timeouts for the tests in milliseconds, by script and constant."""


def fast_version(folder: Path) -> Path:
    """Write a version with short timeouts and a slow page; return its program."""
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
"""Middleware of the slow page."""


def another_version(folder: Path, edition: str) -> Path:
    """Write a version with other pages and scripts; return its program."""
    folder.mkdir()
    for name in ("dizzle_site", "sheets", "templates", "locale"):
        # Files that other processes are compiling have a longer name until they are complete.
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
    """Assert that for every cached page all its files are cached."""
    files = {*caches["dizzle-files"]}
    pages = [text for name in caches if name != "dizzle-files" for text in caches[name].values()]
    assert pages
    for text in pages:
        assert {*re.findall(r'"(/static/[^" ]+)"', text)} <= files


FILL_TALLY = """() => {
  for (const [at, input] of document.querySelectorAll("[data-each]").entries()) {
    if (input.type === "checkbox") input.checked = at % 3 > 0;
    else input.value = at % 5;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""
"""Script that fills in all inputs of a tally."""

TALLY_TOTALS = """() => [...document.querySelectorAll(".tally td, .player-total")].map((it) =>
  `${it.textContent.trim()} ${it.classList.contains("zero")}`)"""
"""Script that returns the totals of a tally."""


def test_tally_adds_up_without_network(proxied_site: ProxiedSite, context: BrowserContext) -> None:
    page = install(context, proxied_site)
    # A tally begun without a network survives navigation and a reload.
    proxied_site.stop()
    page.goto(proxied_site.url("/tally/"))
    step = page.locator("#player-1 [data-step='1']").first
    first = page.locator("#total-1")
    for path in ("/rules/", "/tally/"):
        before = str(first.text_content())
        step.click()
        expect(first).not_to_have_text(before)
        total = str(first.text_content())
        page.goto(proxied_site.url(path))
        page.goto(proxied_site.url("/tally/"))
        expect(first).to_have_text(total)

    # Another tally, begun with a network.
    page.goto(proxied_site.url("/rules/"))
    page.evaluate("() => localStorage.clear()")
    proxied_site.start()
    open_live(page, proxied_site, "/tally/")
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
    wait_until(page, lambda: page.evaluate(IS_FORM_STORED))
    proxied_site.stop()

    # Opened again: pad and players are the same as before.
    page.close()
    page = context.new_page()
    page.goto(proxied_site.url("/tally/"))
    expect(page.locator("#tally-offline")).to_be_visible()
    expect(page.locator("#total-3")).to_have_text("14")
    page.evaluate(FILL_TALLY)
    added = page.evaluate(TALLY_TOTALS)
    assert len({*added}) > 10
    page.get_by_role("button", name="To the result").click()
    expect(page.locator("#tally-offline")).to_be_visible()

    # The server computes the same, and the winner.
    proxied_site.start()
    expect(page.locator("#tally-offline")).to_be_hidden()
    expect(page.locator("tfoot .winner")).to_have_count(1)
    assert page.evaluate(TALLY_TOTALS) == added


def test_tutorial_goes_on_without_network(
    proxied_site: ProxiedSite, context: BrowserContext
) -> None:
    page = install(context, proxied_site)
    page.goto(proxied_site.url("/tutorial/1/"))
    proxied_site.stop()
    for at in ("a2", "a1"):
        page.locator('[data-at="c1"]').click()
        expect(page.get_by_role("alert")).to_contain_text("c1")
        page.locator(f'[data-at="{at}"]').click()
        expect(page.locator("#result")).to_contain_text(at)
        page.locator("#next").click()
        expect(page.locator(CACHED_MARK)).to_be_visible()
    expect(page.locator("h1")).to_have_text("Boxed in")

    # The progress is known when the network is back.
    proxied_site.start()
    page.goto(proxied_site.url("/"))
    open_live(page, proxied_site, "/tutorial/")
    expect(page.get_by_role("link", name="Go on: step 3 of 6")).to_be_visible()


def test_sheet_of_the_day_is_played_to_its_end_without_network(
    proxied_site: ProxiedSite, context: BrowserContext
) -> None:
    page = install(context, proxied_site)
    path = f"/day/{DAY}/"
    page.goto(proxied_site.url(path))
    wait_until_cached(page, path)
    proxied_site.stop()
    page.goto(proxied_site.url(path))
    expect(page.locator(CACHED_MARK)).to_be_visible()
    record, played = played_day(DAY, 3)
    words = record.split(" ")
    for number, word in enumerate(words):
        if number == len(words) // 2:
            page.reload()
        assert page.evaluate(PLAY_WORD, word), (number, word)
    total = played.totals[-1]
    expect(page.locator("#result-points")).to_have_text(f"{total} points")


def test_sheet_of_today_without_network(proxied_site: ProxiedSite, context: BrowserContext) -> None:
    page = install(context, proxied_site)
    page.goto(proxied_site.url("/day/"))
    page.wait_for_url("**/day/*/#today")
    path = page.url.removeprefix(proxied_site.url("")).partition("#")[0]
    wait_until_cached(page, path)
    proxied_site.stop()
    page.goto(proxied_site.url("/day/"))
    page.wait_for_url(f"**{path}")
    expect(page.locator("#throw")).to_be_visible()
