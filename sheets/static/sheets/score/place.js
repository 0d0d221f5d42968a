// Which sheet of which scoring does the page show?
export const page = document.getElementById("scoring");
export const number = Number(page.dataset.number ?? 0);
