// The words of the input as buttons: press one, write another or leave it out, and see what changes.

import { changesView } from "./changes.js";
import { button, made } from "./elements.js";

const WORD = /\[MASK\]|[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*|\S/gu;
const MOST = 300; // words that become buttons

// Return the words of an input: { text, start, end, part } with part 0 or 1 of a pair.
export function wordsOf(input) {
  return [input].flat().flatMap((text, part) => {
    return [...text.matchAll(WORD)].map((match) => ({
      text: match[0], start: match.index, end: match.index + match[0].length, part,
    }));
  });
}

// Return the input with another text in the place of a word; with none, the space before it goes too.
export function withWord(input, word, other) {
  const texts = [input].flat();
  const text = texts[word.part];
  const before = other ? text.slice(0, word.start) : text.slice(0, word.start).replace(/\s$/u, "");
  texts[word.part] = before + other + text.slice(word.end);
  return Array.isArray(input) ? texts : texts[0].trimStart();
}

// Fill the section for an input and its answer; `ask(input)` predicts, `take(input)` makes it the input.
export function showEditing(section, { task, input, result, ask, take }) {
  const words = wordsOf(input).slice(0, MOST);
  const editor = made("div", { class: "editor" });
  const outcome = made("div", { "aria-live": "polite" });
  const buttons = words.map((word) => {
    return button(made("bdi", {}, word.text), () => open(word), { class: "word", "aria-pressed": "false" });
  });
  const lines = [input].flat().map((_, part) => {
    return made("p", { dir: "auto" }, ...buttons.filter((_, place) => words[place].part === part));
  });
  const hint = made("p", { class: "soft" }, "Press a word to write another, or to leave it out.");
  section.replaceChildren(made("h2", {}, "Change a word"), hint, ...lines, editor, outcome);
  section.hidden = !words.length;

  function open(word) {
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", words[place] === word));
    const label = `Instead of ${word.text}`;
    const field = made("input", { type: "text", value: word.text, "aria-label": label, dir: "auto" });
    const form = made("form", {}, field, made("button", {}, "Try it"));
    form.append(button("Leave it out", () => compare(word, "")), button("Cancel", () => close(word)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      compare(word, field.value.trim());
    });
    form.addEventListener("keydown", (event) => event.key === "Escape" && close(word));
    editor.replaceChildren(form);
    field.select();
  }
  function close(word) {
    editor.replaceChildren();
    const place = words.indexOf(word);
    buttons[place].setAttribute("aria-pressed", "false");
    buttons[place].focus();
  }
  async function compare(word, other) {
    const changed = withWord(input, word, other);
    const after = await ask(changed);
    if (after === null) return;
    const title = other ? `With “${other}” for “${word.text}”` : `Without “${word.text}”`;
    const keep = button("Make this the input", () => take(changed));
    outcome.replaceChildren(...changesView(task, result, after, title), keep);
  }
}
