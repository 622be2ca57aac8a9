// What the page holds: the axes by their names, and the weights of one site at a time.

const held = JSON.parse(document.getElementById("held").textContent);
const axes = new Map(held.axes.map((axis) => [axis.name, axis]));

const patchesOf = (axis) => (axis.grid ? axis.grid[0] * axis.grid[1] : 0);
const wordsOf = (axis) => axis.labels.length - patchesOf(axis);

// Return each head of a site by its name, the mean of all first: [{ name, head, weights }], weights row by row.
async function headsOf(site) {
  const buffers = await Promise.all(site.heads.map(inflated));
  const heads = buffers.map((buffer, head) => ({ name: `head ${head}`, head, weights: weightsOf(buffer) }));
  return heads.length === 1 ? heads : [{ name: "mean of all", head: -1, weights: meanOf(heads) }, ...heads];
}

async function inflated(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let place = 0; place < bytes.length; place++) bytes[place] = characters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// Two bytes hold a weight itself, the smaller one first; one byte holds its square root.
function weightsOf(buffer) {
  const bytes = new Uint8Array(buffer);
  const fine = held.rounding === "fine";
  const weights = new Float32Array(fine ? bytes.length / 2 : bytes.length);
  for (let place = 0; place < weights.length; place++) {
    weights[place] = fine ? (bytes[2 * place] + 256 * bytes[2 * place + 1]) / 65535 : (bytes[place] / 255) ** 2;
  }
  return weights;
}

function meanOf(heads) {
  const mean = new Float32Array(heads[0].weights.length);
  for (const { weights } of heads) {
    for (let place = 0; place < mean.length; place++) mean[place] += weights[place] / heads.length;
  }
  return mean;
}

// Return what one query looks at, or what looks at one key.
function lookFrom(weights, columns, side, index) {
  if (side === "queries") return weights.subarray(index * columns, (index + 1) * columns);
  const values = new Float32Array(weights.length / columns);
  for (let row = 0; row < values.length; row++) values[row] = weights[row * columns + index];
  return values;
}

function largestOf(values) {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}

// Return the places of the largest numbers, the largest first, without sorting the ten thousand others.
function placesOfLargest(values, most) {
  const places = [];
  for (let place = 0; place < values.length; place++) {
    if (values[place] <= 0 || (places.length === most && values[place] <= values[places[most - 1]])) continue;
    let rank = places.length;
    while (rank > 0 && values[places[rank - 1]] < values[place]) rank--;
    places.splice(rank, 0, place);
    if (places.length > most) places.pop();
  }
  return places;
}

// Return a weight with three decimals; one that would read as nothing, as 7.6e-6.
const written = (weight) => (weight < 0.001 ? weight.toExponential(1) : weight.toFixed(3));
