"""Concurrent first use of a document's structure by two threads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]

# While one thread inspects the inner structure, the other one uses the outer one.
TWO_THREADS = """
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


def test_two_threads_can_use_a_structure_for_the_first_time() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TWO_THREADS],
        cwd=CHECKOUT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "both have read\n"), done.stderr
