"""Layout checks: horizontal overflow of a page and the size of its touch targets."""

from __future__ import annotations

from playwright.sync_api import Page


def open_folds(page: Page) -> None:
    """Open all `details` elements of a page."""
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")


def set_font_size(page: Page, size: str) -> None:
    """Set the base font size of a page, such as ``200%``; an empty string resets it."""
    page.evaluate("(size) => { document.documentElement.style.fontSize = size }", size)


FIND_SMALL_TARGETS = r"""() => {
    const screen = matchMedia("(pointer: coarse)").matches ? 44 : 24;
    const isInSentence = (one) => {
        if (getComputedStyle(one).display !== "inline") return false;
        let block = one.parentElement;
        while (getComputedStyle(block).display === "inline") block = block.parentElement;
        const rest = block.cloneNode(true);
        for (const other of rest.querySelectorAll("a, button, .for-ears")) other.remove();
        return /\p{L}/u.test(rest.textContent);
    };
    const isLarge = (width, height, least) => Math.min(width, height) + 0.5 >= least;
    const found = [];
    for (const one of document.querySelectorAll(
        "a[href], button, input, select, textarea, summary, [role=button]"
    )) {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled) continue;
        if (one.closest(".for-ears, .skip-link, [inert]") || isInSentence(one)) continue;
        // A board, and a draft of any size, are as large as the screen lets them be.
        const least = one.closest(".board-frame, .draft") ? 24 : screen;
        const parts = [one, ...(one.labels ?? [])];
        const boxes = parts.map((part) => part.getBoundingClientRect());
        if (boxes.some((box) => isLarge(box.width, box.height, least))) continue;
        // What lies before or behind it may take the press, too.
        one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const box = one.getBoundingClientRect();
        const reach = (x, y) => {
            let steps = 0;
            const takes = () => {
                const hit = document.elementFromPoint(
                    box.x + box.width / 2 + x * steps, box.y + box.height / 2 + y * steps
                );
                return hit && parts.some((part) => part.contains(hit));
            };
            while (steps < 44 && takes()) steps += 1;
            return steps;
        };
        const [across, down] = [reach(1, 0) + reach(-1, 0) - 1, reach(0, 1) + reach(0, -1) - 1];
        if (!isLarge(Math.max(box.width, across), Math.max(box.height, down), least)) {
            const size = `${Math.round(box.width)} x ${Math.round(box.height)}`;
            found.push(`${size}: ${one.outerHTML.replace(/\s+/g, " ").slice(0, 90)}`);
        }
    }
    return found;
}"""
"""Script that returns the size and HTML of each touch target that is too small."""


def overflow_px(page: Page) -> int:
    """Return by how many pixels a page is wider than its window.

    Measured against `clientWidth`: on a phone `innerWidth` grows with a page that is too wide.
    """
    width: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width


def small_targets(page: Page) -> list[str]:
    """Return the touch targets of a page below 44 px for a finger, or 24 px for a mouse.

    Labels count as part of their input. Links within a sentence are exempt.
    """
    small: list[str] = page.evaluate(FIND_SMALL_TARGETS)
    return small


FIND_BROKEN_NAMES = r"""(names) => {
    const words = [...new Set(names.flatMap((name) => name.split(/(?<=-)|\s+/u)))];
    const found = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const parent = node.parentElement;
        if (!parent.checkVisibility({ visibilityProperty: true })) continue;
        if (parent.closest(".for-ears")) continue;
        for (const word of words) {
            const at = node.data.indexOf(word);
            if (at < 0 || /[\p{L}\p{N}]/u.test(node.data[at + word.length] ?? "")) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            // A word that is cut off with an ellipsis has two boxes, too, but in one line.
            const side = getComputedStyle(parent).writingMode === "horizontal-tb" ? "y" : "x";
            const lines = [...range.getClientRects()].map((box) => Math.round(box[side]));
            if (new Set(lines).size > 1) {
                const path = [parent, parent.parentElement].map((one) => one.cloneNode().outerHTML);
                found.add(`${word} in ${path.join(" in ").replace(/\s+/g, " ").slice(0, 150)}`);
            }
        }
    }
    return [...found];
}"""
"""Script that returns the words of names that are broken between letters."""


def broken_names(page: Page, *names: str) -> list[str]:
    """Return the words of names, or parts before a hyphen, that are broken between letters."""
    found: list[str] = page.evaluate(FIND_BROKEN_NAMES, names)
    return found


FIND_SPLIT_SENTENCES = r"""() => [...document.querySelectorAll("bdi")]
    .map((name) => name.parentElement)
    .filter((parent) => /flex|grid/.test(getComputedStyle(parent).display))
    .filter((parent) => [...parent.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.data)
    ))
    .map((parent) => parent.outerHTML.replace(/\s+/g, " ").slice(0, 150))"""
"""Script that returns the HTML of flexboxes and grids with a name and words next to it."""


def split_sentences(page: Page) -> list[str]:
    """Return the HTML of sentences whose names a flexbox or grid separates from the other words."""
    found: list[str] = page.evaluate(FIND_SPLIT_SENTENCES)
    return found
