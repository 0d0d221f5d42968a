// Buttons that print the current page; hidden without scripts.
for (const button of document.querySelectorAll("[data-print-page]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
