import type { Command } from "../../app/command.ts";
import { printJson, printLines } from "../../app/shell.ts";
import type { StoryRecord } from "../../core/story/stories.ts";
import { prdFolder, readPrd } from "../../prd/folder.ts";
import { line, type Line, oneLine, type Tone } from "../../views/plain-text.ts";
import { invalidPrd } from "./issues.ts";
import { type KnownWork, workOn } from "./known-work.ts";
import { chosenPrd, workspaceOf } from "./place.ts";
import { type Standing, type StandingStory, standOf, storiesAsJson, tallyOf, tallyText } from "./stand.ts";

/** `smithers prd status`: how far each story is, and which one comes next. */
export const status: Command = async (invocation, shell) => {
  const home = await workspaceOf(invocation, shell);
  const name = await chosenPrd(home, invocation.operand, "status", shell);
  const work = await workOn(home, name, shell.env);
  const { document, issues } = await readPrd(work.root, name);
  if (document === undefined) throw invalidPrd(prdFolder(name), issues);
  const standing = standOf(document, work.state?.stories ?? null);
  const { project } = document.prd;
  if (invocation.json) printJson(shell, asJson({ prd: name, project }, work, standing));
  else printLines(shell, linesOf(`${name}: ${project}`, work, standing));
  return 0;
};

function asJson(about: object, { state, alive, worktree }: KnownWork, { stories, next }: Standing): object {
  const active = stories.find(({ record }) => record.state === "in_progress");
  const gone = (state?.stories?.records ?? []).filter((record) => record.gone).map(({ id }) => id);
  const loop = state && {
    ...{ id: state.loop_id, status: state.status, running: alive, iteration: state.iteration },
    stop_reason: state.stop_reason?.kind ?? null,
  };
  return {
    ...{ schema: 1, ...about, counts: tallyOf(stories) },
    ...{ active: active?.story.id ?? null, next: next?.id ?? null, stories: storiesAsJson(stories), gone },
    ...{ loop: loop ?? null, worktree },
  };
}

function linesOf(title: string, { state, alive, worktree }: KnownWork, standing: Standing): readonly Line[] {
  const { stories, next } = standing;
  const head = [title, tallyText(tallyOf(stories))].map((text) => line(oneLine(text), "strong"));
  const told = [
    ...(worktree === null ? [] : [`Worked on in ${worktree.folder}, on the branch ${worktree.branch}.`]),
    ...(state === undefined || !alive ? [] : [`Loop ${state.loop_id} is running, iteration ${state.iteration}.`]),
  ];
  const about = told.map((text) => line(oneLine(text)));
  return [...head, ...about, ...stories.map((one) => storyLine(one)), lastLine(stories, next)];
}

const WORDS = { pending: "open", in_progress: "in progress", passed: "passed" } as const;
const TONES: Readonly<Record<keyof typeof WORDS, Tone>> = { pending: "plain", in_progress: "strong", passed: "good" };
const STATE_WIDTH = 11;

function storyLine({ story, record }: StandingStory): Line {
  const { state, blocked } = record;
  const mark = state === "passed" ? null : blocked;
  const word = mark === null ? WORDS[state] : "blocked";
  const known = mark === null ? howOf(record) : oneLine(mark.why);
  const why = known === "" ? "" : ` (${known})`;
  const text = `  ${word.padEnd(STATE_WIDTH)}  ${story.id}  ${oneLine(story.title)}${why}`;
  return line(text, mark === null ? TONES[state] : "warn");
}

/** What a person wants to know of a story that is not blocked; "": nothing. */
function howOf({ state, attempts, passing, changed }: StoryRecord): string {
  if (state !== "passed") return attempts === 0 ? "" : `attempt ${attempts}`;
  const { how, by, commit, proved, criteria } = passing ?? NOT_KNOWN;
  const said = {
    proved: `proved ${proved} of ${criteria}: red before, green after`,
    accepted: `accepted by ${by ?? "a person"}`,
    taken_over: "taken over, not proved",
    unknown: "",
  }[how];
  const where = commit === null ? "" : commit.slice(0, COMMIT_SHOWN);
  const anew = changed ? "its text has changed since: retry it, if it has to be done anew" : "";
  return [said, where, anew]
    .filter((part) => part !== "")
    .map(oneLine)
    .join("; ");
}

const NOT_KNOWN = { how: "unknown", by: null, commit: null, proved: 0, criteria: 0 } as const;
const COMMIT_SHOWN = 10;

function lastLine(stories: readonly StandingStory[], next: Standing["next"]): Line {
  if (next !== undefined) return line(oneLine(`Next: ${next.id} ${next.title}`));
  const isDone = stories.every(({ record }) => record.state === "passed");
  return isDone ? line("Every story has passed.", "good") : line("No story can be begun.", "warn");
}
