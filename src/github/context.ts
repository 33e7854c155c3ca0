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
  readonly eventName: string;
  readonly event: EventPayload;
  readonly workspace: string;
  /** emptied by the runner when the job ends */
  readonly temp: string;
  /** null where the runner has none */
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
export interface Workflow {
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
 * @throws UsageError when this is no step of a workflow run
 */
export function readContext(env: NodeJS.ProcessEnv): GithubContext {
  const reading = new Reading(env);
  const context = read(reading);
  if (env["GITHUB_ACTIONS"] !== "true" || reading.missing.length > 0) {
    const lacking = reading.missing.length > 0 ? `: ${reading.missing.join(", ")} not set or not understood` : "";
    throw new UsageError([
      {
        code: "NOT_IN_ACTIONS",
        what: `This program is the Action, and it does not run as a step of a GitHub Actions job${lacking}. Nothing was done.`,
        next: "Use it in a workflow with uses: smithers/loop@v1; elsewhere use the command line, smithers run.",
      },
    ]);
  }
  return context;
}

function read(reading: Reading): GithubContext {
  const [owner = "", name = ""] = reading.match("GITHUB_REPOSITORY", /^([^/]+)\/([^/]+)$/u);
  const [workflowPath = "", workflowRef = ""] = reading.match("GITHUB_WORKFLOW_REF", /^[^/]+\/[^/]+\/(.+?)@(.+)$/u);
  return {
    repository: { owner, name, id: reading.number("GITHUB_REPOSITORY_ID") },
    runId: reading.number("GITHUB_RUN_ID"),
    attempt: reading.number("GITHUB_RUN_ATTEMPT"),
    workflow: { path: workflowPath, file: workflowPath.split("/").at(-1) ?? "", ref: workflowRef },
    job: reading.text("GITHUB_JOB"),
    step: reading.text("GITHUB_ACTION"),
    serverUrl: reading.text("GITHUB_SERVER_URL"),
    apiUrl: reading.text("GITHUB_API_URL"),
    ref: reading.text("GITHUB_REF"),
    eventName: reading.text("GITHUB_EVENT_NAME"),
    event: readEventPayload(reading.file("GITHUB_EVENT_PATH")),
    workspace: reading.text("GITHUB_WORKSPACE"),
    temp: reading.text("RUNNER_TEMP"),
    toolCache: reading.optional("RUNNER_TOOL_CACHE"),
    environment: reading.optional("RUNNER_ENVIRONMENT") === "github-hosted" ? "github-hosted" : "self-hosted",
  };
}

/** Reads variables and keeps the names of those that are not there or make no sense, to tell them all at once. */
class Reading {
  readonly missing: string[] = [];
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  optional(name: string): string | null {
    return this.#env[name] || null;
  }

  text(name: string): string {
    return this.optional(name) ?? this.#lacks(name, "");
  }

  number(name: string): number {
    const text = this.optional(name) ?? "";
    return /^\d{1,15}$/u.test(text) ? Number(text) : this.#lacks(name, 0);
  }

  /** The groups of a pattern. */
  match(name: string, pattern: RegExp): string[] {
    return pattern.exec(this.optional(name) ?? "")?.slice(1) ?? this.#lacks(name, []);
  }

  /** A file's text; an event without a payload is one with an empty payload. */
  file(name: string): string {
    const file = this.optional(name);
    if (file === null) return "";
    try {
      return readFileSync(file, "utf8");
    } catch {
      return "";
    }
  }

  #lacks<T>(name: string, instead: T): T {
    this.missing.push(name);
    return instead;
  }
}
