"""Django's settings, for a home network and for a public host alike.

What differs from place to place comes from environment variables (see `environment`).
"""

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from .environment import CHECKOUT, read_environment, read_secret_key

_environment = read_environment()

BASE_DIR = CHECKOUT
DATA_DIR = _environment.data_dir
DEBUG = _environment.debug
SECRET_KEY = read_secret_key(DATA_DIR)
SITE_URL = _environment.site_url

ROOT_URLCONF = "dizzle_site.urls"
ASGI_APPLICATION = "dizzle_site.asgi.application"
WSGI_APPLICATION = "dizzle_site.wsgi.application"

INSTALLED_APPS = [
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "dizzle_site",
    "sheets",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "dizzle.sqlite3",
        # Under ASGI a kept connection would belong to a thread that never comes back.
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            # A transaction that will write must say so at its start, else two writers at once
            # end in "database is locked" instead of one waiting for the other.
            "transaction_mode": "IMMEDIATE",
            "timeout": 5,
            # FULL: a mark that was acknowledged survives a power cut.
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
            ),
        },
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Static files -------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}

# Languages ----------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("de", _("German")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Security -----------------------------------------------------------------------------------

ALLOWED_HOSTS = [_environment.site_host] if SITE_URL else ["*"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "manifest-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
    },
}
