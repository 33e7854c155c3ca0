import { isDeepStrictEqual } from "node:util";
import { nextItem, parseChecklist, tallyOf } from "../../src/core/checklist.ts";
import { claim as claimSchema } from "../../src/core/claim/claim.ts";
import { contradictionWords } from "../../src/core/claim/contradictions/contradiction.ts";
import { contradictionsOfLists } from "../../src/core/claim/contradictions/list-contradictions.ts";
import { contradictedNumbers } from "../../src/core/claim/contradictions/promise-numbers.ts";
import { beginList, followList } from "../../src/core/claim/contradictions/follow-list.ts";
import { itemsOf } from "../../src/core/claim/contradictions/listed-items.ts";
import { workList } from "../../src/core/claim/contradictions/work-list.ts";
import { writtenFiles } from "../../src/core/claim/contradictions/written-files.ts";
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
  `The exporter is a stub for now; the rest is left for later.\n3 of 5 are done.\nWhen the tests pass, I will print:\n${PROMISE}`,
  `Sobald alles fertig ist, schreibe ich:\n${PROMISE}\nまだ完了していません。\n尚未完成：${PROMISE}`,
  `| a | b |\n|---|---|\n| x | ${PROMISE} |\n\nRules:\n1. End with ${PROMISE}\nWorker 2 reported:\n${PROMISE}`,
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
    "for now ",
    " is only ",
    "will be done later",
    "the rest is ",
    "once ",
    "ещё не",
    "|",
    "1. ",
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
    "core/claim/unfinished.ts#leftoverIn",
    "core/claim/quotation.ts#shownBy",
    "core/claim/hedges.ts#hedgesOf",
    "core/claim/markup.ts#normalised",
    "core/claim/markup.ts#withoutCodeAndQuotes",
    "core/claim/markup.ts#saidLines",
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
    hold(claim.broken === undefined || claim.unfinished !== null, "what is broken is quoted");
    hold(claim.bare === undefined || claim.done || claim.token_done, "what is bare is a promise");
    hold((claim.hint?.length ?? 0) <= 1_000, "a hint is short");
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

const SAID = [
  "Created `src/a.ts`, `b.ts` and [c](docs/c.md).\nUpdated README.md; fixed the bug in src/d.py:12.\n",
  "Files changed:\n- `a.ts`: x\n- b.ts (deleted)\n\nAll 5 items are done.\n<promise>COMPLETE</promise>",
  "4 of 5 items work, 2 tests fail.\n12/12 steps DONE\nI've rewritten https://example.com/a.md and lodash.js to 4.2",
];
const PLANS = [
  "- [ ] Build the parser\n- [x] Write the guide\n  - [ ] Nested\n\n## Nice to have\n\n- [ ] Colours (optional)\n",
  "**Later:**\n\n- [ ] a\n- ~~b~~\n# Done\n- c\n```\n- [ ] code\n```\n- [ ] 编写指南\n- [ ] HARD STOP\n",
];
const TASKS = [
  "Do all of it. Skip the guide, do not write item 2.",
  "Only the first step; rewrite the plan without colours.",
];
const LIST_WORDS = [
  "- [ ] ",
  "- [x] ",
  "## Optional\n",
  "(out of scope)",
  "✅",
  "~~",
  ":",
  "**",
  "item 3",
  "skip ",
  "only ",
];
const SAID_WORDS = [
  "`",
  "created ",
  "a.ts",
  "/",
  "...",
  " of ",
  "1/2",
  "all 3 items",
  " remain",
  "- ",
  "](",
  "removed",
  "\uE000",
];

export const contradictions = target({
  name: "contradictions",
  covers: [
    "core/claim/contradictions/written-files.ts#writtenFiles",
    "core/claim/contradictions/promise-numbers.ts#contradictedNumbers",
    "core/claim/contradictions/list-contradictions.ts#contradictionsOfLists",
    "core/claim/contradictions/excluded-items.ts#exclusionsOf",
    "core/claim/contradictions/listed-items.ts#itemsOf",
    "core/claim/contradictions/same-item.ts#stemsOf",
    "core/claim/contradictions/follow-list.ts#followList",
    "core/claim/markup.ts#saidWithCode",
  ],
  draw: (random) => ({
    message: mutated(random, { seeds: SAID, words: SAID_WORDS }),
    before: mutated(random, { seeds: PLANS, words: LIST_WORDS }),
    after: mutated(random, { seeds: PLANS, words: LIST_WORDS }),
    prompt: mutated(random, { seeds: TASKS, words: LIST_WORDS }),
  }),
  check({ message, before, after, prompt }) {
    const files = writtenFiles(normalised(message));
    hold(files.length <= 40 && new Set(files).size === files.length, "few files are named, each once");
    hold(
      files.every((file) => file.length <= 200 && !/[\s*`]|^\/|(?:^|\/)\.\.(?:\/|$)/u.test(file)),
      "what is named is a path in the workspace",
    );
    const begun = beginList({ path: "PLAN.md", text: before }, "HARD STOP", sha256);
    const now = { path: "PLAN.md", text: after };
    const followed = followList(begun, itemsOf(now, "HARD STOP", sha256));
    hold(followed.items.length === begun.items.length && begun.items.length <= 200, "a list keeps its length");
    const task = { prompt, token: "HARD STOP" };
    const same = contradictionsOfLists([{ path: "PLAN.md", text: before }], [begun], task, sha256);
    hold(!same.some(({ kind }) => kind === "lost_items"), "nothing has left a list that did not change");
    const found = [
      ...contradictionsOfLists([now], [begun], task, sha256),
      ...contradictedNumbers(normalised(message), PROMISE, { items: 3, ticked: 2 }),
      ...contradictedNumbers(normalised(message), null, null),
    ];
    hold(
      found.every((one) => one.named.length <= 5 && contradictionWords(one).length <= 1_500),
      "what is told is short",
    );
    hold(isDeepStrictEqual(workList.parse(JSON.parse(JSON.stringify(followed))), followed), "a list can be stored");
  },
});
