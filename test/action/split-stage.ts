import type { Ci, CiMachine } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import type { Job, JobRequest } from "../support/runner/runner.ts";

/** Of the job that only runs a loop: git's and GitHub's stand-ins refuse each write with it. */
const READS = "token-that-reads";

/** In the second iteration the work is done. */
export const TASK = scriptedTask([
  { files: { "a.txt": "a\n" } },
  { files: { "done.txt": "done\n" }, lastMessage: "All of it." },
]);

/** What both jobs of a split loop say, apart from the task. */
const BOTH = { "loop-id": "a-loop" };

let runs = 70_000;

/** One run of a workflow with two jobs. */
export function splitRun(ci: Ci, both: Readonly<Record<string, string>> = {}) {
  const run_id = String(++runs);
  ci.api.world.tokens.set(READS, {
    login: "github-actions[bot]",
    permissions: { contents: "read", actions: "read" },
  });
  const jobOf = (job: string, inputs: Readonly<Record<string, string>>, rest: JobRequest): JobRequest => ({
    ...rest,
    inputs: { ...BOTH, ...both, job, ...inputs },
    github: { run_id, job, ...rest.github },
  });
  const on = async (machine: CiMachine | undefined, job: JobRequest & { attempt?: number }): Promise<Job> => {
    await using made = machine === undefined ? await ci.machine() : undefined;
    const used = machine ?? made;
    if (used === undefined) throw new Error("there is no machine");
    return await used.run(job);
  };
  return {
    runId: Number(run_id),
    /** The first job, which has a token that reads. */
    run: (inputs: Readonly<Record<string, string>> = {}, job: JobRequest = {}, machine?: CiMachine) => {
      const task = { ...TASK.inputs, "job-timeout-minutes": "60", "github-token": READS };
      return on(machine, { ...jobOf("run", { ...task, ...inputs }, job), secrets: [READS] });
    },
    /** The second job, on another machine. */
    publish: (inputs: Readonly<Record<string, string>> = {}, job: JobRequest = {}, machine?: CiMachine) =>
      on(machine, jobOf("publish", inputs, job)),
  };
}
