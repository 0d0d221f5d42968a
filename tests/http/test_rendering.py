"""Rendered files: cache, ETags, rate limits, and the one module that renders them."""

from __future__ import annotations

import ast
import html
import inspect
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import URLResolver, get_resolver, reverse

from sheets.groups import store as group_store
from sheets.groups.statistics import MIN_GAMES
from sheets.http import rate_limits, rendering
from sheets.http.rate_limits import PICTURES, PREVIEWS, READS, Limit, limited
from sheets.workshop import store
from sheets.workshop.level_codes import format_code
from tests.groups.bot_games import add_bot_game
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin, share_url, tap
from tests.scoring.test_tally import PAD
from tests.table_games import sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db

CHECKOUT = Path(__file__).resolve().parents[2]
DRAWERS = {
    "sheets.printing.pictures.result",
    "sheets.printing.pictures.sheet",
    "sheets.printing.pictures.year",
    "sheets.simulation.balance.presentation.report_context",
    "sheets.printing.booklet.draw_booklet",
    "sheets.art.render.pdf",
    "sheets.art.render.raster",
    "sheets.art.render.svg",
    "sheets.vision",
    "sheets.scoring.picture",
    "sheets.workshop.suggest.suggestion.draw_suggestion",
    "sheets.workshop.suggest.tuning.suggest",
    "PIL",
    "reportlab",
}
"""Modules and functions that draw or read pictures, which take much processor time."""

MAY_DRAW = (
    "sheets/http/render_preload.py",
    "sheets/http/render_tasks.py",
    "sheets/art/",
    "sheets/simulation/balance/",
    "sheets/printing/",
    "sheets/photos/reencoding.py",  # this one and the next three run in a worker
    "sheets/photos/worker/printed_sheet.py",
    "sheets/photos/worker/empty_sheet.py",
    "sheets/photos/worker/pad.py",
    "sheets/vision/",
    "sheets/scoring/picture.py",
    "sheets/workshop/suggest/tuning.py",
    "sheets/management/commands/",
)
DRAWING_ADDRESSES = {
    "print-pdf": PICTURES,
    "print-preview": PREVIEWS,
    "print-filled": PICTURES,
    "print-filled-page": PREVIEWS,
    "level-picture": PICTURES,
    "group-player-year-picture": PICTURES,
    "group-year-picture": PICTURES,
    "score-picture": PICTURES,
    "score-result-picture": PICTURES,
    "table-result-picture": PICTURES,
    "tally-pdf": PICTURES,
    "tally-picture": PICTURES,
    "table-picture": PICTURES,
    "table-pdf": PICTURES,
    "table-print-page": PREVIEWS,
    "workshop-page": PREVIEWS,
    "workshop-pdf": PICTURES,
    "workshop-png": PICTURES,
    "workshop-suggest": PICTURES,
    "workshop-trial": PICTURES,
}
"""Names of all addresses that render something, with the rate limit that they count for."""


def use_up(limit: Limit) -> None:
    while limit.hit("127.0.0.1"):
        pass


@pytest.fixture
def address_of(client: Client) -> Callable[[str], str]:
    """Return a function for an existing address of each name."""
    score = begin(client, GARDEN).split("/")[2]
    party = sit_down(("Ana", "Ben"))
    level = store.create(GARDEN)
    tally = (
        client.post("/tally/new/", PAD | {"p0-name": "Ana", "p0-gem_red": "4"})
        .headers["Location"]
        .split("/")[2]
    )
    access = group_store.find(group_store.create("Family"))
    for seed in range(MIN_GAMES):
        _key, kept, _game = add_bot_game(access, ("Ana", "Ben"), seed)
    year = kept.evening.year
    more: dict[str, tuple[Any, ...]] = {
        "level-picture": ("level-1",),
        "group-player-year-picture": (access.key, 1, year),
        "group-year-picture": (access.key, year),
        "print-preview": (1,),
        "print-filled": (score,),
        "print-filled-page": (score, 1),
        "score-picture": (score, 1),
        "score-result-picture": (score,),
        "tally-pdf": (tally,),
        "tally-picture": (tally,),
        "table-picture": (party.code, 0),
        "table-result-picture": (party.code,),
        "table-pdf": (party.code,),
        "table-print-page": (party.code, 1),
        "workshop-page": (level, 1),
        "workshop-pdf": (level,),
        "workshop-png": (level,),
        "workshop-trial": (level,),
    }
    chosen = dict.fromkeys(("print-pdf", "print-preview"), "?level=level-1")
    return lambda name: reverse(name, args=more.get(name, ())) + chosen.get(name, "")


@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("name", DRAWING_ADDRESSES)
def test_every_drawing_counts(client: Client, address_of: Callable[[str], str], name: str) -> None:
    address = address_of(name)
    use_up(DRAWING_ADDRESSES[name])
    for answer in (client.get(address), client.head(address)):
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "60"
    rate_limits.reset()
    assert client.head(address).status_code == 200
    use_up(DRAWING_ADDRESSES[name])
    assert client.get(address).status_code == 200  # cached
    use_up(READS)
    assert client.get(address).status_code == 429


def test_acts_that_render_count_too(client: Client) -> None:
    use_up(PICTURES)
    printing = {"do": "print", "code": format_code(GARDEN)}
    assert client.post("/open/use/", printing).status_code == 429
    assert client.post("/workshop/suggest/", {}).status_code == 429


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_only_one_module_of_the_site_calls_functions_that_draw() -> None:
    paths = [path.relative_to(CHECKOUT).as_posix() for path in CHECKOUT.glob("sheets/**/*.py")]
    assert len(paths) > 100
    views = [path for path in paths if path.startswith("sheets/printing/web/")]
    for path in [*views, *(path for path in paths if not path.startswith(MAY_DRAW))]:
        for name in imported(CHECKOUT / path):
            drawn = {one for one in DRAWERS if name == one or name.startswith(f"{one}.")}
            assert not drawn, f"{path} draws by itself: let sheets.http.rendering decide"


def test_tasks_are_only_called_in_the_render_pool() -> None:
    paths = [
        path
        for path in CHECKOUT.glob("sheets/**/*.py")
        if "render_tasks" in path.read_text("utf-8")
    ]
    assert len(paths) > 3
    for path in paths:
        tree = ast.parse(path.read_text("utf-8"))
        sent = {
            node.args[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "partial" and node.args
        }
        for node in ast.walk(tree):
            name = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
            is_work = name.startswith("render_tasks.") and not name.endswith("_of")
            assert not is_work or node in sent, f"{path}: {name} is called here"


def test_the_list_of_drawing_addresses_is_complete() -> None:
    found = set()
    for pattern, name in named_views():
        view = inspect.getsource(inspect.unwrap(pattern))
        if any(
            f"{call}(" in view
            for call in ("file_response", "page_response", "pdf_response", "preview_page")
        ):
            found.add(name)
    assert found == set(DRAWING_ADDRESSES)


def named_views(patterns: Any = None) -> Iterator[tuple[Callable[..., Any], str]]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            yield from named_views(pattern.url_patterns)
        elif pattern.name and pattern.callback.__module__.startswith("sheets."):
            yield pattern.callback, pattern.name


def test_a_browser_with_the_current_drawing_gets_304(client: Client) -> None:
    url = begin(client, GARDEN)
    picture = f"{url}1/sheet.png"
    first = client.get(picture)
    etag = first.headers["ETag"]
    use_up(PICTURES)
    rendering.clear_cache()
    for answer in (
        client.get(picture, headers={"if-none-match": etag}),
        client.head(picture, headers={"if-none-match": f"W/{etag}"}),
        client.get(
            f"{share_url(client, url)}1/sheet.png", headers={"if-none-match": f'"x", {etag}'}
        ),
    ):
        assert answer.status_code == 304
        assert not answer.content
        assert answer.headers["ETag"] == etag
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "noindex" in answer.headers["X-Robots-Tag"]
    rate_limits.reset()
    german = client.get(picture, headers={"if-none-match": etag, "accept-language": "de"})
    assert german.status_code == 200
    tap(client, url, "b1")
    changed = client.get(picture, headers={"if-none-match": etag})
    assert changed.status_code == 200
    assert changed.content != first.content


def test_a_known_etag_gives_no_access(client: Client) -> None:
    etag = client.get(f"{begin(client, GARDEN)}1/sheet.png").headers["ETag"]
    for wrong in (etag, "*"):
        answer = client.get(f"/score/{'x' * 32}/1/sheet.png", headers={"if-none-match": wrong})
        assert answer.status_code == 404


def test_a_drawing_with_its_edition_in_the_address_is_immutable(client: Client) -> None:
    page = client.get("/print/?paper=a5&level=level-1&level=level-2").content.decode()
    address = html.unescape(re.findall(r'<img src="(/print/page-2[^"]+)"', page)[0])
    kept = client.get(address).headers["Cache-Control"]
    assert kept == "private, max-age=31536000, immutable"
    other = client.get(address.replace("level=level-1&", ""))
    assert other.status_code == 404  # there is only one page
    other = client.get(address.replace("page-2", "page-1").replace("level=level-1&", ""))
    assert other.headers["Cache-Control"] == "private, no-cache"
    german = client.get(address, headers={"accept-language": "de"})
    assert german.headers["Cache-Control"] == "private, no-cache"


def test_a_table_is_drawn_once_until_a_move(client: Client) -> None:
    party = finished_party("Ana", "Ben")
    device, address = client_of(party), f"/table/{party.code}/1.png"
    first = device.get(address)
    assert first.headers["Cache-Control"] == "private, no-cache"
    use_up(PICTURES)
    assert device.get(address).content == first.content
    assert device.get(f"/table/{party.code}/0.png").status_code == 429
    assert device.get(f"/table/{party.code}/2.png").status_code == 429
    rate_limits.reset()
    assert device.get(f"/table/{party.code}/2.png").status_code == 404


def test_equal_prints_are_drawn_once_for_all_clients(client: Client) -> None:
    one, other = store.create(GARDEN), store.create(GARDEN)
    first = client.get(f"/workshop/{one}/sheet.pdf")
    use_up(PICTURES)
    again = client.get(f"/workshop/{other}/sheet.pdf")
    assert again.content == first.content
    assert client.get(f"/workshop/{other}/sheet.pdf?bw=on").status_code == 429


def test_all_pages_of_a_print_are_drawn_at_once(client: Client) -> None:
    client.get("/print/page-1.svg?paper=a4&level=level-1&level=level-2&per-page=1")
    use_up(PREVIEWS)
    pages = [
        client.get(f"/print/page-{n}.svg?paper=a4&level=level-1&level=level-2&per-page=1")
        for n in (1, 2, 3)
    ]
    assert [page.status_code for page in pages] == [200, 200, 404]
    assert pages[0].content != pages[1].content


def test_head_counts_as_get() -> None:
    @limited(Limit("for-this-test", "60/minute"), "GET")
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    asked = [view(RequestFactory().head("/")).status_code for _ in range(70)]
    assert asked == [200] * 60 + [429] * 10
    rate_limits.reset()
    asked = [view(RequestFactory().get("/")).status_code for _ in range(70)]
    assert asked == [200] * 60 + [429] * 10


def test_heads_of_many_prints_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheets.http.render_tasks.printed", lambda *_, **__: b"")
    addresses = [f"/print/sheets.pdf?paper=a4&level=level-1&copies={n}" for n in range(1, 71)]
    answers = [client.head(address).status_code for address in addresses]
    assert answers == [200] * 60 + [429] * 10


def run_at_once(count: int, run: Callable[[], bytes]) -> list[bytes]:
    with ThreadPoolExecutor(count) as threads:
        return [one.result(60) for one in [threads.submit(run) for _ in range(count)]]


def test_requests_for_the_same_file_share_one_task() -> None:
    begun, go_on, calls = threading.Event(), threading.Event(), []

    def make() -> bytes:
        calls.append(1)
        begun.set()
        assert go_on.wait(60)
        return b"rendered"

    threading.Thread(target=lambda: begun.wait(60) and go_on.set()).start()
    assert run_at_once(5, lambda: rendering._cached("key", make)) == [b"rendered"] * 5
    assert calls == [1]


def test_requests_that_wait_for_a_task_fail_with_it() -> None:
    all_wait, calls = threading.Event(), []

    def fail() -> bytes:
        calls.append(1)
        assert all_wait.wait(60)
        raise OSError("no room")

    with ThreadPoolExecutor(5) as threads:
        first = threads.submit(rendering._cached, "key", fail)
        while not calls:
            time.sleep(0.01)
        others = [threads.submit(rendering._cached, "key", fail) for _ in range(4)]
        while not all(one.running() for one in others):
            time.sleep(0.01)
        time.sleep(0.1)  # until they wait
        all_wait.set()
        for one in (first, *others):
            with pytest.raises(OSError, match="no room"):
                one.result(60)
    assert calls == [1]


def test_a_task_that_failed_is_repeated_by_the_next_request() -> None:
    def fail() -> bytes:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        rendering._cached("key", fail)
    assert rendering._cached("key", lambda: b"rendered") == b"rendered"


def test_the_cache_is_bounded_by_its_bytes() -> None:
    third = rendering.CACHE_BYTES // 3 + 1
    for number in range(3):
        rendering._cached(number, partial(bytes, third))
    assert [number in rendering._cache for number in range(3)] == [False, True, True]
    rendering._cached("large", partial(bytes, rendering.CACHE_BYTES + 1))
    assert [number in rendering._cache for number in (1, 2, "large")] == [True, True, False]
