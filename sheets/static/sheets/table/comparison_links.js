// Links from the comparison's amounts and names to the sheets: open and scroll without moving the focus.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#sheet-']");
  const sheet = link && document.getElementById(link.hash.slice(1));
  if (!sheet) return;
  event.preventDefault(); // the focus stays, and with it the highlighting
  sheet.closest("details")?.setAttribute("open", "");
  sheet.scrollIntoView({ block: "center" });
});
