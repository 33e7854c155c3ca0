import { expect, test } from "vitest";
import { readClaim, readBlocked, readNotes } from "../../../src/core/claim/read-claim.ts";
import { aFailure } from "../../support/builders.ts";
import { fakeMatcher } from "../../support/fake-matcher.ts";

const rule = { promise: { text: "DONE", mode: "tag", guard: "final-line" }, doneToken: null } as const;
const TAG = "<promise>DONE</promise>";

function claimOf(message: string, failure = null as Parameters<typeof readClaim>[2]) {
  return readClaim({ lastMessage: message, earlier: [] }, rule, failure, fakeMatcher());
}

test("a promise is detected and counts [W-37]", async () => {
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
  "a turn that ended as %s can make no claim, but its notes are kept [section 4.3]",
  async (kind) => {
    const claim = await claimOf(`NOTES:\nhalf done\n${TAG}`, aFailure(kind));
    expect(claim).toMatchObject({ detected: true, done: false, notes: ["half done"] });
  },
);

test("the promise is read past colours, byte order marks and Windows line ends [section 5.1]", async () => {
  expect((await claimOf(`\uFEFFDone.\r\n\u001B[32m${TAG}\u001B[0m\r\n`)).done).toBe(true);
});

test("only the last 64 KiB of a message are read [section 5.1]", async () => {
  const long = "x".repeat(70_000);
  expect((await claimOf(`${TAG} ${long}`)).detected).toBe(false);
  expect((await claimOf(`${long}\n${TAG}`)).done).toBe(true);
});

test("a message that says nothing claims nothing [C8]", async () => {
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
])("notes are read %s [C18]", (_title, message, notes) => {
  expect(readNotes(message, TAG)).toEqual(notes);
});

test("at most ten notes of at most 300 characters are kept [C18]", () => {
  const notes = readNotes(`NOTES:\n${`${"x".repeat(400)}\n`.repeat(20)}`, null);
  expect(notes).toHaveLength(10);
  expect(notes.every((note) => note.length === 300)).toBe(true);
});

test("without a promise to look for, notes end at a blank line all the same [C18]", () => {
  expect(readNotes(`NOTES:\n${TAG}\n\nmore`, null)).toEqual([TAG]);
});

test.each([
  ["from its heading to the end", "Text.\nBLOCKED\nTried: x\nNeed: y\n", "BLOCKED\nTried: x\nNeed: y"],
  ["under a decorated heading", "**BLOCKED**: no network", "**BLOCKED**: no network"],
  ["not from a sentence", "I am not BLOCKED.", null],
  ["not from another word", "BLOCKED_BY is a field", null],
])("the BLOCKED section is read %s [W-51]", (_title, message, blocked) => {
  expect(readBlocked(message)).toBe(blocked);
});

test("of a BLOCKED section 1 KiB is kept [W-51]", () => {
  expect(readBlocked(`BLOCKED ${"x".repeat(5000)}`)).toHaveLength(1024);
});

const block = (status: string): string => `---RALPH_STATUS---\nSTATUS: ${status}\n---END_RALPH_STATUS---`;

test.each<[string, string, readonly string[], string | null]>([
  ["of the last message [L-09]", block("COMPLETE"), [block("BLOCKED")], "COMPLETE"],
  ["of an earlier one, the newest first [B13]", "Bye.", ["Hm.", block("ERROR"), block("BLOCKED")], "ERROR"],
  ["none [B16]", "Bye.", ["Hm."], null],
])("the status block is read %s", async (_title, lastMessage, earlier, status) => {
  const claim = await readClaim({ lastMessage, earlier }, rule, null, fakeMatcher());
  expect(claim.block?.status ?? null).toBe(status);
});

test("a promise in an earlier message does not count [C8]", async () => {
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

test("the done token counts unchanged, and is not a note [S-02, S-10]", async () => {
  const claim = await tokenOf(`NOTES:\n- fixed\n${TOKEN}`, TOKEN);
  expect(claim).toMatchObject({ detected: false, done: false, token_done: true, hint: null, notes: ["- fixed"] });
});

test("without a done token none is ever found, whatever the message says [S-18]", async () => {
  expect(await tokenOf(`Done.\n${TOKEN}`, null)).toMatchObject({ token_done: false, hint: null });
});

test("only the last message is looked at [C8, S-18]", async () => {
  expect(await tokenOf("Bye.", TOKEN)).toMatchObject({ token_done: false });
});

test("a done token that is only mentioned does not count, and the agent is told [C22]", async () => {
  const claim = await tokenOf(`I shall print ${TOKEN} when all is done.`, TOKEN);
  expect(claim).toMatchObject({ token_done: false, hint: expect.stringContaining(`exactly: ${TOKEN}`) });
});

test("a turn that failed cannot claim by its done token [section 4.3]", async () => {
  expect(await tokenOf(TOKEN, TOKEN, aFailure())).toMatchObject({ token_done: false });
});

test.each<[string, string, object]>([
  ["a promise alone is bare [C38]", TAG, { done: true, bare: true }],
  ["with a block, too [C38]", `**${TAG}**\n${TAG}\n${block("COMPLETE")}`, { bare: true }],
  ["a word is more [C38]", `Done.\n${TAG}`, { done: true }],
  ["a stub is broken [C36]", `It is a stub.\n${TAG}`, { unfinished: "It is a stub.", broken: true }],
  [
    "so is one that only the block names [C36]",
    `---RALPH_STATUS---\nSTATUS: COMPLETE\nSUMMARY: x is a stub\n---END_RALPH_STATUS---`,
    { unfinished: "x is a stub", broken: true },
  ],
])("what a claim is marked with: %s", async (_title, message, wanted) => {
  const { bare, broken, ...claim } = await claimOf(message);
  expect({ ...claim, bare, broken }).toMatchObject(wanted);
  expect(bare ?? false).toBe("bare" in wanted);
  expect(broken ?? false).toBe("broken" in wanted);
});

test("a promise is a mention unless one that counts stands alone at the end [C35]", async () => {
  const read = (message: string) =>
    readClaim(
      { lastMessage: message, earlier: [] },
      { promise: { text: "DONE", mode: "tag", guard: "code" }, doneToken: "[OK]" },
      null,
      fakeMatcher(),
    );
  expect((await read(`All done. ${TAG}`)).mention).toBe(true);
  expect((await read(`All done. ${TAG}\n[OK]`)).mention).toBeUndefined();
  expect((await read(`[OK] is it.\n${TAG}`)).mention).toBeUndefined();
  expect((await read("Nothing.")).mention).toBeUndefined();
});

test("a pattern alone is bare, and one behind a line is not [C38]", async () => {
  const pattern = { promise: { text: "DONE-\\d", mode: "regex", guard: "final-line" }, doneToken: null } as const;
  const read = (message: string) => readClaim({ lastMessage: message, earlier: [] }, pattern, null, fakeMatcher());
  expect((await read("DONE-7")).bare).toBe(true);
  expect((await read("It is.\nDONE-7")).bare).toBeUndefined();
});
