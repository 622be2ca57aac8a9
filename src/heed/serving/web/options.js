// The options that mean something to a model, few of them and folded away; what is left empty is as the run has it.

import { made } from "./elements.js";

const KNOWN = {
  beam: { title: "Beams", min: 1, max: 16, step: 1 },
  best: { title: "How many to tell", min: 1, max: 16, step: 1 },
  length: { title: "Pieces to write", min: 1, max: 500, step: 1 },
  temperature: { title: "Temperature, draws at random", min: 0.1, max: 5, step: "any" },
  seed: { title: "Seed of the draw", min: 0, max: 2 ** 31, step: 1 },
  threshold: { title: "Threshold of no answer", step: "any" },
};

// Return the field of a model's options: { box, read, write }.
export function optionsField(model, changed) {
  const names = Object.keys(KNOWN).filter((name) => model.options.includes(name));
  const fields = new Map(names.map((name) => [name, numberField(name, changed)]));
  const labels = names.map((name) => made("label", {}, KNOWN[name].title, fields.get(name)));
  const inside = made("div", { class: "options" }, ...labels);
  const box = made("details", { hidden: !names.length }, made("summary", {}, "Options"), inside);
  return {
    box,
    read: () => Object.fromEntries([...fields].filter(([, field]) => field.value !== "").map(numberOf)),
    write: (values) => fill(box, fields, values),
  };
}

function numberField(name, changed) {
  const { title: _, ...bounds } = KNOWN[name];
  const field = made("input", { type: "number", inputmode: "decimal", placeholder: "as the run", ...bounds });
  field.addEventListener("input", changed);
  return field;
}

const numberOf = ([name, field]) => [name, field.valueAsNumber];

function fill(box, fields, values) {
  for (const [name, value] of Object.entries(values)) {
    if (!fields.has(name)) continue;
    fields.get(name).value = value;
    box.open = true;
  }
}
