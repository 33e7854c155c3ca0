import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { LoopState } from "../../src/core/state.ts";
import type { Github } from "../../src/github/client.ts";
import type { GithubContext } from "../../src/github/context.ts";
import { type EventPayload, readEventPayload } from "../../src/github/event-payload.ts";
import { aState } from "./builders.ts";
import { aCarriedRecord } from "./fake-carriers.ts";
import type { Answer, Handlers } from "./github-api/operation.ts";
import { githubOf } from "./github-api/client.ts";
import {
  aComment,
  anActivity,
  anIssueEvent,
  aPull,
  aRun,
  aUser,
  type CommentRow,
  type GithubApi,
  type IssueRow,
  moment,
  startGithubApi,
  type Token,
} from "./github-api/server.ts";

export const OURS = "github-actions[bot]";
/** the tip of the pull request's branch */
export const HEAD = "b".repeat(40);
/** what somebody pushed later */
export const LATER = "c".repeat(40);
export const LOOP = "demo-loop-pr-7-0123456789";

/** What the relay of the recipes may do. */
export const RELAY: Token["permissions"] = { actions: "write", contents: "write", "pull-requests": "write" };

/** What a pull request's loop is. */
export interface StoredLoop {
  readonly loopId?: string;
  readonly state?: Partial<LoopState>;
  readonly branch?: string;
  /** the pull request that it says it is in; null: none yet */
  readonly number?: number | null;
  /** of the run that saved it */
  readonly run?: "in_progress" | "completed" | "gone";
}

/**
 * GitHub with an open pull request 7 of `alice`, from the branch `feature`, which was pushed to in minute 5. `alice`
 * may administrate, `wendy` write, `tom` triage, `rob` read, `nora` nothing; `olga` is nobody here.
 */
export interface Asking extends AsyncDisposable {
  readonly api: GithubApi;
  readonly github: Github;
  readonly pull: IssueRow;
  /** Somebody writes a comment on the pull request; in minute 30. */
  comment(body: string, row?: Partial<CommentRow>): CommentRow;
  /** Somebody puts a label on; in minute 30. */
  label(label: string, author: string): Promise<number>;
  /** Somebody pushes to the branch. */
  push(minute: number, sha?: string): Promise<void>;
  /** Puts a loop on its ref, saved later than those before. */
  loop(stored?: StoredLoop): Promise<void>;
  /** Puts a JSON object on a ref that holds nothing else. */
  record(ref: string, record: object): Promise<void>;
  /** Puts files on the default branch, by their paths. */
  files(files: Readonly<Record<string, string>>): void;
  /** names of refs that begin so */
  refs(prefix: string): Promise<readonly string[]>;
}

export async function asking(permissions: Token["permissions"] = RELAY): Promise<Asking> {
  const records = new Map<string, string>();
  const files = new Map<string, string>();
  const handlers: Handlers = {
    "repos/get-content": {
      needs: { contents: "read" },
      handle: ({ query, params }) => {
        const ref = query.get("ref");
        return ref === null ? contentOf(files, params["path"] ?? "") : fileOf("record.json", records.get(ref));
      },
    },
    "git/get-blob": {
      needs: { contents: "read" },
      handle: ({ params }) => {
        const text = [...files.values()].find((one) => blobId(one) === params["file_sha"]);
        if (text === undefined) return NOT_FOUND;
        const content = { encoding: "base64", content: Buffer.from(text).toString("base64") };
        const body = {
          ...content,
          url: "https://api.github.com/x",
          sha: blobId(text),
          size: text.length,
          node_id: "x",
        };
        return { status: 200, body };
      },
    },
  };
  const api = await startGithubApi({ tokens: { t: { login: OURS, permissions } }, handlers });
  const { world } = api;
  const roles = { wendy: "write", mona: "maintain", tom: "triage", rob: "read", nora: "none" } as const;
  for (const [login, role] of Object.entries(roles)) world.users.set(login, aUser({ login, role }));
  const pull = aPull({ number: 7 });
  world.issues.push(pull);
  await world.refs.set("refs/heads/feature", HEAD);
  world.activity.push(anActivity({ id: 5 }));
  let last = 30;
  return {
    api,
    github: githubOf(api, AbortSignal.timeout(20_000)),
    pull,
    comment(body, row = {}) {
      const comment = aComment({ id: last++, issue: 7, body, createdAt: moment(30), updatedAt: moment(30), ...row });
      world.comments.push(comment);
      return comment;
    },
    async label(label, author) {
      const event = anIssueEvent({ id: last++, issue: 7, label, author, createdAt: moment(30) });
      world.issueEvents.push(event);
      pull.labels.push(label);
      return event.id;
    },
    async push(minute, sha = LATER) {
      world.activity.push(anActivity({ id: 100 + minute, before: HEAD, after: sha, at: moment(minute) }));
      await world.refs.set("refs/heads/feature", sha);
    },
    async loop({ loopId = LOOP, state = {}, branch = "feature", number = 7, run = "completed" } = {}) {
      const pullRequest = number === null ? null : { number, url: "", own: false };
      const github = {
        branch,
        head: HEAD,
        pull_request: pullRequest,
        authorised_by: "alice",
        obeyed: null,
        continuations: 0,
      };
      const stored = { ...aState(), loop_id: loopId, github, ...state };
      const runId = last++;
      if (run !== "gone")
        world.runs.push(aRun({ id: runId, status: run, conclusion: run === "completed" ? "success" : null }));
      const moments = { loop_id: loopId, generation: stored.generation, revision: stored.revision };
      const record = {
        ...aCarriedRecord(stored.revision),
        ...moments,
        run: { id: String(runId), attempt: "1" },
        saved_at: moment(runId).toISOString(),
        state: stored,
      };
      const commit = String(records.size + 1).padStart(40, "e");
      records.set(commit, JSON.stringify(record));
      await world.refs.set(`refs/smithers-loops/${loopId}`, commit);
    },
    files(more) {
      for (const [path, text] of Object.entries(more)) files.set(path, text);
    },
    async record(ref, record) {
      const commit = String(records.size + 1).padStart(40, "e");
      records.set(commit, JSON.stringify(record));
      await world.refs.set(ref, commit);
    },
    async refs(prefix) {
      return (await world.refs.list(prefix)).map(({ ref }) => ref);
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      expect(api.problems).toEqual([]);
    },
  };
}

const NOT_FOUND: Answer = { status: 404, body: { message: "Not Found", documentation_url: "" } };

/** A file, or what is in a folder. */
function contentOf(files: ReadonlyMap<string, string>, path: string): Answer {
  const text = files.get(path);
  if (text !== undefined) return fileOf(path, text);
  const below = [...files.keys()]
    .filter((file) => file.startsWith(`${path}/`))
    .map((file) => file.slice(path.length + 1));
  if (below.length === 0) return NOT_FOUND;
  const isFile = new Map(below.map((file) => [file.split("/")[0] ?? "", !file.includes("/")]));
  const body = [...isFile].map(([name, file]) => placeOf(file ? "file" : "dir", `${path}/${name}`, 0));
  return { status: 200, body };
}

function fileOf(path: string, text: string | undefined): Answer {
  if (text === undefined) return NOT_FOUND;
  // Of more than a megabyte GitHub only says where it is.
  const isShown = text.length <= 1 << 20;
  const content = isShown
    ? { encoding: "base64", content: Buffer.from(text).toString("base64") }
    : { encoding: "none", content: "" };
  return { status: 200, body: { ...placeOf("file", path, text.length), sha: blobId(text), ...content } };
}

function blobId(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

function placeOf(type: "file" | "dir", path: string, size: number) {
  const url = "https://api.github.com/x";
  const links = { _links: { self: url, git: url, html: url }, url, git_url: url, html_url: url };
  return { type, name: path.slice(path.lastIndexOf("/") + 1), path, sha: HEAD, size, download_url: null, ...links };
}

/** The context of an event, as far as one is asked for. */
export type Event = Pick<GithubContext, "eventName" | "event" | "repository" | "workflow" | "attempt">;

const WORKFLOW = { path: ".github/workflows/smithers.yml", file: "smithers.yml", ref: "refs/heads/main" };

export function anEvent(eventName: string, payload: Readonly<Record<string, unknown>>): Event {
  const event: EventPayload = readEventPayload(JSON.stringify({ repository: { default_branch: "main" }, ...payload }));
  const repository = { id: 1001, owner: "octo", name: "demo" };
  return { eventName, event, repository, workflow: WORKFLOW, attempt: 1 };
}

export function anAccount(login: string): { readonly login: string; readonly type: string } {
  return { login, type: login.endsWith("[bot]") ? "Bot" : "User" };
}

/** Somebody has commented on pull request 7. */
export function commented(
  { id, body, author, createdAt }: CommentRow,
  more: Readonly<Record<string, unknown>> = {},
): Event {
  const user = anAccount(author);
  return anEvent("issue_comment", {
    action: "created",
    issue: { number: 7, pull_request: { url: "" } },
    comment: { id, body, user, created_at: createdAt.toISOString() },
    sender: user,
    ...more,
  });
}

/** Somebody has put a label on pull request 7. */
export function labeled(name: string, login: string, head: Readonly<Record<string, unknown>> = {}): Event {
  const repo = { id: 1001, full_name: "octo/demo" };
  return anEvent("pull_request", {
    action: "labeled",
    label: { name },
    pull_request: { number: 7, head: { sha: HEAD, ref: "feature", repo, ...head } },
    sender: anAccount(login),
  });
}

/** A run of the workflow CI on the branch has failed. */
export function checkFailed(login: string, run: Readonly<Record<string, unknown>> = {}): Event {
  return anEvent("workflow_run", {
    action: "completed",
    workflow_run: {
      ...{ id: 88, name: "CI", path: ".github/workflows/ci.yml", conclusion: "failure", head_sha: HEAD },
      ...{ head_branch: "feature", head_repository: { id: 1001 }, updated_at: moment(30).toISOString() },
      ...{ actor: anAccount(login), triggering_actor: anAccount(login), pull_requests: [{ number: 7 }], ...run },
    },
    sender: anAccount(login),
  });
}

/** Somebody has started the workflow. */
export function dispatched(smithers: string | undefined, login: string): Event {
  return anEvent("workflow_dispatch", { inputs: smithers === undefined ? {} : { smithers }, sender: anAccount(login) });
}
