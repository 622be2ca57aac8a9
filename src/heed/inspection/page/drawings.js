// Drawings of whole heads: a small canvas each, a matrix with its words, and the picture word by word.

const SMALL = 160; // pixels of a canvas along each side, at most
const NAMED = 40; // rows and columns of a matrix that can still bear their words
const CELL = 28;
const LETTER = 8; // width of a letter, about
const LONGEST = 16; // characters of a word beside a matrix
const FRAMES = 60; // pictures in the strip

// Fill a canvas with ink where weights are large; of many weights, the largest of each pixel is seen.
function ink(canvas, values, rows, columns) {
  canvas.width = Math.min(columns, SMALL);
  canvas.height = Math.min(rows, SMALL);
  const pixels = new Float32Array(canvas.width * canvas.height);
  for (let row = 0; row < rows; row++) {
    const start = Math.floor((row * canvas.height) / rows) * canvas.width;
    for (let column = 0; column < columns; column++) {
      const pixel = start + Math.floor((column * canvas.width) / columns);
      const value = values[row * columns + column];
      if (value > pixels[pixel]) pixels[pixel] = value;
    }
  }
  const largest = largestOf(pixels) || 1;
  const power = Math.max(rows, columns) > NAMED ? 0.5 : 1; // in a large head the large weights are but lone dots
  const image = new ImageData(canvas.width, canvas.height);
  pixels.forEach((value, pixel) => (image.data[4 * pixel + 3] = 255 * (value / largest) ** power));
  canvas.getContext("2d").putImageData(image, 0, 0);
  canvas.style.setProperty("aspect-ratio", Math.min(3, Math.max(0.5, columns / rows)));
}

// Return a button for each head, with an empty canvas.
function headButtons(heads) {
  return heads.map(({ name }, number) => {
    const attributes = { type: "button", "data-number": number, "aria-pressed": false };
    return made("button", attributes, made("canvas"), made("span", {}, name));
  });
}

const shortened = (label) => (label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label);

// Return the matrix of a head with the words along its sides and the number in every cell that is not faint.
function namedMatrix(weights, queries, keys) {
  const longest = (labels) => LETTER * Math.max(...labels.map((label) => shortened(label).length));
  const [left, top] = [longest(queries) + 12, longest(keys) * 0.75 + 20];
  const [rows, columns] = [queries.length, keys.length];
  const [width, height] = [left + columns * CELL + top, top + rows * CELL + 4];
  const picture = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "matrix", role: "img" });
  picture.setAttribute("aria-label", "Weights of the chosen head, a row for each that looks");
  keys.forEach((label, column) => {
    const [x, y] = [left + (column + 0.6) * CELL, top - 8];
    picture.append(drawn("text", { x, y, transform: `rotate(-45 ${x} ${y})`, "data-keys": column }, shortened(label)));
  });
  queries.forEach((label, row) => {
    const y = top + row * CELL;
    const place = { x: left - 8, y: y + CELL * 0.65, "text-anchor": "end" };
    picture.append(drawn("text", { ...place, "data-queries": row }, shortened(label)));
    for (let column = 0; column < columns; column++) {
      picture.append(...matrixCell(weights[row * columns + column], left + column * CELL, y));
    }
  });
  return picture;
}

function matrixCell(weight, x, y) {
  const cell = drawn("rect", { x, y, width: CELL - 1, height: CELL - 1, "fill-opacity": weight.toFixed(3) });
  if (weight < 0.05) return [cell];
  const place = { x: x + CELL / 2, y: y + CELL * 0.64, "text-anchor": "middle" };
  return [cell, drawn("text", { ...place, class: weight > 0.75 ? "number high" : "number" }, weight.toFixed(2))];
}

// Return the drawing of a whole head: with words where they are few, else as one canvas.
function matrixOf(weights, queries, keys) {
  if (queries.length <= NAMED && keys.length <= NAMED) return namedMatrix(weights, queries, keys);
  const canvas = made("canvas", { class: "whole", role: "img", "aria-label": "Weights of the chosen head" });
  ink(canvas, weights, queries.length, keys.length);
  return canvas;
}

// Return the picture once for each word, bright where that word looked.
function wordStrip(weights, queries, axis) {
  const [rows, columns] = axis.grid;
  return queries.slice(0, FRAMES).map((label, index) => {
    const patches = Array.from({ length: rows * columns }, (_, patch) => patchOf(patch, columns, {}));
    unveil(patches, lookFrom(weights, axis.labels.length, "queries", index).subarray(wordsOf(axis)));
    const seen = drawn("use", { href: "#picture", width: columns, height: rows });
    const box = { class: "picture", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": true };
    const picture = drawn("svg", box, seen, ...patches);
    const word = made("bdi", {}, label);
    return made("button", { type: "button", "data-index": index, "aria-pressed": false }, picture, word);
  });
}
