// Shows the buttons that print the page they are on.
for (const button of document.querySelectorAll("[data-print-page]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
