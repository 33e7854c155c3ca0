import { z } from "zod";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import { isPassing, refusalOf, saysThat, statusOf } from "./refusal.ts";
import type { Github } from "./client.ts";

/** Which workflow is started, and with what. */
export interface DispatchOrder {
  /** its file, as in `smithers.yml` */
  readonly workflow: string;
  /** a branch, best the default one, without `refs/heads/`; never a commit or a merge ref */
  readonly ref: string;
  /** values by the names of the workflow's inputs */
  readonly inputs: Readonly<Record<string, string>>;
}

/** The run that was started; null: this server does not say which one it is. */
interface Dispatched {
  readonly runId: number | null;
  readonly runUrl: string | null;
}

/** Why it was not. */
interface Undispatched extends Trouble {
  readonly kind: DispatchRefusal;
}

export type Dispatching = Result<Dispatched, Undispatched>;

/**
 * - `policy`: the organisation's or enterprise's
 * - `permission`: `actions: write` is missing
 * - `input_undeclared`, `not_dispatchable`, `disabled`, `unknown_workflow`, `unknown_ref`: as the workflow's file is
 * - `unreachable`: it may even have been started
 */
type DispatchRefusal =
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
  readonly kind: DispatchRefusal;
  readonly said: RegExp;
  readonly why?: (order: DispatchOrder) => string;
}[] = [
  { kind: "policy", said: /is not allowed to trigger actions workflows/iu },
  { kind: "permission", said: /resource not accessible/iu },
  {
    kind: "input_undeclared",
    said: /unexpected inputs? provided/iu,
    why: ({ workflow, inputs }) =>
      `${workflow} does not declare the input; add on: workflow_dispatch: inputs: ${Object.keys(inputs).join(", ")}: { type: string, default: '' }`,
  },
  {
    kind: "not_dispatchable",
    said: /does not have '?workflow_dispatch'? trigger/iu,
    why: ({ workflow, ref }) => `${workflow} on ${ref} cannot be started by hand; add workflow_dispatch to its on:`,
  },
  {
    kind: "disabled",
    said: /disabled workflow/iu,
    why: ({ workflow }) => `${workflow} is disabled; enable it on the repository's page Actions`,
  },
  { kind: "unknown_ref", said: /no ref found for/iu, why: ({ ref }) => `there is no branch ${ref}` },
];
/** There is none where it was not asked for. */
const Details = z.object({ workflow_run_id: z.int().positive(), html_url: z.string() });
const ABOUT_DETAILS = /return_run_details/iu;

/** Starts a workflow (`actions: write`), once: what GitHub does not answer is not asked again. Never throws. */
export async function dispatchWorkflow(github: Github, order: DispatchOrder): Promise<Dispatching> {
  try {
    return await start(github, order, true);
  } catch (error) {
    if (!isUnknownDetails(error)) return refused(error, order);
  }
  try {
    return await start(github, order, false);
  } catch (error) {
    return refused(error, order);
  }
}

/** Servers of older versions do not know how to name the run. */
function isUnknownDetails(error: unknown): boolean {
  return [400, 422].includes(statusOf(error) ?? 0) && saysThat(error, ABOUT_DETAILS);
}

async function start(github: Github, { workflow, ref, inputs }: DispatchOrder, details: boolean): Promise<Dispatching> {
  const { data } = await github.rest.actions.createWorkflowDispatch({
    workflow_id: workflow,
    ref,
    ...(Object.keys(inputs).length > 0 && { inputs }),
    ...(details ? { return_run_details: true } : {}),
  });
  const run = Details.safeParse(data);
  if (!run.success) return done({ runId: null, runUrl: null });
  return done({ runId: run.data.workflow_run_id, runUrl: run.data.html_url });
}

function refused(error: unknown, order: DispatchOrder): Dispatching {
  const why = refusalOf(error, PERMISSION);
  if (isPassing(error)) return failed({ kind: "unreachable", because: why });
  const known = REFUSALS.find(({ said }) => saysThat(error, said));
  if (known !== undefined) return failed({ kind: known.kind, because: known.why?.(order) ?? why });
  if (statusOf(error) === 404) {
    const unknown = `GitHub knows no ${order.workflow}, or the token may not start it: give the job permissions: ${PERMISSION}`;
    return failed({ kind: "unknown_workflow", because: unknown });
  }
  return failed({ kind: "refused", because: why });
}
