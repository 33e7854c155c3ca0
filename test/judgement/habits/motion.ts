import { BUSY, DONE, type Habit, QUALITY, SUCCESS, type Turn, WORK } from "../habit.ts";

/** Agents that move, and do not get further; and some that do although it does not look like it. */

const says = (text: string): Turn => ({ files: { "work.txt": `${text}\n` } });
const committing = (turn: Turn): Turn => ({ ...turn, commit: "Progress" });
const BACK_AND_FORTH = [says("one"), says("other"), says("one"), says("other"), says("one")];

/** What the check prints is another failure each time. */
const TELLING = { "success-cmd": '["sh","-c","cat work.txt; grep -qx done work.txt"]' } as const;

export const motion: readonly Habit[] = [
  {
    agent: "goes back and forth between two trees",
    rows: "C23, POST 11, L-18",
    flags: SUCCESS,
    turns: BACK_AND_FORTH,
    ends: "no_progress",
    status: "circuit_open",
    at: 5,
    earliest: 5,
  },
  {
    agent: "goes back and forth, and commits each time",
    rows: "C23, section 4.4",
    flags: SUCCESS,
    turns: BACK_AND_FORTH.map(committing),
    ends: "no_progress",
    status: "circuit_open",
    at: 5,
    earliest: 5,
  },
  {
    agent: "changes nothing",
    rows: "L-18, POST 11",
    flags: SUCCESS,
    turns: [{ lastMessage: "I have looked at it." }],
    ends: "no_progress",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
  {
    agent: "commits, and changes nothing",
    rows: "section 4.4, R-15",
    flags: SUCCESS,
    turns: [{ commands: ["git commit -q --allow-empty -m progress"] }],
    ends: "no_progress",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
  {
    agent: "commits its work by itself",
    rows: "section 4.4, POST 5",
    flags: SUCCESS,
    turns: [committing({ files: BUSY }), committing({ files: BUSY }), committing({ files: WORK })],
    ends: "success_command",
    status: "completed",
    at: 3,
    earliest: 3,
  },
  {
    agent: "works where nothing is measured",
    rows: "C23, POST 11",
    files: { ".gitignore": "built/\n" },
    turns: [{ files: { "built/{{iteration}}": "" } }],
    ends: "no_progress",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
  {
    agent: "fails alike again and again",
    rows: "L-19, R-16, POST 11",
    flags: SUCCESS,
    turns: [{ files: BUSY }],
    ends: "same_error",
    status: "circuit_open",
    at: 5,
    earliest: 5,
  },
  {
    agent: "fails in another way each time",
    rows: "section 4.4, W-39",
    flags: { ...TELLING, "max-iterations": "6" },
    turns: ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"].map(says),
    ends: "max_iterations",
    status: "stopped_max_iterations",
    at: 6,
    earliest: 6,
  },
  {
    agent: "writes nothing but tests, which is work, and leaves the same check red",
    rows: "L-20, C31, POST 11",
    flags: SUCCESS,
    turns: [{ files: { "tests/test_{{iteration}}.sh": "false\n" } }],
    ends: "same_error",
    status: "circuit_open",
    at: 5,
    earliest: 5,
  },
  {
    agent: "times out with its work half done, and promises all the same",
    rows: "section 4.3, POST 7",
    turns: [
      { files: BUSY, lastMessage: DONE, failure: { kind: "timed_out" } },
      { files: WORK, lastMessage: DONE },
    ],
    ends: "promise",
    status: "completed",
    at: 2,
    earliest: 2,
  },
  {
    agent: "times out, and has done its work",
    rows: "section 4.3, POST 5",
    flags: SUCCESS,
    turns: [
      { files: BUSY, failure: { kind: "timed_out" } },
      { files: WORK, failure: { kind: "timed_out" } },
    ],
    ends: "success_command",
    status: "completed",
    at: 2,
    earliest: 2,
  },
  {
    agent: "falls silent in every turn",
    rows: "section 4.3, POST 11",
    flags: { ...QUALITY, retries: "0" },
    turns: [{ silence: true }],
    ends: "no_progress",
    status: "circuit_open",
    at: 3,
    earliest: 3,
  },
];
