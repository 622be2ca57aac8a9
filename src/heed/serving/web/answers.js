// What a model said, as a person wants to see it: one view for each kind of answer.

import { made } from "./elements.js";
import { bar, chances, percent, table, unread } from "./parts.js";
import { markedText } from "./spans.js";

const VIEWS = {
  classify: labelled, pair: labelled, image: labelled, tag: tagged, answer: answered, translate: searched,
  caption: searched, write: written, pretrain: gaps, vectors: neighbours,
};

// Return the view of one result, as a list of elements.
export function answerView(task, result, input) {
  if (result.problem) return [made("p", { class: "wrong" }, result.problem)];
  return [...(VIEWS[task] ?? plain)(result, input), ...unread(result)];
}

// Return what was said as one text, to set beside another.
export function spokenText(task, result) {
  if (task === "tag") return named(result.entities) || taggedWords(result.words);
  if (task === "vectors") return result.neighbours.map(({ word }) => word).join(" ");
  return result.label ?? result.text ?? (result.number === undefined ? "" : String(result.number));
}

export const chancesOf = (result) => Object.entries(result.probabilities ?? {});

const said = (text, ...more) => made("p", { class: "said", dir: "auto" }, text || "(nothing)", ...more);
const sure = (chance) => made("small", {}, ` ${percent(chance)}`);
const named = (entities) => entities.map(({ text, kind }) => `${text} (${kind})`).join(" ");
const taggedWords = (words) => words.map(({ text, tag }) => `${text}/${tag}`).join(" ");

function labelled(result) {
  if (result.label === null) return [said(String(Number(result.number.toPrecision(4))))];
  return [said(result.label, sure(result.probability)), ...chances("All labels", chancesOf(result))];
}

function tagged(result) {
  const plainLabels = !result.entities.length && result.words.some(({ tag }) => tag !== "O");
  const found = plainLabels ? result.words.map((word) => ({ ...word, kind: word.tag })) : result.entities;
  const stretches = found.map(({ start, end, kind, probability }) => {
    return { start, end, kind, more: probability === null || plainLabels ? "" : percent(probability) };
  });
  const none = found.length ? null : made("p", { class: "soft" }, "No names were found.");
  return [markedText(result.text, stretches), none].filter((part) => part !== null);
}

function answered(result, [, context]) {
  const text = result.text || "(no answer)";
  const stretches = result.text ? [{ start: result.start, end: result.end, kind: "" }] : [];
  const others = result.alternatives.map((option) => [option.text, option.probability]);
  const more = others.length ? chances("Other answers", others, ["Answer", "", "Chance"]) : [];
  return [said(text, sure(result.probability)), markedText(context, stretches), ...more];
}

function searched(result) {
  return [said(result.text), ...ways(result.alternatives)];
}

function written(result) {
  const prompt = made("span", { class: "soft" }, result.prompt);
  return [said(prompt, result.text), ...ways(result.versions)];
}

// Return the ways that a search found, best first, beside what it ranks them by.
function ways(found) {
  if (found.length < 2) return [];
  const rows = found.map(({ text, score, log_prob: logProb }) => {
    return [text || "(nothing)", score.toFixed(3), bar(Math.exp(logProb)), percent(Math.exp(logProb))];
  });
  return [table("The best that were found", ["Text", "Score", "", "Chance of the whole"], rows)];
}

function gaps(result) {
  const tables = result.gaps.flatMap((candidates, number) => {
    const caption = result.gaps.length > 1 ? `Gap ${number + 1}` : "What could stand in the gap";
    return chances(caption, candidates.map(({ piece, probability }) => [piece, probability]), ["Piece", "", "Chance"]);
  });
  return [said(result.text), ...tables];
}

function neighbours(result) {
  const rows = result.neighbours.map(({ word, similarity }) => [word, bar(similarity), similarity.toFixed(3)]);
  return [said(result.neighbours[0]?.word ?? ""), table("The nearest words", ["Word", "", "Cosine"], rows)];
}

const plain = (result) => [made("pre", {}, JSON.stringify(result, null, 2))];
