// The token: asked for when the server wants one, and kept until this tab is closed.

import { byId } from "./elements.js";

const KEY = "heed-token";
let waiting = null; // several requests may need the token at a time: one form is for all of them

export const heldToken = () => sessionStorage.getItem(KEY);

// Forget a token that was refused, unless another one has been given meanwhile.
export function forgetToken(refused) {
  if (refused !== null && heldToken() === refused) sessionStorage.removeItem(KEY);
}

// Wait until a token is held; say so if the one before was wrong.
export function askForToken(wasWrong) {
  if (heldToken()) return Promise.resolve();
  if (wasWrong) byId("token-told").textContent = "The server did not know that token.";
  waiting ??= shown().finally(() => (waiting = null));
  return waiting;
}

function shown() {
  const dialog = byId("token");
  const field = dialog.querySelector("input");
  dialog.addEventListener("cancel", (event) => event.preventDefault()); // without a token there is nothing to see
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.querySelector("form").addEventListener("submit", keep);
    function keep() {
      sessionStorage.setItem(KEY, field.value.trim());
      field.value = "";
      dialog.querySelector("form").removeEventListener("submit", keep);
      resolve();
    }
  });
}
