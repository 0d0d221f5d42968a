// An amount of the comparison leads to the sheet it comes from, on which its fields are lit.
document.addEventListener("click", (event) => {
  const amount = event.target.closest?.("a.amount");
  const sheet = amount && document.getElementById(amount.hash.slice(1));
  if (!sheet) return;
  event.preventDefault(); // the focus stays, and with it the light
  sheet.closest("details")?.setAttribute("open", "");
  sheet.scrollIntoView({ block: "center" });
});
