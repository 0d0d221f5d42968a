// Folded settings: the summary lists what is chosen in the fold.

// Styles hide settings that do not apply to the other choices of the form.
function applies(control, fold) {
  for (let box = control; box !== fold; box = box.parentElement) {
    if (getComputedStyle(box).display === "none") return false;
  }
  return true;
}

export function showChosen() {
  for (const fold of document.querySelectorAll(".more-settings")) {
    const chosen = [...fold.querySelectorAll(":checked, [type=number]")].filter((control) => applies(control, fold));
    const words = chosen.map(({ dataset, text, type, value }) =>
      type === "number" ? value && `${dataset.short} ${value}` : (dataset.short ?? text),
    );
    fold.querySelector("[data-chosen]").textContent = words.filter(Boolean).join(" · ");
  }
}

showChosen();
// After the browser or reload_state.js has restored the form.
addEventListener("pageshow", showChosen);
document.addEventListener("change", showChosen);
