"""Health check of the container; exits with 0 if the site is healthy, else with 1.

The request has the host name of SITE_URL, as the proxy sends it. The image has no curl.
"""

import http.client
import os
import sys
from urllib.parse import urlsplit

TIMEOUT_S = 8
"""Timeout of the request in seconds, shorter than that of HEALTHCHECK in the Containerfile."""


def main() -> int:
    """Send one request and print the result, for `docker inspect`."""
    name = urlsplit(os.environ.get("SITE_URL", "")).hostname or "localhost"
    site = http.client.HTTPConnection("127.0.0.1", int(os.environ["PORT"]), timeout=TIMEOUT_S)
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
