"""One settings file, driven by environment variables. Each variable is described in docs/configuration.md."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from whitenoise.compress import Compressor

ROOT = Path(__file__).resolve().parent.parent
env = environ.Env()

# -- State ---------------------------------------------------------------------------------------------------------

VAR = Path(env.str("VAR_DIR", default=str(ROOT / "var"))).resolve()
TABLES_DIR = Path(env.str("ODDSMITH_TABLES_DIR", default=str(VAR / "solver")))
try:
    VAR.mkdir(parents=True, exist_ok=True)
    (VAR / "run").mkdir(mode=0o700, exist_ok=True)
    TABLES_DIR.mkdir(parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured(
        f"{VAR} cannot be written ({error.strerror}); make it writable or set VAR_DIR to a folder that is"
    ) from error
# The engine and its compiled loops keep their files with the rest of the state.
os.environ.setdefault("ODDSMITH_TABLES_DIR", str(TABLES_DIR))
if sys.argv[1:2] == ["up"]:  # its processes add their counters up; the library asks for the folder when it is imported
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(VAR / "run" / "metrics")
    (VAR / "run" / "metrics").mkdir(exist_ok=True)


def _secret_key() -> str:
    """From the environment, else made once and kept: there is no default to forget to change."""
    path = VAR / "secret_key"
    if not path.exists():
        whole = VAR / f"secret_key.{os.getpid()}"  # another process that starts just now never reads half a key
        with open(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        with contextlib.suppress(FileExistsError):
            os.link(whole, path)
        whole.unlink()
    return path.read_text()


SECRET_KEY = env.str("SECRET_KEY", default="") or _secret_key()
if len(SECRET_KEY) < 32:
    raise ImproperlyConfigured("SECRET_KEY must be at least 32 characters; leave it out to have one made")

# -- Where it runs -------------------------------------------------------------------------------------------------

DEBUG = env.bool("DEBUG", default=False)
HTTPS = env.bool("HTTPS", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
WEB_CONCURRENCY = env.int("WEB_CONCURRENCY", default=1)
WEB_THREADS = env.int("WEB_THREADS", default=32)
WORKER_CONCURRENCY = env.int("WORKER_CONCURRENCY", default=2)
WARM_UP = env.bool("WARM_UP", default=True)
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
OPERATOR_NAME = env.str("OPERATOR_NAME", default="")
OPERATOR_CONTACT = env.str("OPERATOR_CONTACT", default="")
RATE_LIMIT_SCALE = env.float("RATE_LIMIT_SCALE", default=1.0)

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR / 'oddsmith.sqlite3'}")}
DATABASES["default"]["CONN_MAX_AGE"] = 600
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",  # a writer waits its turn instead of failing half-way
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728;",
    }


def _socket_path() -> Path:
    """A unix socket's path is limited to about 100 bytes; a deep checkout gets one in the temporary folder."""
    path = VAR / "run" / "valkey.sock"
    if len(str(path)) <= 90:
        return path
    short = hashlib.sha256(str(VAR).encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"oddsmith-{short}" / "valkey.sock"


VALKEY_SOCKET = _socket_path()
REDIS_URL = env.str("REDIS_URL", default="") or f"unix://{VALKEY_SOCKET}"
#: The embedded server is started only when nobody named another one.
EMBEDDED_VALKEY = REDIS_URL == f"unix://{VALKEY_SOCKET}"


def _broker_url(url: str) -> str:
    """Kombu spells a unix socket its own way."""
    parts = urlsplit(url)
    return f"redis+socket://{parts.path}" if parts.scheme == "unix" else url


CACHES = {
    "default": {
        "BACKEND": "apps.core.cache.ProcessCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "cache",
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "live"},
    }
}
CELERY_BROKER_URL = _broker_url(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True  # a job keeps its own state, result and error in the database
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TRACK_STARTED = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
#: A broker that hangs is given up after these seconds: a page that asks for a job does not wait with it.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "socket_timeout": 5, "socket_connect_timeout": 2}
CELERY_TIMEZONE = "UTC"

# -- What it is made of --------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "apps.core",
    "apps.help",
    "apps.offline",
    "apps.accounts",
    "apps.share",
    "apps.jobs",
    "apps.dice",
    "apps.dicee",
    "apps.warhammer40k",
    "apps.killteam",
    "apps.battletech",
    "apps.lessons",
    "apps.practice",
    "apps.classroom",
    "apps.search",
]
MIDDLEWARE = [
    "apps.core.middleware.request_id",
    "apps.core.middleware.measured",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "apps.core.middleware.body_limit",
    "apps.core.lane.computed",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "apps.accounts.middleware.player",
    "apps.offline.middleware.offline",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["apps.core.template_loader.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "apps.core.context.site",
                "apps.classroom.context.class_socket",
            ],
            "builtins": [
                "django.templatetags.static",
                "apps.core.templatetags.odds",
                "apps.core.templatetags.page",
                "apps.help.templatetags.glossary",
            ],
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

STATIC_URL = "/static/"
STATICFILES_DIRS = [ROOT / "static"]
STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "apps.core.static_files.Storage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # pages name nothing else, and each would be compressed twice
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [*Compressor.SKIP_COMPRESS_EXTENSIONS, "map"]  # maps are for debuggers alone

# -- People --------------------------------------------------------------------------------------------------------

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "accounts:sign-in"
LOGIN_REDIRECT_URL = "core:home"
LOGOUT_REDIRECT_URL = "core:home"
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
SESSION_COOKIE_AGE = 365 * 24 * 3600  # a guest's history lives as long as this cookie
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# -- Safety --------------------------------------------------------------------------------------------------------

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
#: Addresses that take files: larger bodies get as far as the page, which refuses them in its own words.
LARGER_BODIES = {"/warhammer40k/armies/read/": 12_000_000}
FILE_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000
if HTTPS:
    SECURE_SSL_REDIRECT = env.bool("SSL_REDIRECT", default=True)
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
if env.bool("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF, "'unsafe-inline'"],  # charts set element styles; scripts stay strict
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# -- API -----------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["apps.core.rest.DocumentParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_THROTTLE_CLASSES": ["apps.core.rest.EndpointThrottle"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "apps.core.rest.api_exception",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Oddsmith",
    "DESCRIPTION": "Exact odds for dice games: the same documents the engine reads on its command line.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [],  # documents name their own enums
}

# -- Log -----------------------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "apps.core.logs.RequestIdFilter"}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request_id"]},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
