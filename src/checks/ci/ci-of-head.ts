import type { Access } from "../../github/access.ts";
import { findCiRun } from "./ci-run.ts";
import type { PublicationFacts } from "../../views/github/facts.ts";
import type { RunView } from "../../views/run-view.ts";
import { wordOf } from "./ci-verdict.ts";

/** What CI has said of the head, where the loop asks it: read anew, for whoever publishes may not be who has asked. */
export async function ciOfHead(
  access: Access,
  { state }: RunView,
  { head: sha, branch }: Pick<PublicationFacts, "head" | "branch">,
): Promise<PublicationFacts["ci"]> {
  const { ci_workflow: workflow } = state.checks;
  if (workflow === null) return null;
  if (sha === null) return { workflow, run: null };
  const found = await findCiRun(access, { workflow, branch, sha });
  if (!found.answered || found.value === null) return { workflow, run: null };
  const run = found.value;
  return { workflow, run: { url: run.url, said: run.ended ? wordOf(run).says : null } };
}
