// The models to choose from, each with its task and whether it is ready; looked at again while something loads.

import { get } from "./api.js";
import { byId, made } from "./elements.js";

const SECONDS = 1.5; // between two looks while something loads
const STATES = { loading: "◌ loading", ready: "● ready", failed: "✕ failed" };

// Show the models and keep looking; call `changed(models)` each time that one of them has changed.
export async function watchModels(changed, failed) {
  let before = "";
  for (;;) {
    try {
      const { models } = await get("/v1/models");
      const now = JSON.stringify(models);
      if (now !== before) changed(models);
      before = now;
      if (models.every(({ state }) => state !== "loading")) return;
    } catch (problem) {
      failed(problem);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000 * SECONDS));
  }
}

// Draw the list; the chosen one is checked, and `choose(name)` is called when another is.
export function drawModels(models, chosen, choose) {
  const box = byId("models");
  const focused = document.activeElement?.closest("#models") !== null && document.activeElement?.value;
  box.replaceChildren(made("legend", {}, "Models"), ...models.map((model) => row(model, chosen, choose)));
  if (focused) box.querySelector("input:checked")?.focus(); // the list was drawn anew under the user's hands
}

function row(model, chosen, choose) {
  const input = made("input", { type: "radio", name: "model", value: model.name, checked: model.name === chosen });
  input.addEventListener("change", () => choose(model.name));
  const state = made("span", { class: `state ${model.state}` }, STATES[model.state] ?? model.state);
  const facts = made("small", {}, `${model.kind ?? model.task} · `, state);
  return made("label", { class: "model" }, input, made("span", {}, made("bdi", {}, model.name), facts));
}
