// The view to try a model: which one, what it is given, and what it says. All on the screen follows from `now`.

import { readAddress, writeAddress } from "./address.js";
import { answerView } from "./answers.js";
import { post } from "./api.js";
import { showEditing } from "./editing.js";
import { byId, made } from "./elements.js";
import { showExamples } from "./examples.js";
import { inputField, verbOf } from "./inputs.js";
import { showInside } from "./inside.js";
import { drawModels, watchModels } from "./models.js";
import { optionsField } from "./options.js";
import { fold } from "./parts.js";

const now = { model: null, field: null, options: null, example: null, waiting: false, asked: 0 };

const tell = (sentence, wrong = false) => {
  byId("told").textContent = sentence;
  byId("told").classList.toggle("wrong", wrong);
};

function remember() {
  const [text, second = null] = [now.field.read()].flat().map((each) => (typeof each === "string" ? each : null));
  writeAddress({ model: now.model.name, text, second, example: now.example, options: now.options.read() });
}

function changed() {
  now.example = null;
  now.waiting = false;
  remember();
}

function onModels(models) {
  const before = now.model;
  const wanted = before?.name ?? readAddress().model;
  const model = models.find(({ name }) => name === wanted) ?? models[0];
  drawModels(models, model.name, (name) => choose(models.find((each) => each.name === name)));
  if (before?.name !== model.name) choose(model);
  else if (before.state !== model.state) arrive(model);
}

// A model that was chosen while it loaded is there now, or could not be loaded: its options are known, the rest stands.
function arrive(model) {
  const given = now.options.read();
  now.model = model;
  const options = optionsField(model, changed);
  options.write({ ...readAddress().options, ...given });
  now.options.box.replaceWith(options.box);
  now.options = options;
  tellState();
  if (model.state === "ready" && now.waiting) predict();
}

function tellState() {
  const { name, state, problem } = now.model;
  if (state === "failed") tell(`${name} could not be loaded: ${problem}`, true);
  else if (state === "loading") tell(`${name} is still loading. Write meanwhile: the answer comes when it is there.`);
  else tell("");
}

function choose(model) {
  const address = readAddress();
  const first = now.model === null && address.model === model.name;
  Object.assign(now, { model, example: null, waiting: false, asked: now.asked + 1 });
  now.field = inputField(model, changed);
  now.options = optionsField(model, changed);
  const examples = made("div", { class: "examples", role: "group", "aria-label": "Examples" });
  const submit = made("button", { class: "main" }, verbOf(model.task));
  byId("ask").replaceChildren(now.field.box, examples, now.options.box, made("p", {}, submit));
  for (const id of ["answer", "editing", "inside"]) byId(id).hidden = true;
  byId("inside").replaceChildren();
  tellState();
  const shown = showExamples(examples, model.name, takeExample).catch((problem) => (tell(problem.message, true), []));
  if (first) restore(address, shown);
  else remember();
}

// Show what the address asks for: the same input, options and answer as when it was written.
async function restore(address, shown) {
  now.options.write(address.options);
  if (address.text !== null) {
    now.field.write(address.second === null ? address.text : [address.text, address.second]);
    predict();
  } else if (address.example !== null) {
    const examples = await shown;
    const example = examples[Number(address.example)];
    if (example) takeExample(example.input, Number(address.example));
  }
}

function takeExample(input, number) {
  now.field.write(input);
  now.example = input.picture ? number : null;
  remember();
  predict();
}

// Return the answer to an input, or null where there is none; why is told.
async function ask(input) {
  try {
    const body = { model: now.model.name, inputs: [input], options: now.options.read() };
    return (await post("/v1/predict", body, { told: tell })).results[0];
  } catch (problem) {
    tell(problem.message, true);
    return null;
  }
}

async function predict() {
  const [model, input, mine] = [now.model, now.field.read(), ++now.asked];
  if (input === null) return tell("Give something to read first.", true), now.field.focus();
  if (model.state === "loading") {
    now.waiting = true;
    return tellState();
  }
  now.waiting = false;
  tell("Asking …");
  const began = performance.now();
  const result = await ask(input);
  if (mine !== now.asked || result === null) return;
  tell(`Answered in ${(performance.now() - began).toFixed(0)} ms.`);
  showAnswer(model, input, result);
}

function showAnswer(model, input, result) {
  const raw = fold("JSON", made("pre", { tabindex: 0 }, JSON.stringify(result, null, 2)));
  byId("answer").replaceChildren(made("h2", {}, "Answer"), ...answerView(model.task, result, input), raw);
  byId("answer").hidden = false;
  const take = (changedInput) => {
    now.field.write(changedInput);
    changed();
    predict();
    byId("answer").scrollIntoView();
  };
  byId("editing").hidden = true;
  if (!input.picture) showEditing(byId("editing"), { task: model.task, input, result, ask, take });
  const unfolded = byId("inside").querySelector("details")?.open ?? false;
  showInside(byId("inside"), { model, input, options: now.options.read(), unfolded });
}

// Begin: list the models, and keep looking while one of them loads.
export function startTrying() {
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    predict();
  });
  watchModels(onModels, (problem) => tell(problem.message, true));
}
