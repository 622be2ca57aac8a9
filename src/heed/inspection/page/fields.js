// Fields: the words or the picture of an axis, which can be pointed at and shaded. Text is only ever set as text.

const CHUNK = 200; // words that are laid out together, and only when they come into sight
const FAINT = 0.02; // of the largest weight: what is fainter is not shaded
const VEIL = 0.75; // darkness of a patch that is not looked at
const SVG = "http://www.w3.org/2000/svg";

function made(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Return the field of an axis: { side, axis, box, places, shaded }; places[i] is the element of label i.
function fieldOf(axis, side, title) {
  const box = made("div", { class: "field", "data-side": side });
  const places = [];
  if (title) box.append(made("h3", {}, title));
  if (wordsOf(axis)) box.append(wordList(axis, title || axis.name, places));
  if (axis.grid) box.append(patchPicture(axis, places));
  return { side, axis, box, places, shaded: [] };
}

function wordList(axis, title, places) {
  const list = made("div", { class: "words", role: "listbox", "aria-label": title, dir: "auto" });
  const joined = new Set(axis.joined);
  for (let start = 0; start < wordsOf(axis); start += CHUNK) {
    const chunk = made("span", { class: "chunk", role: "presentation" });
    for (let index = start; index < Math.min(start + CHUNK, wordsOf(axis)); index++) {
      const kind = joined.has(index) ? "piece joined" : "piece";
      const attributes = { class: kind, role: "option", "data-index": index, tabindex: -1 };
      places[index] = made("span", attributes, axis.labels[index]);
      chunk.append(places[index]);
    }
    list.append(chunk);
  }
  return list;
}

function patchPicture(axis, places) {
  const [rows, columns] = axis.grid;
  const picture = drawn("svg", {
    class: "picture large", viewBox: `0 0 ${columns} ${rows}`, role: "img", tabindex: 0, "data-picture": "",
    "aria-label": "The picture, bright where it is looked at",
  });
  picture.append(drawn("use", { href: "#picture", width: columns, height: rows }));
  for (let patch = 0; patch < rows * columns; patch++) {
    const index = wordsOf(axis) + patch;
    places[index] = patchOf(patch, columns, { "data-index": index });
    picture.append(places[index]);
  }
  return picture;
}

function patchOf(patch, columns, attributes) {
  const [x, y] = [patch % columns, Math.floor(patch / columns)];
  return drawn("rect", { x, y, width: 1, height: 1, class: "veil", "fill-opacity": 0, ...attributes });
}

// Shade words by their share of the largest weight, and let the picture be bright where it is looked at.
function shade(field, values) {
  const words = wordsOf(field.axis);
  const largest = largestOf(values);
  clear(field);
  for (let index = 0; index < words; index++) {
    if (values[index] <= FAINT * largest) continue;
    field.places[index].style.setProperty("--s", (values[index] / largest).toFixed(3));
    field.shaded.push(field.places[index]);
  }
  if (field.axis.grid) unveil(field.places.slice(words), values.subarray(words));
}

function unveil(patches, values) {
  const largest = largestOf(values) || 1;
  patches.forEach((patch, place) => {
    patch.setAttribute("fill-opacity", (VEIL * (1 - values[place] / largest)).toFixed(3));
  });
}

function clear(field) {
  for (const word of field.shaded) word.style.removeProperty("--s");
  field.shaded = [];
  for (const patch of field.places.slice(wordsOf(field.axis))) patch.setAttribute("fill-opacity", 0);
}

const isWord = (place) => place.getAttribute("role") === "option";

// Mark the one place of a field that is pointed at, or none; Tab leads to it.
function mark(field, index) {
  for (const place of field.box.querySelectorAll("[aria-selected=true], [data-marked]")) {
    place.removeAttribute("data-marked");
    if (isWord(place)) filled(place, { "aria-selected": false, tabindex: -1 }, []);
  }
  const place = field.places[index ?? 0];
  if (index !== null) place.setAttribute("data-marked", "");
  if (isWord(place)) filled(place, { "aria-selected": index !== null, tabindex: 0 }, []);
}
