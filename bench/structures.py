"""What does it cost to check documents by msgspec and to name their faults, beside bare JSON?

Shipped levels, recorded games and final sheets are read, and each kind broken in one place by
chance: by `json` alone, by msgspec alone, and by `sheets.documents.structure.decode`, which names
the fault.

Where pydantic is installed, too, its part is measured with models that are made of the same
structures. The product does not use it. To repeat the comparison of docs/benchmarks.md::

    uv run --no-project --python 3.11 --with msgspec==0.22.0 --with pydantic==2.14.3 \\
        python bench/structures.py
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial, reduce
from operator import or_
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from sheets.documents.dice2 import Dice2GameDocument  # noqa: E402
from sheets.documents.structure import GameDocument, LevelDocument, SheetsDocument, decode  # noqa: E402
from tests.documents.examples import SHEETS  # noqa: E402
from tests.documents.mutations import encode, mutate  # noqa: E402

ROUNDS = 7
BROKEN = 400
Texts = list[bytes]
Read = Callable[[bytes], Any]


def main() -> None:
    """Print what importing costs, then what reading does, for each kind of document."""
    pydantic = None
    if importlib.util.find_spec("pydantic"):
        pydantic = importlib.import_module("pydantic")
    for library in ("json", "msgspec", *(["pydantic"] if pydantic else [])):
        print(f"{library}: {import_cost(library)}")
    for name, (structure, texts) in documents().items():
        ways: dict[str, Read] = {
            "json": json.loads,
            "msgspec": msgspec.json.Decoder(structure).decode,
            "ours": partial(decode, kind=structure),
        }
        if pydantic:
            model = pydantic.TypeAdapter(to_pydantic(structure, pydantic))
            ways["pydantic"] = model.validate_json
        compare(f"{name}, {len(texts)} good", texts, ways)
        compare(f"{name}, {BROKEN} broken", break_all(texts), ways)


def import_cost(library: str) -> str:
    """The time and the memory of importing a library, in processes of their own (on Linux)."""
    code = (
        "import pathlib, time\n"
        "def kib(): return int(pathlib.Path('/proc/self/statm').read_text().split()[1]) * 4\n"
        "before, began = kib(), time.perf_counter()\n"
        # pydantic imports what it needs only when it is asked for.
        f"import {library}; getattr({library}, 'BaseModel', None)\n"
        "print(time.perf_counter() - began, kib() - before)"
    )
    runs = [
        [float(n) for n in subprocess.check_output([sys.executable, "-c", code]).split()]
        for _ in range(ROUNDS)
    ]
    seconds, kib = (statistics.median(values) for values in zip(*runs, strict=True))
    return f"imported in {seconds * 1000:.0f} ms, {kib / 1024:.1f} MB"


def documents() -> dict[str, tuple[Any, Texts]]:
    """The texts of each kind, with the structure they must have."""
    vectors = ROOT / "tests" / "conformance"
    return {
        "levels": (LevelDocument, read_all(ROOT / "sheets" / "levels", "*.json")),
        "games": (GameDocument, read_all(vectors / "dizzle", "*.game.json")),
        "sheets": (SheetsDocument, [encode(SHEETS)]),
        "dice2": (Dice2GameDocument, read_all(vectors / "dice2", "*.game.json")),
    }


def read_all(folder: Path, pattern: str) -> Texts:
    """The files of a folder."""
    return [path.read_bytes() for path in sorted(folder.glob(pattern))]


def break_all(texts: Texts) -> Texts:
    """Such documents, each changed in one place by chance."""
    random = Random(1)
    return [encode(mutate(random, json.loads(random.choice(texts)), 1)) for _ in range(BROKEN)]


def compare(what: str, texts: Texts, ways: dict[str, Read]) -> None:
    """Print how long each way takes for a text, and how many it refuses, beside bare JSON."""
    best = dict.fromkeys(ways, float("inf"))
    refused = dict.fromkeys(ways, 0)
    for _ in range(ROUNDS):
        for name, read in ways.items():
            began = time.perf_counter()
            refused[name] = sum(is_refused(read, text) for text in texts)
            best[name] = min(best[name], time.perf_counter() - began)
    told = ", ".join(
        f"{name} {best[name] * 1e6 / len(texts):.0f} µs ({best[name] / best['json']:.2f} times, "
        f"{refused[name]} refused)"
        for name in ways
    )
    print(f"{what}: {told}")


def is_refused(read: Read, text: bytes) -> bool:
    """Whether a text is refused."""
    try:
        read(text)
    except ValueError:
        return True
    return False


def to_pydantic(annotation: Any, pydantic: Any) -> Any:
    """The same type for pydantic: structures as strict models, limits as its fields' limits."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return make_model(annotation, pydantic)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        limits = {
            name: value.replace(r"\Z", r"\z") if name == "pattern" else value
            for name in ("ge", "le", "min_length", "max_length", "pattern")
            if (value := getattr(arguments[1], name)) is not None
        }
        return Annotated[to_pydantic(arguments[0], pydantic), pydantic.Field(**limits)]
    if origin in (list, dict):
        return origin[tuple(to_pydantic(argument, pydantic) for argument in arguments)]
    if origin is Literal or not arguments:
        return annotation
    parts = [to_pydantic(part, pydantic) for part in arguments if part is not msgspec.UnsetType]
    union = reduce(or_, parts)
    is_tagged = len(parts) > 1 and all("do" in getattr(part, "model_fields", ()) for part in parts)
    return Annotated[union, pydantic.Field(discriminator="do")] if is_tagged else union


def make_model(structure: type[msgspec.Struct], pydantic: Any) -> Any:
    """A strict model with a structure's fields and, if it has one, its tag."""
    fields: dict[str, Any] = {}
    if tag := structure.__struct_config__.tag:
        fields["do"] = (Literal[tag], ...)
    required = {field.name for field in msgspec.structs.fields(structure) if field.required}
    for name, annotation in get_type_hints(structure, include_extras=True).items():
        if not name.startswith("__"):
            fields[name] = (to_pydantic(annotation, pydantic), ... if name in required else None)
    config = pydantic.ConfigDict(extra="forbid", strict=True)
    return pydantic.create_model(structure.__name__, __config__=config, **fields)


if __name__ == "__main__":
    main()
