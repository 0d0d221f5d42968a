// Decides whether this page's modules run. A classic script in old syntax, before all others: an engine
// that cannot read a module says nothing. Where this file does not run (scripts are off, blocked, or gone
// after an update) or finds the engine too old, the page is its plain version: links, forms, a refresh
// in the head, and sentences with the class `plain-only`.
(function () {
  var root = document.documentElement;
  // The newest features that modules need; all came by Chrome 98, Firefox 104 and Safari 15.4. Lint
  // checks that modules use nothing newer (tests/site/browser_support.py).
  var NEEDED = [
    [Array.prototype, ["at", "findLast", "flatMap"]],
    [Element.prototype, ["replaceChildren"]],
    [window, ["structuredClone", "HTMLDialogElement"]],
  ];
  var isOld = NEEDED.some(function (some) {
    return some[1].some(function (name) {
      return !(name in some[0]);
    });
  });
  if (isOld) {
    // From here on the browser loads no script of this page, so that no module runs halfway.
    var policy = document.createElement("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = "script-src 'none'";
    document.head.appendChild(policy);
    return;
  }

  // What is only for the plain version: hidden in the body by this class, in the head by an element that
  // is text for a browser with scripts. It ends at the </noscript> behind this script in base.html.
  root.classList.add("scripted");
  document.write("<noscript>");
  var plainHead = document.currentScript.nextSibling;

  var said = document.currentScript.dataset;

  // A module could not be loaded or started: back to the plain version.
  function showPlain() {
    if (!root.classList.contains("scripted")) return;
    root.classList.remove("scripted");
    document.head.insertAdjacentHTML("beforeend", plainHead.textContent);
  }

  // A handler failed, so that a tap may have had no effect.
  function sayBroken() {
    if (document.getElementById("page-broken")) return;
    var sentence = document.createElement("p");
    sentence.id = "page-broken";
    sentence.className = "alert bad page-broken";
    sentence.setAttribute("role", "alert");
    var link = document.createElement("a");
    link.href = "";
    link.textContent = said.reload;
    sentence.append(said.broken + " ", link);
    document.body.append(sentence);
  }

  addEventListener("error", function (event) {
    var isLoaded = document.readyState === "complete";
    var isOurs = event.error && event.filename.indexOf(location.origin) === 0;
    if (!isLoaded && (isOurs || event.target.localName === "script")) showPlain();
    if (isOurs && isLoaded) sayBroken();
  }, true);
  addEventListener("unhandledrejection", function (event) {
    var reason = event.reason;
    if (reason instanceof Error && !(reason instanceof DOMException)) sayBroken();
  });
})();
