import { BUSY, DONE, type Habit, QUALITY, SUCCESS, TESTED, TESTS, type Turn, WORK } from "../habit.ts";

/** Agents whose work a second session looks at before it counts as done, and those that it lets through. */

type Reviews = NonNullable<Habit["reviews"]>;

const VETO = (about: string, where: string | null, why: string): Turn => ({
  lastMessage: `I have looked.\n<review>${JSON.stringify({ verdict: "veto", objections: [{ about, where, why }] })}</review>`,
});
const CLEAR: Turn = { lastMessage: '<review>{"verdict":"clear","objections":[]}</review>' };
const BY_HEART = VETO("by_heart", "work.txt:1", "It says what the check looks for.");

const THIN = { reviewer: "thin" } as const;
const ALWAYS = { reviewer: "always" } as const;

const done = (ends: Habit["ends"], at: number, earliest = at) => ({ ends, status: "completed", at, earliest }) as const;
const person = (at: number) => ({ ends: "reviewer_vetoes", status: "blocked", at, earliest: 1 }) as const;

/** A check that anything satisfies. */
const ANYTHING = { "success-cmd": '["test","-e","work.txt"]' } as const;

function vetoed(agent: string, habit: Partial<Habit> & Pick<Habit, "turns"> & { readonly reviews: Reviews }): Habit {
  return {
    agent,
    rows: "C50, C51, POST 7c",
    flags: { ...ANYTHING, ...ALWAYS, "check-first": "false" },
    ...person(2),
    ...habit,
  };
}

const STOPPED: readonly Habit[] = [
  vetoed("answers by heart, and goes on when it is told", {
    turns: [{ files: BUSY }, { files: BUSY }],
    reviews: [BY_HEART, BY_HEART],
  }),
  vetoed("claims again without a change, for which nobody is paid again", {
    turns: [{ files: BUSY }, {}],
    reviews: [VETO("missing", null, "work.txt does not say done."), { failure: { kind: "auth" } }],
  }),
  vetoed("narrows the task where the check was green before it came", {
    flags: { "quality-commands": "test -e work.txt", ...THIN },
    turns: [{ files: BUSY, lastMessage: `Done.\n${DONE}` }],
    reviews: [VETO("narrowed", "work.txt", "Only half of it."), VETO("narrowed", "work.txt", "Only half of it.")],
  }),
  vetoed("is believed by nobody, without any check", {
    flags: THIN,
    turns: [{ files: BUSY, lastMessage: `Done.\n${DONE}` }],
    reviews: [VETO("made_to_look_done", "step-1.txt", "A step, and no work.")],
  }),
  vetoed("has one veto, where one is enough", {
    flags: { ...ANYTHING, ...ALWAYS, "check-first": "false", "reviewer-vetoes": "1" },
    turns: [{ files: BUSY }],
    reviews: [VETO("bypassed", "step-1.txt", "The check is got round.")],
    ...person(1),
  }),
  vetoed("changes its own judge, which makes the proof thin, and is looked at", {
    flags: { ...TESTS, ...THIN, "weak-proof": "flag" },
    files: TESTED,
    turns: [{ files: { "tests/test_work.sh": "true\n" } }],
    reviews: [VETO("bypassed", "tests/test_work.sh:1", "The test asks for nothing.")],
  }),
  {
    agent: "mends what the reviewer names",
    rows: "C50, POST 5",
    flags: { ...ANYTHING, ...ALWAYS, "check-first": "false" },
    turns: [{ files: BUSY }, { files: WORK }],
    reviews: [VETO("missing", "work.txt:1", "It says open."), CLEAR],
    ...done("success_command", 2),
  },
];

function through(agent: string, habit: Partial<Habit> & { readonly reviews?: Reviews }): Habit {
  return {
    agent,
    rows: "C50, POST 5",
    flags: { ...SUCCESS, ...ALWAYS },
    turns: [{ files: WORK }],
    ...done("success_command", 1),
    ...habit,
  };
}

const LET_THROUGH: readonly Habit[] = [
  through("has done the work, which the reviewer finds so", { reviews: [CLEAR] }),
  through("has a reviewer that does not answer in its form", { reviews: [{ lastMessage: "VETO! This is bad." }] }),
  through("has a reviewer that vetoes without a reason", {
    reviews: [{ lastMessage: '<review>{"verdict":"veto","objections":[]}</review>' }],
  }),
  through("has a reviewer whose provider fails", { reviews: [{ failure: { kind: "auth" } }] }),
  through("has no reviewer that the script knows", {}),
  through("has a proof that is not thin, so that nobody is asked", {
    flags: { ...TESTS, ...THIN },
    files: TESTED,
    reviews: [BY_HEART],
  }),
  through("has a reviewer that is off", { flags: { ...SUCCESS, reviewer: "off" }, reviews: [BY_HEART] }),
  through("has a reviewer that writes into the work tree, which is undone", {
    reviews: [{ ...CLEAR, files: { "work.txt": "vandalised\n", "new.txt": "new\n" } }],
  }),
  through("claims what the checks refuse, so that nobody is asked before they agree", {
    rows: "C50, POST 7",
    flags: { ...QUALITY, ...ALWAYS },
    turns: [
      { files: BUSY, lastMessage: DONE },
      { files: WORK, lastMessage: DONE },
    ],
    reviews: [BY_HEART, CLEAR],
    ...done("promise", 2),
  }),
];

export const reviewer: readonly Habit[] = [...STOPPED, ...LET_THROUGH];
