import { expect } from "vitest";
import { createGithub, type Github } from "../../src/github/client.ts";
import { githubOf } from "../support/github-api/client.ts";
import {
  aLabel,
  aPull,
  type GithubApi,
  type IssueRow,
  startGithubApi,
  type Token,
} from "../support/github-api/server.ts";

export const BOT = "github-actions[bot]";
export const HEAD = "b".repeat(40);
export const MARKER = "<!-- smithers:loop a -->";

const PERMISSIONS: Token["permissions"] = { "pull-requests": "write", statuses: "write" };

/** GitHub with one repository that has the branches `main` and `smithers/a`, and a token that may write to it. */
export interface Stage extends AsyncDisposable {
  readonly api: GithubApi;
  /** A client without the pace and the patience of ours: tests do not wait. */
  github(signal?: AbortSignal): Github;
  /** Our client. */
  patient(signal?: AbortSignal): Github;
  /** The operations that were asked for since the last call. */
  asked(): readonly string[];
}

export async function stage(permissions = PERMISSIONS): Promise<Stage> {
  const api = await startGithubApi({ tokens: { t: { login: BOT, permissions } } });
  await api.world.refs.set("refs/heads/smithers/a", HEAD);
  api.world.labels.push(...["smithers:paused", "smithers:continue", "other", "new"].map((name) => aLabel({ name })));
  const { id, owner, name } = api.world.repository;
  const repository = { id, owner, name };
  let seen = 0;
  return {
    api,
    github: (signal = AbortSignal.timeout(20_000)) => githubOf(api, signal),
    patient: (signal = AbortSignal.timeout(20_000)) =>
      createGithub({ token: "t", apiUrl: api.url, repository, signal }),
    asked() {
      const fresh = api.requests.slice(seen).map(({ operation }) => operation);
      seen = api.requests.length;
      return fresh;
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      expect(api.problems).toEqual([]);
    },
  };
}

/** What a loop's own pull request says. */
export function ownBody(text: string): string {
  return `${MARKER}\n\n${text}`;
}

/** A pull request of our own from `smithers/a`. */
export function ownPull(overrides: Partial<Parameters<typeof aPull>[0]> = {}): IssueRow {
  return aPull({
    number: 7,
    author: BOT,
    headBranch: "smithers/a",
    title: "Title",
    body: ownBody("Body"),
    ...overrides,
  });
}

/** A stage with that pull request. */
export async function stageWithPull(permissions = PERMISSIONS): Promise<Stage> {
  const at = await stage(permissions);
  at.api.world.issues.push(ownPull());
  return at;
}

/** What GitHub says of a request that does not fit what is there. */
export function unprocessable(message: string): { readonly status: number; readonly body: unknown } {
  const errors = [{ resource: "PullRequest", code: "custom", message }];
  return {
    status: 422,
    body: { message: "Validation Failed", errors, documentation_url: "https://docs.github.com/x" },
  };
}
