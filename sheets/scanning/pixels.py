"""What are photos made of? As OpenCV's types say it: they leave open what a number is."""

from __future__ import annotations

import cv2
from cv2.typing import MatLike

Picture = MatLike
"""Height × width × 3: red, green and blue, 0 to 255."""

Grey = MatLike
"""Height × width, 0 black to 255 white."""

Ink = MatLike
"""Height × width: 0 as bright as bare paper … 1 black."""

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
