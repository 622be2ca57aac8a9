// Pick a model, send a text, show what comes back. All text enters the page through textContent.

const element = (id) => document.getElementById(id);

async function fetchJson(path, body) {
  const sent = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const reply = await fetch(path, sent);
  return reply.json();
}

async function listModels() {
  const { models } = await fetchJson("/v1/models");
  element("model").replaceChildren(...models.map((model) => new Option(`${model.name} (${model.state})`, model.name)));
}

async function predict(event) {
  event.preventDefault();
  const asked = { model: element("model").value, inputs: [element("text").value] };
  element("said").textContent = JSON.stringify(await fetchJson("/v1/predict", asked), null, 2);
}

element("ask").addEventListener("submit", predict);
listModels();
