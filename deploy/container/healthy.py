"""Is the site in this container well? Exits with 0 if it says so, else with 1; needs no curl.

It is asked as the proxy would ask: by the name that SITE_URL has, on the port of this process.
"""

import http.client
import os
import sys
from urllib.parse import urlsplit

PATIENCE_S = 8


def main() -> int:
    """Ask once and say what came, for `docker inspect`."""
    name = urlsplit(os.environ.get("SITE_URL", "")).hostname or "localhost"
    site = http.client.HTTPConnection("127.0.0.1", int(os.environ["PORT"]), timeout=PATIENCE_S)
    try:
        site.request("GET", "/health/", headers={"Host": name})
        answer = site.getresponse()
        said = answer.read().decode().strip()
    except (OSError, http.client.HTTPException) as problem:
        sys.stdout.write(f"The site does not answer: {problem}\n")
        return 1
    sys.stdout.write(f"{answer.status} {said}\n")
    return 0 if answer.status == http.client.OK else 1


if __name__ == "__main__":
    sys.exit(main())
