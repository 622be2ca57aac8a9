// Parts that several views show: chances with bars, tables, things to unfold, and what a model could not read.

import { drawn, made } from "./elements.js";

const FEW = 8; // rows before the others must be unfolded

// Return a chance in percent; what is not quite certain never reads as certain.
export function percent(chance) {
  if (chance >= 0.9995 && chance < 1) return "> 99.9 %";
  return chance > 0 && chance < 0.0005 ? "< 0.1 %" : `${(100 * chance).toFixed(1)} %`;
}

export function bar(share) {
  const width = Math.round(1000 * Math.min(1, Math.max(0, share))) / 10;
  const box = { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "bar", "aria-hidden": true };
  return drawn("svg", box, drawn("rect", { width, height: 8 }));
}

// Return a table in a box that scrolls; the first cell of each row is its heading.
export function table(caption, titles, rows) {
  const head = made("tr", {}, ...titles.map((title) => made("th", { scope: "col" }, title)));
  const body = rows.map(([first, ...cells]) => {
    const heading = made("th", { scope: "row" }, made("bdi", {}, first));
    return made("tr", {}, heading, ...cells.map((cell) => made("td", {}, cell)));
  });
  const whole = made("table", {}, made("caption", {}, caption), made("thead", {}, head), made("tbody", {}, ...body));
  return made("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 }, whole);
}

// Return names with their chances as bars, the largest first; [[name, chance]].
export function chances(caption, pairs, titles = ["Label", "", "Chance"]) {
  const sorted = [...pairs].sort((one, other) => other[1] - one[1]);
  const rows = sorted.map(([name, chance]) => [name, bar(chance), percent(chance)]);
  const more = rows.length - FEW;
  if (more <= 2) return [table(caption, titles, rows)];
  const others = fold(`${more} more`, table("The others", titles, rows.slice(FEW)));
  return [table(caption, titles, rows.slice(0, FEW)), others];
}

export function fold(summary, ...children) {
  return made("details", {}, made("summary", {}, summary), ...children);
}

// Return sentences on what the model could not read of its input.
export function unread({ unknown = 0, cut = 0, ended = "" }) {
  const said = [];
  const pieces = (count) => `${count} ${count === 1 ? "piece" : "pieces"}`;
  if (unknown) said.push(`${pieces(unknown)} ${unknown === 1 ? "is" : "are"} not in its vocabulary.`);
  if (cut) said.push(`${pieces(cut)} beyond its longest length ${cut === 1 ? "was" : "were"} not read.`);
  if (ended === "length") said.push("It stopped at the longest length, not at an end of its own.");
  return said.map((sentence) => made("p", { class: "mind" }, `Mind: ${sentence}`));
}
