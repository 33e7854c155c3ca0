import { expect, test } from "vitest";
import { readClaim, readBlocked, readNotes } from "../../../src/core/claim/read-claim.ts";
import { aFailure } from "../../support/builders.ts";
import { fakeMatcher } from "../../support/fake-matcher.ts";

const rule = { promise: { text: "DONE", mode: "tag", guard: "final-line" }, doneToken: null } as const;
const TAG = "<promise>DONE</promise>";

function claimOf(message: string, failure = null as Parameters<typeof readClaim>[2]) {
  return readClaim({ lastMessage: message, earlier: [] }, rule, failure, fakeMatcher());
}

test("W-37: a promise is detected and counts", async () => {
  expect(await claimOf(`NOTES:\n- fixed\n${TAG}`)).toEqual({
    detected: true,
    done: true,
    token_done: false,
    hint: null,
    unfinished: null,
    blocked: null,
    notes: ["- fixed"],
    block: null,
  });
});

test.each(["timed_out", "crashed", "cancelled"] as const)(
  "section 4.3: a turn that ended as %s can make no claim, but its notes are kept",
  async (kind) => {
    const claim = await claimOf(`NOTES:\nhalf done\n${TAG}`, aFailure(kind));
    expect(claim).toMatchObject({ detected: true, done: false, notes: ["half done"] });
  },
);

test("section 5.1: the promise is read past colours, byte order marks and Windows line ends", async () => {
  expect((await claimOf(`\uFEFFDone.\r\n\u001B[32m${TAG}\u001B[0m\r\n`)).done).toBe(true);
});

test("section 5.1: only the last 64 KiB of a message are read", async () => {
  const long = "x".repeat(70_000);
  expect((await claimOf(`${TAG} ${long}`)).detected).toBe(false);
  expect((await claimOf(`${long}\n${TAG}`)).done).toBe(true);
});

test("C8: a message that says nothing claims nothing", async () => {
  expect(await claimOf("")).toEqual({
    detected: false,
    done: false,
    token_done: false,
    hint: null,
    unfinished: null,
    blocked: null,
    notes: [],
    block: null,
  });
});

test.each<[string, string, readonly string[]]>([
  ["under the heading", "Text.\nNOTES:\n- a\n- b", ["- a", "- b"]],
  ["in the heading's line", "NOTES: one thing", ["one thing"]],
  ["behind a blank line", "NOTES:\n\n- a", ["- a"]],
  ["under a decorated heading", "## **NOTES:**\n- a", ["- a"]],
  ["under a heading whose colon is outside", "> **NOTES**: a", ["a"]],
  ["of the last heading", "NOTES:\n- old\n\nNOTES:\n- new", ["- new"]],
  ["up to a blank line", "NOTES:\n- a\n\n- b", ["- a"]],
  ["up to the promise", `NOTES:\n- a\n${TAG}`, ["- a"]],
  ["up to a status block", "NOTES:\n- a\n---RALPH_STATUS---\nSTATUS: x", ["- a"]],
  ["none under an empty heading", "NOTES:\n\n", []],
  ["none without a heading", "notes: in lower case", []],
  ["none in a sentence", "see NOTES: here", []],
])("C18: notes are read %s", (_title, message, notes) => {
  expect(readNotes(message, TAG)).toEqual(notes);
});

test("C18: at most ten notes of at most 300 characters are kept", () => {
  const notes = readNotes(`NOTES:\n${`${"x".repeat(400)}\n`.repeat(20)}`, null);
  expect(notes).toHaveLength(10);
  expect(notes.every((note) => note.length === 300)).toBe(true);
});

test("C18: without a promise to look for, notes end at a blank line all the same", () => {
  expect(readNotes(`NOTES:\n${TAG}\n\nmore`, null)).toEqual([TAG]);
});

test.each([
  ["from its heading to the end", "Text.\nBLOCKED\nTried: x\nNeed: y\n", "BLOCKED\nTried: x\nNeed: y"],
  ["under a decorated heading", "**BLOCKED**: no network", "**BLOCKED**: no network"],
  ["not from a sentence", "I am not BLOCKED.", null],
  ["not from another word", "BLOCKED_BY is a field", null],
])("W-51: the BLOCKED section is read %s", (_title, message, blocked) => {
  expect(readBlocked(message)).toBe(blocked);
});

test("W-51: of a BLOCKED section 1 KiB is kept", () => {
  expect(readBlocked(`BLOCKED ${"x".repeat(5000)}`)).toHaveLength(1024);
});

const block = (status: string): string => `---RALPH_STATUS---\nSTATUS: ${status}\n---END_RALPH_STATUS---`;

test.each<[string, string, readonly string[], string | null]>([
  ["L-09: of the last message", block("COMPLETE"), [block("BLOCKED")], "COMPLETE"],
  ["B13: of an earlier one, the newest first", "Bye.", ["Hm.", block("ERROR"), block("BLOCKED")], "ERROR"],
  ["B16: none", "Bye.", ["Hm."], null],
])("the status block is read %s", async (_title, lastMessage, earlier, status) => {
  const claim = await readClaim({ lastMessage, earlier }, rule, null, fakeMatcher());
  expect(claim.block?.status ?? null).toBe(status);
});

test("C8: a promise in an earlier message does not count", async () => {
  const claim = await readClaim({ lastMessage: "Bye.", earlier: [TAG] }, rule, null, fakeMatcher());
  expect(claim).toMatchObject({ detected: false, done: false });
});

const TOKEN = "[SOLO_DONE]";
const tokenOf = (message: string, doneToken: string | null, failure = null as Parameters<typeof readClaim>[2]) =>
  readClaim(
    { lastMessage: message, earlier: [TOKEN] },
    { promise: { ...rule.promise, mode: "off" }, doneToken },
    failure,
    fakeMatcher(),
  );

test("S-02, S-10: the done token counts unchanged, and is not a note", async () => {
  const claim = await tokenOf(`NOTES:\n- fixed\n${TOKEN}`, TOKEN);
  expect(claim).toMatchObject({ detected: false, done: false, token_done: true, hint: null, notes: ["- fixed"] });
});

test("S-18: without a done token none is ever found, whatever the message says", async () => {
  expect(await tokenOf(`Done.\n${TOKEN}`, null)).toMatchObject({ token_done: false, hint: null });
});

test("C8, S-18: only the last message is looked at", async () => {
  expect(await tokenOf("Bye.", TOKEN)).toMatchObject({ token_done: false });
});

test("C22: a done token that is only mentioned does not count, and the agent is told", async () => {
  const claim = await tokenOf(`I shall print ${TOKEN} when all is done.`, TOKEN);
  expect(claim).toMatchObject({ token_done: false, hint: expect.stringContaining(`exactly: ${TOKEN}`) });
});

test("section 4.3: a turn that failed cannot claim by its done token", async () => {
  expect(await tokenOf(TOKEN, TOKEN, aFailure())).toMatchObject({ token_done: false });
});
