"""People who play: they place dice, take them back and end passes, each on a device of their own.

They do what the page's script does: an act has an id, is sent until it is answered, and only then
comes the next one.
"""

from __future__ import annotations

import http.client
import itertools
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from tests.live.phones import Phone

from .answers import judge_act
from .devices import GIVES_UP_AFTER_S, Device, code_in
from .ledger import Ledger
from .sites import Site

LEVEL = "level-1"
PAUSE_S = (0.02, 0.15)
"""Between two acts of one player: as many acts as many tables make."""

HEARS_WITHIN_S = 15.0
SILENT_S = 8
"""A stream says something every five seconds; a page that hears nothing for longer comes back."""

_numbers = itertools.count(1)


class Load:
    """Tables with players, who play until they are told to stop."""

    def __init__(
        self, ledger: Ledger, site: Site, random: Random, *, tables: int, players: int
    ) -> None:
        self.ledger, self.site, self.random = ledger, site, random
        self.closing, self.is_over = site.closing, threading.Event()
        self._parties = [
            threading.Thread(
                target=self._play_on, args=(players, Random(random.random())), daemon=True
            )
            for _ in range(tables)
        ]
        for party in self._parties:
            party.start()

    @property
    def acknowledged(self) -> int:
        """How many acts were acknowledged so far."""
        return len(self.ledger.acknowledged)

    def stop(self) -> None:
        """Let everybody finish what they have begun."""
        self.is_over.set()
        for party in self._parties:
            party.join(2 * GIVES_UP_AFTER_S)
            if party.is_alive():
                self.ledger.complain("a player who never came to an end")

    def _play_on(self, players: int, random: Random) -> None:
        """One game after the other."""
        while not (self.is_over.is_set() or self.closing.is_set()):
            devices = [Device(self.ledger, self.site.a_port, self.closing) for _ in range(players)]
            if code := _sit_down(devices):
                self._play(code, devices, random)
            self.closing.wait(0.2)

    def _play(self, code: str, devices: list[Device], random: Random) -> None:
        self.ledger.codes.add(code)
        people = [
            Player(device, code, seat, Random(random.random()), self.is_over)
            for seat, device in enumerate(devices)
        ]
        threads = [threading.Thread(target=person.play, daemon=True) for person in people]
        with _listening(self.site, code, devices[-1], self.is_over) as ear:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if not self.closing.is_set():
                ear.must_hear(max(person.revision for person in people))


@contextmanager
def playing(
    ledger: Ledger, site: Site, random: Random, *, tables: int = 2, players: int = 3
) -> Iterator[Load]:
    """Let people play; at the end all of them have finished, and what they know is whole."""
    load = Load(ledger, site, random, tables=tables, players=players)
    try:
        yield load
    finally:
        load.stop()


def _sit_down(devices: list[Device]) -> str:
    """Open a table, seat everybody and begin; gives the code, empty if it did not come to that."""
    fields = {"level": LEVEL, "players": len(devices), "dice": "table", "name": "0"}
    opened = devices[0].ask_until_answered("/table/new/", fields)
    code = code_in(opened.location) if opened else ""
    if not code:
        return ""
    for number, device in enumerate(devices[1:], start=1):
        seat = {"number": number, "name": str(number)}
        if not device.ask_until_answered(f"/table/{code}/sit/", seat):
            return ""
    started = devices[0].ask_until_answered(f"/table/{code}/start/", {})
    return code if started and started.status == 302 else ""


class Player:
    """One seat: what its device was told last, and what it does next."""

    def __init__(
        self, device: Device, code: str, seat: int, random: Random, is_over: threading.Event
    ) -> None:
        self.device, self.code, self.seat = device, code, seat
        self.random, self.is_over = random, is_over
        self.revision = 0
        self._placed = 0
        self._done_at = ""

    def play(self) -> None:
        """Play until the game or the scenario is over."""
        state = self._look()
        while state and state["stage"] == "play" and not self._must_go():
            act = self._next_act(state)
            state = self._send(*act, state) if act else self._look()
            self.device.closing.wait(self.random.uniform(*PAUSE_S))

    def _must_go(self) -> bool:
        return self.is_over.is_set() or self.device.closing.is_set()

    def _look(self) -> dict[str, Any] | None:
        path = f"/table/{self.code}/now/?seat={self.seat}"
        answer = self.device.ask_until_answered(path, judge=judge_act)
        return self._told(answer.document) if answer and answer.status == 200 else None

    def _next_act(self, state: dict[str, Any]) -> tuple[str, dict[str, object]] | None:
        """The address and what is sent there; None for waiting."""
        fields = sorted(at for at, hint in state["hints"].items() if hint == "strong")
        if state["owes"] or not state["taps"]:
            return self._owed(state["taps"], fields)
        if self._done_at == state["moment"]:
            return None  # the others still place
        chance = self.random.random()
        if chance < 0.06:
            self._done_at = state["moment"]
            return "done/", {"done": "yes", "moment": state["moment"]}
        if fields and (chance < 0.55 or not self._placed):
            self._placed += 1
            at = self.random.choice(fields)
            return "act/", {"do": "place", "at": at, "moment": state["moment"]}
        if self._placed:
            self._placed -= 1
            return "undo/", {}
        return None

    def _owed(
        self, taps: dict[str, str], fields: list[str]
    ) -> tuple[str, dict[str, object]] | None:
        self._placed = 0
        return ("act/", {"do": taps[fields[0]], "at": fields[0]}) if fields else None

    def _send(
        self, where: str, sent: dict[str, object], state: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Send one act until it is answered."""
        request = f"soak-{next(_numbers):07}-{secrets.token_hex(4)}"
        ledger = self.device.ledger
        ledger.send(request, self.code)
        fields = {"moment": state["moment"], **sent, "player": self.seat, "request": request}
        answer = self.device.ask_until_answered(f"/table/{self.code}/{where}", fields, judge_act)
        fresh = answer.document if answer else None
        if not answer or not isinstance(fresh, dict) or "revision" not in fresh:
            return None
        if answer.status == 200:
            ledger.acknowledge(request)
            self._check_shown(sent, state, fresh)
        else:
            ledger.refuse(request)
            self._placed = 0
        return self._told(fresh)

    def _check_shown(
        self, sent: dict[str, object], before: dict[str, Any], fresh: dict[str, Any]
    ) -> None:
        """Nobody else touches one's own sheet: a die that was placed lies there in the answer."""
        if sent.get("do") != "place" or fresh.get("moment") != before["moment"]:
            return
        shown = fresh["marks"][self.seat].get(str(sent["at"]), "")
        if not shown.startswith("die-"):
            self.device.ledger.complain("an answer that does not show the die it acknowledges")

    def _told(self, state: dict[str, Any]) -> dict[str, Any]:
        if state["revision"] < self.revision:
            self.device.ledger.complain("a revision that went back")
        self.revision = max(self.revision, state["revision"])
        return state


class Ear:
    """Listens to a table's stream and comes back whenever it ends, as a page does."""

    def __init__(self, site: Site, code: str, device: Device) -> None:
        self._site, self._code, self._device = site, code, device
        self._heard = 0
        self._has_changed = threading.Condition()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def must_hear(self, revision: int) -> None:
        """Complain unless the revision comes, or a later one."""
        with self._has_changed:
            if not self._has_changed.wait_for(lambda: self._heard >= revision, HEARS_WITHIN_S):
                self._device.ledger.complain("a phone that never heard of the last act")

    def stop(self) -> None:
        """Hang up."""
        self._is_over.set()
        self._thread.join(HEARS_WITHIN_S)

    def _listen(self) -> None:
        while not (self._is_over.is_set() or self._device.closing.is_set()):
            try:
                with Phone(self._site.a_live_port(), self._code, self._device.token) as phone:
                    self._hear(phone)
            except (OSError, http.client.HTTPException):
                pass  # it broke: come back
            self._is_over.wait(0.3)

    def _hear(self, phone: Phone) -> None:
        """Note what comes until the stream ends, or is silent for longer than it should be."""
        silent_s = 0
        while phone.status == 200 and silent_s < SILENT_S and not self._is_over.is_set():
            try:
                line = phone.next_line(within_s=1)
            except AssertionError:
                silent_s += 1
                continue
            silent_s = 0
            if line == "over":
                return
            if line.startswith("data: "):
                with self._has_changed:
                    self._heard = max(self._heard, int(line.removeprefix("data: ")))
                    self._has_changed.notify_all()


@contextmanager
def _listening(site: Site, code: str, device: Device, is_over: threading.Event) -> Iterator[Ear]:
    ear = Ear(site, code, device)
    try:
        yield ear
    finally:
        ear.stop()
