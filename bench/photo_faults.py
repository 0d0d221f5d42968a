"""Warnings about blurred and dark photos, as the page gives them before it sends a photo.

``python bench/photo_faults.py FOLDER...`` measures the photos of these folders as they are, then
blurred and darkened. Without a folder it measures synthetic photos. It needs Chromium.
"""

from __future__ import annotations

import os
import sys
from base64 import b64encode
from collections import Counter
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import cv2  # noqa: E402
import django  # noqa: E402
import numpy as np  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

django.setup()

from sheets.scanning.photos import open_photo  # noqa: E402
from sheets.scanning.pixels import Picture  # noqa: E402
from tests.browser.chromium import find_chromium  # noqa: E402
from tests.scanning.shots import take, to_jpeg  # noqa: E402

SCRIPT = ROOT / "sheets/static/sheets/photos/quality.js"
LONGEST_PX = 4000
BLURS_PX = (4, 6, 8, 12)
"""Standard deviations of a Gaussian blur, at `LONGEST_PX`."""
GAINS = (0.5, 0.3, 0.2, 0.1)
NOISE = 4.0
"""Standard deviation of the noise of a darkened photo."""

FIND = """async (encoded) => {
  const answer = await fetch(`data:image/jpeg;base64,${encoded}`);
  const bitmap = await createImageBitmap(await answer.blob());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  return findFault(canvas);
}"""


def main() -> None:
    photos = [path.read_bytes() for name in sys.argv[1:] for path in Path(name).glob("*.jpg")]
    photos = photos or [take(f"level-{i}", seed=i).jpeg for i in range(1, 9)]
    changes = {"as they are": partial(blurred, px=0)}
    changes |= {f"blurred by {px} px": partial(blurred, px=px) for px in BLURS_PX}
    changes |= {f"{gain:.0%} of the light": partial(darkened, gain=gain) for gain in GAINS}
    with sync_playwright() as playwright:
        path = find_chromium()
        page = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]).new_page()
        page.add_script_tag(content=SCRIPT.read_text("utf-8").replace("export ", ""))
        for name, change in changes.items():
            faults = Counter(
                page.evaluate(FIND, b64encode(to_jpeg(change(opened(one)))).decode()) or "none"
                for one in photos
            )
            print(f"{name}:", dict(faults))


def opened(data: bytes) -> Picture:
    """Return a photo in the size in which the page would send it."""
    photo = open_photo(data)
    scale = min(1.0, LONGEST_PX / max(photo.shape))
    return cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def blurred(photo: Picture, px: float) -> Picture:
    sigma = px * max(photo.shape) / LONGEST_PX
    return cv2.GaussianBlur(photo, (0, 0), sigma) if px else photo


def darkened(photo: Picture, gain: float) -> Picture:
    noise = np.random.default_rng(1).normal(0, NOISE, photo.shape)
    return np.clip(photo * gain + noise, 0, 255).astype(np.uint8)


if __name__ == "__main__":
    main()
