"""Import of game files into a group: upload, preview, and confirmation."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Final, NamedTuple

from django.conf import settings
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from sheets.access.keys import Access, only_editors
from sheets.groups import game_files_import as use_cases
from sheets.groups.dates import read_day
from sheets.groups.game_files_import import MAX_FILES, NoGame
from sheets.groups.game_results import FinishedGame
from sheets.groups.game_titles import title_of
from sheets.groups.paper_games_import import last_day
from sheets.groups.result_table import decode_table, read_table
from sheets.groups.views.access import with_group
from sheets.groups.views.paper_games_import import enter_table
from sheets.groups.views.storage_limits import (
    STORAGE_ERRORS,
    charge_to,
    storage_error_sentence,
    with_retry_status,
)
from sheets.http.rate_limits import UPLOADS, limited
from sheets.models import Group
from sheets.names.cleaning import clean_name
from sheets.rules import DocumentError
from sheets.tables.dice2.files import BrokenFile
from sheets.tables.game_files import BrokenGame
from sheets.text.faults import describe_fault
from sheets.text.form_errors import NO_FIELD

MAX_TABLE_BYTES: Final = settings.MAX_BODY_BYTES - 16 * 1024
"""Maximum size of a table in bytes, so that the preview page can send the table back."""

UPLOAD_ERRORS: Final = {
    "picture": gettext_lazy(
        "A picture or a PDF is not a game. Choose the file (JSON) of the sheets or the table."
    ),
    "no-document": gettext_lazy(
        "This is neither a game file (JSON) nor a table of games (CSV). To add a tally, tap the "
        "button on its result page."
    ),
}
"""Error messages by fault for uploads of games, in place of the general messages."""

NO_GAME_ERRORS: Final = {
    "group": gettext_lazy(
        "This is a whole group. Open it on the page where you start a group; there "
        "you can join it with this one."
    ),
    "level": gettext_lazy("This is a level, not a game."),
    "open": gettext_lazy("This game is not over."),
    "missing": gettext_lazy(
        "Something is missing on these sheets: several players have reached the same "
        "flag or area, and the file does not say who was first. Open the file to "
        "score it, then add the result."
    ),
}
"""Error messages by the reason of `NoGame`."""


class ReadableFile(NamedTuple):
    """A file with a game.

    ``sealed`` is the signed game, which the preview page sends back. ``is_known``: the group has
    the game, or an earlier file has it, too.
    """

    number: int
    name: str
    title: str
    game: FinishedGame
    sealed: str
    day: str
    is_known: bool


class RejectedFile(NamedTuple):
    """A file without a game to add, and the reason."""

    name: str
    why: str


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
@with_group
@only_editors
def enter_files(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Preview the games in uploaded files, and add them once the user confirms."""
    if "keep" in request.POST:
        return _add_confirmed(request, access)
    files = request.FILES.getlist("document")
    games: list[tuple[str, FinishedGame, date]] = []
    rejected: list[RejectedFile] = []
    for file in files[:MAX_FILES]:
        name, content = clean_name(file.name or ""), bytes(file.read())
        try:
            games.append((name, use_cases.read_file(content), use_cases.day_in(name)))
        except DocumentError as error:
            table = _table_in(error, content, access.resource)
            if table and len(files) == 1 and len(table.encode()) <= MAX_TABLE_BYTES:
                return enter_table(request, access, table)
            rejected.append(RejectedFile(name, _why_no_table(error, table)))
        except BrokenGame as broken:
            rejected.append(RejectedFile(name, broken.sentence))
        except BrokenFile as broken_file:
            rejected.append(RejectedFile(name, str(broken_file)))
        except NoGame as none:
            rejected.append(RejectedFile(name, str(NO_GAME_ERRORS[none.why])))
    wrong = {}
    if request.method == "POST" and not games:
        message = _("Choose at least one file.") if not files else _("No game was found in this.")
        wrong = {"document": message}
    readable = _readable_files(access.resource, games)
    left = max(0, len(files) - MAX_FILES)
    return _show(request, access, readable, rejected=rejected, wrong=wrong, left=left)


def _table_in(error: DocumentError, content: bytes, group: Group) -> str:
    """Return the text of a file that is a table instead of a document; empty for other files."""
    if error.fault not in ("no-document", "not-utf-8"):
        return ""
    text = decode_table(content)
    read = read_table(text, group)
    return text if read.games or read.faulty_lines else ""


def _why_no_table(error: DocumentError, table: str) -> str:
    """Return the reason why a file is rejected; ``table`` is its text if it is a table."""
    if len(table.encode()) > MAX_TABLE_BYTES:
        return describe_fault(DocumentError("too-large", kib=MAX_TABLE_BYTES // 1024))
    if table:
        return _("This is a table. Open it alone, without other files.")
    return str(UPLOAD_ERRORS.get(error.fault) or describe_fault(error))


def _add_confirmed(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Add the games of a confirmed preview, with the days that the user has typed there."""
    games: list[tuple[str, FinishedGame, date]] = []
    wrong: dict[str, str] = {}
    days: list[str] = []
    for number, text in enumerate(request.POST.getlist("game")[:MAX_FILES]):
        typed = request.POST.get(f"day-{number}", "")
        day = read_day(typed)
        if day is None:
            wrong[f"day-{number}"] = _("On which day was it?")
        elif day > last_day():
            wrong[f"day-{number}"] = _("This day is yet to come.")
        try:
            game = use_cases.unseal(text, day or last_day())
        except BadSignature:
            return HttpResponseBadRequest("no such game")
        games.append((clean_name(request.POST.get(f"name-{number}", "")), game, day or last_day()))
        days.append(typed[:10])
    readable = _readable_files(access.resource, games)
    readable = [one._replace(day=typed) for one, typed in zip(readable, days, strict=True)]
    if wrong:
        return _show(request, access, readable, wrong=wrong)
    try:
        kept = use_cases.import_games(
            access, [game for _name, game, _day in games], charge_to(request)
        )
    except STORAGE_ERRORS as error:
        wrong = {NO_FIELD: storage_error_sentence(error)}
        return with_retry_status(_show(request, access, readable, wrong=wrong), error)
    url = reverse("group-enter", args=[access.key])
    return redirect(f"{url}?{urlencode(kept._asdict())}")


def _readable_files(
    group: Group, games: list[tuple[str, FinishedGame, date]]
) -> list[ReadableFile]:
    known = use_cases.known_contents(group, [game for _name, game, _day in games])
    found = []
    for number, (name, game, day) in enumerate(games):
        title = title_of(game)
        is_known = game.content in known
        known.add(game.content)
        sealed = use_cases.seal(game)
        found.append(ReadableFile(number, name, title, game, sealed, str(day), is_known))
    return found


def _show(
    request: HttpRequest,
    access: Access[Group],
    readable: list[ReadableFile],
    *,
    rejected: Collection[RejectedFile] = (),
    wrong: dict[str, str] | None = None,
    left: int = 0,
) -> HttpResponse:
    context = {
        "access": access,
        "games": readable,
        "new_count": sum(not one.is_known for one in readable),
        "rejected": rejected,
        "wrong": wrong or {},
        "left": left,
        "most": MAX_FILES,
        "someone": _("someone"),
    }
    return render(request, "groups/enter_files.html", context, status=400 if wrong else 200)
