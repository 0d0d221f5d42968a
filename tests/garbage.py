"""What a test leaves open complains when it is thrown away: when is that, and what does it cost?"""

import gc


def collect_garbage() -> None:
    """Throw away what nobody holds any more, so that no later test is blamed for it.

    What is still held then stays for the whole run, nearly all of it: modules, templates, a
    browser, thousands of tests. No later look goes through it again, which would take a tenth of
    a second after each test that has a server.
    """
    gc.collect()
    gc.freeze()
