"""Start page, frame of all pages, error pages."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from dizzle_site.release_fingerprint import release
from sheets.text.languages import languages
from tests.addresses import plain_pages

PAGES = (*plain_pages(), "/levels/level-2/")


def faults_of_frame(path: str, language: str, response: HttpResponse) -> list[str]:
    """Return the parts of the common frame that a page lacks."""
    if not response.headers["Content-Type"].startswith("text/html"):
        return ["name what is no page in NO_PAGES of tests/addresses.py"]
    page = response.content.decode()
    menu = page[page.find('id="site-nav" popover') :]
    parts = {
        "language": f'<html lang="{language}">' in page,
        "title": (path == "/") == ("<title>Dizzle Companion</title>" in page),
        "author": "Ralf zur Linde" in page,
        "publisher": "Schmidt Spiele" in page,
        "one main and one heading": page.count("<main") == page.count("<h1") == 1,
        "link to the content": 'href="#main"' in page,
        "menu that leads to playing": 'popovertarget="site-nav"' in page
        and 'href="/table/"' in menu[: menu.find("</nav>")],
        "no inline script": not re.search(r"<script(?![^>]*\bsrc=)", page),
        "no inline style": "<style" not in page,
        "no attributes that are scripts or styles": not re.search(
            r"<[^>]*\s(style|on[a-z]+)=", page
        ),
    }
    return [part for part, is_there in parts.items() if not is_there]


@pytest.mark.django_db
@pytest.mark.usefixtures("few_trials")
@pytest.mark.parametrize("language", languages())
def test_every_page_stands_in_the_frame_without_inline_script_or_style(
    client: Client, language: str
) -> None:
    faults = {}
    for path in PAGES:
        response = client.get(path, headers={"accept-language": language})
        faults[path] = faults_of_frame(path, language, response)
    assert {path: found for path, found in faults.items() if found} == {}


def test_home_begins_with_what_the_site_is(client: Client) -> None:
    page = client.get("/").content.decode()
    main = page[page.index("<main") :]
    assert re.findall(r"<h([1-6])", main) == sorted(re.findall(r"<h([1-6])", main))
    before, _title, after = main.partition("<h1>")
    assert re.sub(r"<svg.*?</svg>|<[^>]*>", "", before, flags=re.S).strip() == ""
    assert after.startswith("You play Dizzle, your phone keeps count</h1>")


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ("/", "Start a table"),
        ("/table/", "Join"),
        ("/table/new/", "Start a table"),
        ("/dice2/", "Start a table"),
        ("/score/", "Photograph the sheets"),
        ("/print/?level=level-1", "Download the PDF"),
    ],
)
def test_page_has_one_main_action(client: Client, path: str, action: str) -> None:
    page = client.get(path).content.decode()
    found = re.findall(r'class="button primary"[^>]*>(.*?)</(?:a|button)>', page, flags=re.S)
    assert [re.sub(r"<svg.*?</svg>", "", one, flags=re.S).strip() for one in found] == [action]


@pytest.mark.django_db
def test_home_links_to_everything(client: Client) -> None:
    page = client.get("/").content.decode()
    for path in re.findall(r'href="(/[^"#]*)"', page):
        if not path.startswith("/static/"):
            assert client.get(path, follow=True).status_code == 200, path


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_is_stored_in_a_cookie(client: Client, theme: str) -> None:
    response = client.post("/theme/", {"theme": theme, "next": "/rules/"})
    assert response.headers["Location"] == "/rules/"
    assert f'data-theme="{theme}"' in client.get("/").content.decode()
    client.post("/theme/", {"theme": "auto", "next": "/"})
    assert "data-theme" not in client.get("/").content.decode()


def test_unknown_theme_is_refused(client: Client) -> None:
    assert client.post("/theme/", {"theme": "plaid"}).status_code == 400
    client.cookies["theme"] = "plaid"
    assert "data-theme" not in client.get("/").content.decode()


def test_theme_is_not_changed_by_a_link(client: Client) -> None:
    assert "theme" not in client.get("/theme/?theme=dark").cookies
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/theme/", {"theme": "dark"}).status_code == 403


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org", "javascript:1"])
def test_theme_never_leads_to_another_site(client: Client, elsewhere: str) -> None:
    response = client.post("/theme/", {"theme": "dark", "next": elsewhere})
    assert response.headers["Location"] == "/"


def test_language_can_be_switched_without_script(client: Client) -> None:
    page = client.get("/rules/", headers={"accept-language": "en"}).content.decode()
    assert reverse("set_language") in page
    response = client.post(reverse("set_language"), {"language": "de", "next": "/rules/"})
    assert response.headers["Location"] == "/rules/"
    assert '<html lang="de">' in client.get("/rules/").content.decode()


def test_manifest_names_icons_that_exist(client: Client) -> None:
    response = client.get("/site.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    told = json.loads(response.content)
    assert (told["id"], told["scope"], told["lang"]) == ("/", "/", "en")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    assert "maskable" in {icon.get("purpose") for icon in told["icons"]}
    for icon in told["icons"]:
        assert client.get(icon["src"]).status_code == 200


def test_service_worker_is_served_or_removed(client: Client, settings: LazySettings) -> None:
    assert "data-worker" not in client.get("/").content.decode()
    assert "registration.unregister()" in client.get("/worker.js").content.decode()
    settings.OFFLINE = True
    assert " data-worker" in client.get("/").content.decode()
    response = client.get("/worker.js")
    assert response.headers["Content-Type"] == "text/javascript"
    assert f'"release": "{release()}"' in response.content.decode()


def test_unknown_url_has_our_error_page(client: Client) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    page = response.content.decode()
    assert "Schmidt Spiele" in page
    art = page[page.index('class="error-art"') : page.index("<h1")]
    assert re.findall(r'<use href="#art-([\w-]+)"', art) == ["die-4", "scribble-0", "die-4"]


@pytest.mark.parametrize("path", ["/", "/levels/", "/rules/", "/site.webmanifest"])
def test_read_only_pages_refuse_post(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


def test_robots_txt_and_favicon_exist(client: Client) -> None:
    icon = client.get("/favicon.ico", follow=True)
    assert icon.headers["Content-Type"] == "image/png"
    robots = client.get("/robots.txt")
    assert robots.headers["Content-Type"] == "text/plain"
    assert "Disallow: /print/sheets.pdf" in robots.content.decode().splitlines()
    assert "max-age" in robots.headers["Cache-Control"]


AT_START = """
import threading
import dizzle_site.asgi
for thread in threading.enumerate():
    if thread.name == "warm-up":
        thread.join()
from dizzle_site.release_fingerprint import release
print(release.cache_info().currsize)
"""


def test_release_is_read_when_the_site_starts(tmp_path: Path) -> None:
    """The first request is too late: an update may have changed the files before it."""
    told = subprocess.check_output(
        [sys.executable, "-c", AT_START],
        env={**os.environ, "DATA_DIR": str(tmp_path), "OFFLINE": "yes", "DEBUG": "no"}
        | {"DJANGO_SETTINGS_MODULE": "dizzle_site.settings"},
        cwd=Path(__file__).parents[2],
        text=True,
    )
    assert told.strip() == "1"
