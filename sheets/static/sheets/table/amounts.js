// An amount of the comparison leads to the sheet it comes from, on which its fields are lit; a name
// leads to its sheet.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#sheet-']");
  const sheet = link && document.getElementById(link.hash.slice(1));
  if (!sheet) return;
  event.preventDefault(); // the focus stays, and with it the light
  sheet.closest("details")?.setAttribute("open", "");
  sheet.scrollIntoView({ block: "center" });
});
