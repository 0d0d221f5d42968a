"""Django's system checks, run in the background of the first requests for a faster start."""

import logging
from typing import Any

from django.conf import settings
from django.core.checks import Warning as CheckWarning
from django.core.checks import register, run_checks

from dizzle_site.environment import obsolete_settings

log = logging.getLogger(__name__)


def log_problems() -> None:
    """Log the problems that the checks find; on a public host, also those for deployment."""
    for problem in run_checks(include_deployment_checks=bool(settings.SITE_URL)):
        if not problem.is_silenced():
            log.log(problem.level, "%s", problem)


@register
def check_obsolete_settings(**_options: Any) -> list[CheckWarning]:
    """Return a warning for each variable that is set but no longer used."""
    return [CheckWarning(sentence, obj=name) for name, sentence in obsolete_settings().items()]
