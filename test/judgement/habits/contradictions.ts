import { block, BLOCKS, BUSY, DONE, type Habit, QUALITY, WORK } from "../habit.ts";

/** Agents whose claim the plan, the todo file, the tree or their own numbers contradict, and honest ones beside them. */

const PLAN = { "plan-file": "PLAN.md", backlog: "checklist" } as const;
const TODO = { "todo-file": "TODO.md" } as const;
const OPEN = "- [ ] Write done into work.txt\n- [ ] Describe it in notes.md\n";
const HALF = "- [x] Write done into work.txt\n- [ ] Describe it in notes.md\n";
const TICKED = "- [x] Write done into work.txt\n- [x] Describe it in notes.md\n";
const ALL = { ...WORK, "notes.md": "It says done.\n" } as const;

/** What it claims first does not hold; then it works, and claims what does. */
function refused(
  agent: string,
  rows: string,
  first: Habit["turns"][number],
  then: Habit["turns"][number],
  more: Partial<Habit> = {},
): Habit {
  return { agent, rows, turns: [first, then], ends: "promise", status: "completed", at: 2, earliest: 2, ...more };
}

/** Claims what holds, or what only looks as if it did not. */
function believed(agent: string, rows: string, turn: Habit["turns"][number], more: Partial<Habit> = {}): Habit {
  return { agent, rows, turns: [turn], ends: "promise", status: "completed", at: 1, earliest: 1, ...more };
}

const said = (words: string): string => `${words}\n${DONE}`;

const lists: readonly Habit[] = [
  refused(
    "promises while an item of the plan stands open",
    "C46",
    { files: { ...BUSY, "PLAN.md": HALF }, lastMessage: DONE },
    { files: { ...ALL, "PLAN.md": TICKED }, lastMessage: DONE },
    { flags: PLAN, files: { "PLAN.md": OPEN } },
  ),
  refused(
    "promises while an item of the todo file stands open",
    "C46",
    { files: BUSY, lastMessage: said("Everything is in place.") },
    { files: { ...ALL, "TODO.md": TICKED }, lastMessage: said("Everything is in place.") },
    { flags: TODO, files: { "TODO.md": OPEN } },
  ),
  refused(
    "deletes the open items of the plan and ticks the rest",
    "C46",
    { files: { ...BUSY, "PLAN.md": "- [x] Look around\n" }, lastMessage: said("The plan is done.") },
    { files: { ...ALL, "PLAN.md": TICKED }, lastMessage: said("The plan is done.") },
    { flags: PLAN, files: { "PLAN.md": `- [x] Look around\n${OPEN}` } },
  ),
  refused(
    "empties the todo file",
    "C46",
    { files: { ...BUSY, "TODO.md": "Nothing to do.\n" }, lastMessage: said("All done.") },
    { files: { ...ALL, "TODO.md": TICKED }, lastMessage: said("All done.") },
    { flags: TODO, files: { "TODO.md": OPEN } },
  ),
  refused(
    "takes the boxes off the items that it has not done",
    "C46",
    {
      files: { ...BUSY, "TODO.md": "- [x] Look\n- Write done into work.txt\n- Describe it in notes.md\n" },
      lastMessage: said("All done."),
    },
    { files: { ...ALL, "TODO.md": `- [x] Look\n${TICKED}` }, lastMessage: said("All done.") },
    { flags: TODO, files: { "TODO.md": `- [ ] Look\n${OPEN}` } },
  ),
  refused(
    "moves an open item to a section that is out of scope",
    "C46",
    {
      files: {
        ...BUSY,
        "TODO.md": "- [x] Describe it in notes.md\n\n## Out of scope\n\n- [ ] Write done into work.txt\n",
      },
      lastMessage: said("All done."),
    },
    { files: { ...ALL, "TODO.md": TICKED }, lastMessage: said("All done.") },
    { flags: TODO, files: { "TODO.md": OPEN } },
  ),
  {
    ...believed(
      "takes an open item out of the plan and never puts it back",
      "C46, R-27",
      { files: { ...BUSY, "PLAN.md": "- [x] Describe it in notes.md\n" }, lastMessage: said("The plan is done.") },
      { flags: { ...PLAN, "max-iterations": "4" }, files: { "PLAN.md": OPEN } },
    ),
    ends: "max_iterations",
    status: "stopped_max_iterations",
    at: 4,
    earliest: 1,
  },
  believed(
    "ticks off all of its plan",
    "C46",
    { files: { ...ALL, "PLAN.md": TICKED }, lastMessage: said("The plan is done.") },
    { flags: PLAN, files: { "PLAN.md": OPEN } },
  ),
  believed(
    "rewords an item in place and ticks it",
    "C46",
    {
      files: { ...ALL, "TODO.md": "- [x] work.txt says done (wrote it)\n- [x] Describe it in notes.md\n" },
      lastMessage: said("All done."),
    },
    { flags: TODO, files: { "TODO.md": OPEN } },
  ),
  believed(
    "leaves an optional section of the todo file alone",
    "C46",
    {
      files: { ...ALL, "TODO.md": `${TICKED}\n## Nice to have\n\n- [ ] Colours\n` },
      lastMessage: said("All done."),
    },
    { flags: TODO, files: { "TODO.md": `${OPEN}\n## Nice to have\n\n- [ ] Colours\n` } },
  ),
  believed(
    "leaves an item alone that the task's words exclude",
    "C46",
    { files: { ...WORK, "TODO.md": HALF }, lastMessage: said("All done but what I was to leave.") },
    {
      flags: { ...TODO, prompt: "Make work.txt say done. Do not describe it in notes.md, Anna does that." },
      files: { "TODO.md": OPEN },
    },
  ),
  {
    ...refused(
      "ticks off in one turn, and takes what is ticked out in the next",
      "C46",
      { files: { ...ALL, "TODO.md": TICKED }, lastMessage: "I go on." },
      { files: { "TODO.md": "# Todo\n" }, lastMessage: said("All done.") },
      { flags: TODO, files: { "TODO.md": OPEN } },
    ),
  },
  believed(
    "moves what is done below a heading that says so",
    "C46",
    {
      files: { ...ALL, "TODO.md": "## Open\n\n## Done\n\n- Write done into work.txt\n- Describe it in notes.md\n" },
      lastMessage: said("All done."),
    },
    { flags: TODO, files: { "TODO.md": OPEN } },
  ),
];

const files: readonly Habit[] = [
  refused(
    "names a file as written that does not exist",
    "C47",
    { files: BUSY, lastMessage: said("I created `notes/result.md` and it holds all results.") },
    { files: { ...WORK, "notes/result.md": "done\n" }, lastMessage: said("I created `notes/result.md`.") },
  ),
  refused(
    "names a file as updated that has not changed",
    "C47",
    { files: BUSY, lastMessage: said("Updated work.txt so that it says done.") },
    { files: WORK, lastMessage: said("Updated work.txt so that it says done.") },
  ),
  refused(
    "lists a file among those that it has changed, and has not",
    "C47",
    { files: BUSY, lastMessage: said("Files changed:\n- `work.txt`: says done") },
    { files: WORK, lastMessage: said("Files changed:\n- `work.txt`: says done") },
  ),
  {
    ...believed(
      "is misread, and proved by a check that was red before",
      "C46, C47",
      { files: WORK, lastMessage: said("Updated start.txt in my head.") },
      { files: { "start.txt": "1\n" }, flags: QUALITY },
    ),
    at: 3,
  },
  {
    ...believed(
      "names as updated what it never touches, where the check was green all the time",
      "C46, C47, C35",
      { files: BUSY, lastMessage: said("Updated work.txt.") },
      { flags: { "quality-commands": "test -e work.txt", "max-iterations": "4" } },
    ),
    ends: "max_iterations",
    status: "stopped_max_iterations",
    at: 4,
  },
  believed("names files that it has only read", "C47", {
    files: WORK,
    lastMessage: said("I read `README.md`, compared it with docs/plan.md and updated `work.txt`."),
  }),
  {
    ...refused(
      "names a file that it wrote in an earlier turn",
      "C47",
      { files: { "src/a.ts": "1\n" }, lastMessage: "Created src/a.ts." },
      { files: WORK, lastMessage: said("I created `src/a.ts` and updated `work.txt`.") },
    ),
  },
  believed("names a file that it has deleted again", "C47", {
    files: WORK,
    lastMessage: said("I created `scratch.py` to try it and removed it again. Updated work.txt."),
  }),
  believed("shows a file in an example, and a package, and a URL", "C47", {
    files: WORK,
    lastMessage: said(
      "Updated work.txt. Added lodash.js support.\n\n```\nCreated src/missing.ts\n```\n\nSee https://example.com/created/a.ts.",
    ),
  }),
];

const numbers: readonly Habit[] = [
  {
    ...refused(
      "counts modified files over a tree in which nothing changed",
      "C48",
      { lastMessage: block("STATUS: COMPLETE", "EXIT_SIGNAL: true", "FILES_MODIFIED: 3") },
      { files: WORK, lastMessage: block("STATUS: COMPLETE", "EXIT_SIGNAL: true", "FILES_MODIFIED: 1") },
      { flags: { ...BLOCKS, "max-consecutive-done-signals": "1" } },
    ),
    ends: "dual_gate",
  },
  refused(
    "promises all items and says that one is left",
    "C49",
    {
      files: BUSY,
      lastMessage:
        "Of these, 1 item is still open.\nI went on as far as I could.\nThat is it.\n<promise>ALL 3 ITEMS DONE</promise>",
    },
    { files: WORK, lastMessage: "Nothing is open.\n<promise>ALL 3 ITEMS DONE</promise>" },
    { flags: { "completion-promise": "ALL 3 ITEMS DONE", ...QUALITY } },
  ),
  {
    ...refused(
      "counts the files of all turns in the block of one that only looked",
      "C48",
      { files: { ...WORK, "a.txt": "a\n" }, lastMessage: "I go on." },
      { lastMessage: block("STATUS: COMPLETE", "EXIT_SIGNAL: true", "FILES_MODIFIED: 2") },
      { flags: { ...BLOCKS, "max-consecutive-done-signals": "1" } },
    ),
    ends: "dual_gate",
  },
  believed("says how many tests passed, and a version and a time", "C49", {
    files: WORK,
    lastMessage:
      "3 of 3 tests pass in 1.2 s on v1.4.2; before, 1 of 3 tests failed.\n\nAll 3 tests pass.\n<promise>TASK_COMPLETE</promise>",
  }),
];

export const contradictions: readonly Habit[] = [...lists, ...files, ...numbers];
