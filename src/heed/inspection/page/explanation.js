// The page: what is chosen, and what is drawn for it. Everything on the screen follows from `chosen` and `pointed`.

const TEN = 10; // rows of the table of largest weights
const part = (name) => document.getElementById(name);

const chosen = { site: null, heads: [], number: 0, side: "queries", index: 0 };
let pointed = null; // { side, index } while the pointer is on something, else null
let fields = [];
let asked = 0; // counts choices of a site: unpacking takes a moment, and the last choice wins

const axisOf = (side) => axes.get(chosen.site[side]);
const otherSide = (side) => (side === "queries" ? "keys" : "queries");
const isSelf = () => chosen.site.queries === chosen.site.keys;
const fieldOn = (side) => (isSelf() ? fields[0] : fields[side === "queries" ? 0 : 1]);
const weightsNow = () => chosen.heads[chosen.number].weights;

async function chooseSite(number, head = -1) {
  const mine = ++asked;
  const heads = await headsOf(held.sites[number]);
  if (mine !== asked) return;
  const before = chosen.site;
  Object.assign(chosen, { site: held.sites[number], heads });
  chosen.number = Math.max(0, heads.findIndex((each) => each.head === head));
  if (before?.queries !== chosen.site.queries || before?.keys !== chosen.site.keys) {
    Object.assign(chosen, { side: "queries", index: firstLook() });
    buildFields();
  }
  part("site").value = number;
  part("head").replaceChildren(...heads.map(({ name }, place) => made("option", { value: place }, name)));
  part("multiples").replaceChildren(...headButtons(heads));
  drawHeads();
  drawHead();
}

// Look first from the hidden word, from the piece that stands for the whole, else from the last, which sees all.
function firstLook() {
  const { labels, grid } = axisOf("queries");
  const hidden = labels.indexOf("[MASK]");
  if (hidden >= 0) return hidden;
  return grid || !isSelf() || labels[0] === "[CLS]" ? 0 : labels.length - 1;
}

function buildFields() {
  const sides = isSelf() ? ["queries"] : ["queries", "keys"];
  fields = sides.map((side) => {
    const axis = axisOf(side);
    const title = isSelf() ? "" : `${axis.name}, which ${side === "queries" ? "looks" : "is looked at"}`;
    return fieldOf(axis, side, title);
  });
  part("fields").replaceChildren(...fields.map(({ box }) => box));
}

function chooseHead(number) {
  chosen.number = number;
  drawHead();
}

function keep(side, index) {
  Object.assign(chosen, { side, index });
  pointed = null;
  drawLook();
}

// Draw what depends on the site alone: every head, small.
function drawHeads() {
  if (axisOf("keys").grid) return; // of a picture, a head is drawn for what is pointed at
  const [rows, columns] = [axisOf("queries").labels.length, axisOf("keys").labels.length];
  for (const [number, canvas] of part("multiples").querySelectorAll("canvas").entries()) {
    ink(canvas, chosen.heads[number].weights, rows, columns);
  }
}

// Draw what depends on the head: the matrix, or the picture word by word.
function drawHead() {
  part("head").value = chosen.number;
  for (const button of part("multiples").children) {
    button.setAttribute("aria-pressed", Number(button.dataset.number) === chosen.number);
  }
  const [queries, keys] = [axisOf("queries"), axisOf("keys")];
  const matrix = keys.grid ? [] : [matrixCaption(), matrixBox(matrixOf(weightsNow(), queries.labels, keys.labels))];
  part("matrix").replaceChildren(...matrix);
  const strip = keys.grid && !queries.grid ? wordStrip(weightsNow(), queries.labels, keys) : [];
  part("strip").replaceChildren(...strip);
  drawLook();
}

function matrixCaption() {
  const title = chosen.site.site.endsWith("cross") ? "Alignment" : "The whole head";
  return made("figcaption", {}, made("h3", {}, title), "Each row is one that looks; its weights sum to 1.");
}

function matrixBox(drawing) {
  return made("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The whole head" }, drawing);
}

// Draw what depends on the one that is pointed at: shades, sentence and table.
function drawLook() {
  const { side, index } = pointed ?? chosen;
  const [own, other] = [fieldOn(side), fieldOn(otherSide(side))];
  const values = lookFrom(weightsNow(), axisOf("keys").labels.length, side, index);
  if (own !== other) {
    clear(own);
    mark(other, null);
  }
  shade(other, values);
  mark(own, index);
  part("side").value = side;
  for (const label of part("matrix").querySelectorAll("text")) {
    label.classList.toggle("now", Number(label.dataset[side] ?? -1) === index);
  }
  for (const button of part("strip").children) {
    button.setAttribute("aria-pressed", side === "queries" && Number(button.dataset.index) === index);
  }
  drawTable(values, axisOf(side).labels[index], axisOf(otherSide(side)).labels, side);
  drawPatches(side, index);
}

function drawTable(values, label, labels, side) {
  const places = placesOfLargest(values, TEN);
  const where = `${chosen.site.site}, ${chosen.heads[chosen.number].name}: `;
  const what = side === "queries" ? " looks most at " : " is looked at most by ";
  const most = made("bdi", {}, places.length ? labels[places[0]] : "nothing");
  part("said").replaceChildren(made("small", {}, where), made("bdi", { class: "word" }, label), what, most);
  const rows = places.map((place) => {
    const bar = made("span", { class: "length" });
    bar.style.setProperty("--s", values[place] / values[places[0]]);
    const word = made("th", { scope: "row" }, made("bdi", {}, labels[place]));
    return made("tr", {}, word, made("td", {}, bar), made("td", {}, written(values[place])));
  });
  part("largest").tBodies[0].replaceChildren(...rows);
}

function drawPatches(side, index) {
  const axis = axisOf("keys");
  if (!axis.grid || side !== "queries") return;
  for (const [number, canvas] of part("multiples").querySelectorAll("canvas").entries()) {
    const values = lookFrom(chosen.heads[number].weights, axis.labels.length, side, index);
    ink(canvas, values.subarray(wordsOf(axis)), ...axis.grid);
  }
}

// Return the side and the number of the word or patch that an event is on, or null.
function placeOf(event) {
  const place = event.target.closest("[data-index]");
  if (!place) return null;
  const side = isSelf() ? chosen.side : place.closest("[data-side]").dataset.side;
  return { side, index: Number(place.dataset.index) };
}

// Return where a key leads from a word or patch, or null if it leads nowhere.
function stepOf(key, index, field, inPicture) {
  const first = inPicture ? wordsOf(field.axis) : 0;
  const last = inPicture ? field.axis.labels.length - 1 : wordsOf(field.axis) - 1;
  const line = inPicture ? field.axis.grid[1] : 1;
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: line, ArrowUp: -line, PageDown: TEN, PageUp: -TEN };
  const places = { Home: first, End: last };
  if (!(key in steps) && !(key in places)) return null;
  return Math.min(last, Math.max(first, key in steps ? index + steps[key] : places[key]));
}

function onKey(event) {
  const inPicture = event.target.closest("[data-picture]");
  const place = placeOf(event);
  if (!inPicture && !place) return;
  const side = place?.side ?? (isSelf() ? chosen.side : event.target.closest("[data-side]").dataset.side);
  const field = fieldOn(side);
  const from = place?.index ?? Math.max(chosen.side === side ? chosen.index : 0, wordsOf(field.axis) - 1);
  const next = stepOf(event.key, from, field, Boolean(inPicture));
  if (next === null) return;
  event.preventDefault();
  keep(side, next);
  if (!inPicture) field.places[next].focus();
}

function onGroupKey(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const button = event.target.closest("button");
  if (!step || !button) return;
  event.preventDefault();
  const next = step > 0 ? button.nextElementSibling : button.previousElementSibling;
  next?.focus();
  next?.click();
}

function listen() {
  const headNow = () => chosen.heads[chosen.number].head;
  part("site").addEventListener("change", (event) => chooseSite(Number(event.target.value), headNow()));
  part("head").addEventListener("change", (event) => chooseHead(Number(event.target.value)));
  part("side").addEventListener("change", (event) => keep(event.target.value, isSelf() ? chosen.index : 0));
  listenToFields(part("fields"));
  listenToGroup(part("multiples"), ({ number }) => chooseHead(Number(number)));
  listenToGroup(part("strip"), ({ index }) => keep("queries", Number(index)));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-site]");
    if (!button) return;
    chooseSite(Number(button.dataset.site), Number(button.dataset.head));
    part("where-the-model-looked").scrollIntoView();
  });
}

// One listener for all words and patches: ten thousand of their own would take longer than the page.
function listenToFields(box) {
  box.addEventListener("keydown", onKey);
  box.addEventListener("pointerover", (event) => {
    pointed = placeOf(event);
    if (pointed) drawLook();
  });
  box.addEventListener("pointerleave", () => {
    pointed = null;
    drawLook();
  });
  for (const kind of ["click", "focusin"]) {
    box.addEventListener(kind, (event) => {
      const place = placeOf(event);
      if (place) keep(place.side, place.index);
    });
  }
}

function listenToGroup(group, choose) {
  group.addEventListener("keydown", onGroupKey);
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) choose(button.dataset);
  });
}

// Show the shares of the chosen answer and method; where that method was not asked for this answer, of its first one.
function chooseShare() {
  const all = [...document.querySelectorAll(".share")];
  const answered = all.filter(({ dataset }) => dataset.answer === part("share-answer").value);
  const has = (method) => answered.some(({ dataset }) => dataset.method === method);
  if (!has(part("share-method").value)) part("share-method").value = answered[0].dataset.method;
  for (const share of all) {
    share.open = answered.includes(share) && share.dataset.method === part("share-method").value;
    share.hidden = !share.open;
  }
}

function startShares() {
  for (const name of ["share-answer", "share-method"]) part(name).addEventListener("change", chooseShare);
  chooseShare();
}

// The attention between two axes is the most telling one; the last layer is the nearest to the answer.
function startSite() {
  const across = held.sites.findLastIndex((site) => site.queries !== site.keys);
  return across >= 0 ? across : held.sites.length - 1;
}

document.documentElement.classList.add("scripted");
if (part("share-answer")) startShares();
if (part("viewer")) {
  await chooseSite(startSite());
  listen();
  part("silent").remove();
  part("viewer").hidden = false;
}

// In a frame the page tells whoever shows it how tall it is, and nothing else; a stranger may know that.
if (parent !== window) {
  const told = () => parent.postMessage({ heedHeight: document.documentElement.getBoundingClientRect().height }, "*");
  new ResizeObserver(told).observe(document.documentElement);
}
