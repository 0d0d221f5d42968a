"""Edit keys and view keys of links: lookup, permissions, private pages."""

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sheets.access import keys
from sheets.access.keys import NotAllowed, UnknownKey, digest, idempotency_key_of, lock, share_key
from sheets.groups import store as group_store
from sheets.models import Group, Scoring, WorkshopLevel
from sheets.models.keyed_resource import Keyed
from sheets.rules import parse_level
from sheets.scoring import store
from sheets.workshop import store as workshop_store
from tests.score_levels import GARDEN

pytestmark = pytest.mark.django_db

# Keys on phones and digests in databases of users: these values never change.
KEY = "Qz3-vT8_kLm0wXy1Pd5RbN7cJ2hFsG4a"
KEY_DIGEST = "94e7cbdcf3a5ebd1373e736a7d7d2243f4aa9600712853e80a35cb00df88fd2c"
SCORING_SHARE_KEY = "rN6I6b3768pS-UDuk8ZmN1Lu3k-6OLCk"
SCORING_SHARE_DIGEST = "4e702a8d3caebb9869da27c0ff9d70fea41cc4dd842628878fbc4f26338a0f5f"
LEVEL_SHARES = {
    1: (
        "fCb5Ma27dbxQZ4b0PAUrJs-I-nSA_ndg",
        "e3069601dcee078d55b584d0c716fb24865291ddef0653de12cabde10cd381ed",
    ),
    20481: (
        "ibXMS_VEir9H2Ly2CyJX0HGByqtOJ7Vi",
        "2a88c747b47c3ec366ac36cb361f86dee79b3db843af925c12ce2e77904117cf",
    ),
}

THINGS = ("scoring", "level", "group")


Held = keys.Access[Scoring] | keys.Access[WorkshopLevel] | keys.Access[Group]


def create_thing(what: str) -> Held:
    if what == "group":
        return group_store.find(group_store.create("Family"))
    if what == "level":
        return workshop_store.find(workshop_store.create(GARDEN))
    return store.find(store.create(parse_level(GARDEN), ["Ana", "Ben"]))


def find_thing(what: str, key: str) -> Held:
    if what == "group":
        return group_store.find(key)
    return workshop_store.find(key) if what == "level" else store.find(key)


# Links of earlier versions -----------------------------------------------------------------------


def test_links_to_scorings_of_earlier_versions_stay_valid(client: Client) -> None:
    scoring = store.find(store.create(parse_level(GARDEN), ["Ana", "Ben"])).resource
    Scoring.objects.update(key_digest=KEY_DIGEST, share_digest=SCORING_SHARE_DIGEST)
    owner, looker = store.find(KEY), store.find(SCORING_SHARE_KEY)
    assert (owner.resource, looker.resource) == (scoring, scoring)
    assert (owner.can_edit, looker.can_edit) == (True, False)
    assert owner.share_key == looker.share_key == SCORING_SHARE_KEY
    assert client.get(f"/score/{KEY}/1/").status_code == 200
    assert client.get(f"/score/{SCORING_SHARE_KEY}/").status_code == 200


@pytest.mark.parametrize("number", LEVEL_SHARES)
def test_links_to_own_levels_of_earlier_versions_stay_valid(client: Client, number: int) -> None:
    key, stored = LEVEL_SHARES[number]
    level = workshop_store.find(workshop_store.create(GARDEN)).resource
    WorkshopLevel.objects.update(key_digest=KEY_DIGEST, share_digest=stored, share_number=number)
    owner, looker = workshop_store.find(KEY), workshop_store.find(key)
    assert (owner.resource, looker.resource) == (level, level)
    assert (owner.can_edit, looker.can_edit) == (True, False)
    assert owner.share_key == looker.share_key == key
    assert client.get(f"/workshop/{KEY}/").status_code == 200
    assert client.get(f"/workshop/{key}/").status_code == 200


def test_a_withdrawn_link_is_unknown() -> None:
    held = workshop_store.find(workshop_store.create(GARDEN))
    assert keys.set_shared(held, False).share_key == ""
    assert share_key(KEY, "") == ""


def test_new_keys_have_the_same_form_as_before() -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", keys.new_key())
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", keys.new_token())
    assert len({keys.new_key() for _ in range(50)}) == 50


# All kinds of things with keys -------------------------------------------------------------------


def test_everything_behind_a_key_stores_only_digests() -> None:
    kinds = [model for model in apps.get_models() if issubclass(model, Keyed)]
    assert len(kinds) == 5
    for kind in kinds:
        names = {field.name for field in kind._meta.get_fields()}
        assert "key_digest" in names, kind
        assert not {name for name in names if name.endswith("key")}, kind


@pytest.mark.postgresql
@pytest.mark.parametrize("what", THINGS)
def test_the_edit_key_changes_and_the_view_key_only_shows(what: str) -> None:
    owner = create_thing(what)
    looker = find_thing(what, owner.share_key)
    assert owner.resource == looker.resource == lock(owner)
    assert looker.share_key == owner.share_key != owner.key
    with pytest.raises(NotAllowed):
        lock(looker)


@pytest.mark.parametrize("what", THINGS)
def test_a_digest_or_another_key_opens_nothing(what: str) -> None:
    owner = create_thing(what)
    for key in (digest(owner.key), owner.resource.share_digest or "", keys.new_key(), ""):
        with pytest.raises(UnknownKey):
            find_thing(what, key)


@pytest.mark.parametrize("what", THINGS)
def test_a_deleted_thing_or_one_with_another_key_cannot_be_changed(what: str) -> None:
    owner = create_thing(what)
    type(owner.resource)._default_manager.update(key_digest=digest(keys.new_key()))
    with pytest.raises(UnknownKey):
        lock(owner)
    owner = create_thing(what)
    type(owner.resource)._default_manager.all().delete()
    with pytest.raises(UnknownKey):
        lock(owner)


@pytest.mark.parametrize("what", THINGS)
def test_a_visit_is_noted_once_a_day(what: str) -> None:
    kind = type(create_thing(what).resource)
    for hours, is_noted in ((25, True), (23, False)):
        past = timezone.now() - timedelta(hours=hours)
        kind._default_manager.update(touched=past)
        keys.note_visit(kind._default_manager.get())
        assert (kind._default_manager.get().touched > past) is is_noted


# The views behind them ----------------------------------------------------------------------------


def patterns(prefix: str) -> list[str]:
    """Return the routes behind a key below ``/score/`` or ``/workshop/``."""

    def walk(routes: list[object], before: str = "") -> list[str]:
        given = []
        for route in routes:
            path = before + str(route.pattern)
            if isinstance(route, URLPattern):
                given.append(path)
            else:
                given += walk(route.url_patterns, path)
        return given

    routes = walk(get_resolver().url_patterns)
    return sorted({path for path in routes if path.startswith(prefix) and "<key:key>" in path})


def addresses(prefix: str, key: str) -> list[str]:
    values = {"key": key, "step": "grid", "number": "1", "day": "2026-11-22"}
    values |= {"year": "2026", "digest": "5f0c1b22a9d34e77"}

    def fill(match: re.Match[str]) -> str:
        name = match[1].rpartition(":")[2]
        return values.get(name, "1")

    return ["/" + re.sub(r"<([^>]+)>", fill, path) for path in patterns(prefix)]


PREFIXES = {"scoring": "score/", "level": "workshop/", "group": "groups/"}
"""First part of the addresses behind a key, by kind of thing."""

PHOTOS = ("/photos/read/", "/photos/sum/", "/photos/take/")

FOR_VIEWERS = {
    # A view key may create something new from the thing, or query it.
    "level": ("/balance/", "/here/", "/play/", "/score/", "/solo/", *PHOTOS),
    "scoring": (),
    "group": (),
}


@pytest.mark.parametrize("what", THINGS)
def test_an_unknown_key_is_answered_with_404(client: Client, what: str) -> None:
    asked = addresses(PREFIXES[what], keys.new_key())
    assert len(asked) >= 7
    for address in asked:
        answers = (
            client.get(address),
            client.post(address),
            client.post(address, "{}", content_type="application/json"),
        )
        found = {answer.status_code for answer in answers}
        # A POST-only address redirects to its page, which is unknown, too.
        assert 404 in found <= {404, 302, 405, 415}, address


@pytest.mark.parametrize("what", THINGS)
@pytest.mark.parametrize("sent", ["{}", '{"do": "undo"}', "nonsense"], ids=["empty", "act", "junk"])
def test_a_view_key_refuses_every_change(client: Client, what: str, sent: str) -> None:
    owner = create_thing(what)
    before = type(owner.resource)._default_manager.values().get()
    for address in addresses(PREFIXES[what], owner.share_key):
        if address.endswith(FOR_VIEWERS[what]):
            continue
        form = client.post(address, {"do": sent, "name-1": "Eve", "remove": sent})
        script = client.post(address, sent, content_type="application/json")
        assert {form.status_code, script.status_code} <= {403, 405, 415}, address
    assert type(owner.resource)._default_manager.values().get() == before


@pytest.mark.parametrize("what", THINGS)
def test_every_page_behind_a_key_is_kept_private(client: Client, what: str) -> None:
    owner = create_thing(what)
    for address in addresses(PREFIXES[what], owner.key):
        answer = client.get(address)
        if answer.status_code == 200:
            assert answer.headers["X-Robots-Tag"].startswith("noindex"), address
            assert answer.headers["Referrer-Policy"] == "same-origin", address
            assert "private" in answer.headers["Cache-Control"], address


def test_idempotency_keys_survive_an_update() -> None:
    """Phones send games that they scored offline again, also to a newer release."""
    salt = "sheets.scoring.forms request-1"  # of all releases
    expected = salted_hmac(salt, b"content", algorithm="sha256").hexdigest()
    assert idempotency_key_of("request-1", b"content") == expected
    assert idempotency_key_of("1", b"content") == ""
