"""Photos in the process pool: order, limits of time and memory, killed workers."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import numpy as np
import pytest
from PIL import Image

from sheets.http.process_pool import (
    PHOTO_READING,
    CpuLimitExceeded,
    MemoryLimitExceeded,
    TaskFailed,
    TaskPool,
    TimeLimitExceeded,
)
from sheets.vision.pads.empty_sheet_reading import read_empty_sheet
from sheets.vision.pads.template import align, make_template
from tests.http.test_process_pool import gunicorn, workers
from tests.live.deployments import deployment
from tests.live.moves import Mover
from tests.photos.mixed_photos import costly_photos, different_photos, mixed_photos
from tests.photos.task_urls import (
    die,
    eat,
    enlarge,
    keep,
    load,
    miss,
    need,
    see,
    see_filled,
    sleep,
    spin,
    work_and_wait,
)
from tests.processes import TIMEOUT_S, children, is_running
from tests.site.served_site import Answer, Site, all_of, serving, started_before, wait_until
from tests.vision.filled_sheet_shots import take_filled_sheet
from tests.vision.shots import take

pytestmark = [
    pytest.mark.own_servers,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc"),
]

SITE_SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.photos.task_site", "DRAWING_PROCESSES": "1"}
"""Environment of a site with the URLs of `tests.photos.task_urls`, and one worker."""

MAX_WAITING = PHOTO_READING.max_waiting
"""Maximum number of photos in the queue."""

MAX_MIB = 450
"""Maximum memory of one worker, including shared libraries: usually up to 407 MiB."""


class Photo:
    """A photo whose task runs until `end` is called."""

    def __init__(self, folder: Path, name: str) -> None:
        self.file = folder / f"{name}.txt"
        self.ticket = secrets.token_urlsafe(12)

    def begun(self) -> list[int]:
        """Return the ids of the processes that have begun to read it."""
        noted = self.file.with_suffix(".begun")
        return [int(line) for line in noted.read_text().split()] if noted.exists() else []

    def end(self) -> None:
        half = self.file.with_suffix(".half")  # the reader must not find an empty file
        half.write_text("read")
        half.rename(self.file)

    def send(self, site: Site, do: str = "wait_for") -> Answer:
        asked = urlencode({"file": str(self.file), "ticket": self.ticket})
        return site.ask(f"/{do}/photos/read/?{asked}", "POST", b"")

    def place(self, site: Site) -> int | None:
        place: int | None = json.loads(site.ask(f"/place/?ticket={self.ticket}").text)["place"]
        return place


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with serving(started_before(tmp_path / "data"), **SITE_SETTINGS) as site:
        yield site


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve one site for all tests that leave it intact, with an empty queue, and send few photos.

    The start of a site and its first worker takes two seconds of processor time.
    """
    with serving(started_before(tmp_path_factory.mktemp("shared")), **SITE_SETTINGS) as site:
        yield site


@pytest.fixture
def senders() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(MAX_WAITING + 4) as senders:
        yield senders


def photos(folder: Path, *names: str) -> list[Photo]:
    return [Photo(folder, name) for name in names]


def send_in_order(
    senders: ThreadPoolExecutor, sent: list[tuple[Photo, Site]]
) -> list[Future[Answer]]:
    """Send each photo once the one before is in the queue."""
    asked = []
    for photo, site in sent:
        asked.append(senders.submit(photo.send, site))
        wait_until(lambda photo=photo, site=site: photo.place(site) is not None)
    return asked


def test_photos_are_read_in_the_order_of_their_arrival(
    site: Site, senders: ThreadPoolExecutor, tmp_path: Path
) -> None:
    every = photos(tmp_path, "first", "second", "third", "fourth")
    asked = send_in_order(senders, [(photo, site) for photo in every])
    for number, photo in enumerate(every):
        wait_until(photo.begun)
        assert [one.place(site) for one in every] == [None] * number + list(range(4 - number))
        photo.end()
        assert asked[number].result(TIMEOUT_S).text == "read"


def test_queue_has_a_maximum_length(
    site: Site, senders: ThreadPoolExecutor, tmp_path: Path
) -> None:
    every = photos(tmp_path, *map(str, range(MAX_WAITING + 1)))
    asked = send_in_order(senders, [(photo, site) for photo in every])
    late = Photo(tmp_path, "late")
    # Refused photos do not count towards the rate limit of 30 a minute.
    assert {late.send(site).status for _ in range(31)} == {503}
    assert not late.begun()
    for photo in every:
        photo.end()
    assert {answer.result(TIMEOUT_S).text for answer in asked} == {"read"}


def test_photo_whose_worker_is_killed_fails_without_a_retry(
    shared: Site, senders: ThreadPoolExecutor, tmp_path: Path
) -> None:
    killed, after = photos(tmp_path, "killed", "after")
    asked = senders.submit(killed.send, shared)
    wait_until(killed.begun)
    os.kill(killed.begun()[0], signal.SIGKILL)
    assert asked.result(TIMEOUT_S).status == 422
    assert len(killed.begun()) == 1
    after.end()
    assert after.send(shared).text == "read"


def test_killed_idle_worker_fails_no_photo(shared: Site, tmp_path: Path) -> None:
    first, second = photos(tmp_path, "first", "second")
    first.end()
    assert first.send(shared).text == "read"
    (idle,) = workers(shared.process.pid)
    os.kill(idle, signal.SIGKILL)
    second.end()
    assert second.send(shared).text == "read"


def test_photo_that_needs_too_much_memory_fails(site: Site, tmp_path: Path) -> None:
    hungry, after = photos(tmp_path, "hungry", "after")
    assert hungry.send(site, "eat").status == 422
    assert len(hungry.begun()) == 1
    after.end()
    assert after.send(site).text == "read"
    site.process.terminate()
    said = site.process.communicate(timeout=TIMEOUT_S)[0]
    assert "MemoryLimitExceeded" in said
    assert "Traceback" not in said
    assert str(tmp_path) not in said


@pytest.mark.parametrize(
    "ticket", ["", "short", "../../../../etc/passwd", "a/b/c/d/e", "x" * 41, "0" * 17 + "\0"]
)
def test_invalid_ticket_is_ignored(shared: Site, tmp_path: Path, ticket: str) -> None:
    photo = Photo(tmp_path, "one")
    photo.end()
    photo.ticket = ticket
    assert photo.send(shared).text == "read"
    assert json.loads(shared.ask(f"/place/?{urlencode({'ticket': ticket})}").text)["place"] is None


def test_one_address_has_a_rate_limit(site: Site, tmp_path: Path) -> None:
    photo = Photo(tmp_path, "one")
    photo.end()
    statuses = [photo.send(site).status for _ in range(31)]
    assert statuses == [200] * 30 + [429]


def test_uploaded_photo_has_no_named_file_on_the_disk(tmp_path: Path) -> None:
    photo, data, boundary = Photo(tmp_path, "one"), bytes(8 * 2**20), "-" * 20
    form = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n'
        f"Content-Type: image/jpeg\r\n\r\n"
    ).encode() + data
    end = f"\r\n--{boundary}--\r\n".encode()
    head = (
        f"POST /wait_for/photos/read/?file={photo.file} HTTP/1.1\r\nHost: localhost\r\n"
        f"Connection: close\r\nContent-Type: multipart/form-data; boundary={boundary}\r\n"
        f"Content-Length: {len(form) + len(end)}\r\n\r\n"
    )
    with (
        TemporaryDirectory(prefix="d") as folder,
        serving(started_before(tmp_path / "data"), **SITE_SETTINGS, TMPDIR=folder) as site,
        socket.create_connection(("127.0.0.1", site.port), TIMEOUT_S) as phone,
    ):
        phone.sendall(head.encode() + form)
        wait_until(lambda: any(name.startswith(folder) for name in open_files(site)))
        assert not os.listdir(folder)
        phone.sendall(end)
        wait_until(photo.begun)
        assert not [path for path in Path(folder).rglob("*") if path.is_file()]
        photo.end()
        assert all_of(phone).endswith(b"read of 8388608")


def open_files(site: Site) -> list[str]:
    """Return the open files of the site's process."""
    found = []
    for file in Path(f"/proc/{site.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(os.readlink(file))
    return found


@contextmanager
def small_server(kind: str, data_dir: Path) -> Iterator[tuple[Site, Mover]]:
    """Serve a site with a table and a player who moves there."""
    with deployment("sqlite", data_dir, has_tables=True) as kept:
        code = kept.table(2)
        ours = kept.variables | SITE_SETTINGS
        if kind == "gunicorn":
            pytest.importorskip("gunicorn")
            del ours["DATA_DIR"]
            with gunicorn(data_dir, threads=4, **ours) as site:
                yield site, Mover(site.port, code)
        else:
            with serving(data_dir, **ours) as site:
                yield site, Mover(site.port, code)


@pytest.mark.parametrize("kind", ["serve", "gunicorn"])
def test_players_do_not_wait_for_photos(
    kind: str, senders: ThreadPoolExecutor, tmp_path: Path
) -> None:
    with small_server(kind, tmp_path) as (site, mover):
        every = photos(tmp_path, *map(str, range(MAX_WAITING)))
        asked = [senders.submit(photo.send, site) for photo in every]
        wait_until(lambda: any(photo.begun() for photo in every))
        waiting = MAX_WAITING if kind == "serve" else 3
        wait_until(lambda: sum(not one.done() for one in asked) == waiting)
        for _ in range(5):
            assert mover.move().status == 200
        assert sum(not one.done() for one in asked) == waiting
        for photo in every:
            photo.end()
        statuses = [one.result(TIMEOUT_S).status for one in asked]
    assert statuses.count(200) == waiting
    assert set(statuses) <= {200, 503}


def test_workers_end_with_the_server(site: Site, tmp_path: Path) -> None:
    photo = Photo(tmp_path, "one")
    photo.end()
    assert photo.send(site).text == "read"
    found = [*workers(site.process.pid), *children(site.process.pid)]
    site.process.kill()
    wait_until(lambda: not any(map(is_running, found)))


# Without a server --------------------------------------------------------------------------------


@pytest.fixture
def pool() -> Iterator[TaskPool]:
    pool = TaskPool(1)
    yield pool
    pool.close()


@pytest.mark.parametrize(
    ("do", "problem"),
    [(die, TaskFailed), (eat, MemoryLimitExceeded), (load, MemoryLimitExceeded)],
)
def test_task_that_fails_in_a_new_worker_is_not_retried(
    pool: TaskPool, tmp_path: Path, do: partial[bytes], problem: type[TaskFailed]
) -> None:
    photo = Photo(tmp_path, "one")
    with pytest.raises(TaskFailed) as given_up:
        pool.run(PHOTO_READING, partial(do, photo.file))
    assert given_up.type is problem
    assert len(photo.begun()) == 1
    assert pool.run(PHOTO_READING, partial(bytes, 3)) == bytes(3)


def test_memory_left_by_earlier_tasks_does_not_count(pool: TaskPool, tmp_path: Path) -> None:
    assert PHOTO_READING.memory_limit_mib
    before, photo = Photo(tmp_path, "before"), Photo(tmp_path, "photo")
    pool.run(PHOTO_READING, partial(keep, before.file, 60))
    # 40 MiB are left for loading what the task needs.
    assert pool.run(
        PHOTO_READING, partial(need, photo.file, PHOTO_READING.memory_limit_mib - 40)
    ) == bytes(3)


def test_memory_error_of_opencv_is_a_memory_limit(pool: TaskPool, tmp_path: Path) -> None:
    photo = Photo(tmp_path, "one")
    with pytest.raises(MemoryLimitExceeded):
        pool.run(PHOTO_READING, partial(enlarge, photo.file, 40_000))


def test_a_missing_package_is_not_a_memory_limit(pool: TaskPool, tmp_path: Path) -> None:
    with pytest.raises(ModuleNotFoundError):
        pool.run(PHOTO_READING, partial(miss, Photo(tmp_path, "one").file))


def test_a_task_that_never_ends_is_killed(pool: TaskPool, tmp_path: Path) -> None:
    photo = Photo(tmp_path, "one")
    with pytest.raises(TimeLimitExceeded):
        pool.run(PHOTO_READING._replace(time_limit_seconds=1), partial(sleep, photo.file))
    assert len(photo.begun()) <= 1


def test_a_task_that_uses_a_processor_for_too_long_is_killed(
    pool: TaskPool, tmp_path: Path
) -> None:
    photo = Photo(tmp_path, "one")
    with pytest.raises(CpuLimitExceeded):
        pool.run(PHOTO_READING._replace(cpu_limit_seconds=0.5), partial(spin, photo.file))
    assert len(photo.begun()) == 1


def test_only_processor_time_of_the_task_itself_counts(pool: TaskPool, tmp_path: Path) -> None:
    """Processor time of earlier tasks and waiting time do not count."""
    readers = set()
    for name in ("one", "two", "three", "four"):
        photo = Photo(tmp_path, name)
        kind = PHOTO_READING._replace(cpu_limit_seconds=0.5)
        pool.run(kind, partial(work_and_wait, photo.file))
        readers.update(photo.begun())
    assert len(readers) == 1


def test_photo_of_sixteen_megapixels_is_read_within_the_memory_limit(
    pool: TaskPool,
) -> None:
    taken = take("level-1", "level-2")
    photo = Image.open(BytesIO(taken.jpeg))
    share = (16_000_000 / (photo.width * photo.height)) ** 0.5
    large = BytesIO()
    size = (round(photo.width * share), round(photo.height * share))
    photo.resize(size, Image.Resampling.BICUBIC).save(large, "JPEG", quality=90)
    for _ in range(3):
        seen = json.loads(pool.run(PHOTO_READING, partial(see, large.getvalue())))
        assert seen["sheets"] == ["level-1", "level-2"]
        assert seen["mib"] < MAX_MIB


@pytest.mark.parametrize("size", [(4000, 3000), (3400, 3400)])
def test_photo_of_something_else_is_no_sheet_of_a_pad_within_the_memory_limit(
    pool: TaskPool, size: tuple[int, int]
) -> None:
    """A photo full of details, in which the sheet is searched at every scale."""
    shot = take_filled_sheet(1)
    template = make_template(read_empty_sheet(shot.empty))
    assert align(template, shot.pad.level)
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8)
    photo = BytesIO()
    Image.fromarray(noise).resize(size, Image.Resampling.BICUBIC).save(photo, "JPEG")
    work = partial(see_filled, photo.getvalue(), template, shot.pad.level)
    assert pool.run(PHOTO_READING, work) == b"no-sheet"


def test_webp_decoder_without_memory_reports_the_limit(pool: TaskPool) -> None:
    (lossless,) = (one for one in costly_photos() if one.name == "lossless WebP")
    assert lossless.read_by(pool).outcome == "MemoryLimitExceeded"


def test_mixed_photos_in_a_row_are_read_like_single_ones(pool: TaskPool) -> None:
    alone = {one.name: one.read_by(pool).outcome for one in different_photos()}
    assert alone == {
        "two sheets": "read, read",
        "one sheet": "read",
        "one hard sheet": "read",
        "pad": "read",
        "another pad": "read",
        "filled sheet of a pad": "no-sheet",
        "two sheets, 50 megapixels": "read, read",
        "two sheets, 50 megapixels, PNG": "read, read",
        "a pad, 50 megapixels": "read",
        "no sheet": "no-sheet",
        "half a photo": "not-a-picture",
        "no photo": "damaged",
    }
    differing, most = [], 0.0
    for sent in mixed_photos(rounds=2):
        done = sent.read_by(pool)
        most = max(most, done.mib)
        if done.outcome != alone[sent.name]:
            differing.append((sent.name, done.outcome))
    assert not differing
    assert most < MAX_MIB
