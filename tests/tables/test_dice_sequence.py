"""Dice of a seed: the documented bytes, and each face equally often."""

from collections import Counter
from hashlib import sha256
from itertools import islice

from sheets.dice_sequence import FACES, dice


def test_the_dice_are_the_bytes_of_hmac_sha256_as_rfc_2104_defines_it() -> None:
    key = b"a key".ljust(64, b"\0")
    inner, outer = bytes(byte ^ 0x36 for byte in key), bytes(byte ^ 0x5C for byte in key)
    expected = []
    for number in range(3):
        digest = sha256(inner + f"Ana's:{number}".encode()).digest()
        block = sha256(outer + digest).digest()
        expected += [byte % 6 + 1 for byte in block if byte < 252]
    assert list(islice(dice(b"a key", "Ana's"), len(expected))) == expected


def test_each_face_is_equally_frequent() -> None:
    faces = Counter(islice(dice(b"seed", "faces"), 60_000))
    # Four standard deviations of a binomial distribution: 4 * sqrt(60000 * 1/6 * 5/6) = 365.
    assert all(abs(faces[face] - 10_000) < 365 for face in range(1, FACES + 1)), faces
