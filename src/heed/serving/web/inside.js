// The inside of a model: the page of an explanation in a frame of its own, which cannot reach this page.

import { postForText } from "./api.js";
import { made } from "./elements.js";

const TALLEST = 20_000; // pixels; what a frame says of its own height is not believed without end
const SEARCHES = ["translate", "caption"]; // whose beam is a tree that can be seen

// Fill the section for an input; it is looked at once the section is unfolded..
export function showInside(section, { model, input, options, unfolded }) {
  const heads = made("input", { type: "checkbox" });
  const bounds = { type: "number", min: 1, max: 16, step: 1, placeholder: "as the run" };
  const beams = made("input", { ...bounds, value: options.beam ?? "" });
  const frame = made("div");
  const switching = made("label", { class: "check" }, heads, "Switch off each head in turn");
  const controls = made("div", { class: "options" }, switching);
  const searches = SEARCHES.includes(model.task);
  if (searches) controls.append(made("label", {}, "Beams of the search tree", beams));
  const title = searches ? "Inside the model, and its beam" : "Inside the model";
  const folded = made("details", {}, made("summary", {}, made("h2", {}, title)), controls, frame);
  const look = () => folded.open && fillFrame(frame, wanted());
  const wanted = () => ({
    model: model.name, input, heads: heads.checked, ...(beams.value ? { beam: beams.valueAsNumber } : {}),
  });
  for (const field of [heads, beams]) field.addEventListener("change", look);
  folded.addEventListener("toggle", look);
  section.replaceChildren(folded);
  section.hidden = model.task === "vectors"; // vectors look at nothing
  folded.open = unfolded;
}

let asked = 0; // counts what was asked for: the last one is shown

async function fillFrame(box, body) {
  const mine = ++asked;
  const show = (...parts) => mine === asked && box.replaceChildren(...parts);
  const told = (sentence) => show(made("p", { class: "soft", role: "status" }, sentence));
  told("Looking inside …");
  try {
    const page = await postForText("/v1/explain/page", body, { told });
    show(framed(page), saving(page));
  } catch (problem) {
    show(made("p", { class: "wrong", role: "alert" }, problem.message));
  }
}

function framed(page) {
  const frame = made("iframe", { sandbox: "allow-scripts", height: 700, title: "The inside of the model" });
  frame.srcdoc = page;
  addEventListener("message", function resize({ source, data }) {
    if (!frame.isConnected) return removeEventListener("message", resize);
    if (source !== frame.contentWindow || !Number.isFinite(data?.heedHeight)) return;
    frame.height = Math.min(TALLEST, Math.max(200, Math.ceil(data.heedHeight)));
  });
  return frame;
}

function saving(page) {
  const address = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  return made("p", {}, made("a", { href: address, download: "explanation.html" }, "Save this page"));
}
