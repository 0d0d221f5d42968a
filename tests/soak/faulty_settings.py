"""Settings of a deliberately faulty site, to show that the soak test finds real losses.

It acknowledges some actions without storing them, stores some twice, and fails with some.
`python -m tests.soak --settings tests.soak.faulty_settings` serves it. Its log names each action
that it forgot.
"""

import itertools
import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, QueryDict

from dizzle_site.settings import *  # noqa: F403
from dizzle_site.settings import MIDDLEWARE
from tests.soak.devices import code_in

MIDDLEWARE = [*MIDDLEWARE, "tests.soak.faulty_settings.be_faulty"]

_actions = itertools.count()
_numbers: dict[str, int] = {}
"""Number of each action by the id of its request. One that is sent again, as its answer was late,
is treated as the first time: a stored action is not forgotten, and a forgotten one stays so."""


def be_faulty(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Forget every fourth action, fail with every fourth, and store each undo twice."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "request" not in request.POST:
            return get_response(request)
        request_id = request.POST["request"]
        is_new = request_id not in _numbers
        number = _numbers.setdefault(request_id, next(_actions)) % 4
        if number == 1:
            if is_new:
                sys.stdout.write(f"Forgotten on purpose: {request_id}\n")
            return _answer_only(request)
        if number == 3 and is_new:
            raise RuntimeError("faulty on purpose")
        response = get_response(request)
        if request.path.endswith("/undo/") and response.status_code == 200:
            _store_again(request_id)
        return response

    return answer


def _answer_only(request: HttpRequest) -> HttpResponse:
    """Answer with the table as it stands, as if the action had been carried out."""
    from sheets.tables.views.page import page

    request.method = "GET"
    request.GET = QueryDict(f"seat={request.POST['player']}")
    return page(request, code=code_in(request.path))


def _store_again(request: str) -> None:
    """Append a copy of the entry to the log."""
    from django.db.models import F

    from sheets.models import Entry, Table

    entry = Entry.objects.select_related("table").get(request=request)
    number = entry.table.length + 1
    Entry.objects.create(table=entry.table, number=number, action=entry.action, seat=entry.seat)
    Table.objects.filter(pk=entry.table.pk).update(length=number, revision=F("revision") + 1)
