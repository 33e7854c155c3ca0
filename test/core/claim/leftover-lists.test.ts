import { expect, test } from "vitest";
import { leftoverIn } from "../../../src/core/claim/unfinished.ts";

const PROMISE = "<promise>DONE</promise>";
const said = (message: string): string | null =>
  leftoverIn(`I worked on it.\n${message}\n\n${PROMISE}`, PROMISE)?.said ?? null;

test.each([
  ["Remaining work:\n- wire the button\n- write the tests", "Remaining work: wire the button"],
  ["**Still to do**\n1. the docs\n2. the flag\n3. the rest", "**Still to do** the docs"],
  ["Remaining work:\nThe button is wired, the flag is missing.", "Remaining work:"],
  ["What remains: the flag.", "What remains: the flag."],
  ["Next steps: implement the delete endpoint.", "Next steps: implement the delete endpoint."],
  ["It takes every token (TODO: verify it).", "It takes every token (TODO: verify it)."],
  ["It is mostly complete.", "It is mostly complete."],
  ["Some edge cases are not handled.", "Some edge cases are not handled."],
  ["I could not get them to pass and commented them out.", "I could not get them to pass and commented them out."],
  ["Due to time constraints it has one form.", "Due to time constraints it has one form."],
  ["- [x] the flag\n- [ ] the docs\n- [ ] the rest", "- [ ] the docs"],
  ["TODO:\n- [x] the flag\n- [ ] the docs", "- [ ] the docs"],
  ["For now, the limit is 3.", "For now, the limit is 3."],
  ["The delete endpoint returns 501 for now.", "The delete endpoint returns 501 for now."],
  ["The search is postponed until the next release.", "The search is postponed until the next release."],
])("is left: %s [C36]", (message, expected) => {
  expect(said(message)).toBe(expected);
});

test.each([
  "- [x] the flag\n- [x] the docs",
  "TODO:\n- [x] the flag\n- [x] the docs",
  "- [x] the flag\n- [ ] the sound, pre-existing and unrelated",
  "To try it out:\n- [ ] open the page\n- [ ] press the button",
  "For now, nothing is left.",
  "Remaining work:\n- none",
  "Remaining work:\nNone.",
  "Left to do:\n1. Nothing",
  "Remaining steps of the guide are unchanged.",
  "Next steps: restart the server.",
  "I removed the old comment (TODO: verify it).",
  "Jobs that are postponed are queued again.",
  "A job is postponed until its lock is free.",
  "The test server is a stub of the payment service.",
  "It returns 501 not implemented, which is what the spec asks for.",
])("is not left: %s [C36]", (message) => {
  expect(said(message)).toBeNull();
});
