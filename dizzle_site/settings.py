"""Django's settings, for a home network and for a public host alike.

Values that depend on the installation come from environment variables (see `environment`).
"""

from csp.constants import NONE, SELF

from dizzle_site.databases import database_settings
from dizzle_site.environment import (
    CODE,
    IS_INSTALLED,
    read_environment,
    read_secret_key,
    secret_key_file,
)
from dizzle_site.languages import LANGUAGES as LANGUAGES

_environment = read_environment()

# Where templates/ and locale/ are: a wheel has them in this package (see pyproject.toml).
BASE_DIR = CODE / "dizzle_site" if IS_INSTALLED else CODE
DATA_DIR = _environment.data_dir
DEBUG = _environment.debug
SECRET_KEY = read_secret_key(DATA_DIR)
# None if the key is in the environment.
SECRET_KEY_FILE = secret_key_file(DATA_DIR)
HOST = _environment.host
PORT = _environment.port
# Second port, for TLS in a home network; None: there is none.
HTTPS_PORT = _environment.https_port
SITE_URL = _environment.site_url
# Size of the process pool; 0: the server itself renders.
DRAWING_PROCESSES = _environment.drawing_processes
# Maximum number of requests that render or wait for it; 0: a default that depends on the server.
DRAWING_THREADS = _environment.drawing_threads
# A service worker caches pages for use without a network. Cached files need names with a hash.
OFFLINE = _environment.offline and not DEBUG

ROOT_URLCONF = "dizzle_site.urls"
ASGI_APPLICATION = "dizzle_site.asgi.application"
WSGI_APPLICATION = "dizzle_site.wsgi.application"

INSTALLED_APPS = [
    "django.contrib.sessions",
    "dizzle_site.static_files.TrimmedStaticFilesConfig",
    "csp",
    "django_htmx",
    "dizzle_site",
    "sheets",
]

MIDDLEWARE = [
    "dizzle_site.middleware.trim_static_headers",
    "dizzle_site.middleware.explain_redirect_loop",
    "django.middleware.security.SecurityMiddleware",
    # A page of drawings shrinks to a twentieth. CSRF tokens get a new mask in each response, so the
    # compressed length does not reveal them (BREACH).
    "dizzle_site.middleware.Compression",
    "dizzle_site.middleware.add_permissions_policy",
    "csp.middleware.CSPMiddleware",
    "dizzle_site.middleware.refuse_unknown_hosts",
    "dizzle_site.middleware.BufferedStaticFiles",
    # Above the middleware that sets tokens and cookies.
    "dizzle_site.middleware.add_etag_to_pages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "dizzle_site.middleware.use_time_zone",
    "django.middleware.common.CommonMiddleware",
    "dizzle_site.middleware.accept_own_forms",
    "django.middleware.csrf.CsrfViewMiddleware",
    # After the CSRF middleware, so that forms of their error pages have a valid token.
    "dizzle_site.middleware.refuse_large_bodies",
    "dizzle_site.middleware.refuse_garbled_text",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "dizzle_site.database_errors.StorageFailures",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

DATABASES = {"default": database_settings(_environment.database_url, DATA_DIR)}
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
            else "dizzle_site.static_files.StaticStorage"
        )
    },
}

# Languages ----------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
FORMAT_MODULE_PATH = "dizzle_site.formats"
USE_TZ = True
TIME_ZONE = "UTC"

# Security -----------------------------------------------------------------------------------

# In a home network, `refuse_unknown_hosts` checks the names and addresses.
ALLOWED_HOSTS = [_environment.site_host] if SITE_URL else ["*"]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF],
        "manifest-src": [SELF],
        "media-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
    },
}

MAX_BODY_BYTES = 1024 * 1024  # body of a request, files included
# Limits by the end of the path: photos, sheets read from photos, files of groups and of games.
LARGER_BODIES = {
    "/photos/read/": 21 * 1024 * 1024,
    "/photos/take/": 4 * 1024 * 1024,
    "/groups/file/": 17 * 1024 * 1024,
    "/enter/files/": 4 * 1024 * 1024,
}
# Maximum number of such larger bodies that a process receives at once.
MAX_LARGER_BODIES = 16
DATA_UPLOAD_MAX_MEMORY_SIZE = LARGER_BODIES["/photos/take/"]  # a body without its files
# Uploaded files stay in memory: on the disk they would remain if the server was killed.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = max(LARGER_BODIES.values())
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 60  # the pages name their own, lower limits

CSRF_FAILURE_VIEW = "dizzle_site.errors.csrf_failure"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
WHITENOISE_ALLOW_ALL_ORIGINS = False

if SITE_URL:
    CSRF_TRUSTED_ORIGINS = [SITE_URL]
    CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True
    # TLS ends at the proxy, which must set this header itself and ignore that of the client.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    # A monitor on the host itself does not use the proxy.
    SECURE_REDIRECT_EXEMPT = [r"^health/$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = _environment.hsts in ("subdomains", "preload")
    SECURE_HSTS_PRELOAD = _environment.hsts == "preload"
    # Other sites may have subdomains of this name: only the operator of all of them can decide.
    SILENCED_SYSTEM_CHECKS = []
    if not SECURE_HSTS_INCLUDE_SUBDOMAINS:
        SILENCED_SYSTEM_CHECKS.append("security.W005")  # HSTS does not include subdomains
    if not SECURE_HSTS_PRELOAD:
        SILENCED_SYSTEM_CHECKS.append("security.W021")  # browsers' preload lists cannot be undone
else:
    # In a home network, phones trust no certificate at first, so these four do not apply.
    SILENCED_SYSTEM_CHECKS = [
        "security.W004",  # HSTS would lock out phones that use plain HTTP
        "security.W008",  # a redirect to HTTPS would fail
        "security.W012",  # a secure session cookie is not sent over plain HTTP
        "security.W016",  # nor is a secure CSRF cookie: all forms would fail
    ]

# Warnings and errors go to the terminal, all through the formatter that masks keys.
# Malformed requests are logged without a traceback.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        # A full disk or a full queue: its own module logs one line for all requests.
        "but-503": {
            "()": "django.utils.log.CallbackFilter",
            "callback": lambda record: getattr(record, "status_code", 0) != 503,
        }
    },
    "formatters": {
        "line": {
            "class": "dizzle_site.log_lines.KeyMaskingFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"terminal": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["terminal"], "level": "INFO" if DEBUG else "WARNING"},
    "loggers": {
        "django": {"handlers": ["terminal"], "propagate": False},
        "django.request": {"level": "ERROR", "filters": ["but-503"]},
        "django.security": {"level": "CRITICAL"},
        # Development server, gunicorn, and uvicorn started by its own command: their own handlers
        # would write addresses with their keys.
        "django.server": {"handlers": ["terminal"], "propagate": False},
        "gunicorn.error": {"handlers": ["terminal"], "propagate": False},
        "uvicorn.error": {"handlers": ["terminal"], "propagate": False},
        # It warns of each client that disconnects during a response.
        "asyncio": {"level": "ERROR"},
        # It logs each lost connection; `dizzle_site.database_errors` logs one line for all.
        "psycopg.pool": {"level": "CRITICAL"},
    },
}
