// A paper sheet beside the one at the table: the fields that differ are ringed on the photo, too.
const place = document.getElementById("compared");

// Show the part of a page that says how they differ.
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

// What was compared is not so any more.
export function forget() {
  place?.replaceChildren();
  for (const group of document.querySelectorAll(".flat .is-apart")) group.classList.remove("is-apart");
}
