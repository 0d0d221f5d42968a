"""What an ASGI server loads: `uvicorn dizzle_site.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dizzle_site.settings")

application = get_asgi_application()
