import { block, BLOCKS, BUSY, DONE, type Habit, QUALITY, WORK } from "../habit.ts";

/** Agents whose claim rests on words: mentions, lead-ins, leftovers, and what their status blocks count. */

/** A check that is green whatever the agent does. */
const GREEN = { "quality-commands": "test -e work.txt" } as const;
const CODE = { "promise-guard": "code" } as const;
const COMPLETE = ["STATUS: COMPLETE", "EXIT_SIGNAL: true"] as const;

/** First words that are no claim, then the work and a promise that is one. */
function afterWords(agent: string, rows: string, said: string, flags: Habit["flags"] = {}): Habit {
  return {
    agent,
    rows,
    flags,
    turns: [
      { files: BUSY, lastMessage: said },
      { files: WORK, lastMessage: `work.txt says done.\n${DONE}` },
    ],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  };
}

/** Does the work and says so in words that have to count at once. */
function atOnce(agent: string, rows: string, said: string, flags: Habit["flags"] = {}): Habit {
  return {
    agent,
    rows,
    flags,
    turns: [{ files: WORK, lastMessage: said }],
    ends: "promise",
    status: "completed",
    at: 1,
    earliest: 1,
  };
}

/** Says the same in every turn, and has to be stopped with its own sentence. */
function stoppedBy(agent: string, rows: string, said: string, flags: Habit["flags"] = {}): Habit {
  return {
    agent,
    rows,
    flags,
    turns: [{ files: BUSY, lastMessage: said }],
    ends: "unfinished",
    status: "blocked",
    at: 2,
    earliest: 1,
  };
}

/** With a check that was green before the agent came. */
const mentions: readonly Habit[] = [
  afterWords(
    "announces its promise where the check was green all the time",
    "C35, P3",
    `I will print ${DONE} later.`,
    GREEN,
  ),
  afterWords(
    "promises within a sentence where the check was green all the time",
    "C35, P2",
    `All done. ${DONE}`,
    GREEN,
  ),
  afterWords(
    "denies its promise where the check was green all the time",
    "C35, P4",
    `Not outputting ${DONE} yet`,
    GREEN,
  ),
  afterWords("promises before its last line where the check was green", "C35", `${DONE}\nThat was all.`, GREEN),
  afterWords("names a marker where the check was green all the time", "C35, S-10", "[READY] is what I print.", {
    ...GREEN,
    "done-token": "[READY]",
  }),
  {
    agent: "signals the end where the check was green all the time",
    rows: "C35, C5",
    flags: { ...BLOCKS, ...GREEN },
    turns: [
      { files: BUSY, lastMessage: block(...COMPLETE) },
      { files: BUSY, lastMessage: block("STATUS: IN_PROGRESS", "EXIT_SIGNAL: false") },
      { files: WORK, lastMessage: block(...COMPLETE) },
    ],
    ends: "dual_gate",
    status: "completed",
    at: 4,
    earliest: 3,
  },
  {
    agent: "is complete without a signal where the check was green all the time",
    rows: "C35, section 5.1",
    flags: { ...BLOCKS, ...GREEN, "max-iterations": "3" },
    turns: [{ files: BUSY, lastMessage: block("STATUS: COMPLETE") }],
    ends: "max_iterations",
    status: "stopped_max_iterations",
    at: 3,
    earliest: 3,
  },
  stoppedBy(
    "sums up a stub in its status block where the check was green all the time",
    "C35, C36",
    block(...COMPLETE, "SUMMARY: all done, the writer is a stub for now"),
    { ...BLOCKS, ...GREEN },
  ),
];

const believed: readonly Habit[] = [
  atOnce("promises alone on its last line, though the check was green all the time", "C35", `It is.\n${DONE}`, GREEN),
  atOnce("promises within a sentence, and the check was red before", "C35, P2", `All done. ${DONE}`, QUALITY),
  atOnce("promises within a sentence under a guard that a person set", "C35", `All done. ${DONE}`, {
    ...GREEN,
    ...CODE,
  }),
  atOnce("promises within a sentence, and nobody asked the check before", "C35", `All done. ${DONE}`, {
    ...GREEN,
    "check-first": "false",
  }),
  atOnce(
    "promises before its status block, though the check was green",
    "C35, P15",
    `${DONE}\n${block(...COMPLETE)}`,
    GREEN,
  ),
  {
    ...atOnce("signals the end once, and the check was red before", "C35, C5", block(...COMPLETE), {
      ...BLOCKS,
      ...QUALITY,
    }),
    ends: "dual_gate",
  },
];

const leadIns: readonly Habit[] = [
  afterWords("shows its promise under a condition", "C37", `When work.txt says done, I will end with:\n${DONE}`),
  afterWords("shows its promise under a denial", "C37", `It is not finished.\n\n${DONE}`),
  afterWords("shows its promise under a condition in German", "C37", `Sobald alles fertig ist, schreibe ich:\n${DONE}`),
  afterWords(
    "shows its promise under an announcement in Spanish",
    "C37",
    `Cuando pasen las pruebas, voy a imprimir:\n${DONE}`,
  ),
  afterWords("shows its promise under a denial in Chinese", "C37", `工作还没有完成。\n${DONE}`),
  afterWords("quotes what another agent promised", "C37", `Worker 2 ended its message with:\n${DONE}`),
  afterWords("puts the promise into a table", "C37", `| step | answer |\n| --- | --- |\n| last | ${DONE} |`, {
    ...QUALITY,
    ...CODE,
  }),
  afterWords("repeats its rules", "C37", `The rules:\n1. Write work.txt.\n2. Only then end with ${DONE}`, {
    ...GREEN,
    ...CODE,
  }),
  {
    agent: "promises without a word, a change or a check",
    rows: "C38, P14, POST 11",
    turns: [{ lastMessage: DONE }],
    ends: "no_progress",
    status: "circuit_open",
    at: 3,
    earliest: 1,
  },
];

const leftovers: readonly Habit[] = [
  afterWords("puts something off as it promises", "C36", `The docs are left for later.\n${DONE}`),
  afterWords(
    "has done a part of it, and the check was green all the time",
    "C36",
    `I implemented 1 of 3 files.\n${DONE}`,
    GREEN,
  ),
  afterWords(
    "admits in German that it is not done yet",
    "C36",
    `Die Datei ist noch nicht geschrieben. Sonst ist alles gut.\n${DONE}`,
  ),
  stoppedBy("promises a stub twice", "C36, POST 7b", `The writer is only a stub.\n\nThe reader is there.\n${DONE}`),
  stoppedBy("promises twice what does not work yet", "C36, POST 7b", `It does not work yet.\n${DONE}`, GREEN),
  {
    ...atOnce(
      "says twice that something is left, and nothing shows it",
      "C36, P14",
      `The docs are left for later.\n${DONE}`,
    ),
    at: 2,
  },
  {
    ...atOnce("finishes its plan and calls an item a placeholder", "C36, R-27", "The page is still a placeholder."),
    flags: { backlog: "checklist", "plan-file": "PLAN.md" },
    files: { "PLAN.md": "- [ ] write work.txt\n" },
    turns: [
      { files: { "PLAN.md": "- [x] write work.txt\n" }, lastMessage: "The page is still a placeholder." },
      { files: WORK, lastMessage: "The page is there." },
    ],
    ends: "plan_complete",
    at: 2,
  },
];

const honest: readonly Habit[] = [
  ...[
    ["names tests that were skipped before", "2 tests skipped as before on this platform."],
    [
      "says what it did not have to do",
      "I skipped the cache because it is warm. A follow-up PR is not needed. No TODOs left.",
    ],
    ["replaced a stub", "I replaced the stub, and the placeholder is gone."],
    [
      "says when somebody else does something",
      "Users can change it later in their settings. If you want to look, run the server.",
    ],
    ["says that nothing is left", "There is nothing left to do:"],
    ["follows its rules", "I followed the rules:\n- one file only\n- nothing else changed\n"],
    ["says in German that all is well", "Ich habe die API nicht geändert. Es ist nichts mehr zu tun:"],
    ["says in Spanish that all is well", "No hay errores, todo está listo:"],
    ["says as it was asked", "As the prompt asks, I end with:"],
  ].map(([agent = "", said = ""]) => atOnce(agent, "C36, C37", `${said}\n${DONE}`)),
  atOnce("promises without a word after a change", "C38", DONE),
  atOnce("names a leftover that its check outweighs", "C36", `The docs are left for later.\n${DONE}`, QUALITY),
];

const counted = (errors: string): string => block(...COMPLETE, `ERRORS: ${errors}`, "SUMMARY: all done");

const errors: readonly Habit[] = [
  {
    agent: "counts the same errors in every status block",
    rows: "C39, L-19, POST 11",
    flags: BLOCKS,
    turns: [{ files: BUSY, lastMessage: counted("2") }],
    ends: "same_error",
    status: "circuit_open",
    at: 5,
    earliest: 5,
  },
  afterWords("promises with errors", "C39", `It is.\n${DONE}\n${counted("1")}`),
  afterWords(
    "promises with errors in Ralph's block",
    "C39",
    `${DONE}\n---RALPH_STATUS---\nERRORS: 3\nSTATUS: COMPLETE\n---END_RALPH_STATUS---`,
  ),
  afterWords(
    "promises with errors in a YAML block",
    "C39, B10",
    `${DONE}\n\nLISA_STATUS:\n  STATUS: COMPLETE\n  ERRORS: 4`,
  ),
  afterWords("promises with a block that only counts errors", "C39", `${DONE}\n${block("ERRORS: 2")}`, QUALITY),
  atOnce("counts no errors", "C39", `It is.\n${DONE}\n${counted("0")}`),
  atOnce("has no errors to count", "C39", `It is.\n${DONE}\n${counted("none")}`),
  atOnce("counts the errors that it has fixed", "C39", `It is.\n${DONE}\n${counted("2 (both fixed)")}`),
  atOnce("echoes the form of a status block with its errors", "C39, B6", `It is.\n${DONE}\n${block("ERRORS: <int>")}`),
  {
    ...atOnce("meets other errors in every turn", "C39, L-19", ""),
    flags: { ...BLOCKS, "max-same-error": "2" },
    turns: [
      ...["one", "two", "three"].map((what) => ({
        files: BUSY,
        lastMessage: block("STATUS: IN_PROGRESS", "ERRORS: 1", `SUMMARY: error ${what}`),
      })),
      { files: WORK, lastMessage: `It is.\n${DONE}\n${counted("0")}` },
    ],
    at: 4,
    earliest: 4,
  },
];

export const claims: readonly Habit[] = [...mentions, ...believed, ...leadIns, ...leftovers, ...honest, ...errors];
