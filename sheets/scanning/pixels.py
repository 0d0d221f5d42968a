"""What are photos made of? As OpenCV's types say it: they leave open what a number is."""

from __future__ import annotations

import cv2
import numpy as np
from cv2.typing import MatLike

Picture = MatLike
"""Height × width × 3: red, green and blue, 0 to 255."""

Grey = MatLike
"""Height × width, 0 black to 255 white."""

Ink = MatLike
"""Height × width: 0 as bright as bare paper … 1 black."""

_BLEACHED_PX, _BESIDE_PX, _PALE = 250, 9, 0.8
"""How large a photo is when it is asked how bright paper is, within how much of that, and what is
paler, beside paper, than print that is looked for."""

_CLIPPED, _TILES = 8.0, 24
"""How much stronger contrast may become, and in how many parts along each side."""


def darkest(picture: Picture) -> Grey:
    """The darkest of each pixel's three colours: only what is white altogether is bright in it."""
    red, green, blue = cv2.split(picture)
    return cv2.min(cv2.min(red, green), blue)


def brightest(picture: Picture) -> Grey:
    """The brightest of each pixel's three colours: in it coloured print is pale, black is not."""
    red, green, blue = cv2.split(picture)
    return cv2.max(cv2.max(red, green), blue)


def in_greys(grey: Grey) -> Picture:
    """A picture of greys alone."""
    return cv2.merge([grey, grey, grey])


def stronger(picture: Picture) -> Picture:
    """The picture with more contrast wherever there is little, as within what is dark."""
    lab = cv2.cvtColor(picture, cv2.COLOR_RGB2LAB)
    light, *colours = cv2.split(lab)
    light = cv2.createCLAHE(_CLIPPED, (_TILES, _TILES)).apply(light)
    return cv2.cvtColor(cv2.merge([light, *colours]), cv2.COLOR_LAB2RGB)


def bleached(picture: Picture) -> Picture:
    """What is left of a picture without colours and what is pale: black print, and black pens.

    Whatever is nearly as bright as paper around it in one of its colours is as bright as that.
    """
    grey = brightest(picture)
    scale = min(1.0, _BLEACHED_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    paper = cv2.blur(cv2.dilate(small, np.ones((_BESIDE_PX,) * 2, np.uint8)), (_BESIDE_PX,) * 2)
    most = cv2.resize(cv2.convertScaleAbs(paper, alpha=_PALE), grey.shape[::-1])
    return in_greys(cv2.min(grey, most))
