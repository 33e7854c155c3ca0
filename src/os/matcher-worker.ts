/**
 * The matcher's worker as source text: a bundler that moves our files about would lose a worker file.
 *
 * Says "ready" once, then answers each `{ pattern, text }` with a boolean, or with the error's message.
 */
export const MATCHER_WORKER = `
"use strict";
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ pattern, text }) => {
  try {
    parentPort.postMessage(new RegExp(pattern, "u").test(text));
  } catch (error) {
    parentPort.postMessage(String(error.message));
  }
});
parentPort.postMessage("ready");
`;
