import pytest, json, re
from tests.browser.test_every_page import places_to_open, DEVICE_COOKIE
pytestmark = pytest.mark.django_db(transaction=True)
KINDS = {
  "phone-de": ("phone","de","light",{}),
  "desk-en": ("desktop","en","light",{}),
  "tv-en-dark": ("desktop","en","dark",{"viewport":{"width":1920,"height":1080}}),
}
@pytest.mark.parametrize("kind", KINDS)
def test_shots(kind, new_context, live_app, client):
    device, lang, theme, more = KINDS[kind]
    page = new_context(device, lang, theme, **more).new_page()
    index = []
    for n, place in enumerate(places_to_open(client)):
        if place.token:
            code = place.path.split("/")[2]
            page.context.add_cookies([{"name": DEVICE_COOKIE, "value": place.token, "url": f"{live_app}/table/{code}/"}])
        page.goto(live_app + place.path)
        page.wait_for_timeout(250)
        page.screenshot(path=f"/tmp/all/{kind}-{n:03}.png", full_page=device == "phone", timeout=20000)
        index.append((n, place.path))
    json.dump(index, open(f"/tmp/all/{kind}.json","w"))
