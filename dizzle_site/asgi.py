"""What an ASGI server loads: `uvicorn dizzle_site.asgi:application`."""

import os
from threading import Thread

import django
from django.utils.module_loading import import_string

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")

from django.conf import settings

from .body_limit import App, limit_body
from .one_thread import OneThread


def make_application() -> App:
    """The whole site, with the settings as they are now."""
    django.setup(set_prefix=False)
    made = limit_body(OneThread())
    for wrapper in settings.ASGI_FRONT:
        made = import_string(wrapper)(made)
    return made


application = make_application()

# Beside the first requests: nobody waits for it.
for _name in settings.AT_START:
    Thread(target=import_string(_name), name=_name, daemon=True).start()
