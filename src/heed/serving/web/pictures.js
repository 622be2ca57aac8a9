// A picture as input: dropped, pasted, or chosen from a file; it is shown as it will be sent.

import { made } from "./elements.js";

const LARGEST = 10_000_000; // bytes, as the server takes them
const HINT = "Drop a picture here, paste one, or choose a file.";

// Return the field: { box, read, write, focus }.
export function pictureField(changed) {
  const chooser = made("input", { type: "file", accept: "image/*", "aria-label": "Picture" });
  const shown = made("img", { alt: "The picture that will be sent", hidden: true });
  const hint = made("p", { class: "soft" }, HINT);
  const box = made("div", { class: "drop" }, shown, hint, chooser);
  let held = null; // the bytes of the file in base64

  function hold(base64, kind) {
    held = base64;
    shown.src = `data:${kind};base64,${base64}`;
    shown.hidden = false;
    hint.textContent = HINT;
    changed();
  }
  async function take(file) {
    if (!file) return;
    if (file.size > LARGEST) hint.textContent = `${file.name} has ${file.size} bytes; at most ${LARGEST} are taken.`;
    else hold(await base64Of(file), file.type.startsWith("image/") ? file.type : "image/png");
  }
  chooser.addEventListener("change", () => take(chooser.files[0]));
  listenForFiles(box, take);
  const write = ({ picture }) => hold(picture, "image/png");
  return { box, read: () => held && { picture: held }, write, focus: () => chooser.focus() };
}

function listenForFiles(box, take) {
  const over = (is) => (event) => {
    event.preventDefault();
    box.classList.toggle("over", is);
  };
  box.addEventListener("dragover", over(true));
  box.addEventListener("dragleave", over(false));
  box.addEventListener("drop", (event) => {
    over(false)(event);
    take(event.dataTransfer.files[0]);
  });
  document.addEventListener("paste", function paste(event) {
    if (!box.isConnected) document.removeEventListener("paste", paste); // another model was chosen
    else take([...event.clipboardData.files].find(({ type }) => type.startsWith("image/")));
  });
}

function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
