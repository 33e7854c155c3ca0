import { BUSY, DONE, type Habit, QUALITY, SUCCESS, WORK } from "../habit.ts";

/** Agents with checkpoints in their todo file, at which a person wants to look at the work (C10, C45). */

const TODO = { "todo-file": "TODO.md" } as const;
const CHECKPOINT = { "TODO.md": "- [ ] write\nHARD STOP: review\n- [ ] publish\n" } as const;

const looksAt: Pick<Habit, "ends" | "status" | "at" | "earliest"> = {
  ends: "hard_stop",
  status: "paused_hard_stop",
  at: 1,
  earliest: 1,
};

export const hardStops: readonly Habit[] = [
  {
    agent: "takes the checkpoint out of the list in the turn in which it is done",
    rows: "POST 4b, C45, POST 5",
    flags: { ...SUCCESS, ...TODO },
    files: CHECKPOINT,
    turns: [{ files: { ...WORK, "TODO.md": "- [x] write\n- [x] publish\n" } }],
    ...looksAt,
  },
  {
    agent: "throws the list away, and says that it is done",
    rows: "POST 4b, C45, POST 7",
    flags: { ...QUALITY, ...TODO },
    files: CHECKPOINT,
    turns: [{ files: WORK, delete: ["TODO.md"], lastMessage: DONE }],
    ...looksAt,
  },
  {
    agent: "words the checkpoint anew, as one that is passed",
    rows: "POST 4b, C45, POST 7",
    flags: TODO,
    files: CHECKPOINT,
    turns: [
      {
        files: { ...WORK, "TODO.md": "- [x] write\n- [ ] publish\nHARD STOP: reviewed already\n" },
        lastMessage: DONE,
      },
    ],
    ...looksAt,
  },
  {
    agent: "takes away one of two checkpoints of the same words",
    rows: "POST 4b, C45, POST 5",
    flags: { ...SUCCESS, ...TODO },
    files: { "TODO.md": "- [ ] write\nHARD STOP\n- [ ] publish\nHARD STOP\n" },
    turns: [{ files: { ...WORK, "TODO.md": "- [x] write\n- [x] publish\nHARD STOP\n" } }],
    ...looksAt,
  },
  {
    agent: "takes the checkpoint of a plan away and ticks everything off",
    rows: "POST 4b, C45, R-27",
    flags: { ...TODO, backlog: "checklist" },
    files: CHECKPOINT,
    turns: [{ files: { ...WORK, "TODO.md": "- [x] write\n- [x] publish\n" } }],
    ...looksAt,
  },
  {
    agent: "hides the checkpoint behind words of its own in the first turn of several",
    rows: "POST 4b, C45, POST 9",
    flags: { ...SUCCESS, ...TODO },
    files: CHECKPOINT,
    turns: [{ files: { ...BUSY, "TODO.md": "- [ ] write\n- [ ] publish\n" } }, { files: WORK }],
    ...looksAt,
  },
  {
    agent: "is done, and lets the checkpoint stand",
    rows: "C17, POST 5",
    flags: { ...SUCCESS, ...TODO },
    files: CHECKPOINT,
    turns: [{ files: { ...WORK, "TODO.md": "- [x] write\nHARD STOP: review\n- [x] publish\n" } }],
    ends: "success_command",
    status: "completed",
    at: 1,
    earliest: 1,
  },
  {
    agent: "moves the checkpoint with the text around it, and is done",
    rows: "C17, POST 5",
    flags: { ...SUCCESS, ...TODO },
    files: CHECKPOINT,
    turns: [{ files: { ...WORK, "TODO.md": "# Todo\n\n* [x] write\n* [x] publish\n\n  HARD STOP: review\n" } }],
    ends: "success_command",
    status: "completed",
    at: 1,
    earliest: 1,
  },
  {
    agent: "ticks a checkpoint that is an item, and is done",
    rows: "C10, C17, POST 5",
    flags: { ...SUCCESS, ...TODO },
    files: { "TODO.md": "- [ ] write\n- [ ] HARD STOP: review\n" },
    turns: [{ files: { ...WORK, "TODO.md": "- [x] write\n- [x] HARD STOP: review\n" } }],
    ends: "success_command",
    status: "completed",
    at: 1,
    earliest: 1,
  },
  {
    agent: "throws away a todo file without a checkpoint",
    rows: "C45, POST 5",
    flags: { ...SUCCESS, ...TODO },
    files: { "TODO.md": "- [ ] write\n" },
    turns: [{ files: WORK, delete: ["TODO.md"] }],
    ends: "success_command",
    status: "completed",
    at: 1,
    earliest: 1,
  },
  {
    agent: "sets itself a checkpoint for later, and is done before it",
    rows: "C17, POST 5",
    flags: { ...SUCCESS, ...TODO },
    files: { "TODO.md": "- [ ] write\n" },
    turns: [{ files: { ...WORK, "TODO.md": "- [ ] write\nHARD STOP: before publishing\n" } }],
    ends: "success_command",
    status: "completed",
    at: 1,
    earliest: 1,
  },
];
