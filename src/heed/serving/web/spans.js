// Texts with stretches marked in them: names with their kinds, an answer in its paragraph, words that changed.

import { made } from "./elements.js";

const KINDS = 6; // colours; the name of the kind stands in the text beside it
const MOST_WORDS = 400; // of a text whose changes are looked for; the time grows with their square

// Return the text with a mark around each stretch, { start, end, kind, more }; places are counted in characters, as the
// server counts them, not in the halves of characters that a script sees.
export function markedText(text, stretches) {
  const characters = [...text];
  const between = (start, end) => characters.slice(start, end).join("");
  const kinds = [...new Set(stretches.map(({ kind }) => kind))];
  const parts = [];
  let at = 0;
  for (const { start, end, kind, more } of stretches) {
    if (start < at) continue; // one inside another is told in the table
    const name = kind ? [made("small", {}, made("bdi", {}, kind), more ? ` ${more}` : "")] : [];
    const marked = made("mark", { class: `kind${kinds.indexOf(kind) % KINDS}` }, between(start, end), ...name);
    parts.push(between(at, start), marked);
    at = end;
  }
  return made("p", { class: "passage", dir: "auto" }, ...parts, between(at, characters.length));
}

// Return two texts, the words that only the first has as deleted, and those that only the second has as inserted.
export function changedTexts(before, after) {
  const [first, second] = [wordsOf(before), wordsOf(after)];
  const kept = first.length + second.length > 2 * MOST_WORDS ? [] : commonPlaces(first, second);
  const [inFirst, inSecond] = [new Set(kept.map(([place]) => place)), new Set(kept.map(([, place]) => place))];
  return [withMarks(first, inFirst, "del"), withMarks(second, inSecond, "ins")];
}

const wordsOf = (text) => text.split(/\s+/u).filter(Boolean);

function withMarks(words, kept, tag) {
  const shown = words.flatMap((word, place) => [kept.has(place) ? word : made(tag, {}, word), " "]);
  return made("p", { class: "said", dir: "auto" }, ...(shown.length ? shown : ["(nothing)"]));
}

// Return the places of the longest sequence of words that both have in order: [[in the first, in the second]].
function commonPlaces(first, second) {
  const lengths = Array.from({ length: first.length + 1 }, () => new Uint16Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      const same = first[i] === second[j];
      lengths[i][j] = same ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const places = [];
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    if (first[i] === second[j]) places.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return places;
}
