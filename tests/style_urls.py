"""URLs of the site with the page of all components, as with ``DEBUG``."""

from django.urls import path

from dizzle_site.urls import handler400, handler403, handler404, handler500
from dizzle_site.urls import urlpatterns as _of_site
from sheets.pages.style import style

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*_of_site, path("style/", style, name="style")]
