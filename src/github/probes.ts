import type { Right } from "../views/gaps.ts";
import { z } from "zod";
import { parsedJson } from "../core/text.ts";
import { permissionOf } from "./accounts.ts";
import type { Github } from "./client.ts";
import type { Repository } from "./context.ts";
import { ALL_LABELS } from "../views/github/labels.ts";
import { proxyFetch, USER_AGENT } from "./fetch.ts";
import { missingLabels } from "./labels.ts";
import { isPassing, refusalOf, saysThat, statusOf } from "./refusal.ts";

/** What one question has shown; every question is one request that changes nothing. */
export interface Probed {
  readonly right: Right;
  /** by how much our clock is ahead of GitHub's; null: GitHub has not told its time; milliseconds */
  readonly aheadMs: number | null;
}

/** Asked once: nothing depends on the answer. */
const ONCE = { retries: 0 };
const READABLE: Right = { right: "readable" };

/**
 * Whether only those can read the repository who were let in, as GitHub says now: the event of a run is a file, and
 * others can write there. Without a token it is asked whether strangers see it. Never throws.
 */
export async function isPrivate(
  { apiUrl, repository: { owner, name } }: { readonly apiUrl: string; readonly repository: Repository },
  token: string,
  withinMs: number,
): Promise<boolean> {
  const who = token === "" ? {} : { authorization: `token ${token}` };
  const headers = { accept: "application/vnd.github+json", "user-agent": USER_AGENT, ...who };
  try {
    const ask = proxyFetch(process.env);
    const answer = await ask(`${apiUrl}/repos/${owner}/${name}`, { headers, signal: AbortSignal.timeout(withinMs) });
    if (token === "") return answer.status === 404;
    const told = z.object({ visibility: z.string() }).safeParse(parsedJson(await answer.text()));
    return answer.status === 200 && told.data?.visibility === "private";
  } catch {
    return false;
  }
}

/** Whether the token sees pull requests. In a public repository everybody does. Never throws. */
export async function probePullRequests(github: Github): Promise<Probed> {
  const question = () => github.rest.pulls.list({ per_page: 1, request: ONCE });
  return probe("pull-requests: write", NOT_SHOWN, question, () => READABLE);
}

/**
 * Whether the token sees the workflow, and whether that can be started. Never throws.
 *
 * @param workflow its file, as in `smithers.yml`
 * @param absent what it means that GitHub does not find the workflow; nothing, without it
 */
export async function probeWorkflow(github: Github, workflow: string, absent?: Right): Promise<Probed> {
  const question = () => github.rest.actions.getWorkflow({ workflow_id: workflow, request: ONCE });
  return probe("actions: write", absent, question, ({ state }) => {
    if (!state.startsWith("disabled")) return READABLE;
    return missing(`${workflow} is disabled`, "Enable it on the repository's page Actions.");
  });
}

/** Whether the token sees the statuses of a commit, or of a branch's. In a public repository everybody does. Never throws. */
export async function probeStatuses(github: Github, ref: string): Promise<Probed> {
  const question = () => github.rest.repos.listCommitStatusesForRef({ ref, per_page: 1, request: ONCE });
  return probe("statuses: write", undefined, question, () => READABLE);
}

/**
 * Whether the token's owner may push. GitHub says so of people only: of other tokens, and of what a fine-grained token
 * leaves out of its owner's rights, nothing shows. Never throws.
 */
export async function probePush(github: Github, personal: boolean): Promise<Probed> {
  const question = () => github.rest.repos.get({ request: ONCE });
  return probe("contents: write", NOT_SHOWN, question, ({ archived, permissions }) => {
    if (archived) return missing("the repository is archived", "Unarchive it.");
    if (permissions?.push === true) return READABLE;
    if (!personal) return untold("GitHub does not say so of this kind of token");
    const next = "Ask for write access to the repository, or use a fork of your own.";
    return missing("whose token it is may only read", next);
  });
}

/**
 * Whether the repository has our labels. Never throws.
 *
 * @param lacking what it means that some are missing
 */
export async function probeLabels(github: Github, lacking: (names: string) => Right): Promise<Right> {
  const missing = await missingLabels(github, ALL_LABELS);
  if (!missing.ok) return untold(missing.trouble.because);
  if (missing.value.length === 0) return { right: "there" };
  return lacking(missing.value.map(({ name }) => name).join(", "));
}

/**
 * Whether those who are to be told can be: GitHub shows them the repository. Teams are not asked for, which takes more
 * than a job's token. Never throws.
 *
 * @param named as `reviewers` and `notify` have them
 * @returns null: nobody is named
 */
export async function probePeople(github: Github, named: readonly string[]): Promise<Right | null> {
  const logins = [...new Set(named.map((name) => name.replace(/^@/u, "")))];
  const people = logins.filter((login) => login !== "none" && !/[/[]/u.test(login)).slice(0, MOST_PEOPLE);
  if (people.length === 0) return null;
  const found = await Promise.all(people.map(async (login) => ({ login, may: await permissionOf(github, login) })));
  const strangers = found.filter(({ may }) => may.ok && may.value === "none").map(({ login }) => login);
  if (strangers.length > 0) {
    const why = `GitHub knows no ${strangers.join(", ")} who may read this repository, so that nobody is told in their place`;
    return missing(why, "Name a login that it has, as in reviewers: octocat, or give them access to the repository.");
  }
  const untellable = found.find(({ may }) => !may.ok)?.may;
  return untellable?.ok === false ? untold(untellable.trouble.because) : { right: "there" };
}

const MOST_PEOPLE = 20;

/** Whether GitHub Actions may create pull requests here, which only administrators are told. Never throws. */
export async function probeCreation(github: Github): Promise<Probed> {
  const question = () => github.rest.actions.getGithubActionsDefaultWorkflowPermissionsRepository({ request: ONCE });
  const forbidden = missing(
    "the repository's settings do not allow it",
    "Allow it in Settings, Actions, General: “Allow GitHub Actions to create and approve pull requests”.",
  );
  const { right, aheadMs } = await probe("administration: read", undefined, question, (settings) =>
    settings.can_approve_pull_request_reviews ? { right: "there" } : forbidden,
  );
  // Who may not look at the setting is not to blame for that.
  const isKept = right === forbidden || right.right !== "missing";
  return { right: isKept ? right : untold("only administrators are told"), aheadMs };
}

/**
 * Asks GitHub one question. Never throws.
 *
 * @param permission the line of `permissions:` that the question needs
 * @param absent what it means that GitHub does not find it, or hides it from the token; nothing, without it
 */
async function probe<T>(
  permission: string,
  absent: Right | undefined,
  question: () => Promise<{ readonly data: T; readonly headers: { readonly date?: string | undefined } }>,
  rightIn: (data: T) => Right,
): Promise<Probed> {
  try {
    const { data, headers } = await question();
    const there = Date.parse(String(headers.date));
    return { right: rightIn(data), aheadMs: Number.isNaN(there) ? null : Date.now() - there };
  } catch (error) {
    return { right: withheld(error, permission, absent), aheadMs: null };
  }
}

function withheld(error: unknown, permission: string, absent: Right | undefined): Right {
  const why = refusalOf(error, permission);
  if (isPassing(error)) return { right: "unknown", because: "unreachable", why };
  if (statusOf(error) === 401) return missing(why, "Give the step a github-token that is valid here.");
  if (saysThat(error, /resource not accessible/iu)) return missing("the token may not even read that", "");
  return statusOf(error) === 404 && absent !== undefined ? absent : untold(why);
}

const NOT_SHOWN = missing("GitHub does not show the repository to the token", "");

function missing(why: string, next: string): Right {
  return { right: "missing", why, next };
}

function untold(why: string): Right {
  return { right: "unknown", because: "untold", why };
}
