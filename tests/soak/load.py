"""Load on a site: simulated players place dice, take them back and end passes.

Each player has an own device that acts like the script of the page: it sends an action with its id
until it is answered, and only then the next one. Players only tap what the page offers, so a player
who is done is not marked as done again. Therefore each acknowledged action is in the log.
"""

from __future__ import annotations

import http.client
import itertools
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from tests.live.phones import Phone
from tests.soak.answers import judge_act
from tests.soak.devices import GIVES_UP_AFTER_S, Device, code_in
from tests.soak.ledger import ACKNOWLEDGED, Ledger
from tests.soak.sites import Site

LEVEL = "level-1"
PAUSE_S = (0.02, 0.15)
"""Minimum and maximum pause between two actions of one player."""

HEARS_WITHIN_S = 15.0
SILENT_S = 8
"""Silence after which a page reconnects; a stream sends something every five seconds."""

IS_DONE = 'name="done" value="no"'
"""Part of the button "Not done yet", which the page shows to a player who is done."""

_numbers = itertools.count(1)


class Load:
    """Tables with players, who play until ``stop`` is called."""

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
        """Number of acknowledged actions."""
        return self.ledger.acknowledged

    def stop(self) -> None:
        """Wait until each player has an answer to their last action."""
        self.is_over.set()
        for party in self._parties:
            party.join(2 * GIVES_UP_AFTER_S)
            if party.is_alive():
                self.ledger.complain("a player who never came to an end")

    def _play_on(self, players: int, random: Random) -> None:
        """Play one game after the other."""
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
    """Run players during the block; at its end each action is answered or has timed out."""
    load = Load(ledger, site, random, tables=tables, players=players)
    try:
        yield load
    finally:
        load.stop()


def _sit_down(devices: list[Device]) -> str:
    """Open a table, take all seats and start the game; return the code, empty after a failure."""
    if not all(device.get_cookie() for device in devices):
        return ""
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
    """One seat: the last state its device received, and the choice of its next action."""

    def __init__(
        self, device: Device, code: str, seat: int, random: Random, is_over: threading.Event
    ) -> None:
        self.device, self.code, self.seat = device, code, seat
        self.random, self.is_over = random, is_over
        self.revision = 0
        self._placed = 0

    def play(self) -> None:
        """Play until the game or the scenario is over; complain about a mistake in the load."""
        try:
            self._play()
        except Exception as problem:  # a bug must not look like an idle player
            self.device.ledger.complain(f"a player broke: {type(problem).__name__}: {problem}")

    def _play(self) -> None:
        state = self._fetch()
        while state and state["stage"] == "play" and not self._must_go():
            action = self._next_action(state)
            state = self._send(*action, state) if action else self._fetch()
            self.device.closing.wait(self.random.uniform(*PAUSE_S))

    def _must_go(self) -> bool:
        return self.is_over.is_set() or self.device.closing.is_set()

    def _fetch(self) -> dict[str, Any] | None:
        path = f"/table/{self.code}/?seat={self.seat}"
        answer = self.device.ask_until_answered(path, judge=judge_act)
        return self._checked(answer.document) if answer and answer.status == 200 else None

    def _next_action(self, state: dict[str, Any]) -> tuple[str, dict[str, object]] | None:
        """Return the last part of the address and the fields sent there; None for waiting."""
        fields = sorted(at for at, hint in state["hints"].items() if hint == "strong")
        if state["owes"] or not state["tap"]:
            return self._owed(state["tap"], fields)
        chance = self.random.random()
        if IS_DONE in state["parts"]["_bar"]:
            return (
                ("done/", {"done": "no"}) if chance < 0.01 else None
            )  # the other players still place
        if chance < 0.06:
            return "done/", {"done": "yes"}
        if fields and (chance < 0.55 or not self._placed):
            self._placed += 1
            at = self.random.choice(fields)
            return "act/", {"do": "place", "at": at}
        if self._placed:
            self._placed -= 1
            return "undo/", {}
        return None

    def _owed(self, tap: str, fields: list[str]) -> tuple[str, dict[str, object]] | None:
        self._placed = 0
        return ("act/", {"do": tap, "at": fields[0]}) if fields else None

    def _send(
        self, where: str, sent: dict[str, object], state: dict[str, Any]
    ) -> dict[str, Any] | None:
        """Send one action until it is answered; return the state in the answer."""
        request = f"soak-{next(_numbers):07}-{secrets.token_hex(4)}"
        ledger = self.device.ledger
        path = f"/table/{self.code}/{where}"
        fields = {"moment": state["moment"], **sent, "player": self.seat, "request": request}
        ledger.send(request, self.code, path, fields)
        answer = self.device.ask_until_answered(path, fields, judge_act)
        fresh = answer.document if answer else None
        if not answer or not isinstance(fresh, dict) or "revision" not in fresh:
            return None
        ledger.answer(request, answer.status, _summary(fresh))
        if answer.status == ACKNOWLEDGED:
            self._check_shown(sent, state, fresh)
        else:
            self._placed = 0
        return self._checked(fresh)

    def _check_shown(
        self, sent: dict[str, object], before: dict[str, Any], fresh: dict[str, Any]
    ) -> None:
        """Complain unless a placed die is on the sheet in its answer: nobody else may remove it."""
        if sent.get("do") != "place" or fresh.get("moment") != before["moment"]:
            return
        shown = fresh["marks"][self.seat].get(str(sent["at"]), "")
        if not shown.startswith("die-"):
            self.device.ledger.complain("an answer that does not show the die it acknowledges")

    def _checked(self, state: dict[str, Any]) -> dict[str, Any]:
        if state["revision"] < self.revision:
            self.device.ledger.complain("a revision that went back")
        self.revision = max(self.revision, state["revision"])
        return state


def _summary(state: dict[str, Any]) -> str:
    """Format the state of the game in an answer as one line."""
    names = ("revision", "stage", "moment", "refusal")
    return json.dumps({name: state[name] for name in names if name in state})


class Ear:
    """Subscriber of a table's event stream that reconnects whenever it ends, as a page does."""

    def __init__(self, site: Site, code: str, device: Device) -> None:
        self._site, self._code, self._device = site, code, device
        self._heard = 0
        self._has_changed = threading.Condition()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def must_hear(self, revision: int) -> None:
        """Complain unless the stream delivers the revision, or a later one."""
        with self._has_changed:
            if not self._has_changed.wait_for(lambda: self._heard >= revision, HEARS_WITHIN_S):
                self._device.ledger.complain("a phone that never heard of the last action")

    def stop(self) -> None:
        """Close the connection."""
        self._is_over.set()
        self._thread.join(HEARS_WITHIN_S)

    def _listen(self) -> None:
        while not (self._is_over.is_set() or self._device.closing.is_set()):
            try:
                with Phone(self._site.a_live_port(), self._code, self._device.cookie) as phone:
                    self._hear(phone)
            except (OSError, http.client.HTTPException):
                pass  # the connection broke: reconnect
            self._is_over.wait(0.3)

    def _hear(self, phone: Phone) -> None:
        """Record revisions until the stream ends, or is silent for too long."""
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
