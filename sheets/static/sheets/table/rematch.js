// A rematch replaces the finished game in the history, so that Back leaves both in one step.

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-again]");
  if (!link || event.defaultPrevented || event.button) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  location.replace(link.href);
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-again]");
  if (!form || event.defaultPrevented) return;
  event.preventDefault();
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => null);
  if (answer?.redirected) location.replace(answer.url);
  else form.submit(); // so that the browser shows the reason
});
