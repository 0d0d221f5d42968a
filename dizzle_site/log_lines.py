"""What does the log tell of an address? Never the key in it: whoever has that has the thing."""

import logging
import re
from typing import Final

SECRET: Final = re.compile(
    r"""(?<=/)[A-Za-z0-9_-]{32,}(?=[/?\s]|$)  # the key of a link, or of a personal one
    | (?<=/table/)[A-Za-z0-9]{13,16}(?=[/?\s]|$)  # the long code of a table
    """,
    re.VERBOSE,
)


class WithoutKeys(logging.Formatter):
    """Lines in which each key and long code within an address is an ellipsis."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, with its traceback if there is one."""
        return SECRET.sub("…", super().format(record))
