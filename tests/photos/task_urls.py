"""The site's URLs, and two more: run a test's task like a photo's, and its queue position."""

from __future__ import annotations

import json
import os
import re
import time
from functools import partial
from pathlib import Path

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from sheets.photos.read_files import CannotRead, queue_position, read_in_pool
from sheets.rules.level import Level
from sheets.vision.pads.template import Template


def note(file: Path) -> None:
    """Append the worker's process id to a file for the test."""
    with file.with_suffix(".begun").open("a") as begun:
        begun.write(f"{os.getpid()}\n")


def wait_for(file: Path, data: bytes = b"") -> bytes:
    """Wait for a file and return its content, with the size of the uploaded data, if any."""
    note(file)
    while not file.exists():
        time.sleep(0.02)
    return file.read_bytes() + (f" of {len(data)}".encode() if data else b"")


def eat(file: Path, data: bytes = b"") -> bytes:
    """Allocate two gibibytes."""
    note(file)
    eaten = [bytes([1]) * 2**24 for _ in range(128)]
    return bytes(len(eaten))


_kept: list[bytes] = []
"""Memory that `keep` does not free."""


def keep(file: Path, mib: int) -> bytes:
    """Allocate memory and do not free it."""
    note(file)
    _kept.append(bytes([1]) * (mib * 2**20))
    return b""


def need(file: Path, mib: int) -> bytes:
    """Allocate memory during the task."""
    note(file)
    return bytes(len(bytes([1]) * (mib * 2**20)) and 3)


def enlarge(file: Path, side: int) -> bytes:
    """Make OpenCV allocate a square picture of that side, in pixels."""
    import cv2
    import numpy as np

    from sheets.vision.opencv_errors import memory_errors

    note(file)
    with memory_errors():
        return cv2.resize(np.zeros((9, 9), np.uint8), (side, side))[:3].tobytes()


def load(file: Path) -> bytes:
    """Fail as the import of a package does whose library needs more memory than is left."""
    note(file)
    raise ImportError("libtiff.so: failed to map segment from shared object")


def miss(file: Path) -> bytes:
    """Import a package that is not installed."""
    note(file)
    raise ModuleNotFoundError("No module named 'cv2'")


def die(file: Path, data: bytes = b"") -> bytes:
    """End the worker without an answer."""
    note(file)
    os._exit(1)


def sleep(file: Path, data: bytes = b"") -> bytes:
    """Sleep for longer than any time limit."""
    note(file)
    time.sleep(999)
    return b""


def work_and_wait(file: Path, data: bytes = b"") -> bytes:
    """Use a quarter of a second of processor time, and take one second in all."""
    note(file)
    start = time.process_time()
    while time.process_time() < start + 0.25:
        sum(range(10**4))
    time.sleep(0.75)
    return b""


def spin(file: Path, data: bytes = b"") -> bytes:
    """Use processor time without end."""
    note(file)
    while True:
        sum(range(10**6))


def see(data: bytes) -> bytes:
    """Return the levels of a photo's sheets, and the peak memory of the worker in MiB, as JSON."""
    from sheets.levels import shipped_levels
    from sheets.vision.reading import read_photo

    found = read_photo(data, list(shipped_levels().values())).sheets
    names = [one.layout.level.id for one in found if one.layout and not one.refused]
    (peak,) = re.findall(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    return json.dumps({"sheets": names, "mib": int(peak) / 1024}).encode()


def see_filled(data: bytes, template: Template, level: Level) -> bytes:
    """Return why a photo shows no filled sheet of a pad; empty if it shows one."""
    from sheets.vision.pads.filled_sheet_reading import read_filled_sheet

    return (read_filled_sheet(data, template, level).refused or "").encode()


STATUSES = {"busy": 503, "too-often": 429}
"""HTTP status by reason; 422 for all others."""

TASKS = {"wait_for": wait_for, "eat": eat, "die": die, "sleep": sleep}
"""Tasks by the first part of the path."""


@csrf_exempt
def read(request: HttpRequest, do: str) -> HttpResponse:
    data = request.FILES["photo"].read() if request.FILES else b""  # type: ignore[union-attr]
    task = partial(TASKS[do], Path(request.GET["file"]), data)
    request.POST = request.GET  # type: ignore[assignment]
    try:
        return HttpResponse(read_in_pool(request, task))
    except CannotRead as problem:
        return HttpResponse(problem.reason, status=STATUSES.get(problem.reason, 422))


def place(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"place": queue_position(request.GET["ticket"])})


urlpatterns = [
    path("", include("dizzle_site.urls")),
    path("<str:do>/photos/read/", read),
    path("place/", place),
]
