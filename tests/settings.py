"""The product's own settings, with state in a folder of this test process and a Valkey of its own."""

import os
import tempfile

STATE = tempfile.mkdtemp(prefix="oddsmith-test-")
os.environ["VAR_DIR"] = STATE
os.mkdir(f"{STATE}/static")
os.environ["ODDSMITH_TABLES_DIR"] = os.environ.get("TEST_TABLES_DIR", f"{STATE}/solver")
os.environ.pop("REDIS_URL", None)
os.environ.setdefault("RATE_LIMIT_SCALE", "1000")
os.environ["WARM_UP"] = "0"

from config.settings import *  # noqa: E402, F403

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file, as in production: in memory, connections that meet do not wait for each other, they fail.
    DATABASES["default"]["TEST"] = {"NAME": f"{STATE}/test.sqlite3"}  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # hashing slowly is the point elsewhere
STORAGES = {  # unit tests do not collect static files; browser tests run the real server, which does
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
