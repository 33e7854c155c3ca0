import { z } from "zod";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import type { Github } from "./client.ts";
import { isPassing, refusalOf, saysThat, statusOf } from "./refusal.ts";

/** Which workflow is started, and with what. */
interface DispatchOrder {
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

/** Why none was. */
interface Undispatched extends Trouble {
  /**
   * - `policy`: the organisation's or enterprise's
   * - `permission`: `actions: write` is missing
   * - `input_undeclared`, `not_dispatchable`, `disabled`, `unknown_workflow`, `unknown_ref`: as the workflow's file is
   * - `unreachable`: it may even have been started
   */
  readonly kind:
    | "policy"
    | "permission"
    | "input_undeclared"
    | "not_dispatchable"
    | "disabled"
    | "unknown_workflow"
    | "unknown_ref"
    | "unreachable"
    | "refused";
}

const PERMISSION = "actions: write";
const NO_FILE = "this runner does not say which file the workflow is in";

/** What GitHub says, and what is said for it. */
const REFUSALS: readonly {
  readonly kind: Undispatched["kind"];
  readonly said: RegExp;
  readonly because?: (order: DispatchOrder) => string;
}[] = [
  { kind: "policy", said: /is not allowed to trigger actions workflows/iu },
  { kind: "permission", said: /resource not accessible/iu },
  {
    kind: "input_undeclared",
    said: /unexpected inputs? provided/iu,
    because: ({ workflow, inputs }) =>
      `${workflow} does not declare the input; add on: workflow_dispatch: inputs: ${Object.keys(inputs).join(", ")}: { type: string, default: '' }`,
  },
  {
    kind: "not_dispatchable",
    said: /does not have '?workflow_dispatch'? trigger/iu,
    because: ({ workflow, ref }) => `${workflow} on ${ref} cannot be started by hand; add workflow_dispatch to its on:`,
  },
  {
    kind: "disabled",
    said: /disabled workflow/iu,
    because: ({ workflow }) => `${workflow} is disabled; enable it on the repository's page Actions`,
  },
  { kind: "unknown_ref", said: /no ref found for/iu, because: ({ ref }) => `there is no branch ${ref}` },
];

/** What GitHub answers only where it was asked for. */
const Details = z.object({ workflow_run_id: z.int().positive(), html_url: z.string() });

/** Starts a workflow (`actions: write`), once: what GitHub does not answer is not asked again. Never throws. */
export async function dispatchWorkflow(
  github: Github,
  order: DispatchOrder,
): Promise<Result<Dispatched, Undispatched>> {
  if (order.workflow === "") return failed({ kind: "unknown_workflow", because: NO_FILE });
  try {
    return done(
      await start(github, order, { return_run_details: true }).catch(async (error: unknown) => {
        if (isUnknownDetails(error)) return await start(github, order, {});
        throw error;
      }),
    );
  } catch (error) {
    return failed(undispatched(error, order));
  }
}

/** Servers of older versions do not know how to name the run. */
function isUnknownDetails(error: unknown): boolean {
  return [400, 422].includes(statusOf(error) ?? 0) && saysThat(error, /return_run_details/iu);
}

async function start(
  github: Github,
  { workflow, ref, inputs }: DispatchOrder,
  details: { readonly return_run_details?: true },
): Promise<Dispatched> {
  const given = Object.keys(inputs).length > 0 && { inputs };
  const params = { workflow_id: workflow, ref, ...given, ...details };
  const { data } = await github.rest.actions.createWorkflowDispatch(params);
  const run = Details.safeParse(data).data;
  return { runId: run?.workflow_run_id ?? null, runUrl: run?.html_url ?? null };
}

function undispatched(error: unknown, order: DispatchOrder): Undispatched {
  const because = refusalOf(error, PERMISSION);
  if (isPassing(error)) return { kind: "unreachable", because };
  const known = REFUSALS.find(({ said }) => saysThat(error, said));
  if (known !== undefined) return { kind: known.kind, because: known.because?.(order) ?? because };
  if (statusOf(error) !== 404) return { kind: "refused", because };
  const unknown = `GitHub knows no ${order.workflow}, or the token may not start it: give the job permissions: ${PERMISSION}`;
  return { kind: "unknown_workflow", because: unknown };
}
