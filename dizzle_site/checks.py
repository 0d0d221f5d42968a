"""Django's system checks, run next to the first requests so that no start waits for them."""

import logging

from django.conf import settings
from django.core.checks import run_checks

log = logging.getLogger(__name__)


def log_problems() -> None:
    """Log what the checks find; at a public host, those for deployment are among them."""
    for problem in run_checks(include_deployment_checks=bool(settings.SITE_URL)):
        if not problem.is_silenced():
            log.log(problem.level, "%s", problem)
