import { isDeepStrictEqual } from "node:util";
import { nextItem, parseChecklist, tallyOf } from "../../src/core/checklist.ts";
import { claim as claimSchema } from "../../src/core/claim/claim.ts";
import { normalised } from "../../src/core/claim/markup.ts";
import { keepLearned, readClaim } from "../../src/core/claim/read-claim.ts";
import { scanHardStops } from "../../src/core/hard-stop.ts";
import { createMatcher } from "../../src/os/matcher.ts";
import { sha256 } from "../../src/os/digest.ts";
import { fakeMatcher } from "../../test/support/fake-matcher.ts";
import { mutated } from "../mutate.ts";
import { recordings } from "../seeds.ts";
import { hold, target, unlessLater } from "../target.ts";

const PROMISE = "<promise>COMPLETE</promise>";
const BLOCK = `---LOOPR_STATUS---
STATUS: COMPLETE
EXIT_SIGNAL: true
FILES_MODIFIED: 3
TESTS_STATUS: PASSING
WORK_TYPE: IMPLEMENTATION
SUMMARY: all done, nothing left
---END_LOOPR_STATUS---`;
const MESSAGES = [
  ...recordings("codex", ".last.txt"),
  `I did it.\n\n${PROMISE}`,
  `NOTES:\n- done: a\n- learned: the port is 5\n- next: b\n\n${BLOCK}\n\n${PROMISE}`,
  "```\n<promise>COMPLETE</promise>\n```\n> <promise>COMPLETE</promise>\nTwo tests still fail. <promise>COMPLETE</promise>",
  "RALPH_STATUS:\n  STATUS: BLOCKED (no key)\n  EXIT_SIGNAL = yes\n\nBLOCKED: no network\nTried: curl\nNeeds: a proxy",
  "Done.\nNEEDS A PERSON: create the account\n> NEEDS A PERSON: none",
  "All tests pass except one that is not yet done.\nTODO: write docs\nDONE",
];
const WORDS = [
  ...[
    PROMISE,
    "<promise>",
    "</promise>",
    "DONE",
    "NOTES:",
    "BLOCKED:",
    "NEEDS A PERSON:",
    BLOCK,
    "---RALPH_STATUS---",
    "---END_LISA_STATUS---",
  ],
  ...[
    "STATUS:",
    "EXIT_SIGNAL: false",
    "```",
    "~~~~",
    "> ",
    "`",
    "still fails",
    "not yet",
    "remaining:",
    " - ",
    "SUMMARY: ",
  ],
];

export const claims = target({
  name: "claims",
  covers: [
    "core/claim/read-claim.ts#readClaim",
    "core/claim/read-claim.ts#readNotes",
    "core/claim/read-claim.ts#readBlocked",
    "core/claim/read-claim.ts#readPersonStep",
    "core/claim/read-claim.ts#keepLearned",
    "core/claim/status-block.ts#readStatusBlock",
    "core/claim/status-block.ts#blockLines",
    "core/claim/promise.ts#findPromise",
    "core/claim/unfinished.ts#unfinishedNear",
    "core/claim/markup.ts#normalised",
    "core/claim/markup.ts#withoutCodeAndQuotes",
    "core/claim/markup.ts#withoutStatusBlocks",
  ],
  draw: (random) => ({
    message: mutated(random, { seeds: MESSAGES, words: WORDS }),
    earlier: random.once(3) ? [mutated(random, { seeds: MESSAGES, words: WORDS })] : [],
    mode: random.one(["tag", "plain", "regex", "off"] as const),
    guard: random.one(["off", "code", "final-line"] as const),
  }),
  async check({ message, earlier, mode, guard }) {
    const rule = { text: mode === "regex" ? "DONE|COMPLETE" : "COMPLETE", mode, guard };
    const said = { lastMessage: message, earlier };
    const claim = await readClaim(said, { promise: rule, doneToken: "DONE" }, null, fakeMatcher());
    hold(!claim.done || claim.detected, "what counts was found");
    hold(mode !== "off" || !claim.done, "without a promise there is none");
    hold((claim.person?.length ?? 0) <= 300, "a step for a person is short");
    hold(claim.notes.length <= 10 && claim.notes.every((note) => note.length <= 300), "notes are short");
    hold((claim.blocked?.length ?? 0) <= 1024 && (claim.unfinished?.length ?? 0) <= 300, "quotations are short");
    hold(Object.keys(claim.block?.other ?? {}).length <= 20, "a block is short");
    if (claim.done && mode === "tag" && guard === "final-line") {
      const last = normalised(message).trimEnd();
      hold(last.includes(PROMISE), "a promise that counts was said");
    }
    const stored: unknown = JSON.parse(JSON.stringify(claim));
    hold(isDeepStrictEqual(claimSchema.parse(stored), stored), "a claim can be stored");
    hold(keepLearned(["known"], claim.notes).length <= 40, "little is kept");
  },
});

const LISTS = [
  "# Plan\n\n- [ ] one\n  more of it\n- [x] two\n  - [ ] nested\n1. [X] three\n- [~] begun\n\nHARD STOP: look\n- [ ] HARD STOP four\n",
  "```\n- [ ] code\n```\n<!-- - [ ] hidden -->\n* [/] star\n+ [] plus\n\t- [ ] tab\r\n- [x] crlf\r\n",
];

export const checklists = target({
  name: "checklists",
  covers: ["core/checklist.ts#parseChecklist", "core/checklist.ts#nextItem", "core/hard-stop.ts#scanHardStops"],
  draw: (random) =>
    mutated(random, { seeds: LISTS, words: ["- [ ] ", "- [x] ", "  ", "```", "<!--", "-->", "HARD STOP", "1. [ ] "] }),
  check(text) {
    const items = parseChecklist(text, "HARD STOP", sha256);
    const tally = tallyOf(items);
    hold(tally.items === items.length && tally.ticked <= tally.items, "items are counted");
    hold(new Set(items.map(({ id }) => id)).size === items.length, "no two items have one id");
    hold(
      items.every(({ text: words }) => words !== "" && !words.includes("\n")),
      "an item is one line",
    );
    hold(
      (nextItem(items, "TODO.md") === undefined) === (tally.items > 0 && tally.ticked === tally.items),
      "what is open is next",
    );
    const hits = scanHardStops(text, "HARD STOP", sha256);
    hold(
      hits.every((hit) => hit.text.length <= 120 && hit.line >= 1),
      "a hit is one short line",
    );
    hold(new Set(hits.map(({ id }) => id)).size === hits.length, "no two hits have one id");
  },
});

const LIMIT_MS = 20;
const matcher = createMatcher(LIMIT_MS);

export const patterns = target({
  name: "promise-patterns",
  covers: ["os/matcher.ts#createMatcher"],
  draw: (random) => ({
    pattern: mutated(random, {
      seeds: ["DONE|COMPLETE", "^done \\d+ of \\d+$", "(?:a+)b", "[\\p{L}]+"],
      words: ["+", "*", "(", ")", "|", "\\p{", "[", "{1,"],
    }).slice(0, 200),
    text: mutated(random, {
      seeds: ["it is DONE", "done 3 of 3", "aaaaaaaaaaaaaaaaaaaaac"],
      words: ["a", "DONE"],
    }).slice(0, 4_000),
  }),
  async check({ pattern, text }) {
    const answer = await unlessLater(SyntaxError, () => matcher.test(pattern, text));
    hold(answer === undefined || ["match", "none", "timed_out"].includes(answer), "there is an answer");
  },
});
