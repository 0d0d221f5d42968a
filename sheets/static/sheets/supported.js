// Decides whether this page's modules run. A classic script in old syntax, before all others: an engine
// that cannot read a module says nothing. Where this file does not run (scripts are off, blocked, or gone
// after an update) or finds the engine too old, the page is its plain version: links, forms, a refresh
// in the head, and sentences with the class `plain-only`.
(function () {
  var root = document.documentElement;
  // The newest features that modules need; all came by Chrome 98, Firefox 104 and Safari 15.4. Lint
  // checks that modules use nothing newer (tests/site/browser_support.py).
  if (!([].at && [].findLast && root.replaceChildren && window.structuredClone && window.HTMLDialogElement)) {
    // From here on the browser loads no script of this page, so that no module runs halfway.
    document.write("<meta http-equiv='Content-Security-Policy' content=\"script-src 'none'\">");
    return;
  }

  // What is only for the plain version is hidden: in the body by this class, in the head by an element that
  // is text for a browser with scripts. It ends at the </noscript> behind this script in base.html.
  root.className = "scripted";
  document.write("<noscript>");
  var plain = document.currentScript.nextSibling;

  // Where a module cannot be loaded or started, the plain version is back.
  addEventListener("error", function (event) {
    if (document.readyState === "complete" || !root.className) return;
    if (!event.error && event.target.localName !== "script") return;
    root.className = "";
    document.head.insertAdjacentHTML("beforeend", plain.textContent);
  }, true);
})();
