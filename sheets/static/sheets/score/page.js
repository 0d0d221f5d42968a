// The page's element with the data of the scoring, and the number of the sheet shown.
export const page = document.getElementById("scoring");
export const number = Number(page.dataset.number ?? 0);
