"""Synthetic camera: random poses, tables, lights, lenses and file settings."""

from __future__ import annotations

import io
import math
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image

Picture = NDArray[np.uint8]
"""Height × width × 3: red, green and blue, 0 to 255."""

GRADES: Final = ("easy", "normal", "hard")
"""Grades of difficulty of photos."""

_GRID_PX: Final = 8
"""Spacing of the grid, in pixels, on which light and paper are computed; both change slowly."""

_GRAIN_PX: Final = 768
"""Side of the square of noise that is repeated over the photo."""

_MESSENGER_PX: Final = 1600
"""Longest side of a photo of 12 megapixels after a messenger has reduced it."""


class Shot(NamedTuple):
    """A photo file, and the true position of the page on it.

    ``corners`` are pixels of the upright photo, clockwise from the page's top left.
    """

    jpeg: bytes
    corners: NDArray[np.float64]


class _Grade(NamedTuple):
    """Parameters of a grade.

    ``tilt`` is the maximum in degrees, ``curl_mm`` the amplitude; ``shadow``, ``glare``, ``small``
    and ``thumb`` are probabilities; ``blur``, ``motion`` and ``noise`` are upper bounds;
    ``quality`` is the range of the JPEG quality.
    """

    tilt: float
    curl_mm: float
    shadow: float
    glare: float
    blur: float
    motion: float
    noise: float
    quality: tuple[int, int]
    small: float
    thumb: float


_GRADES: Final = {
    "easy": _Grade(12, 0.6, 0.1, 0.0, 0.7, 0.0, 3.0, (80, 97), 0.0, 0.0),
    "normal": _Grade(25, 3.5, 0.5, 0.05, 1.2, 1.5, 6.0, (65, 96), 0.05, 0.0),
    "hard": _Grade(36, 9.0, 0.8, 0.25, 2.2, 4.0, 11.0, (48, 92), 0.35, 0.3),
}
"""Parameters by grade."""


def photograph(
    rng: Generator, page: Picture, px_per_mm: float, grade: str, megapixels: float = 12.0
) -> Shot:
    """Photograph a page on a table."""
    how = _GRADES[grade]
    width, height = _frame(rng, page, megapixels)
    size_mm = np.array([page.shape[1], page.shape[0]]) / px_per_mm
    to_photo = _pose(rng, size_mm, (width, height), how.tilt)
    at_mm, shade = _paper_maps(rng, to_photo, size_mm, (width, height), how)
    x, y = (_upsample(one * px_per_mm - 0.5, (width, height)) for one in at_mm)
    photo = cv2.remap(page, x, y, cv2.INTER_LINEAR)
    is_page = cv2.remap(np.full(page.shape[:2], 255, np.uint8), x, y, cv2.INTER_LINEAR)
    table = _table(rng, (width, height), is_page)
    cv2.copyTo(photo, (is_page > 127).astype(np.uint8), table)
    photo = _apply_light(table, _choose_light(rng, shade, how))
    if rng.random() < how.glare:
        photo = cv2.add(photo, _glare(rng, (width, height)))
    if rng.random() < how.thumb:
        _thumb(rng, photo, to_photo, size_mm)
    photo = _apply_lens(rng, photo, how)
    corners = np.array([(0, 0), (size_mm[0], 0), (size_mm[0], size_mm[1]), (0, size_mm[1])])
    return Shot(
        _encode(rng, photo, how, round(_MESSENGER_PX * math.sqrt(megapixels / 12))),
        _project(to_photo, corners),
    )


def apply_camera(rng: Generator, picture: Picture, grade: str) -> Picture:
    """Apply light, lens, noise and JPEG compression to a page that lies flat below the camera."""
    how = _GRADES[grade]
    height, width = picture.shape[:2]
    shade = np.ones((-(-height // _GRID_PX), -(-width // _GRID_PX)))
    photo = _apply_light(picture, _choose_light(rng, shade, how))
    if rng.random() < how.glare:
        photo = cv2.add(photo, _glare(rng, (width, height)))
    quality = int(rng.integers(*how.quality))
    return compress(_apply_lens(rng, photo, how), quality)


def compress(picture: Picture, quality: int) -> Picture:
    """Compress a picture as JPEG and decode it again."""
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=quality)
    with Image.open(stream) as file:
        return np.asarray(file)


def _frame(rng: Generator, page: Picture, megapixels: float) -> tuple[int, int]:
    ratio = float(rng.choice([4 / 3, 4 / 3, 16 / 9]))
    long = math.sqrt(megapixels * 1e6 * ratio)
    is_wide = (page.shape[1] > page.shape[0]) ^ (rng.random() < 0.12)
    return (round(long), round(long / ratio)) if is_wide else (round(long / ratio), round(long))


def _pose(
    rng: Generator, size_mm: NDArray[np.float64], size: tuple[int, int], tilt: float
) -> NDArray[np.float64]:
    """Return a random homography from millimetres of the page to pixels of the photo."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size_mm - size_mm / 2
    spin = rng.normal(0, 6) + float(rng.choice([0, 90, 180, 270], p=[0.7, 0.1, 0.1, 0.1]))
    if rng.random() < 0.15:
        spin = rng.uniform(0, 360)
    for _ in range(50):
        lean = math.radians(abs(rng.normal(0, tilt / 2)))
        lean = min(lean, math.radians(tilt))
        direction = rng.uniform(0, 2 * math.pi)
        c, s = math.cos(math.radians(spin)), math.sin(math.radians(spin))
        flat = corners @ np.array([[c, s], [-s, c]])
        axis = np.array([math.cos(direction), math.sin(direction)])
        along = flat @ axis
        across = flat @ np.array([-axis[1], axis[0]])
        distance = float(np.hypot(*size_mm)) * rng.uniform(0.95, 1.6)
        depth = distance + along * math.sin(lean)
        projected = (
            along[:, None] * math.cos(lean) * axis + across[:, None] * np.array([-axis[1], axis[0]])
        ) / depth[:, None]
        low, high = projected.min(0), projected.max(0)
        fill = rng.uniform(0.72, 0.97)
        zoom = fill * min(size[0] / (high[0] - low[0]), size[1] / (high[1] - low[1]))
        at = (projected - (low + high) / 2) * zoom + np.array(size) / 2
        room = (np.array(size) - (high - low) * zoom) / 2
        at += rng.uniform(-0.8, 0.8, 2) * room
        found, _ = cv2.findHomography(corners + size_mm / 2, at)
        if found is not None:
            return found
    raise AssertionError


def _project(homography: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    found = np.c_[points, np.ones(len(points))] @ homography.T
    return found[:, :2] / found[:, 2:]


def _paper_maps(
    rng: Generator,
    to_photo: NDArray[np.float64],
    size_mm: NDArray[np.float64],
    size: tuple[int, int],
    how: _Grade,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the position on the page and the shading, for each point of the grid."""
    width, height = size
    # The centres of the squares, and a margin of one.
    xs, ys = np.meshgrid(
        np.arange(0, width + 2 * _GRID_PX, _GRID_PX), np.arange(0, height + 2 * _GRID_PX, _GRID_PX)
    )
    inverse = np.linalg.inv(to_photo)
    flat = _project(inverse, np.stack([xs.ravel(), ys.ravel()], 1))
    at, height_of = flat.copy(), _surface(rng, size_mm, how)
    view = rng.normal(0, 0.3, 2)
    for _ in range(3):
        z, _slope = height_of(at)
        at = flat - z[:, None] * view
    radius = (np.stack([xs.ravel() - width / 2, ys.ravel() - height / 2], 1)) / max(size)
    bend = 1 + rng.normal(0, 0.008) * (radius**2).sum(1)
    middle = _project(inverse, np.array([[width / 2, height / 2]]))
    at = (at - middle) * bend[:, None] + middle
    _z, slope = height_of(at)
    shade = np.clip(1 + slope @ rng.normal(0, 0.9, 2), 0.45, 1.3)
    return at.T.reshape(2, *xs.shape), shade.reshape(xs.shape)


def _upsample(coarse: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float32]:
    """Interpolate values of the grid for all pixels."""
    width, height = size
    fine = cv2.resize(coarse.astype(np.float32), None, fx=_GRID_PX, fy=_GRID_PX)
    return np.ascontiguousarray(fine[_GRID_PX // 2 :, _GRID_PX // 2 :][:height, :width])


def _apply_light(photo: Picture, light: NDArray[np.float32]) -> Picture:
    """Multiply a picture by a light map; 1 changes nothing, 2 is the maximum."""
    height, width = photo.shape[:2]
    coarse = np.clip(light * 128, 0, 255).astype(np.uint8)
    return cv2.multiply(photo, cv2.resize(coarse, (width, height)), scale=1 / 128)


def _surface(rng: Generator, size_mm: NDArray[np.float64], how: _Grade):
    """Return a function for height and slope of the paper: curled, folded, slightly crumpled."""
    waves = []
    long = float(size_mm.max())
    amount = how.curl_mm * rng.uniform(0, 1)
    for weight, spread in ((1.0, (0.5, 1.1)), (0.35, (0.25, 0.6)), (0.08, (0.08, 0.2))):
        turn = rng.uniform(0, math.pi)
        k = 2 * math.pi / (long * rng.uniform(*spread))
        waves.append((amount * weight * rng.uniform(0.3, 1), k * math.cos(turn), k * math.sin(turn),
                      rng.uniform(0, 2 * math.pi)))  # fmt: skip
    fold = None
    if rng.random() < 0.25 and how.curl_mm > 1:
        turn = float(rng.choice([0, math.pi / 2])) + rng.normal(0, 0.03)
        normal = np.array([math.cos(turn), math.sin(turn)])
        fold = (normal, float(normal @ size_mm / 2), rng.uniform(-0.06, 0.06))

    def height_of(at: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        z = np.zeros(len(at))
        slope = np.zeros((len(at), 2))
        for a, kx, ky, phase in waves:
            t = at[:, 0] * kx + at[:, 1] * ky + phase
            z += a * np.sin(t)
            slope += (a * np.cos(t))[:, None] * (kx, ky)
        if fold:
            normal, where, steep = fold
            side = at @ normal - where
            z += steep * np.abs(side)
            slope += (steep * np.sign(side))[:, None] * normal
        return z, slope

    return height_of


def _table(rng: Generator, size: tuple[int, int], is_page: Picture) -> Picture:
    """Draw the table around the page, with a contact shadow."""
    width, height = size
    w, h = width // 4, height // 4
    base = rng.uniform(30, 225, 3)
    if rng.random() < 0.5:  # wood
        base = np.array([rng.uniform(90, 210), rng.uniform(60, 160), rng.uniform(30, 110)])
    noise = rng.normal(0, 1, (h, w)).astype(np.float32)
    kind = rng.integers(4)
    if kind == 0:
        noise = cv2.GaussianBlur(noise, (0, 0), 30, sigmaY=1.2) * 40
    elif kind == 1:
        cell = int(rng.integers(15, 60))
        yy, xx = np.mgrid[:h, :w]
        noise = (((xx // cell + yy // cell) % 2) - 0.5).astype(np.float32) * 2 + noise * 0.1
    elif kind == 2:
        noise = cv2.GaussianBlur(noise, (0, 0), 2) * 4
    else:
        noise = cv2.GaussianBlur(noise, (0, 0), 25) * 10
    texture = base + noise[..., None] * rng.uniform(3, 28)
    page = cv2.resize(is_page, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    near = cv2.GaussianBlur(page, (0, 0), rng.uniform(1.5, 7))
    texture = texture * (1 - rng.uniform(0.1, 0.6) * near[..., None])
    return cv2.resize(np.clip(texture, 0, 255).astype(np.uint8), size)


def _choose_light(rng: Generator, shade: NDArray[np.float64], how: _Grade) -> NDArray[np.float32]:
    """Return the light map by channel on the grid.

    Args:
        shade: shading of the paper by its slope.
    """
    h, w = shade.shape
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    xx, yy = xx / w - 0.5, yy / h - 0.5
    turn = rng.uniform(0, 2 * math.pi)
    light = 1 + rng.uniform(0, 0.45) * (xx * math.cos(turn) + yy * math.sin(turn))
    if rng.random() < 0.4:
        cx, cy = rng.uniform(-0.7, 0.7, 2)
        light *= 0.65 + 0.5 * np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / rng.uniform(0.15, 0.8))
    for _ in range(3):
        if rng.random() < how.shadow * 0.6:
            light *= _shadow(rng, (w, h))
    colour = np.array([1, 1, 1]) + np.array([1, 0.15, -1]) * rng.normal(0, 0.07)
    light = light * shade * rng.uniform(0.62, 1.08)
    return (light[..., None] * colour).astype(np.float32)


def _shadow(rng: Generator, size: tuple[int, int]) -> NDArray[np.float32]:
    """Return the soft shadow of a hand, phone or head that enters from outside."""
    w, h = size
    mask = np.zeros((h, w), np.float32)
    turn = rng.uniform(0, 2 * math.pi)
    middle = np.array([w, h]) * (0.5 + 0.5 * np.array([math.cos(turn), math.sin(turn)]))
    middle += rng.normal(0, 0.2, 2) * (w, h)
    if rng.random() < 0.5:
        box = (
            tuple(middle),
            tuple(np.array([w, h]) * rng.uniform(0.3, 1.2, 2)),
            rng.uniform(0, 180),
        )
        cv2.fillPoly(mask, [cv2.boxPoints(box).astype(np.int32)], 1.0)
    else:
        axes = (int(w * rng.uniform(0.15, 0.6)), int(h * rng.uniform(0.15, 0.6)))
        cv2.ellipse(mask, tuple(int(v) for v in middle), axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.6, 0.07 * w)))
    return 1 - mask * rng.uniform(0.15, 0.65)


def _glare(rng: Generator, size: tuple[int, int]) -> Picture:
    w, h = size[0] // 8, size[1] // 8
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    cx, cy = rng.uniform(0.15, 0.85, 2) * (w, h)
    spread = rng.uniform(0.03, 0.15) * w
    spot = np.exp(-(((xx - cx) / spread) ** 2 + ((yy - cy) / (spread * rng.uniform(0.5, 2))) ** 2))
    glare = cv2.resize((spot * rng.uniform(40, 170)).astype(np.uint8), size)
    return cv2.merge([glare] * 3)


def _thumb(
    rng: Generator,
    photo: Picture,
    to_photo: NDArray[np.float64],
    size_mm: NDArray[np.float64],
) -> None:
    """Draw a thumb that holds the page, usually at a corner."""
    corner = np.array([[rng.choice([4.0, size_mm[0] - 4]), rng.choice([4.0, size_mm[1] - 4])]])
    at = _project(to_photo, corner + rng.normal(0, 6, (1, 2)))[0]
    near = _project(to_photo, np.vstack([corner, corner + np.array([10.0, 0.0])]))
    unit = float(np.hypot(*(near[1] - near[0])))
    axes = (int(unit * rng.uniform(0.7, 1.1)), int(unit * rng.uniform(1.5, 4)))
    skin = np.array([rng.uniform(140, 235), rng.uniform(95, 180), rng.uniform(70, 150)])
    turn = rng.uniform(0, 180)
    colour = tuple(float(c) for c in skin * rng.uniform(0.7, 1))
    cv2.ellipse(photo, tuple(int(v) for v in at), axes, turn, 0, 360, colour, -1, cv2.LINE_AA)


def _apply_lens(rng: Generator, photo: Picture, how: _Grade) -> Picture:
    """Apply blur, motion blur, noise, sharpening and tone curve."""
    blur = abs(rng.normal(0, how.blur / 2)) + 0.35
    photo = cv2.GaussianBlur(photo, (0, 0), min(blur, how.blur + 0.4))
    if how.motion and rng.random() < 0.35:
        length = int(rng.uniform(1, 2 * how.motion)) * 2 + 1
        kernel = np.zeros((length, length), np.float32)
        turn = rng.uniform(0, math.pi)
        half = length // 2
        end = (int(half + half * math.cos(turn)), int(half + half * math.sin(turn)))
        cv2.line(kernel, (2 * half - end[0], 2 * half - end[1]), end, 1.0)
        photo = cv2.filter2D(photo, -1, kernel / kernel.sum())
    photo = cv2.add(photo, _grain(rng, photo.shape[:2], how), dtype=cv2.CV_8U)
    if rng.random() < 0.2:  # local contrast enhancement of night modes
        wide = cv2.resize(photo, None, fx=1 / 16, fy=1 / 16, interpolation=cv2.INTER_AREA)
        wide = cv2.resize(wide, photo.shape[1::-1])
        much = rng.uniform(0.1, 0.5)
        photo = cv2.addWeighted(photo, 1 + much, wide, -much, 0)
    if rng.random() < 0.5:
        much = rng.uniform(0.2, 1.2)
        soft = cv2.GaussianBlur(photo, (0, 0), rng.uniform(1.0, 2.2))
        photo = cv2.addWeighted(photo, 1 + much, soft, -much, 0)
    return cv2.LUT(photo, _tones(rng))


def _grain(rng: Generator, shape: tuple[int, int], how: _Grade) -> NDArray[np.int16]:
    """Return noise that is mostly equal in all channels; a square is repeated."""
    noise = rng.uniform(0.5, how.noise)
    grain = rng.standard_normal((_GRAIN_PX, _GRAIN_PX), np.float32) * noise
    if rng.random() < 0.6:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.7) * 1.5
    coloured = rng.uniform(0, 0.5)
    square = np.stack([grain + coloured * np.roll(grain, by, (0, 1)) for by in (101, 211, 307)], -1)
    times = [-(-side // _GRAIN_PX) for side in shape]
    return np.tile(square.astype(np.int16), (*times, 1))[: shape[0], : shape[1]]


def _tones(rng: Generator) -> NDArray[np.uint8]:
    """Return a random tone curve."""
    at = np.linspace(0, 1, 256) ** rng.uniform(0.8, 1.3)
    if rng.random() < 0.4:
        at += rng.uniform(-0.06, 0.12) * -np.sin(2 * math.pi * at)
    return (255 * np.clip(at, 0, 1)).astype(np.uint8)


def _encode(rng: Generator, photo: Picture, how: _Grade, small_px: int) -> bytes:
    picture = Image.fromarray(photo)
    if rng.random() < how.small:  # reduced by a messenger
        picture.thumbnail((small_px, small_px), Image.Resampling.LANCZOS)
    exif = Image.Exif()
    turned = {
        1: None,
        3: Image.Transpose.ROTATE_180,
        6: Image.Transpose.ROTATE_90,
        8: Image.Transpose.ROTATE_270,
    }
    orientation = int(rng.choice([1, 1, 3, 6, 8]))
    if (how_turned := turned[orientation]) is not None:
        picture = picture.transpose(how_turned)
    exif[0x0112] = orientation
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=int(rng.integers(*how.quality)), exif=exif)
    return stream.getvalue()
