import { block, BLOCKS, BUSY, type Habit, QUALITY, WORK } from "../habit.ts";

/** Agents whose status blocks are torn, doubled, contradictory or missing. */

const COMPLETE = block("STATUS: COMPLETE", "EXIT_SIGNAL: true", "SUMMARY: all done");

/** Says the same in every turn, without ever claiming anything, until the cap. */
function never(agent: string, rows: string, lastMessage: string): Habit {
  return {
    agent,
    rows,
    flags: { ...BLOCKS, "max-iterations": "3" },
    turns: [{ files: BUSY, lastMessage }],
    ends: "max_iterations",
    status: "stopped_max_iterations",
    at: 3,
    earliest: 3,
  };
}

export const blocks: readonly Habit[] = [
  {
    agent: "fences its status block",
    rows: "B1, C5, L-17",
    flags: BLOCKS,
    turns: [{ files: WORK, lastMessage: `Done.\n\n\`\`\`\n${COMPLETE}\n\`\`\`` }],
    ends: "dual_gate",
    status: "completed",
    at: 2,
    earliest: 1,
  },
  {
    agent: "is cut off in its status block",
    rows: "B14, section 5.1",
    flags: { ...BLOCKS, ...QUALITY },
    turns: [
      { files: BUSY, lastMessage: "---LOOPR_STATUS---\nSTATUS: COMPLETE\nEXIT_SIG" },
      { files: WORK, lastMessage: "---LOOPR_STATUS---\nSTATUS: COMPLETE\nEXIT_SIG" },
    ],
    ends: "dual_gate",
    status: "completed",
    at: 2,
    earliest: 2,
  },
  never(
    "is cut off in its status block where nothing can prove it",
    "B14, C5",
    "---LOOPR_STATUS---\nSTATUS: COMPLETE\nEXIT_SIG",
  ),
  never(
    "takes its status block back in a second one",
    "B5",
    `${COMPLETE}\n\n${block("STATUS: IN_PROGRESS", "EXIT_SIGNAL: false")}`,
  ),
  never("is complete and does not want to stop", "C5, section 4.3", block("STATUS: COMPLETE", "EXIT_SIGNAL: false")),
  never("says both of the exit signal", "B7", block("STATUS: COMPLETE", "EXIT_SIGNAL: true", "EXIT_SIGNAL: false")),
  never(
    "signals the end of tests that fail",
    "section 4.3, R-17",
    block("STATUS: COMPLETE", "EXIT_SIGNAL: true", "TESTS_STATUS: FAILING"),
  ),
  {
    agent: "echoes the prompt, and with it the form of the status block",
    rows: "B6, C8, L-21",
    flags: BLOCKS,
    turns: [{ files: BUSY, lastMessage: "{{prompt}}\n\nI have begun." }],
    ends: "missing_status",
    status: "circuit_open",
    at: 2,
    earliest: 2,
  },
  {
    agent: "signals the end once, and then goes on",
    rows: "C5, L-17, R-18",
    flags: BLOCKS,
    turns: [
      { files: BUSY, lastMessage: COMPLETE },
      { files: BUSY, lastMessage: block("STATUS: IN_PROGRESS", "EXIT_SIGNAL: false") },
      { files: WORK, lastMessage: COMPLETE },
    ],
    ends: "dual_gate",
    status: "completed",
    at: 4,
    earliest: 3,
  },
  {
    agent: "never gives the status block",
    rows: "B16, L-21, POST 11",
    flags: BLOCKS,
    turns: [{ files: BUSY, lastMessage: "Working on it." }],
    ends: "missing_status",
    status: "circuit_open",
    at: 2,
    earliest: 2,
  },
];
