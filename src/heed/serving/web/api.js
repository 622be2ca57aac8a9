// Requests: with the token where one is needed, and once more where the server asks to come again.

import { askForToken, forgetToken, heldToken } from "./token.js";

const LONGEST_WAIT = 30; // seconds; who is asked to wait longer is told so

// An answer that is no result; its message is the server's own sentence.
export class Refused extends Error {
  constructor(status, sentence, retryAfter) {
    super(sentence);
    Object.assign(this, { status, retryAfter });
  }
}

export const get = (path) => asked(path, {}).then((reply) => reply.json());
export const post = (path, body, hints = {}) => sent(path, body, hints).then((reply) => reply.json());
export const postForText = (path, body, hints = {}) => sent(path, body, hints).then((reply) => reply.text());

function sent(path, body, { signal, told = () => {} }) {
  const headers = { "content-type": "application/json" };
  return asked(path, { method: "POST", headers, body: JSON.stringify(body), signal }, told);
}

async function asked(path, request, told = () => {}) {
  try {
    return await once(path, request);
  } catch (problem) {
    const seconds = problem instanceof Refused ? problem.retryAfter : null;
    if (seconds === null || seconds > LONGEST_WAIT) throw problem;
    told(`${problem.message} Trying again by itself in ${seconds} s.`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    return once(path, request);
  }
}

async function once(path, request) {
  const token = heldToken();
  const headers = { ...request.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const reply = await fetch(path, { ...request, headers, credentials: "omit" }).catch((problem) => {
    if (problem.name === "AbortError") throw problem;
    throw new Refused(0, "The server does not answer. Is it still running?", null);
  });
  if (reply.ok) return reply;
  if (reply.status === 401) {
    forgetToken(token);
    await askForToken(token !== null);
    return once(path, request);
  }
  throw new Refused(reply.status, await sentenceOf(reply), retryOf(reply));
}

async function sentenceOf(reply) {
  try {
    return String((await reply.json()).detail);
  } catch {
    return `The server answered ${reply.status} without a word.`;
  }
}

function retryOf(reply) {
  const seconds = Number(reply.headers.get("retry-after") ?? NaN);
  return seconds >= 0 ? seconds : null;
}
