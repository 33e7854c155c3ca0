import { entryOf, type Ledger, parseLedger } from "../../src/core/story/ledger.ts";
import type { LoopState } from "../../src/core/state.ts";
import type { Stories } from "../../src/core/story/stories.ts";
import { recordText } from "../../src/store/carried-record.ts";
import { aState, AT } from "../support/builders.ts";
import { type Ci, type CiJob, startCi } from "../support/ci/ci.ts";
import { aPull } from "../support/github-api/rows.ts";
import { aCarriedRecord } from "../support/fake-carriers.ts";
import { type GitRepository, gitRepository } from "../support/git-repository.ts";
import type { Job } from "../support/runner/runner.ts";

export const PRD_FILE = ".daedalus/prds/shop/prd.json";

/** A story of the PRD; `check` is the command of its one criterion. */
export function aStory(number: number, more: object = {}): object {
  const id = `US-${String(number).padStart(3, "0")}`;
  return {
    ...{ id, title: `Story ${number}`, description: "", acceptanceCriteria: ["It works."], priority: number },
    ...{ passes: false, dependsOn: [], checks: [{ criterion: 1, run: `test -f ${number}.txt` }] },
    ...more,
  };
}

export function aPrd(stories: readonly object[]): string {
  const named = { project: "Shop", branchName: "shop", description: "A shop." };
  return `${JSON.stringify({ ...named, userStories: stories }, null, 2)}\n`;
}

/** What a story's job has left. */
export interface Left {
  readonly story: string;
  readonly loop: string;
  /** by path; null deletes */
  readonly files?: Readonly<Record<string, string | null>>;
  /** in place of the right ones */
  readonly message?: string;
  /** what its commit is built on; the wave's commit, unless said */
  readonly on?: string;
  /** false: no branch is left */
  readonly pushes?: boolean;
  /** of the story in the record; null: no record is left */
  readonly record?: Partial<Stories["records"][number]> | null;
  readonly state?: Partial<LoopState>;
  /** whether its pull request is open */
  readonly pull?: boolean;
}

/** A wave of the PRD `shop` that has begun, and what happens to it. */
export interface LandStage extends AsyncDisposable {
  readonly ci: Ci;
  readonly clone: GitRepository;
  /** Begins a wave. @returns its commit */
  plan(job?: CiJob): Promise<Job>;
  leave(left: Left): Promise<string>;
  land(job?: CiJob): Promise<Job>;
  ledger(): Promise<Ledger>;
  entry(id: string): Promise<ReturnType<typeof entryOf>>;
  /** subjects of the branch's commits that main does not hold, the oldest first */
  landed(): Promise<readonly string[]>;
  pullOf(branch: string): { readonly state: string; readonly comments: readonly string[] } | undefined;
}

const RUN = "8001";
const WORKFLOW = "o/r/.github/workflows/prd.yml@refs/heads/main";

export async function landStage(
  stories: readonly object[],
  files: Readonly<Record<string, string>> = {},
): Promise<LandStage> {
  await using stack = new AsyncDisposableStack();
  const ci = stack.use(
    await startCi({ files: { "README.md": "hello\n", [PRD_FILE]: aPrd(stories), ...files }, byRef: true }),
  );
  ci.api.world.workflows.push({ path: ".github/workflows/prd.yml", inputs: ["smithers"] });
  const clone = stack.use(await gitRepository({}));
  const git = (...args: string[]) => ci.remote.git(...args);
  const on = async (job: CiJob): Promise<Job> => {
    await using machine = await ci.machine({ depth: 1 });
    const github = { run_id: RUN, workflow_ref: WORKFLOW, ...job.github };
    return await machine.run({ inProcess: true, ...job, github });
  };
  const ledger = async (): Promise<Ledger> => {
    const read = parseLedger(await git("show", "refs/smithers-prd/shop:ledger.json"), "shop");
    if (!read.ok) throw new Error(read.trouble.because);
    return read.value;
  };
  const owned = stack.move();
  return {
    ...{ ci, clone, ledger },
    plan: (job = {}) => on({ ...job, inputs: { job: "plan", prd: "shop", "wave-size": "8", ...job.inputs } }),
    land: (job = {}) =>
      on({
        attempt: 1,
        ...job,
        inputs: {
          job: "land",
          prd: "shop",
          "check-sandbox": "off",
          "quality-commands": "test -f README.md",
          ...job.inputs,
        },
      }),
    entry: async (id) => entryOf(await ledger(), id),
    leave: (left) => leave(ci, clone, left),
    landed: async () => {
      const listed = await git("log", "--reverse", "--format=%s", "refs/heads/shop", "^refs/heads/main");
      return listed === "" ? [] : listed.split("\n");
    },
    pullOf: (branch) => {
      const { issues, comments } = ci.api.world;
      const found = issues.find(({ pull }) => pull?.headBranch === branch);
      if (found === undefined) return undefined;
      const said = comments.filter(({ issue }) => issue === found.number).map(({ body }) => body);
      return { state: found.state, comments: said };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function leave(ci: Ci, clone: GitRepository, left: Left): Promise<string> {
  const { story, loop, files = {}, on = "refs/heads/shop", pushes = true, record = {}, state = {}, pull = true } = left;
  const trailers = `Smithers-Loop: ${loop}\nSmithers-Iteration: 1\nSmithers-Story: ${story}\nSmithers-Prd: shop`;
  const message = left.message ?? `feat: [${story}] - x\n\n${trailers}`;
  const commit = await leaveBranch(ci, clone, { loop, on, files, message, pushes, base: pull ? "shop" : null });
  if (record === null) return commit;
  const known: Stories = {
    ...{ prd: "shop", total: 3, active: story, passed_in_run: 1 },
    records: [
      {
        ...{ id: story, title: "x", state: "passed", digest: "d", attempts: 1, blocked: null, before: null },
        passing: { how: "proved", commit, by: null, at: AT, proved: 1, criteria: 1 },
        ...{ words: null, patch: null, changed: false, gone: false },
        ...record,
      },
    ],
  };
  const stop_reason = { kind: "stories_passed", passed: 1, total: 3 } as const;
  await leaveRecord(ci, clone, loop, { status: "completed", stop_reason, stories: known, ...state });
  return commit;
}

/** The branch of a loop, with one commit. @param base of its pull request; null: it has none */
export async function leaveBranch(
  { remote, api }: Ci,
  clone: GitRepository,
  {
    loop,
    on,
    files,
    message,
    pushes = true,
    base,
  }: Pick<Left, "loop" | "pushes"> &
    Required<Pick<Left, "on" | "files" | "message">> & { readonly base: string | null },
): Promise<string> {
  const branch = `smithers/${loop}`;
  await clone.git("fetch", "-q", remote.folder, on.startsWith("refs/") ? on : "refs/heads/*:refs/all/*");
  await clone.git("checkout", "-q", "-f", "--detach", on.startsWith("refs/") ? "FETCH_HEAD" : on);
  for (const [name, text] of Object.entries(files)) {
    if (text === null) await clone.git("rm", "-q", name);
    else await clone.write(name, text);
  }
  await clone.git("add", "-A", "-f");
  await clone.git("commit", "-q", "--allow-empty", "-m", message);
  const commit = await clone.git("rev-parse", "HEAD");
  if (pushes) await clone.git("push", "-q", "-f", remote.folder, `HEAD:refs/heads/${branch}`);
  if (pushes && base !== null) api.world.issues.push(aPull({ number: api.world.nextId(), headBranch: branch, base }));
  return commit;
}

/** What the loop says of itself on its ref. */
export async function leaveRecord(
  { remote }: Pick<Ci, "remote">,
  clone: GitRepository,
  loop: string,
  state: Partial<LoopState>,
): Promise<void> {
  const whole = aState({ loop_id: loop, revision: 3, ...state });
  const text = recordText(aCarriedRecord(3, { loop_id: loop, state: whole }));
  await clone.git("checkout", "-q", "-f", "--orphan", `record-${Math.random().toString(36).slice(2)}`);
  await clone.git("rm", "-q", "-r", "-f", "--ignore-unmatch", ".");
  await clone.write("record.json", text);
  await clone.git("add", "record.json");
  await clone.git("commit", "-q", "-m", "record");
  await clone.git("push", "-q", "-f", remote.folder, `HEAD:refs/smithers-loops/${loop}`);
}
