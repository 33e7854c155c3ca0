import { readFileSync } from "node:fs";
import { UsageError } from "../core/errors.ts";
import { type EventPayload, readEventPayload } from "./event-payload.ts";
import { type Workflow, workflowAt, workflowNamed } from "./runner/workflow.ts";

/** The workflow run that we are a step of. */
export interface GithubContext {
  readonly repository: Repository;
  readonly runId: number;
  /** 1 for the first; re-running counts on */
  readonly attempt: number;
  readonly workflow: Workflow;
  /** the job's key in the workflow's file */
  readonly job: string;
  /** the step's id, or the name that the runner gives it: `__self`, `__smithers_loop_2` */
  readonly step: string;
  readonly serverUrl: string;
  readonly apiUrl: string;
  /** as in `refs/heads/main` */
  readonly ref: string;
  /** the commit of it; null when the runner does not say */
  readonly sha: string | null;
  readonly eventName: string;
  readonly event: EventPayload;
  readonly workspace: string;
  /** emptied by the runner when the job ends */
  readonly temp: string;
  /** null when the runner has none */
  readonly toolCache: string | null;
  readonly environment: "github-hosted" | "self-hosted";
  /** sentences: what the runner does not say, and what that means; GitHub's own leaves nothing out */
  readonly unsaid: readonly string[];
}

/** A repository on GitHub. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
  /** stays when it is renamed; 0, which no repository has, when neither runner nor event says it */
  readonly id: number;
}

/** The branch that a run is of, without `refs/heads/`; the default one for what runs on no branch. */
export function branchOfRun({ ref, event }: Pick<GithubContext, "ref" | "event">): string {
  return /^refs\/heads\/(?<name>.+)$/u.exec(ref)?.groups?.["name"] ?? event.defaultBranch ?? "main";
}

/**
 * Reads what the runner says of the workflow run. Runners that are not GitHub's leave some of it out: what can be derived is,
 * and what cannot is told (docs/decisions/0045-other-runners.md).
 *
 * @throws UsageError outside a step of a workflow run; it names all variables that are missing or malformed
 */
export function readContext(env: NodeJS.ProcessEnv): GithubContext {
  const missing: string[] = [];
  const optional = (name: string): string | null => env[name] || null;
  const match = (name: string, pattern: RegExp): readonly string[] => {
    const found = pattern.exec(env[name] ?? "");
    if (found === null) missing.push(name);
    return found ?? [];
  };
  const text = (name: string): string => match(name, /^.+$/su)[0] ?? "";
  const number = (name: string): number => Number(match(name, /^\d{1,15}$/u)[0] ?? 0);
  const numberOr = (name: string, otherwise: number): number => (env[name] ? number(name) : otherwise);
  const [, owner = "", name = ""] = match("GITHUB_REPOSITORY", /^([^/]+)\/([^/]+)$/u);
  const event = readEventPayload(payloadAt(optional("GITHUB_EVENT_PATH")));
  const [workspace, ref] = [text("GITHUB_WORKSPACE"), text("GITHUB_REF")];
  const said = optional("GITHUB_WORKFLOW_REF");
  const workflow = said === null ? workflowNamed(text("GITHUB_WORKFLOW"), { workspace, ref }) : workflowAt(said);
  if (workflow === undefined) missing.push("GITHUB_WORKFLOW_REF");
  const id = numberOr("GITHUB_REPOSITORY_ID", event.repositoryId ?? 0);
  const context: GithubContext = {
    repository: { owner, name, id },
    runId: number("GITHUB_RUN_ID"),
    attempt: numberOr("GITHUB_RUN_ATTEMPT", 1),
    workflow: workflow ?? { path: "", file: "", ref: "" },
    job: text("GITHUB_JOB"),
    step: text("GITHUB_ACTION"),
    serverUrl: text("GITHUB_SERVER_URL"),
    apiUrl: text("GITHUB_API_URL"),
    ref,
    sha: optional("GITHUB_SHA"),
    eventName: text("GITHUB_EVENT_NAME"),
    event,
    workspace,
    temp: text("RUNNER_TEMP"),
    toolCache: optional("RUNNER_TOOL_CACHE"),
    environment: env["RUNNER_ENVIRONMENT"] === "github-hosted" ? "github-hosted" : "self-hosted",
    unsaid: [...(workflow?.path === "" ? [NO_WORKFLOW] : []), ...(id === 0 ? [NO_REPOSITORY_ID] : [])],
  };
  if (env["GITHUB_ACTIONS"] === "true" && missing.length === 0) return context;
  const lacking = missing.length > 0 ? `: ${missing.join(", ")} not set or not understood` : "";
  throw new UsageError([
    {
      code: "NOT_IN_ACTIONS",
      what: `This program is the Action, and it does not run as a step of a GitHub Actions job${lacking}. Nothing was done.`,
      next: "Use it in a workflow with uses: smithers/loop@v1; elsewhere use the command line, smithers run.",
    },
  ]);
}

const NO_WORKFLOW =
  "This runner does not say which file the workflow is in (GITHUB_WORKFLOW_REF), and no file in the checkout has its name alone: the loop cannot start the next run of it, nor find artifacts of its earlier runs that no record names. Give the workflow a name of its own.";
const NO_REPOSITORY_ID =
  "This runner does not say the repository's id (GITHUB_REPOSITORY_ID): no pull request or run can be told from a fork's, so that what they ask for is refused, and artifacts of earlier runs are not taken.";

/** An event without a payload is one with an empty payload. */
function payloadAt(file: string | null): string {
  try {
    return file === null ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
