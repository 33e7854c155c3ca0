import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { GitHttp } from "../git-http.ts";
import type { Job } from "../runner/runner.ts";
import type { CiJob, CiMachine } from "./ci.ts";

/** What a cancelled job left on its machine, before the runner emptied it. */
export interface CancelledJob extends Job {
  /** how long after the first signal the state was written for the last time; negative: before it; milliseconds */
  readonly checkpointMs: number;
  readonly state: { readonly status: string; readonly iteration: number; readonly revision: number };
}

/** Somebody starts the workflow by hand and says that the loop may go on, which a cancelled one waits for (C25). */
export const GO_ON = {
  name: "workflow_dispatch",
  payload: { repository: { private: true }, sender: { login: "me", type: "User" }, inputs: { smithers: "continue" } },
};

/** Runs a job that a person cancels at some moment, and measures how soon its checkpoint is on the disk. */
export async function runCancelled(machine: CiMachine, job: CiJob): Promise<CancelledJob> {
  const left = { writtenAt: 0, text: "{}" };
  const done = await machine.run({
    ...job,
    afterwards: async (temp) => {
      const file = path.join(temp, "smithers", "loops", `${job.inputs?.["loop-id"]}.json`);
      left.writtenAt = (await stat(file)).mtimeMs;
      left.text = await readFile(file, "utf8");
    },
  });
  const [first] = done.main.sent;
  const checkpointMs = Math.round(left.writtenAt - (done.main.startedAt + (first?.atMs ?? 0)));
  return { ...done, checkpointMs, state: JSON.parse(left.text) };
}

/** Pushes to the repository hang until `heal` is called; those that hang already go on hanging. */
export function hangPushes(remote: GitHttp): { readonly hanging: () => boolean; readonly heal: () => void } {
  let hanging = false;
  remote.fault = ({ url }) => {
    if (!url.endsWith("git-receive-pack")) return undefined;
    hanging = true;
    return "hang";
  };
  return {
    hanging: () => hanging,
    heal: () => {
      remote.fault = undefined;
    },
  };
}
