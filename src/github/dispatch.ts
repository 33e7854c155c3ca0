import { z } from "zod";
import { isPassing, refusalOf, saysThat, statusOf } from "./github-refusal.ts";
import type { Access } from "./access.ts";
import { INPUT } from "../requests/intent-input.ts";

/** Which workflow is started, and with what. */
export interface DispatchOrder {
  /** its file, as in `smithers.yml` */
  readonly workflow: string;
  /** a branch, best the default one, without `refs/heads/`; never a commit or a merge ref */
  readonly ref: string;
  /** of the input `smithers`; null: it is a workflow that knows nothing of us and is given none */
  readonly input: string | null;
}

/** Whether the workflow was started. */
export type Dispatched =
  /** null: this server does not say which run it is */
  | { readonly dispatched: true; readonly runId: number | null; readonly runUrl: string | null }
  | {
      readonly dispatched: false;
      readonly because: DispatchRefusal;
      /** part of a sentence, with the cure where there is one */
      readonly why: string;
    };

/**
 * - `policy`: the organisation's or enterprise's
 * - `permission`: `actions: write` is missing
 * - `input_undeclared`, `not_dispatchable`, `disabled`, `unknown_workflow`, `unknown_ref`: as the workflow's file is
 * - `unreachable`: it may even have been started
 */
export type DispatchRefusal =
  | "policy"
  | "permission"
  | "input_undeclared"
  | "not_dispatchable"
  | "disabled"
  | "unknown_workflow"
  | "unknown_ref"
  | "unreachable"
  | "refused";

const PERMISSION = "actions: write";

/** What GitHub says, and what is said for it; `file` is the workflow's. */
const REFUSALS: readonly {
  readonly because: DispatchRefusal;
  readonly said: RegExp;
  readonly why?: (order: DispatchOrder) => string;
}[] = [
  { because: "policy", said: /is not allowed to trigger actions workflows/iu },
  { because: "permission", said: /resource not accessible/iu },
  {
    because: "input_undeclared",
    said: /unexpected inputs? provided/iu,
    why: ({ workflow }) =>
      `${workflow} does not declare the input; add on: workflow_dispatch: inputs: ${INPUT}: { type: string, default: '' }`,
  },
  {
    because: "not_dispatchable",
    said: /does not have '?workflow_dispatch'? trigger/iu,
    why: ({ workflow, ref }) => `${workflow} on ${ref} cannot be started by hand; add workflow_dispatch to its on:`,
  },
  {
    because: "disabled",
    said: /disabled workflow/iu,
    why: ({ workflow }) => `${workflow} is disabled; enable it on the repository's page Actions`,
  },
  { because: "unknown_ref", said: /no ref found for/iu, why: ({ ref }) => `there is no branch ${ref}` },
];
/** There is none where it was not asked for. */
const Details = z.object({ workflow_run_id: z.int().positive(), html_url: z.string() });
const ABOUT_DETAILS = /return_run_details/iu;

/** Starts a workflow (`actions: write`), once: what GitHub does not answer is not asked again. Never throws. */
export async function dispatchWorkflow(access: Access, order: DispatchOrder): Promise<Dispatched> {
  try {
    return await start(access, order, true);
  } catch (error) {
    if (!isUnknownDetails(error)) return refused(error, order);
  }
  try {
    return await start(access, order, false);
  } catch (error) {
    return refused(error, order);
  }
}

/** Servers of older versions do not know how to name the run. */
function isUnknownDetails(error: unknown): boolean {
  return [400, 422].includes(statusOf(error) ?? 0) && saysThat(error, ABOUT_DETAILS);
}

async function start(
  { octokit, repository, signal }: Access,
  { workflow, ref, input }: DispatchOrder,
  details: boolean,
): Promise<Dispatched> {
  const { data } = await octokit.request("POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", {
    owner: repository.owner,
    repo: repository.name,
    workflow_id: workflow,
    ref,
    ...(input === null ? {} : { inputs: { [INPUT]: input } }),
    ...(details ? { return_run_details: true } : {}),
    request: { signal },
  });
  const run = Details.safeParse(data);
  if (!run.success) return { dispatched: true, runId: null, runUrl: null };
  return { dispatched: true, runId: run.data.workflow_run_id, runUrl: run.data.html_url };
}

function refused(error: unknown, order: DispatchOrder): Dispatched {
  const why = refusalOf(error, PERMISSION);
  if (isPassing(error)) return { dispatched: false, because: "unreachable", why };
  const known = REFUSALS.find(({ said }) => saysThat(error, said));
  if (known !== undefined) return { dispatched: false, because: known.because, why: known.why?.(order) ?? why };
  if (statusOf(error) === 404) {
    const unknown = `GitHub knows no ${order.workflow}, or the token may not start it: give the job permissions: ${PERMISSION}`;
    return { dispatched: false, because: "unknown_workflow", why: unknown };
  }
  return { dispatched: false, because: "refused", why };
}
