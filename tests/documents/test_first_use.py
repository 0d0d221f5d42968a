"""Do two requests at once survive being the first that read a kind of document?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]

# While one thread finds out what the inner structure is, the other one uses the outer one.
TWO_AT_ONCE = """
import threading, time
from sheets.documents.structure import Document, decode

is_inside, has_decoded = threading.Event(), threading.Event()

def slow_type():
    is_inside.set()
    has_decoded.wait(1)
    return int

class Inner(Document):
    number: "slow_type()" = 0

class Outer(Document):
    inner: Inner | None = None
    text: str = ""

def read():
    assert decode(b'{"text": "here"}', Outer) == {"text": "here"}
    has_decoded.set()

first = threading.Thread(target=read)
first.start()
is_inside.wait()
second = threading.Thread(target=read)
second.start()
second.join()
first.join()
print("both have read")
"""


def test_two_threads_may_be_the_first_to_read_a_kind_of_document() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TWO_AT_ONCE],
        cwd=CHECKOUT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "both have read\n"), done.stderr
