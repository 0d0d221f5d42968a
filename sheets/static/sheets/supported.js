// Feature detection before all modules, as a classic script in old syntax. If it does not run, or the browser is
// too old, the page is its plain version (CONTRIBUTING.md, "Scripts").
(function () {
  var root = document.documentElement;
  // The newest features that modules need: Chrome 98, Firefox 104, Safari 15.4 (tests/site/browser_support.py).
  if (!([].at && [].findLast && root.replaceChildren && window.structuredClone && window.HTMLDialogElement)) {
    // No other script of this page loads.
    document.write("<meta http-equiv='Content-Security-Policy' content=\"script-src 'none'\">");
    return;
  }

  // Hide the plain version: in the body by this class, in the head by an element that ends in base.html.
  root.className = "scripted";
  document.write("<noscript>");
  var plain = document.currentScript.nextSibling;

  // If a module fails to load or start, show the plain version.
  addEventListener("error", function (event) {
    if (document.readyState === "complete" || !root.className) return;
    if (!event.error && event.target.localName !== "script") return;
    root.className = "";
    document.head.insertAdjacentHTML("beforeend", plain.textContent);
  }, true);
})();
