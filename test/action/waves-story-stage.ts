import { writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { closed, type Ledger, ledgerText, parseLedger } from "../../src/core/story/ledger.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { dispatchEvent } from "../support/github-api/webhooks.ts";
import { headOf } from "../support/git-repository.ts";
import type { Job } from "../support/runner/runner.ts";

export const DOCUMENT = ".daedalus/prds/shop/prd.json";
export const TITLE = "Buy $(id) @everyone";
export const PROMISE = "<promise>TASK_COMPLETE</promise>";

const story = (id: string, more: object) => ({
  ...{ id, title: `Story ${id}`, description: "", acceptanceCriteria: ["It works."], priority: 1, passes: false },
  ...more,
});
export const PRD_TEXT = JSON.stringify({
  ...{ project: "Shop", branchName: "shop", description: "A shop." },
  userStories: [
    story("US-001", { title: TITLE, dependsOn: [], pauseAfter: true }),
    story("US-002", { dependsOn: ["US-001"] }),
  ],
});
const TURNS = [
  { files: { "one.txt": "half\n", [DOCUMENT]: "{}" }, lastMessage: "Not yet." },
  { files: { "done.txt": "done\n" }, lastMessage: PROMISE },
];
const RED = [{ files: { "two.txt": "2\n" }, delete: ["done.txt"], lastMessage: PROMISE }];
export const WORK = {
  ...{ provider: "scripted", script: "agent.json", sandbox: "workspace-write", "quality-commands": "test -f done.txt" },
  ...{ "pull-request": "auto", "self-continue": "auto", "job-timeout-minutes": "60", prd: "shop" },
};

/** A repository with the PRD, and what its agents do. */
export async function shop(): Promise<Ci> {
  const files = { "agent.json": JSON.stringify({ turns: TURNS }), "red.json": JSON.stringify({ turns: RED }) };
  return startCi({ files: { [DOCUMENT]: PRD_TEXT, ...files }, byRef: true });
}

/** What is remembered of the PRD. */
export async function ledger(ci: Ci): Promise<Ledger> {
  const read = parseLedger(await ci.remote.git("show", "refs/smithers-prd/shop:ledger.json"), "shop");
  if (!read.ok) throw new Error(read.trouble.because);
  return read.value;
}

export function matrixOf({ outputs }: Job): unknown {
  return z.object({ include: z.array(z.unknown()) }).parse(JSON.parse(outputs["matrix"] ?? "")).include;
}

/** A job of the run that was dispatched for the PRD. */
export async function job(ci: Ci, runId: string, inputs: Record<string, string>, at?: string): Promise<Job> {
  const event = dispatchEvent(ci.api.world, {
    ...{ workflow: ".github/workflows/prd.yml", ref: "main", login: "me" },
    inputs: { smithers: '{"command":"prd","prd":"shop","verb":"run"}' },
  });
  await using machine = await ci.machine();
  const sha = await headOf(machine.workspace);
  if (at !== undefined) await machine.git("checkout", "-q", "--detach", at);
  const github = { run_id: runId, sha, actor: "me", triggering_actor: "me" };
  return await machine.run({ inProcess: true, event, inputs, github });
}

/** What the closing job of a wave does in the end. @param changed of the ledger while the wave is open */
export async function closeWave(ci: Ci, changed: (open: Ledger) => Ledger): Promise<void> {
  await using machine = await ci.machine();
  const { workspace } = machine;
  const git = async (...args: string[]): Promise<string> => machine.git(...args);
  await git("checkout", "-q", "--orphan", "ledger");
  await git("rm", "-rfq", ".");
  await writeFile(path.join(workspace, "ledger.json"), ledgerText(closed(changed(await ledger(ci)))));
  await git("add", "ledger.json");
  await git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "Close");
  await git("push", "-qf", "origin", "HEAD:refs/smithers-prd/shop");
}

/** The pull request of a story's loop. */
export function pullOf(ci: Ci, loop: string) {
  return ci.api.world.issues.find(({ pull }) => pull?.headBranch === `smithers/${loop}`);
}
