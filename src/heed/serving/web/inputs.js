// The form of each task: one text, two, or a picture.

import { made } from "./elements.js";
import { pictureField } from "./pictures.js";

const TITLES = {
  translate: ["Text to translate"],
  classify: ["Text to classify"],
  pretrain: ["Text with a gap: write [MASK] where a word is to be found"],
  vectors: ["A word, or a sum such as king - man + woman"],
  write: ["Text to write on from"],
  tag: ["Text to look for names in"],
  pair: ["First text", "Second text"],
  answer: ["Question", "Text to answer from"],
};
const VERBS = {
  translate: "Translate", classify: "Classify", pair: "Compare", pretrain: "Fill the gap", vectors: "Look up",
  write: "Write on", tag: "Tag", answer: "Answer", image: "Classify", caption: "Describe",
};

export const verbOf = (task) => VERBS[task] ?? "Predict";

// Return the field of a model's input: { box, read, write, focus }; read() gives it as requests have it, or null.
export function inputField(model, changed) {
  return model.reads === "picture" ? pictureField(changed) : textField(model, changed);
}

function textField(model, changed) {
  const titles = TITLES[model.task] ?? (model.reads === "pair" ? ["First text", "Second text"] : ["Text"]);
  const areas = titles.map((title, number) => {
    const rows = number === titles.length - 1 && model.task === "answer" ? 6 : 2;
    return made("textarea", { rows, dir: "auto", name: number ? "second" : "text", "aria-label": title });
  });
  for (const area of areas) area.addEventListener("input", changed);
  const labels = titles.map((title, number) => made("label", { class: "field" }, title, areas[number]));
  const texts = () => areas.map((area) => area.value);
  return {
    box: made("div", {}, ...labels),
    read: () => (texts().every((text) => !text.trim()) ? null : areas.length === 2 ? texts() : texts()[0]),
    write: (input) => [input].flat().forEach((text, number) => areas[number] && (areas[number].value = text)),
    focus: () => areas[0].focus(),
  };
}
