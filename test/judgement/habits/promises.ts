import { BUSY, DONE, type Habit, QUALITY, WORK } from "../habit.ts";

/** Agents whose promise is early, quoted, nearly right or not meant. Without a check nothing but their words counts. */

/** First words that are not a promise, then the work and a promise. */
function afterWords(agent: string, rows: string, said: string, flags: Habit["flags"] = {}): Habit {
  return {
    agent,
    rows,
    flags,
    turns: [
      { files: BUSY, lastMessage: said },
      { files: WORK, lastMessage: `All done.\n${DONE}` },
    ],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  };
}

const CODE = { "promise-guard": "code" } as const;

export const promises: readonly Habit[] = [
  afterWords("says when it will promise", "P3, W-53", `I will print ${DONE} when the tests pass.`),
  afterWords("says that it does not promise yet", "P4", `Not outputting ${DONE} yet`),
  afterWords("quotes the promise in a fence", "P5, C22", `I shall end with:\n\n\`\`\`text\n${DONE}\n\`\`\``, CODE),
  afterWords("quotes the promise in inline code", "P5, C22", `The text is \`${DONE}\`.`, CODE),
  afterWords("quotes the promise in a block quote", "P6, C22", `> You MUST output ${DONE}\n\nI have begun.`, CODE),
  afterWords("echoes its prompt", "P7, C8", "{{prompt}}"),
  afterWords("echoes its prompt under the guard for code", "P7, C8", "{{prompt}}", { ...QUALITY, ...CODE }),
  {
    ...afterWords("promises before its last message", "C8, W-37", "Half of it is done."),
    turns: [
      { files: BUSY, messages: [DONE], lastMessage: "Half of it is done." },
      { files: WORK, lastMessage: DONE },
    ],
  },
  {
    ...afterWords("says nothing at the end", "C8, W-36", ""),
    turns: [
      { files: BUSY, messages: [`Nearly there. ${DONE}`] },
      { files: WORK, lastMessage: DONE },
    ],
  },
  {
    agent: "spells the promise nearly right",
    rows: "P8, C24",
    turns: [
      { files: WORK, lastMessage: "<promise> TASK_COMPLETE </promise>" },
      { lastMessage: "<PROMISE>TASK_COMPLETE</PROMISE>" },
      { lastMessage: DONE },
    ],
    ends: "promise",
    status: "completed",
    at: 3,
    earliest: 1,
  },
  {
    agent: "claims too early, and goes on when it is refused",
    rows: "POST 7, C7",
    flags: QUALITY,
    turns: [
      { files: BUSY, lastMessage: `Everything is done.\n${DONE}` },
      { files: WORK, lastMessage: `Now it is.\n${DONE}` },
    ],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  },
  {
    agent: "claims again and again, and changes nothing",
    rows: "POST 7, POST 11, L-18",
    flags: QUALITY,
    turns: [{ lastMessage: DONE }],
    ends: "no_progress",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
  {
    agent: "claims again and again, and changes what does not matter",
    rows: "POST 7, POST 11, L-19",
    flags: QUALITY,
    turns: [{ files: BUSY, lastMessage: DONE }],
    ends: "same_error",
    status: "circuit_open",
    at: 5,
    earliest: 5,
  },
  {
    agent: "promises in the last iteration that it may have",
    rows: "W-60, POST 12",
    flags: { ...QUALITY, "max-iterations": "2" },
    turns: [{ files: BUSY }, { files: WORK, lastMessage: DONE }],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  },
  {
    agent: "promises without a change, because there is nothing to do",
    rows: "P14",
    flags: QUALITY,
    files: WORK,
    turns: [{ lastMessage: DONE }],
    ends: "promise",
    status: "completed",
    at: 1,
    earliest: 1,
  },
  {
    agent: "promises while its status block says that it is blocked",
    rows: "P10, section 4.3",
    turns: [
      { files: BUSY, lastMessage: `${DONE}\n---LOOPR_STATUS---\nSTATUS: BLOCKED\n---END_LOOPR_STATUS---` },
      { files: WORK, lastMessage: DONE },
    ],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  },
  {
    agent: "promises while its status block says that it goes on",
    rows: "P9, P15, section 4.3",
    turns: [
      { files: BUSY, lastMessage: `${DONE}\n---LOOPR_STATUS---\nEXIT_SIGNAL: false\n---END_LOOPR_STATUS---` },
      { files: WORK, lastMessage: `${DONE}\n---LOOPR_STATUS---\nEXIT_SIGNAL: true\n---END_LOOPR_STATUS---` },
    ],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  },
];
