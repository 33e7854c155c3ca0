import { readFileSync } from "node:fs";
import { UsageError } from "../core/errors.ts";
import { type EventPayload, readEventPayload } from "./event-payload.ts";

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
}

/** A repository on GitHub; its id stays when it is renamed. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
  readonly id: number;
}

/** The running workflow. In a reusable workflow it is the caller's, while `job` is the called one's. */
interface Workflow {
  /** in the repository: `.github/workflows/smithers.yml` */
  readonly path: string;
  /** `smithers.yml` */
  readonly file: string;
  /** what the repository's copy of it was taken from, as in `refs/heads/main` */
  readonly ref: string;
}

/** The branch that a run is of, without `refs/heads/`; the default one for what runs on no branch. */
export function branchOfRun({ ref, event }: Pick<GithubContext, "ref" | "event">): string {
  return /^refs\/heads\/(?<name>.+)$/u.exec(ref)?.groups?.["name"] ?? event.defaultBranch ?? "main";
}

/**
 * Reads what the runner says of the workflow run.
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
  const [, owner = "", name = ""] = match("GITHUB_REPOSITORY", /^([^/]+)\/([^/]+)$/u);
  const [, workflowPath = "", workflowRef = ""] = match("GITHUB_WORKFLOW_REF", /^[^/]+\/[^/]+\/(.+?)@(.+)$/u);
  const context: GithubContext = {
    repository: { owner, name, id: number("GITHUB_REPOSITORY_ID") },
    runId: number("GITHUB_RUN_ID"),
    attempt: number("GITHUB_RUN_ATTEMPT"),
    workflow: { path: workflowPath, file: workflowPath.split("/").at(-1) ?? "", ref: workflowRef },
    job: text("GITHUB_JOB"),
    step: text("GITHUB_ACTION"),
    serverUrl: text("GITHUB_SERVER_URL"),
    apiUrl: text("GITHUB_API_URL"),
    ref: text("GITHUB_REF"),
    sha: optional("GITHUB_SHA"),
    eventName: text("GITHUB_EVENT_NAME"),
    event: readEventPayload(payloadAt(optional("GITHUB_EVENT_PATH"))),
    workspace: text("GITHUB_WORKSPACE"),
    temp: text("RUNNER_TEMP"),
    toolCache: optional("RUNNER_TOOL_CACHE"),
    environment: env["RUNNER_ENVIRONMENT"] === "github-hosted" ? "github-hosted" : "self-hosted",
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

/** An event without a payload is one with an empty payload. */
function payloadAt(file: string | null): string {
  try {
    return file === null ? "" : readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
