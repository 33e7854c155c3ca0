import type { Config } from "../config/config.ts";
import type { Shell } from "../app/shell.ts";
import { UsageError } from "../core/errors.ts";
import type { CiJobNames } from "../core/policy/mirror.ts";
import type { GithubToken } from "../core/ports.ts";
import { firstToken, revokeAppTokens, rightsOfApp, withAppToken } from "../github/app/app-token.ts";
import { isInstallations, isPersonal } from "../github/accounts.ts";
import type { Github } from "../github/client.ts";
import { ALL_LABELS } from "../views/github/labels.ts";
import { type Finding, githubFindings, type Right, RULES_MET } from "../views/gaps.ts";
import { githubPlace, type GithubPlace, originOn, serversIn } from "./github-place.ts";

const WITHIN_MS = 15_000;

interface GithubDoctor {
  readonly root: string;
  readonly config: Config;
  readonly shell: Shell;
  /** `owner/name`; undefined: where `origin` leads */
  readonly asked: string | undefined;
  /** whom the repository's workflows and the settings name to be told */
  readonly people: readonly string[];
  /** the branches that they name for the work to go to; null: the default one */
  readonly bases: readonly (string | null)[];
  /** what they have answer the checks that are required; null: nothing */
  readonly ci: CiJobNames | null;
  /** whether missing labels are made */
  readonly fixes: boolean;
}

/**
 * What the token may do with the GitHub repository that `origin` names, or `--repo`: requests that change nothing. With
 * `fixes`, our labels are made there. The token only goes to GitHub, wherever `origin` points.
 *
 * @throws UsageError when something is to be made, and it is not clear where or with what
 */
export async function githubDoctor({
  root,
  config,
  shell,
  asked,
  people,
  bases,
  ci,
  fixes,
}: GithubDoctor): Promise<readonly Finding[]> {
  const { serverUrl } = serversIn(shell.env);
  // Where git is missing, another finding says so.
  if (asked === undefined && (await originOn(serverUrl, root).catch(() => "")) === "") {
    if (fixes) throw nowhere("origin is no repository there");
    return [untold("origin is no repository there, so publishing from here is not looked at")];
  }
  // Origin decides, as without a job.
  const { GITHUB_REPOSITORY: _, ...env } = shell.env;
  // An App needs no other token.
  const given = config.appId === null ? config.githubToken : config.appId;
  const token = typeof given === "string" ? { SMITHERS_GITHUB_TOKEN: given } : {};
  const place = await githubPlace(asked, root, { ...shell, env: { ...env, ...token } });
  if (typeof place === "string") {
    if (fixes) throw nowhere("there is no token");
    return [
      untold("there is no token to ask with; set GH_TOKEN to have what a workflow would publish looked at as well"),
    ];
  }
  try {
    return await look(place, config, { people, bases, ci, fixes });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.problems.map(({ what, next }) => {
      const right: Right = { right: "missing", why: what.replace(/\.$/u, ""), next };
      return { subject: `tokens of the App ${config.appId}`, right, permission: null, blocks: true };
    });
  } finally {
    await revokeAppTokens();
  }
}

/** What GitHub is asked with, and what is known of it. */
async function tokenOf(
  place: GithubPlace,
  config: Config,
): Promise<{ readonly token: GithubToken; readonly findings: readonly Finding[] }> {
  if (config.appId === null) {
    const { token } = place;
    return {
      token,
      findings: isInstallations(token) ? [{ ...untold(ONE_HOUR), subject: "a token for over an hour" }] : [],
    };
  }
  const repository = { owner: place.owner, name: place.name, id: 0 };
  // Nothing of ours prints a token, and on a person's machine nobody else hides one.
  const { githubToken } = withAppToken(config, { apiUrl: place.apiUrl, repository }, { mask: () => {} });
  await firstToken(githubToken);
  const there = { subject: `tokens of the App ${config.appId}, which a run renews`, permission: null, blocks: false };
  return { token: githubToken ?? place.token, findings: [{ ...there, right: { right: "there" } }] };
}

const ONE_HOUR =
  "this one is an App's, which GitHub ends an hour after it was made; a job that has app-id and app-private-key renews it";

async function look(
  place: GithubPlace,
  config: Config,
  { people, bases, ci, fixes }: Pick<GithubDoctor, "people" | "bases" | "ci" | "fixes">,
): Promise<readonly Finding[]> {
  const [{ createGithub }, { probeCreation, probeLabels, probePeople, probePullRequests, probePush }] =
    await Promise.all([import("../github/client.ts"), import("../github/probes.ts")]);
  const { owner, name, apiUrl } = place;
  const { token, findings } = await tokenOf(place, config);
  // No probe asks which id it has.
  const repository = { owner, name, id: 0 };
  const github = createGithub({ token, apiUrl, repository, signal: AbortSignal.timeout(WITHIN_MS) });
  const made = fixes ? await makeAll(github) : null;
  const { probeRules } = await import("../github/statuses.ts");
  const [push, pulls, creation, labels, rules, told] = await Promise.all([
    probePush(github, typeof token === "string" && isPersonal(token)),
    probePullRequests(github),
    probeCreation(github),
    made ?? probeLabels(github, lacking),
    Promise.all(bases.slice(0, MOST_BASES).map(async (base) => probeRules(github, base, ci))),
    probePeople(github, people),
  ]);
  const asked = githubFindings({
    push: { refs: [`${owner}/${name}`], right: withCure(push.right) },
    pullRequests: withCure(pulls.right),
    creation: creation.right,
    dispatch: null,
    ci: null,
    labels,
    people: told,
    app: rightsOfApp(token),
    aheadMs: push.aheadMs ?? pulls.aheadMs,
  });
  const distinct = new Map(rules.flatMap((right) => (right !== null && "why" in right ? [[right.why, right]] : [])));
  const required = [...distinct.values()].map((right) => ({
    subject: RULES_MET,
    right,
    permission: null,
    blocks: false,
  }));
  return [...findings, ...asked, ...required];
}

/** The rules of at most this many branches are read. */
const MOST_BASES = 5;

/** Makes the labels that are missing; what came of it. */
async function makeAll(github: Github): Promise<Right> {
  const { makeLabels, missingLabels } = await import("../github/labels.ts");
  const missing = await missingLabels(github, ALL_LABELS);
  const made = missing.ok ? await makeLabels(github, missing.value) : missing;
  if (made.ok) return { right: "there" };
  const next = "Use a token that has issues: write for the repository, such as one of the GitHub CLI.";
  return { right: "missing", why: `they could not be made: ${made.trouble.because}`, next };
}

function lacking(names: string): Right {
  const next = "Make them with smithers doctor --fix, or give the loop's job permissions: issues: write.";
  return { right: "missing", why: `${names} are not there, so that only comments can be used`, next };
}

function nowhere(why: string): UsageError {
  return new UsageError({
    code: "NOTHING_TO_FIX",
    what: `The labels were not made: ${why}. Nothing was changed.`,
    next: `Name the repository and a token: GH_TOKEN="$(gh auth token)" smithers doctor --fix --repo owner/name.`,
  });
}

function untold(why: string): Finding {
  return { subject: "GitHub", right: { right: "unknown", because: "untold", why }, permission: null, blocks: false };
}

/** There is no workflow file here to add a line to. */
function withCure(right: Right): Right {
  const lacks = right.right === "missing" && right.next === "";
  return lacks ? { ...right, next: "Use a token that has this right for the repository." } : right;
}
