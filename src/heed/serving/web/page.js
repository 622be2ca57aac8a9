// The page: which view is shown. Each view fills its own part of the page.

import { readAddress, writeAddress } from "./address.js";
import { showComparisons } from "./comparisons.js";
import { button, byId, made } from "./elements.js";
import { showTraining } from "./training.js";
import { startTrying } from "./trying.js";

const VIEWS = { try: null, training: showTraining, comparisons: showComparisons };
const links = document.querySelectorAll("[data-view]");

// Show the view that the address names; what it needs is asked for each time, for trainings go on.
async function showView() {
  const { view } = readAddress();
  const shown = view in VIEWS ? view : "try";
  for (const name of Object.keys(VIEWS)) byId(name).hidden = name !== shown;
  for (const link of links) link.setAttribute("aria-current", link.dataset.view === shown ? "page" : "false");
  try {
    await VIEWS[shown]?.(byId(shown));
  } catch (problem) {
    const sentence = made("p", { class: "wrong", role: "alert" }, problem.message);
    byId(shown).replaceChildren(sentence, button("Try again", showView));
  }
}

for (const link of links) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    writeAddress({ view: link.dataset.view });
    showView();
  });
}
addEventListener("hashchange", () => location.reload()); // somebody wrote another address, or went back to one
startTrying();
showView();
