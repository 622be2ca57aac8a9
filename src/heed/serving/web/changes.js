// Two answers side by side, and the difference between them.

import { chancesOf, spokenText } from "./answers.js";
import { made } from "./elements.js";
import { percent, table } from "./parts.js";
import { changedTexts } from "./spans.js";

const MOST_ROWS = 12; // labels whose chances are set side by side, the ones that changed most

// Return what was said before and after, words that changed marked, and the chances that rose or fell.
export function changesView(task, before, after, edited) {
  const [first, second] = changedTexts(spokenText(task, before), spokenText(task, after));
  const sides = made("div", { class: "sides" }, side("Before", first), side(edited, second));
  const same = spokenText(task, before) === spokenText(task, after);
  const told = same ? "It says the same." : "It says something else now.";
  return [made("p", { class: "verdict" }, told), sides, ...chanceTable(before, after)];
}

function side(title, shown) {
  return made("div", {}, made("h3", {}, made("bdi", {}, title)), shown);
}

function chanceTable(before, after) {
  const [first, second] = [new Map(soundings(before)), new Map(soundings(after))];
  const names = [...new Set([...first.keys(), ...second.keys()])];
  if (!names.length) return [];
  const rise = (name) => (second.get(name) ?? 0) - (first.get(name) ?? 0);
  names.sort((one, other) => Math.abs(rise(other)) - Math.abs(rise(one)));
  const told = (chance) => (chance === undefined ? "–" : percent(chance));
  const rows = names.slice(0, MOST_ROWS).map((name) => {
    return [name, told(first.get(name)), told(second.get(name)), moved(rise(name))];
  });
  return [table("Chances before and after, the largest change first", ["", "Before", "After", "Change"], rows)];
}

// Return the chances that an answer tells, by what they are of.
function soundings(result) {
  if (result.gaps) return result.gaps[0].map(({ piece, probability }) => [piece, probability]);
  if (result.no_answer_margin !== undefined) {
    const options = [result, ...result.alternatives];
    return options.map(({ text, probability }) => [text || "(no answer)", probability]);
  }
  const ways = result.alternatives ?? result.versions;
  if (ways) return ways.map(({ text, log_prob: logProb }) => [text || "(nothing)", Math.exp(logProb)]);
  return chancesOf(result);
}

function moved(rise) {
  const points = (100 * Math.abs(rise)).toFixed(1);
  if (points === "0.0") return "· 0.0";
  return rise > 0 ? `▲ +${points}` : `▼ −${points}`;
}
