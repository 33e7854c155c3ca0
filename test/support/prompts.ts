import { continuePrompt, firstPrompt } from "../../src/core/prompt/prompt.ts";
import type { LoopState } from "../../src/core/state.ts";
import { aBrief, aLastTurn, aRedCheck, aState, aTask, aVerdict, digest, type TaskOverrides } from "./builders.ts";
import { aPrd, aPrdTask, aRecord, aStory, someStories } from "./stories.ts";

/** A way to set a loop up that changes what a prompt says. */
export interface PromptVariant {
  readonly name: string;
  readonly first: string;
  /** of a session that goes on, after a turn whose checks are red */
  readonly later: string;
  /** what of these prompts is no scaffold: the task, items, commands, what the checks and the agent have said */
  readonly given: readonly string[];
}

const PROMPT = "Make the tests pass.";
const CHECK = "npm test";
const OUTPUT = "not ok 1 - adds";
const TEST = "adds";
const LAST_WORDS = "I changed the sum.";
const STAT = "src/sum.js | +1 -1";

const FAILING = { failing: [TEST], failing_count: 1, failing_digest: digest(TEST), early: false };

const AFTER_A_TURN: Partial<LoopState> = {
  iteration: 2,
  last_turn: aLastTurn({
    summary: LAST_WORDS,
    change: { files: 1, added: 1, removed: 1, stat: STAT, only_tests: false },
  }),
  verdict: aVerdict("failed", [aRedCheck({ command: CHECK, tail: OUTPUT })]),
  failing: FAILING,
  baseline: FAILING,
};

const GIVEN = [PROMPT, CHECK, OUTPUT, TEST, LAST_WORDS, STAT];

function variant(name: string, overrides: TaskOverrides, given: readonly string[] = []): PromptVariant {
  const { identity = {}, ...more } = overrides;
  const checks = { quality: [CHECK], ...identity.checks };
  const task = aTask({ ...more, identity: { ...identity, prompt: PROMPT, checks } });
  const brief = (state: Partial<LoopState>) => aBrief({ task, state: aState(state, task) });
  return {
    name,
    first: firstPrompt({ ...brief({ iteration: 1 }), progress: "" }),
    later: continuePrompt(brief(AFTER_A_TURN)),
    given: [...GIVEN, ...given],
  };
}

function ofStory(): PromptVariant {
  const story = aStory("US-001");
  const task = aPrdTask(aPrd([story]));
  const stories = someStories([aRecord("US-001", { state: "in_progress", attempts: 1 })], { active: "US-001" });
  const item = { id: story.id, title: story.title, text: "" };
  const brief = (state: Partial<LoopState>) => aBrief({ task, item, state: aState({ stories, ...state }, task) });
  return {
    name: "a story of a PRD",
    first: firstPrompt({ ...brief({ iteration: 1 }), progress: "" }),
    later: continuePrompt(brief(AFTER_A_TURN)),
    given: [...GIVEN, story.title, story.description, ...story.criteria],
  };
}

/** Every way to set a loop up that adds to its prompts, the usual one first. */
export function promptVariants(): readonly PromptVariant[] {
  const plan = { path: "PLAN.md", agentFile: "AGENT.md" };
  return [
    variant("a promise and checks", {}),
    variant("checks alone", { identity: { promise: { mode: "off" } } }),
    variant("a pattern", { identity: { promise: { mode: "regex", text: "^DONE$" } } }),
    variant("a done token", { identity: { promise: { mode: "off" }, doneToken: "DONE" } }),
    variant("a todo file", { identity: { todo: {} } }),
    variant("a plan with Ralph's block", {
      identity: { promise: { mode: "off" }, plan, todo: {} },
      runtime: { statusBlock: "ralph" },
    }),
    variant("Loopr's block", { identity: { promise: { mode: "off" } }, runtime: { statusBlock: "loopr" } }),
    variant("everything at once", {
      identity: { plan, todo: {}, doneToken: "READY", checks: { ci: "ci.yml" } },
      runtime: { statusBlock: "loopr" },
    }),
    variant("a promise and Loopr's block", { runtime: { statusBlock: "loopr" } }),
    ofStory(),
  ];
}

/** What a prompt holds besides what was given, in tokens: bytes / 4. */
export function scaffoldTokens(prompt: string, given: readonly string[]): number {
  const bytes = (text: string): number => Buffer.byteLength(text);
  const isIn = given.filter((text) => text !== "" && prompt.includes(text));
  return Math.ceil((bytes(prompt) - isIn.reduce((sum, text) => sum + bytes(text), 0)) / 4);
}
