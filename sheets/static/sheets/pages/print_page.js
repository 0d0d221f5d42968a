// Makes buttons with `data-print-page` print the page. Without scripts they are hidden.
for (const button of document.querySelectorAll("[data-print-page]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
