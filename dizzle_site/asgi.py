"""What an ASGI server loads: `uvicorn dizzle_site.asgi:application`."""

import os
from threading import Thread

from django.core.asgi import get_asgi_application
from django.utils.module_loading import import_string

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")

from django.conf import settings

from .body_limit import limit_body
from .collecting import leave_alone

application = limit_body(get_asgi_application())
for _wrapper in settings.ASGI_FRONT:
    application = import_string(_wrapper)(application)

leave_alone()

# Beside the first requests: nobody waits for it.
for _name in settings.AT_START:
    Thread(target=import_string(_name), name=_name, daemon=True).start()
