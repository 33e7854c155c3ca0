import { expect } from "vitest";
import type { Ci, CiJob, CiMachine } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { gitRepository, pushFile } from "../support/git-repository.ts";
import type { IssueRow } from "../support/github-api/server.ts";
import type { Job } from "../support/runner/runner.ts";

/** In iteration 2 the work is done. */
const TASK = scriptedTask([{ files: { "a.txt": "a\n" } }, { files: { "done.txt": "done\n" } }]);

/** Turns that are never done: each writes a file. */
const STEPS = { turns: [{ files: { "n{{iteration}}.txt": "n\n" } }] };

export const FILES = { ...TASK.files, "steps.json": JSON.stringify(STEPS) };

/** Never done. */
export const ON_AND_ON = { script: "steps.json" };

/** A run of a loop, on an empty machine unless one is given. */
export async function work(
  ci: Ci,
  loop: string,
  inputs: Readonly<Record<string, string>> = {},
  job: CiJob & { readonly on?: CiMachine } = {},
): Promise<Job> {
  const { on, ...rest } = job;
  await using made = on === undefined ? await ci.machine() : undefined;
  const machine = on ?? made;
  if (machine === undefined) throw new Error("there is no machine");
  const all = { ...TASK.inputs, "job-timeout-minutes": "60", "loop-id": loop, ...inputs };
  return await machine.run({ ...rest, inputs: all });
}

/** What people are told, by annotations. */
export function told({ main, posts }: Job): string {
  const all = [main, ...posts].flatMap(({ commands }) => commands);
  return all
    .filter(({ name }) => ["notice", "warning", "error"].includes(name))
    .map(({ data }) => data)
    .join("\n");
}

/** The pull requests of a loop's branches. */
export function pullsOf({ api }: Ci, branch: string): readonly IssueRow[] {
  return api.world.issues.filter(({ pull }) => pull?.headBranch.startsWith(branch) === true);
}

/** What is said on the pull requests of a branch, and on the commit of it. */
export function saidOn({ api }: Ci, pulls: readonly IssueRow[]) {
  const { reviews, comments, statuses } = api.world;
  const numbers = new Set(pulls.map(({ number }) => number));
  const head = statuses.at(-1)?.sha;
  return {
    drafts: pulls.map(({ pull }) => pull?.draft),
    reviews: reviews.filter(({ pull }) => numbers.has(pull)).length,
    comments: comments.filter(({ issue }) => numbers.has(issue)).length,
    statuses: statuses.filter(({ sha }) => sha === head).map(({ state }) => state),
  };
}

/** The state in a loop's ref. */
export async function stateOf({ remote }: Ci, loop: string) {
  return JSON.parse(await remote.git("show", `refs/smithers-loops/${loop}:record.json`)).state;
}

/** Where a branch is; "" where it is not. */
export async function tipOf({ remote }: Ci, branch: string): Promise<string> {
  return remote.git("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`);
}

/** The names of the files on a branch, of those that loops and people write. */
export async function filesOn({ remote }: Ci, branch: string): Promise<readonly string[]> {
  const listed = await remote.git("ls-tree", "--name-only", `refs/heads/${branch}`);
  return listed.split("\n").filter((name) => name.endsWith(".txt"));
}

/** A person pushes `theirs.txt` to a branch, which begins at `main`. @returns the commit */
export async function pushByPerson({ remote }: Ci, branch: string): Promise<string> {
  await using clone = await gitRepository({});
  return await pushFile(clone, { remote: remote.folder, branch, name: "theirs.txt", message: "by a person" });
}

/** Ends a CI, of which GitHub's own description has found nothing wrong. */
export async function end(ci: Ci): Promise<void> {
  await ci[Symbol.asyncDispose]();
  expect(ci.api.problems).toEqual([]);
}
