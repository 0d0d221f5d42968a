"""Photos are read one after the other, beside the server; whatever one does, the site goes on."""

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

import pytest
from PIL import Image

from sheets.http.line import Line, LineFull
from sheets.http.processes import (
    MAX_KEPT_MIB,
    READING,
    MemoryLimitExceeded,
    NotDrawn,
    Processes,
    TimeLimitExceeded,
    TooSlow,
)
from sheets.http.reading import MOST_WAITING
from tests.http.reading_urls import (
    die,
    eat,
    enlarge,
    keep,
    need,
    see,
    sleep,
    spin,
    wait_for,
    work_and_wait,
)
from tests.http.test_drawing_processes import drawing, gunicorn
from tests.live.deployments import deployment
from tests.live.moves import Mover
from tests.photos.mixed_photos import costly_photos, different_photos, mixed_photos
from tests.processes import children, is_running
from tests.scanning.shots import take
from tests.site.running import (
    PATIENCE_S,
    Answer,
    Site,
    all_of,
    serving,
    started_before,
    wait_until,
)

pytestmark = [
    pytest.mark.own_servers,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc"),
]

OURS = {"DJANGO_SETTINGS_MODULE": "tests.http.reading_site", "DRAWING_PROCESSES": "1"}
MOST_MIB = 400
"""Of one process that reads."""


class Photo:
    """Something to be read, which takes until it is allowed to end."""

    def __init__(self, folder: Path, name: str) -> None:
        self.file = folder / f"{name}.txt"
        self.ticket = secrets.token_urlsafe(12)

    def begun(self) -> list[int]:
        """The processes that have begun to read it."""
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
    with serving(started_before(tmp_path / "data"), **OURS) as site:
        yield site


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One for all tests that leave it well, with nothing in its line, and send few photos.

    To start a site and its first process that reads takes two seconds of computing.
    """
    with serving(started_before(tmp_path_factory.mktemp("shared")), **OURS) as site:
        yield site


@pytest.fixture
def senders() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(MOST_WAITING + 4) as senders:
        yield senders


def photos(folder: Path, *names: str) -> list[Photo]:
    return [Photo(folder, name) for name in names]


def send_in_order(
    senders: ThreadPoolExecutor, sent: list[tuple[Photo, Site]]
) -> list[Future[Answer]]:
    """Each once the one before stands in line."""
    asked = []
    for photo, site in sent:
        asked.append(senders.submit(photo.send, site))
        wait_until(lambda photo=photo, site=site: photo.place(site) is not None)
    return asked


def test_photos_are_read_in_the_order_in_which_they_came_to_any_server(
    site: Site, senders: ThreadPoolExecutor, tmp_path: Path
) -> None:
    with serving(tmp_path / "data", **OURS) as other:
        every = photos(tmp_path, "first", "second", "third", "fourth")
        asked = send_in_order(senders, list(zip(every, (site, other, site, other), strict=True)))
        for number, photo in enumerate(every):
            wait_until(photo.begun)
            for server in (site, other):
                places = [one.place(server) for one in every]
                assert places == [None] * number + list(range(4 - number))
            photo.end()
            assert asked[number].result(PATIENCE_S).text == "read"
    assert not list((tmp_path / "data" / "reading").glob("0*"))


def test_place_of_a_killed_server_is_nobodys(
    site: Site, senders: ThreadPoolExecutor, tmp_path: Path
) -> None:
    first, lost, last = photos(tmp_path, "first", "lost", "last")
    with serving(tmp_path / "data", **OURS) as other:
        asked = send_in_order(senders, [(first, site), (lost, other), (last, site)])
        assert last.place(site) == 2
    with pytest.raises(OSError, match=r".*"):
        asked[1].result(PATIENCE_S)
    wait_until(lambda: last.place(site) == 1)
    assert lost.place(site) is None
    for photo, answer in ((first, asked[0]), (last, asked[2])):
        photo.end()
        assert answer.result(PATIENCE_S).text == "read"
    assert not lost.begun()
    assert not list((tmp_path / "data" / "reading").glob("0*"))


def test_line_has_an_end(site: Site, senders: ThreadPoolExecutor, tmp_path: Path) -> None:
    every = photos(tmp_path, *map(str, range(MOST_WAITING + 1)))
    asked = send_in_order(senders, [(photo, site) for photo in every])
    late = Photo(tmp_path, "late")
    assert late.send(site).status == 503
    assert not late.begun()
    for photo in every:
        photo.end()
    assert {answer.result(PATIENCE_S).text for answer in asked} == {"read"}


def test_photo_whose_process_is_killed_is_given_up_and_not_tried_again(
    shared: Site, senders: ThreadPoolExecutor, tmp_path: Path
) -> None:
    killed, after = photos(tmp_path, "killed", "after")
    asked = senders.submit(killed.send, shared)
    wait_until(killed.begun)
    os.kill(killed.begun()[0], signal.SIGKILL)
    assert asked.result(PATIENCE_S).status == 422
    assert len(killed.begun()) == 1
    after.end()
    assert after.send(shared).text == "read"


def test_process_that_is_killed_while_nobody_needs_it_costs_no_photo(
    shared: Site, tmp_path: Path
) -> None:
    first, second = photos(tmp_path, "first", "second")
    first.end()
    assert first.send(shared).text == "read"
    (idle,) = drawing(shared.process.pid)
    os.kill(idle, signal.SIGKILL)
    second.end()
    assert second.send(shared).text == "read"


def test_photo_that_eats_memory_is_given_up(site: Site, tmp_path: Path) -> None:
    hungry, after = photos(tmp_path, "hungry", "after")
    assert hungry.send(site, "eat").status == 422
    assert len(hungry.begun()) == 1
    after.end()
    assert after.send(site).text == "read"
    site.process.terminate()
    said = site.process.communicate(timeout=PATIENCE_S)[0]
    assert "limit of memory" in said
    assert "Traceback" not in said
    assert str(tmp_path) not in said


@pytest.mark.parametrize(
    "ticket", ["", "short", "../../../../etc/passwd", "a/b/c/d/e", "x" * 41, "0" * 17 + "\0"]
)
def test_bad_ticket_is_as_good_as_none(shared: Site, tmp_path: Path, ticket: str) -> None:
    photo = Photo(tmp_path, "one")
    photo.end()
    photo.ticket = ticket
    assert photo.send(shared).text == "read"
    assert json.loads(shared.ask(f"/place/?{urlencode({'ticket': ticket})}").text)["place"] is None


def test_one_address_has_only_so_many_read(site: Site, tmp_path: Path) -> None:
    photo = Photo(tmp_path, "one")
    photo.end()
    statuses = [photo.send(site).status for _ in range(31)]
    assert statuses == [200] * 30 + [429]


def test_photo_has_no_name_on_the_disk(tmp_path: Path) -> None:
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
        serving(started_before(tmp_path / "data"), **OURS, TMPDIR=folder) as site,
        socket.create_connection(("127.0.0.1", site.port), PATIENCE_S) as phone,
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
    """What its process has open."""
    found = []
    for file in Path(f"/proc/{site.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(os.readlink(file))
    return found


@contextmanager
def small_server(kind: str, data_dir: Path) -> Iterator[tuple[Site, Mover]]:
    """A site with somebody who plays there."""
    with deployment("sqlite", data_dir, has_tables=True) as kept:
        code = kept.table(2)
        ours = kept.variables | OURS
        if kind == "gunicorn":
            pytest.importorskip("gunicorn")
            del ours["DATA_DIR"]
            with gunicorn(data_dir, threads=4, **ours) as site:
                yield site, Mover(site.port, code)
        else:
            with serving(data_dir, **ours) as site:
                yield site, Mover(site.port, code)


@pytest.mark.parametrize("kind", ["serve", "gunicorn"])
def test_whoever_plays_never_waits_for_photos(
    kind: str, senders: ThreadPoolExecutor, tmp_path: Path
) -> None:
    with small_server(kind, tmp_path) as (site, mover):
        every = photos(tmp_path, *map(str, range(MOST_WAITING)))
        asked = [senders.submit(photo.send, site) for photo in every]
        wait_until(lambda: any(photo.begun() for photo in every))
        waiting = MOST_WAITING if kind == "serve" else 2
        wait_until(lambda: sum(not one.done() for one in asked) == waiting)
        for _ in range(5):
            assert mover.move().status == 200
        assert sum(not one.done() for one in asked) == waiting
        for photo in every:
            photo.end()
        statuses = [one.result(PATIENCE_S).status for one in asked]
    assert statuses.count(200) == waiting
    assert set(statuses) <= {200, 503}


def test_processes_that_read_end_with_the_server(site: Site, tmp_path: Path) -> None:
    photo = Photo(tmp_path, "one")
    photo.end()
    assert photo.send(site).text == "read"
    found = [*drawing(site.process.pid), *children(site.process.pid)]
    site.process.kill()
    wait_until(lambda: not any(map(is_running, found)))


# Without a server --------------------------------------------------------------------------------


@pytest.fixture
def processes() -> Processes:
    return Processes(1, READING)


@pytest.mark.parametrize(("do", "problem"), [(die, NotDrawn), (eat, MemoryLimitExceeded)])
def test_work_that_fails_in_a_new_process_is_begun_once(
    processes: Processes, tmp_path: Path, do: partial[bytes], problem: type[NotDrawn]
) -> None:
    photo = Photo(tmp_path, "one")
    with pytest.raises(NotDrawn) as given_up:
        processes.draw(partial(do, photo.file), 1)
    assert given_up.type is problem
    assert len(photo.begun()) == 1
    assert processes.draw(partial(bytes, 3), 1) == bytes(3)


def test_work_that_a_used_process_has_no_memory_for_is_repeated_in_a_new_one(
    processes: Processes, tmp_path: Path
) -> None:
    assert READING.most_mib
    before, photo = Photo(tmp_path, "before"), Photo(tmp_path, "photo")
    # With 20 MiB and more to spare each way: to load what is done needs some, too.
    processes.draw(partial(keep, before.file, 60), 1)
    assert processes.draw(partial(need, photo.file, READING.most_mib - 40), 1) == bytes(3)
    used, new = photo.begun()
    assert [used] == before.begun()
    assert new != used
    last = Photo(tmp_path, "last")
    processes.draw(partial(need, last.file, 1), 1)
    assert last.begun() == [new]


def test_process_that_has_kept_much_memory_is_replaced(
    processes: Processes, tmp_path: Path
) -> None:
    readers = set()
    for name in ("one", "two", "three"):
        photo = Photo(tmp_path, name)
        processes.draw(partial(keep, photo.file, MAX_KEPT_MIB + 10), 1)
        (reader,) = photo.begun()
        wait_until(lambda reader=reader: not is_running(reader))
        readers.add(reader)
    assert len(readers) == 3


def test_memory_that_opencv_cannot_have_counts_alike(processes: Processes, tmp_path: Path) -> None:
    photo = Photo(tmp_path, "one")
    with pytest.raises(MemoryLimitExceeded):
        processes.draw(partial(enlarge, photo.file, 40_000), 1)


def test_work_that_never_ends_is_given_up(tmp_path: Path) -> None:
    processes = Processes(1, READING._replace(longest_seconds=1))
    photo = Photo(tmp_path, "one")
    with pytest.raises(TooSlow):
        processes.draw(partial(sleep, photo.file), 1)
    assert len(photo.begun()) <= 1


def test_work_that_keeps_a_processor_busy_for_too_long_is_no_busy_machine(tmp_path: Path) -> None:
    processes = Processes(1, READING._replace(most_busy_seconds=0.5))
    photo = Photo(tmp_path, "one")
    with pytest.raises(TimeLimitExceeded):
        processes.draw(partial(spin, photo.file), 1)
    assert len(photo.begun()) == 1


def test_only_what_a_photo_itself_uses_of_the_processor_counts(tmp_path: Path) -> None:
    """Neither what its process has used for others before, nor that it has to wait."""
    processes = Processes(1, READING._replace(most_busy_seconds=0.5))
    readers = set()
    for name in ("one", "two", "three", "four"):
        photo = Photo(tmp_path, name)
        processes.draw(partial(work_and_wait, photo.file), 1)
        readers.update(photo.begun())
    assert len(readers) == 1


def test_process_that_does_not_even_take_a_photo_is_given_up(
    processes: Processes, tmp_path: Path
) -> None:
    photo = Photo(tmp_path, "one")
    photo.end()
    processes.draw(partial(wait_for, photo.file), 1)
    (reader,) = photo.begun()
    os.kill(reader, signal.SIGSTOP)
    processes._idle[0]._lane = READING._replace(longest_seconds=1)
    large = bytes(8 * 2**20)  # more than a pipe holds
    with pytest.raises(NotDrawn):
        processes.draw(partial(bytes, large), 1)
    wait_until(lambda: not is_running(reader))


def test_waiting_has_an_end(tmp_path: Path) -> None:
    line = Line(tmp_path / "line", 1, 2)
    with line.place("first-ticket"), line.place("second-ticket") as wait, pytest.raises(LineFull):
        wait(0)
    assert line.place_of("second-ticket") is None


def test_line_of_a_folder_that_cannot_be_written_is_one_processs_own(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    line = Line(tmp_path / "file", 1, 1)
    with line.place("first-ticket") as wait, line.place("second-ticket"):
        wait(0)
        assert [line.place_of(f"{one}-ticket") for one in ("first", "second", "third")] == [
            0, 1, None,
        ]  # fmt: skip
        with pytest.raises(LineFull), line.place("third-ticket"):
            pass
    assert line.place_of("first-ticket") is None


def test_ticket_that_comes_twice_is_where_it_came_last(tmp_path: Path) -> None:
    line = Line(tmp_path / "line", 1, 5)
    with line.place("first-ticket"), line.place("other-ticket"), line.place("first-ticket"):
        assert line.place_of("first-ticket") == 2


def test_photo_of_sixteen_megapixels_is_read_in_the_memory_that_there_is(
    processes: Processes,
) -> None:
    taken = take("level-1", "level-2")
    photo = Image.open(BytesIO(taken.jpeg))
    share = (16_000_000 / (photo.width * photo.height)) ** 0.5
    large = BytesIO()
    size = (round(photo.width * share), round(photo.height * share))
    photo.resize(size, Image.Resampling.BICUBIC).save(large, "JPEG", quality=90)
    for _ in range(3):
        seen = json.loads(processes.draw(partial(see, large.getvalue()), 1))
        assert seen["sheets"] == ["level-1", "level-2"]
        assert seen["mib"] < MOST_MIB


def test_webp_whose_decoder_lacks_memory_is_no_broken_file(processes: Processes) -> None:
    (lossless,) = (one for one in costly_photos() if one.name == "lossless WebP")
    assert lossless.read_by(processes).outcome == "MemoryLimitExceeded"


def test_mixed_photos_in_a_row_are_read_as_each_is_alone(processes: Processes) -> None:
    alone = {one.name: one.read_by(Processes(1, READING)).outcome for one in different_photos()}
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
        done = sent.read_by(processes)
        most = max(most, done.mib)
        if done.outcome != alone[sent.name]:
            differing.append((sent.name, done.outcome))
    assert not differing
    assert most < MOST_MIB
