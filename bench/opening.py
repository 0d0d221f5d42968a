"""How long does a page keep a slow phone from answering while it opens, beside one without content?

The processor is slowed four times, as phones are to a computer; counted is by how much each task of
the page's main thread is longer than 50 ms, below which nobody feels it (total blocking time). Each
opening is a first one, in a browser profile of its own; the pages alternate.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.browser.chromium import find_chromium  # noqa: E402
from tests.site.running import serving  # noqa: E402

PAGES = ("/levels/", "/", "/print/", "/rules/", "/dice2/score/")
BESIDE = "/nothing-here/"
PHONE = {"width": 390, "height": 844}
ROUNDS = 7
SLOWED = 4
QUIET_MS = 1500
WATCH = """
  window.tasks = [];
  new PerformanceObserver((seen) => tasks.push(...seen.getEntries().map((task) => task.duration)))
    .observe({ type: "longtask", buffered: true });
"""


def blocked_ms(browser: Browser, url: str) -> tuple[float, float]:
    """How long the page keeps from answering, and its longest task, both in milliseconds."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2, is_mobile=True)
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.goto(url, wait_until="load")
    page.wait_for_timeout(QUIET_MS)
    tasks: list[float] = page.evaluate("tasks")
    context.close()
    return sum(task - 50 for task in tasks), max(tasks, default=0)


def main() -> None:
    """Print the medians."""
    path = find_chromium()
    if not path:
        raise SystemExit("There is no Chromium: see README.md.")
    seen: dict[str, list[tuple[float, float]]] = {page: [] for page in (*PAGES, BESIDE)}
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for number in range(ROUNDS + 1):
            for page, times in seen.items():
                found = blocked_ms(browser, f"http://127.0.0.1:{site.port}{page}")
                if number:  # the first time the server itself is slow
                    times.append(found)
        browser.close()
    beside = statistics.median(blocked for blocked, _longest in seen[BESIDE])
    for page, times in seen.items():
        blocked, longest = (sorted(column) for column in zip(*times, strict=True))
        middle = statistics.median(blocked)
        print(
            f"{page:<15} blocked {middle:>4.0f} ms median, {blocked[0]:.0f} to {blocked[-1]:.0f},"
            f" {middle - beside:>+4.0f} ms beside {BESIDE};"
            f" longest task {statistics.median(longest):>3.0f} ms"
        )
    print(f"({ROUNDS} first openings each; aim: the levels under 200 ms)")


if __name__ == "__main__":
    main()
