// How the runs were trained: one number at a time, the lines of several runs over each other.

import { get } from "./api.js";
import { KINDS, chartOf, sampleOf, written } from "./chart.js";
import { made } from "./elements.js";
import { table } from "./parts.js";

const FIRST = 6; // lines that are drawn before anybody chooses
const NAMES = { loss: "loss in training", learning_rate: "learning rate", gradient_norm: "norm of the gradient" };
const NOTHING = "No run here has logged a number: its training has not begun, or it came from elsewhere.";
const ACROSS = { step: "steps", seconds: "seconds" };

// Fill the view with what the server tells of its runs.
export async function showTraining(view) {
  const { runs } = await get("/v1/runs");
  const logged = new Set(runs.flatMap(({ points }) => points.flatMap(Object.keys)));
  const numbers = [...logged].filter(isShown).sort(lossFirst);
  const what = choice("Number", numbers.map((name) => [name, titleOf(name)]));
  const across = choice("Along", Object.entries(ACROSS));
  const boxes = runs.map((run, kind) => runBox(run, kind));
  const [picture, below] = [made("figure"), made("div")];
  const draw = () => {
    const shown = runs.map((run, kind) => ({ run, kind })).filter(({ kind }) => boxes[kind].input.checked);
    drawCurves(picture, below, shown, what.select.value, across.select.value);
  };
  const fields = [what.select, across.select, ...boxes.map(({ input }) => input)];
  for (const field of fields) field.addEventListener("change", draw);
  const controls = made("div", { class: "options" }, what.label, across.label);
  const chosen = made("fieldset", { class: "runs" }, made("legend", {}, "Runs"), ...boxes.map(({ label }) => label));
  view.replaceChildren(made("h2", {}, "How the runs were trained"), controls, picture, chosen, below);
  if (numbers.length) draw();
  else picture.replaceChildren(made("p", {}, NOTHING));
}

const isShown = (name) => !["step", "seconds", "epoch", "tokens"].includes(name);
const titleOf = (name) => NAMES[name] ?? name.replace("valid.", "validation: ").replaceAll("_", " ");
const rank = (name) => (name === "loss" ? 0 : name.startsWith("valid.") ? 1 : 2);
const lossFirst = (one, other) => rank(one) - rank(other) || one.localeCompare(other);

function choice(title, pairs) {
  const select = made("select", {}, ...pairs.map(([value, text]) => made("option", { value }, text)));
  return { select, label: made("label", {}, title, select) };
}

function runBox({ model, task, served, problem, points }, kind) {
  const input = made("input", { type: "checkbox", checked: kind < FIRST && served, disabled: !points.length });
  const facts = problem ?? (served ? task : `${task}, not served`);
  const name = made("span", {}, made("bdi", {}, model), made("small", {}, facts));
  return { input, label: made("label", { class: "check" }, input, sampleOf(kind % KINDS), name) };
}

function drawCurves(picture, below, shown, name, along) {
  const all = shown.map(({ run, kind }) => ({ run, kind, points: pointsOf(run, name, along) }));
  const lines = all.filter(({ points }) => points.length);
  if (!lines.length) {
    picture.replaceChildren(made("p", { class: "soft" }, `No run that is chosen has logged ${titleOf(name)}.`));
    below.replaceChildren();
    return;
  }
  picture.replaceChildren(chartOf(lines, ACROSS[along], titleOf(name)));
  const rows = lines.map(({ run, points }) => {
    const values = points.map(([, value]) => value);
    const [last, least, most] = [values.at(-1), Math.min(...values), Math.max(...values)].map(written);
    const steps = String(run.points.at(-1).step ?? "–");
    const state = run.finished ? "finished" : "not finished";
    return [run.model, run.settings.kind ?? run.task, steps, state, last, least, most];
  });
  below.replaceChildren(table(titleOf(name), ["Run", "Model", "Steps", "", "Last", "Least", "Most"], rows));
}

function pointsOf(run, name, along) {
  return run.points.filter((point) => along in point && name in point).map((point) => [point[along], point[name]]);
}
