import type { StoryExamined, StoryGivenUp, StoryShelved } from "../events.ts";
import { OperationalError } from "../errors.ts";
import { timestamp } from "../open-loop.ts";
import type { StopReason } from "../outcome.ts";
import type { Ports } from "../ports.ts";
import type { LoopState } from "../state.ts";
import type { Move } from "../stop/rule.ts";
import { workUntil, type Task } from "../task.ts";
import { commandsBefore, commandsOf } from "./passed-commands.ts";
import { putBackDocuments } from "./put-back.ts";
import { recordOf, storyDigest, withRecord } from "./stories.ts";
import type { Story } from "./story.ts";

interface Work {
  readonly task: Task;
  readonly state: LoopState;
  readonly ports: Ports;
}

type StoryMove = Extract<Move, { do: "examine" | "give_up" | "shelve" }>;

/** @returns what has happened, or why the loop ends instead; undefined: nothing that could be said */
export async function moveStory(
  work: Work,
  move: StoryMove,
  signal: AbortSignal,
): Promise<StoryExamined | StoryGivenUp | StoryShelved | StopReason | undefined> {
  switch (move.do) {
    case "examine":
      return examine(work, move.story, signal);
    case "give_up":
      return { type: "story_given_up", story: move.story, at: timestamp(work.ports.clock.now()) };
    case "shelve":
      return shelve(work, move);
  }
}

/**
 * Asks the commands of a story before it begins, and those of passed ones of which it is not known what they say; undefined:
 * they were cut off, and say nothing.
 */
async function examine(
  { task, state, ports: { gate, clock, digest } }: Work,
  story: Story,
  signal: AbortSignal,
): Promise<StoryExamined | StopReason | undefined> {
  const { id, title } = story;
  const { iteration } = state;
  const deadline = workUntil(task.limits);
  const others = commandsBefore(task, state, id);
  const evidence = { iteration, occasion: "story", deadline, commands: [...commandsOf(story), ...others] } as const;
  const verdict = await gate.judge(evidence, signal);
  if (verdict.result === "cut_off") return undefined;
  if (verdict.result === "unrunnable") return { kind: "gate_unrunnable", problem: verdict.problem };
  const green = new Set(verdict.checks.filter(({ exitCode }) => exitCode === 0).map(({ command }) => command));
  const before = [...new Set(story.checks.map(({ run }) => run))].map((run) => ({ run, green: green.has(run) }));
  const red = others.filter(
    ({ run }, index) => !green.has(run) && others.findIndex((one) => one.run === run) === index,
  );
  return {
    ...{ type: "story_examined", id, title, digest: storyDigest(story, digest), before },
    ...(others.length === 0
      ? {}
      : {
          others: {
            asked: new Set(others.map(({ run }) => run)).size,
            red: red.map(({ story, run }) => ({ story, run })),
          },
        }),
    at: timestamp(clock.now()),
  };
}

/**
 * Takes out of the work tree what a story has left unfinished, before another one begins: nothing of it may get into
 * that one's commit. It is kept as a patch in the loop's folder.
 *
 * Idempotent until its event is written: found done, it says what it did the first time.
 */
async function shelve(
  { state, ports }: Work,
  { story: id }: Extract<Move, { do: "shelve" }>,
): Promise<StoryShelved | StopReason> {
  const { workspace, clock } = ports;
  const { stories: known, last_turn: turn, iteration } = state;
  const record = known && recordOf(known, id);
  const left = known && record?.state === "in_progress" ? withRecord(known, { ...record, state: "pending" }) : known;
  // What the engine itself has written into the documents is none of the story's work.
  await putBackDocuments({ ...state, stories: left }, ports);
  const hasWork = (await workspace.pendingFiles()) > 0 || (turn?.item === id && (turn.pending ?? 0) > 0);
  const file = `${id}-${iteration}.patch`;
  try {
    await workspace.setAside(file);
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    const { code, message: what, next } = error;
    return { kind: "commit_refused", problem: { code, what, next } };
  }
  await putBackDocuments({ ...state, stories: left }, ports);
  const snapshot = await workspace.snapshot();
  return { type: "story_shelved", id, patch: hasWork ? file : null, snapshot, at: timestamp(clock.now()) };
}
