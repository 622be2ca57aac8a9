// What is shown stands behind the # of the address, so that a reload or a sent link shows the same.

const LONGEST = 4000; // characters of a text in an address; some programs cut longer links

// Return what the address says: { view, model, text, second, example, options }.
export function readAddress() {
  const values = new URLSearchParams(location.hash.slice(1));
  const options = {};
  for (const [name, value] of values) if (name.startsWith("option.")) options[name.slice(7)] = value;
  return {
    view: values.get("view") ?? "try",
    model: values.get("model"),
    text: values.get("text"),
    second: values.get("second"),
    example: values.get("example"),
    options,
  };
}

// Put changes into the address, without a new entry in the browser's history.
export function writeAddress(changes) {
  const { view, model, text, second, example, options } = { ...readAddress(), ...changes };
  const values = new URLSearchParams();
  if (view !== "try") values.set("view", view);
  if (model !== null) values.set("model", model);
  const short = (text?.length ?? 0) + (second?.length ?? 0) <= LONGEST;
  if (text !== null && short) values.set("text", text);
  if (second !== null && short) values.set("second", second);
  if (example !== null) values.set("example", example);
  for (const [name, value] of Object.entries(options)) values.set(`option.${name}`, value);
  history.replaceState(null, "", `#${values}`);
}
