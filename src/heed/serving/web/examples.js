// Examples of a model as buttons; the server has them before the model has loaded.

import { get } from "./api.js";
import { button, made } from "./elements.js";

const SHORT = 48; // characters on a button

// Fill the box with the examples of a model; `take(input, number)` is called with the one that is pressed.
export async function showExamples(box, model, take) {
  box.replaceChildren(made("span", { class: "soft" }, "Examples are coming …"));
  const { examples, origin, own } = await get(`/v1/examples/${encodeURIComponent(model)}`);
  const buttons = examples.map((example, number) => {
    const press = () => take(example.input, number);
    return button(faceOf(example.input), press, { title: titleOf(example), class: "example" });
  });
  const from = `Examples of ${origin}${own ? "" : ", which this model was not trained on"}`;
  box.replaceChildren(made("span", { class: "soft" }, examples.length ? from : ""), ...buttons);
  return examples;
}

function faceOf(input) {
  if (input.picture) return made("img", { src: `data:image/png;base64,${input.picture}`, alt: "A picture" });
  return made("bdi", {}, shortened([input].flat().join(" | ")));
}

function titleOf({ input, expected }) {
  const whole = input.picture ? "A picture" : [input].flat().join("\n");
  return expected ? `${whole}\n→ ${expected}` : whole;
}

const shortened = (text) => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);
