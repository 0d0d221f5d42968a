// Comparison of a paper sheet with the one at the table; differing fields are marked on the photo.
const place = document.getElementById("compared");

// Show the fragment with the differences.
export function showCompared(part) {
  forget();
  place.innerHTML = part;
  const compared = place.querySelector(".compared");
  const { index, places } = compared.dataset;
  for (const at of JSON.parse(places)) {
    document.querySelector(`#seen-${index} .flat [data-at="${at}"]`)?.classList.add("is-apart");
  }
  compared.focus({ preventScroll: true });
  compared.scrollIntoView();
}

// Remove an outdated comparison.
export function forget() {
  place?.replaceChildren();
  for (const group of document.querySelectorAll(".flat .is-apart")) group.classList.remove("is-apart");
}
