import type { CodexRepository } from "../examples/repository.ts";
import { shellIn } from "../support/git-repository.ts";
import { aJob, aPull, aRun, type Dispatch, type RunRow } from "../support/github-api/server.ts";

export const CI_FILE = ".github/workflows/ci.yml";

/** What a failed `npm test` leaves in its job's log. */
export const logOf = (...lines: readonly string[]): string =>
  ["##[group]Run npm test", ...lines, "##[error]Process completed with exit code 1."]
    .map((line, at) => `2026-11-20T03:00:00.${at}234567Z ${line}`)
    .join("\n");

/** A pull request, of alice's unless it is said whose, whose branch has these files besides main's; its head. */
export async function pullRequest(
  { ci }: CodexRepository,
  number: number,
  name: string,
  content: string,
  { author = "alice", headBranch = `feature-${number}` } = {},
): Promise<string> {
  const script = `export GIT_INDEX_FILE=alice.index; git read-tree main
    git update-index --add --cacheinfo "100644,$(printf %s "$2" | git hash-object -w --stdin),$1"
    commit=$(git -c user.name=Alice -c user.email=17+alice@users.noreply.github.com commit-tree -p main -m Begin "$(git write-tree)")
    git update-ref "refs/heads/$0" "$commit"; echo "$commit"`;
  const tip = await shellIn(ci.remote.folder, script, headBranch, name, content);
  ci.api.world.issues.push(aPull({ number, headBranch, author }));
  return tip;
}

/** What lint prints, whatever the work is. */
const LINT = "lint is red on the base as well";

/** A run of CI that has ended, each of whose jobs has ended so; what failed in them is in the log of each, but for lint's own. */
export function runOfCi(
  { ci }: CodexRepository,
  run: Pick<RunRow, "id" | "branch" | "sha"> & Partial<RunRow>,
  jobs: Jobs,
  log: string,
): RunRow {
  const { world } = ci.api;
  const conclusion = Object.values(jobs).includes("failure") ? "failure" : "success";
  const row = aRun({ event: "pull_request", path: CI_FILE, conclusion, ...run });
  world.runs.push(row);
  addJobs(ci.api.world, run.id, jobs, log);
  return row;
}

type Jobs = Readonly<Record<string, "success" | "failure" | "skipped">>;

function addJobs(world: CodexRepository["ci"]["api"]["world"], runId: number, jobs: Jobs, log: string): void {
  for (const [name, conclusion] of Object.entries(jobs)) {
    const steps = { [name === "test" ? "Run npm test" : `Run npm run ${name}`]: conclusion };
    const printed = name === "lint" ? logOf(LINT) : log;
    world.jobs.push(aJob({ id: world.nextId(), runId, name, conclusion, steps, log: printed }));
  }
}

/** CI that the loop starts, judging in this order. */
export function ciJudges(
  { ci }: CodexRepository,
  ...verdicts: readonly { readonly jobs: Jobs; readonly log: string }[]
) {
  const { world } = ci.api;
  const judged: Dispatch[] = [];
  world.workflows.push({ path: CI_FILE, inputs: [] });
  world.onDispatch = (dispatch) => {
    if (dispatch.workflow !== CI_FILE) return;
    const verdict = verdicts[judged.push(dispatch) - 1];
    const at = world.runs.findIndex(({ id }) => id === dispatch.runId);
    const run = world.runs[at];
    if (run === undefined || verdict === undefined) throw new Error("there is no such run, or no verdict on it");
    const conclusion = Object.values(verdict.jobs).includes("failure") ? "failure" : "success";
    world.runs[at] = { ...run, status: "completed", conclusion };
    addJobs(world, dispatch.runId, verdict.jobs, verdict.log);
  };
  return judged;
}

/** What stands on a pull request besides its own text, comment by comment. */
export function said({ ci }: CodexRepository, number: number): readonly string[] {
  return ci.api.world.comments.filter(({ issue }) => issue === number).map(({ body }) => body);
}
