// What `heed compare` found, of the comparisons that lie beside the runs.

import { get } from "./api.js";
import { made } from "./elements.js";
import { table } from "./parts.js";

const HOW = "heed compare classify demo:reviews --models tfidf,textcnn --seeds 3 --out runs/compared";

// Fill the view with the tables that the server has.
export async function showComparisons(view) {
  const { comparisons } = await get("/v1/comparisons");
  const sentence = "There is no comparison in the folder of these runs. This makes one, which is shown here then:";
  const none = comparisons.length ? [] : [made("p", {}, sentence), made("pre", { tabindex: 0 }, HOW)];
  view.replaceChildren(made("h2", {}, "Comparisons"), ...none, ...comparisons.map(comparisonView));
}

function comparisonView({ name, titles, rows, facts, problem }) {
  const heading = made("h3", {}, made("bdi", {}, name));
  if (problem !== null) return made("section", {}, heading, made("p", { class: "wrong" }, problem));
  const told = Object.values(facts).join(" · ");
  const below = made("p", { class: "soft" }, told, told ? ". " : "", "The whole report is in its folder: report.html.");
  const shown = table("Best first; ± is half of a 95 % interval over seeds", titles, rows);
  return made("section", {}, heading, shown, below);
}
