"""Lint for scripts: nothing in them may be newer than the oldest supported browsers.

`make lint` runs ``python -m tests.site.browser_support``. The versions come from MDN's
browser-compat-data 8.1.9. An API that is not listed here passes, as do methods that only some
objects have, such as ``map`` of an iterator: add an API when it comes up.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SCRIPTS: Final = Path(__file__).resolve().parents[2] / "sheets" / "static" / "sheets"

Versions = tuple[float, float, float]
"""Versions of Chrome (and Edge), Firefox and Safari (and iOS)."""

OLDEST: Final[Versions] = (98, 104, 15.4)
"""The oldest browsers that run scripts. Older ones get the plain version of each page:
`supported.js` finds them by features. docs/reference.md shows these versions."""

SYNTAX: Final[dict[str, tuple[str, Versions]]] = {
    "lookbehind in a regular expression": (r"\(\?<[=!]", (62, 78, 16.4)),
    "flags within a regular expression": (r"\(\?[ims-]+:", (125, 132, 26)),
    "flag v of a regular expression": (r"\S/[dgimsuy]*v[dgimsuy]*[;,.)]", (112, 116, 17)),
    "static block of a class": (r"\bstatic \{", (94, 93, 16.4)),
    "attributes of an import": (r"\bwith \{ ?type", (123, 138, 17.2)),
    "using": (r"(?m)^\s*(?:await )?using \w+ =", (134, 141, 27.3)),
}
"""Syntax by name: a pattern that finds it, and the first versions that parse it."""

APIS: Final[dict[str, Versions]] = {
    name: (float(chrome), float(firefox), float(safari))
    for name, chrome, firefox, safari in map(
        str.split,
        """\
AbortSignal.any 116 124 17.4
AbortSignal.timeout 124 100 16
adoptedStyleSheets 73 101 16.4
at 92 90 15.4
attachInternals 77 93 16.4
beforematch 102 139 26.2
beforetoggle 114 125 17
canParse 120 115 17
checkVisibility 105 106 17.4
closedBy 134 141 27.3
CloseWatcher 126 149 27.3
commandForElement 135 144 26.2
CompressionStream 80 113 16.4
convertToBlob 69 105 16.4
cookieStore 87 140 18.4
createConicGradient 99 112 16.1
DecompressionStream 80 113 16.4
Error.isError 134 138 18.4
fetchPriority 102 132 17.2
findLast 97 104 15.4
flatMap 69 62 12
fromAsync 121 115 16.4
fromBase64 140 133 18.2
fromHex 140 133 18.2
getHTML 125 128 18
getOrInsert 145 144 26.2
getOrInsertComputed 145 144 26.2
getSetCookie 113 112 17
groupBy 117 119 17.4
hasOwn 93 92 15.4
hasStorageAccess 119 65 11.1
hidePopover 114 125 17
HTMLDialogElement 37 98 15.4
inert 102 112 15.5
isDisjointFrom 122 127 17
isSubsetOf 122 127 17
isSupersetOf 122 127 17
isWellFormed 111 119 16.4
newState 114 120 17
OffscreenCanvas 69 105 16.4
oldState 114 120 17
popoverTargetAction 114 125 17
popoverTargetElement 114 125 17
Promise.try 128 134 18.2
RegExp.escape 136 134 18.2
replaceChildren 86 78 14
requestClose 126 149 27.3
requestStorageAccess 119 65 11.1
requestSubmit 76 75 16
roundRect 99 112 16
scrollend 114 109 26.2
Segmenter 87 125 14.1
setHTMLUnsafe 124 123 26
showPicker 99 101 16
showPopover 114 125 17
skipTransition 111 144 18
startViewTransition 111 144 18
structuredClone 98 94 15.4
supportedValuesOf 99 93 15.4
symmetricDifference 122 127 17
Temporal 144 139 27.3
TextDecoderStream 71 105 14.1
throwIfAborted 100 97 15.4
toBase64 140 133 18.2
ToggleEvent 114 120 17
togglePopover 114 125 17
toHex 140 133 18.2
toReversed 110 115 16
toSorted 110 115 16
toSpliced 110 115 16
toWellFormed 111 119 16.4
transferControlToOffscreen 69 105 16.4
unicodeSets 112 116 17
URLPattern 95 142 26
UserActivation 72 120 16.4
userActivation 72 120 16.4
ViewTransition 111 144 18
WakeLock 84 126 16.4
wakeLock 84 126 16.4
with 110 115 16
withResolvers 119 121 17.4
""".splitlines(),
    )
}
"""Names of classes and properties, with the first versions that have them."""

ALLOWED: Final = {
    ("lib/submit.js", "requestSubmit"): "there is another way without it",
    ("table/keep_awake.js", "wakeLock"): "a video keeps the screen awake without it",
    (
        "offline_scoring/page.js",
        "inert",
    ): "without it, what is marked meanwhile stays on the device",
}
"""Exceptions: scripts that may use something too new, with the reason."""

COMMENT: Final = re.compile(r"^\s*//.*$| // .*$", re.MULTILINE)


def is_too_new(versions: Versions) -> bool:
    """Return whether one of the oldest supported browsers is older than these versions."""
    return any(first > oldest for first, oldest in zip(versions, OLDEST, strict=True))


def faults(name: str, script: str) -> Iterator[str]:
    """Yield too new syntax and APIs of a script; APIs after ``?.`` may be missing."""
    text = COMMENT.sub("", script)
    for syntax, (pattern, versions) in SYNTAX.items():
        if is_too_new(versions) and re.search(pattern, text):
            yield f"{name}: {syntax} needs {_described(versions)}"
    for api, versions in APIS.items():
        if not is_too_new(versions) or (name, api) in ALLOWED:
            continue
        before = r"\b" if "." in api or api[0].isupper() else r"\."
        if re.search(rf"{before}{re.escape(api)}\b(?!\?\.)", text):
            yield f"{name}: {api} needs {_described(versions)}"


def all_faults() -> list[str]:
    """Return the faults of all scripts."""
    return [
        fault
        for path in sorted(SCRIPTS.rglob("*.js"))
        for fault in faults(path.relative_to(SCRIPTS).as_posix(), path.read_text("utf-8"))
    ]


def _described(versions: Versions) -> str:
    browsers = ("Chrome", "Firefox", "Safari")
    return ", ".join(f"{name} {v:g}" for name, v in zip(browsers, versions, strict=True))


if __name__ == "__main__":
    found = all_faults()
    sys.stdout.writelines(f"{fault}\n" for fault in found)
    sys.exit(bool(found))
