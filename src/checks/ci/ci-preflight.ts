import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Github } from "../../github/client.ts";
import { branchOfRun, type GithubContext } from "../../github/context.ts";
import type { Probed } from "../../github/probes.ts";
import type { GithubRights, Right } from "../../views/gaps.ts";

/** Asks GitHub something; null: there is no token to ask with. */
export type Asking = (question: (access: Github) => Promise<Probed>) => Promise<Probed | null>;

/** Whether CI can be asked: two requests, and a look into the workflow's file in the checkout. */
export async function ciRights(
  context: GithubContext,
  { workflow, tip }: { readonly workflow: string; readonly tip: string | null },
  asking: Asking,
): Promise<NonNullable<GithubRights["ci"]>> {
  const { probeStatuses, probeWorkflow } = await import("../../github/probes.ts");
  const absent: Right = { right: "missing", why: `GitHub knows no ${workflow} on the default branch`, next: ADD_IT };
  const [run, status, file] = await Promise.all([
    asking((access) => probeWorkflow(access, workflow, absent)),
    asking((access) => probeStatuses(access, tip ?? branchOfRun(context))),
    textOf(path.join(context.workspace, ".github", "workflows", workflow)),
  ]);
  return {
    workflow,
    run: refusedByFile(workflow, context.workflow.file, file) ?? run?.right ?? NO_TOKEN,
    status: status?.right ?? NO_TOKEN,
  };
}

const ADD_IT = "Add it there: GitHub starts no workflow that the default branch does not have.";
const NO_TOKEN: Right = { right: "unknown", because: "untold", why: "there is no token to ask with" };

/** Undefined: nothing in the file speaks against it, as far as it can be read. */
function refusedByFile(workflow: string, own: string, file: string | null): Right | undefined {
  if (workflow === own) {
    const next = "Name the workflow that tests the work.";
    return { right: "missing", why: `${workflow} is the workflow that this loop runs in`, next };
  }
  if (file === null || /^[^#]*\bworkflow_dispatch\b/mu.test(file)) return undefined;
  const next = "Add workflow_dispatch: to its on:, here and on the default branch.";
  return { right: "missing", why: `${workflow} cannot be started: its on: has no workflow_dispatch`, next };
}

async function textOf(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch(() => null);
}
