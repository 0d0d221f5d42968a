"""Moves of thinking bots after their server processes were killed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.live.deployments import Deployment, deployment
from tests.live.moves import CSRF, Response, ask
from tests.live.phones import Phone
from tests.live.player import token_of
from tests.processes import TIMEOUT_S
from tests.site.served_site import serving
from tests.table_fragments import FROM_SCRIPT, state_in

pytestmark = pytest.mark.own_servers


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Deployment]:
    with deployment(request.param, tmp_path_factory.mktemp("site")) as site:
        yield site


class Player:
    """Ana's page of a table and its stream, at one server of the site."""

    def __init__(self, port: int, code: str) -> None:
        self.port, self.code = port, code
        self.phone = Phone(port, code, token_of(0), "")
        _event, self._known = self.phone.next_event(TIMEOUT_S)

    def state(self) -> dict[str, Any]:
        """Return the state of the table."""
        return state_in(self._ask("GET", "?seat=0").body)

    def wait_for_turn(self, after: int = -1) -> dict[str, Any]:
        """Return the state when it is her turn, at a later revision than ``after``.

        As her page does, she fetches the state only after news from the stream.
        """
        end = time.monotonic() + TIMEOUT_S
        while True:
            assert time.monotonic() < end, "waited in vain"
            event, told = self.phone.next_event(TIMEOUT_S)
            if told == self._known:
                continue
            state: dict[str, Any] = told if event == "fragments" else self.state()
            self._known = state["revision"]
            if state["call"] and state["revision"] > after:
                return state

    def act(self, state: dict[str, Any]) -> Response:
        """Carry out her next act: place a die, drop out, or roll."""
        fields = [at for at, hint in state["hints"].items() if hint == "strong"]
        do = "drop" if state["call"].endswith("reroll") else "roll"
        sent = {"do": "tap", "at": fields[0]} if fields else {"do": do}
        sent |= {"player": "0", "moment": state["moment"], "request": f"act-{state['revision']:08}"}
        return self._ask("POST", "act/?seat=0", sent)

    def ask_hint(self, state: dict[str, Any]) -> Response:
        """Request a hint of a hard bot."""
        sent = {"player": "0", "moment": state["moment"], "request": "ask-00000001"}
        return self._ask("POST", "ask/?seat=0", sent)

    def wait_for_hint(self) -> str:
        """Wait for the hard bot's answer; return the bar with the hint."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            bar = str(self.state()["parts"]["_bar"])
            if "The hard bot would" in bar:
                return bar
            self.phone.next_event(TIMEOUT_S)
        raise AssertionError("waited in vain")

    def _ask(self, method: str, path: str, form: dict[str, str] | None = None) -> Response:
        headers = {
            **FROM_SCRIPT,
            "Cookie": f"csrftoken={CSRF}; dizzle_seat={token_of(0)}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urlencode(form) if form else None
        return ask(self.port, method, f"/table/{self.code}/{path}", body, headers)


def test_bots_continue_after_their_processes_were_killed(site: Deployment) -> None:
    """First a process is killed while a bot thinks, then a server, then one during a hint."""
    code = site.ask("against", "expert")
    with (
        serving(site.data_dir, **site.variables) as one,
        serving(site.data_dir, **site.variables) as other,
    ):
        ana, also_ana = Player(one.port, code), Player(other.port, code)
        turns = [ana.wait_for_turn()]
        answered = ana.act(turns[0])
        one.process.kill()
        assert answered.status == 200
        assert state_in(answered.body)["call"] == ""  # it is the bot's turn
        turns.append(also_ana.wait_for_turn(after=turns[0]["revision"]))
        assert also_ana.act(turns[1]).status == 200
        turns.append(also_ana.wait_for_turn(after=turns[1]["revision"]))
        assert also_ana.ask_hint(turns[2]).status == 200
        other.process.kill()
        for player in (ana, also_ana):
            player.phone.hang_up()
    with serving(site.data_dir, **site.variables) as third:
        again_ana = Player(third.port, code)
        bar = again_ana.wait_for_hint()
        assert "No answer came" not in bar
        again_ana.phone.hang_up()
    stored = site.stored(code)
    assert [number for number, _ in stored["entries"]] == list(range(1, stored["length"] + 1))
    assert site.ask("applied", code) == str(stored["length"] - 2)  # a request and its answer
    assert sum(request is not None for _, request in stored["entries"]) == 5
