import { finding } from "../agents/agent.ts";
import { agentFindings, type ProviderContext } from "../agents/registry.ts";
import type { Command } from "../app/command.ts";
import type { Isolating } from "../app/isolate.ts";
import { isolateChecks } from "../app/isolate-checks.ts";
import { isolateTurns } from "../app/isolate-turns.ts";
import { locate, type Location } from "../app/locate.ts";
import { projectionsOf, unmeasuredPaths } from "../app/own-files.ts";
import { reviewerOf, reviewing } from "../app/review/reviewer.ts";
import { printJson } from "../app/shell.ts";
import type { Config } from "../config/config.ts";
import { resolveSettings, type Resolved } from "../config/resolve.ts";
import { OperationalError, UsageError } from "../core/errors.ts";
import { gitVersion, isGitRepository } from "../git/repository.ts";
import { createGitWorkspace } from "../git/workspace.ts";
import { systemClock } from "../os/clock.ts";
import { inTempFolder } from "../os/temp-folder.ts";
import { type LoopPlace, marksOf, placeOf } from "../store/place.ts";
import { counted } from "../views/amounts.ts";
import { type Finding, findingLines, gapsIn, type Right } from "../views/gaps.ts";
import { oneLine } from "../views/plain-text.ts";
import { githubDoctor } from "./doctor-github.ts";
import { namedIn, workflowFindings } from "../app/workflows/findings.ts";

export const DOCTOR_HELP = `It takes the settings of a run and looks at what such a run would need: git and a repository, a work tree
without changes where the loop commits, the agent's program, its sandbox and its login, whether checks and
turns can be isolated, and .smithers.toml.
The repository's workflows that run a loop are read: a permission, an input or a queue that one lacks is told
with the line to add. With a token and an origin on GitHub also whether you may push and see pull requests,
whether GitHub Actions may open them, the labels, and the clock; --fix makes the labels, which takes
issues: write. With SMITHERS_APP_ID and SMITHERS_APP_PRIVATE_KEY it is the App that asks. Every GAP says what
closes it; what cannot be known is no gap.

Examples:
  smithers doctor                           what a run without flags would lack
  smithers doctor --full-auto --commit end  what this run would lack
  GH_TOKEN="$(gh auth token)" smithers doctor
                                            the same, with what GitHub says
  GH_TOKEN="$(gh auth token)" smithers doctor --fix
                                            make the labels in the repository on GitHub

Exit codes: 0 nothing is missing, 1 something is, 64 bad usage.`;

/**
 * `smithers doctor`: looks whether everything is here that a loop with these settings needs, and says of each gap what
 * closes it. Writes nothing but the labels that `--fix` makes on GitHub, starts no loop, spends nothing. Exits 1 when something is missing; what cannot be known is
 * never missing.
 */
export const doctor: Command = async (invocation, shell) => {
  const location = await locate(invocation.flags, shell, invocation.values.has("trust") ? "given" : "spare");
  const { resolved, findings: ofSettings } = settingsOf(location);
  const { config } = resolved;
  // Stands for no loop: nothing is kept under it.
  const place = placeOf(location.root, "doctor", null);
  const loop = { config, workspaceRoot: place.root, folder: place.folder, mark: marksOf(place).agent };
  const context = { ...loop, env: shell.env, clock: systemClock };
  const { people, bases, ci } = await namedIn(place.root);
  const found = await Promise.all([
    workspaceFindings(place, config),
    agentFindings(context).catch(asFindings),
    workflowFindings(place.root),
    githubDoctor({
      root: place.root,
      config,
      shell,
      asked: invocation.values.get("repo"),
      people: [...config.reviewers, ...config.notify, ...people],
      bases: [config.base, ...bases],
      ci,
      fixes: invocation.values.has("fix"),
    }),
    isolationFindings({ place, config, env: shell.env }, context),
    reviewerFindings(context),
  ]);
  const findings = [...ofSettings, ...found.flat()];
  const gaps = gapsIn(findings).length;
  const close = `${counted(gaps, "gap")} to close. Then look again with ${shell.program} doctor.`;
  const tryIt = `Nothing is missing. Try it: ${shell.program} "<what the agent has to do>" --dry-run`;
  if (invocation.json) printJson(shell, asJson(findings));
  else shell.stdout.write(`${[...findingLines(findings), "", gaps === 0 ? tryIt : close].join("\n")}\n`);
  return gaps === 0 ? 0 : 1;
};

/**
 * What the settings are; where a file with settings is wrong, without such files.
 *
 * @throws UsageError for what was said on the command line or in the environment
 */
function settingsOf({ input }: Location): { readonly resolved: Resolved; readonly findings: readonly Finding[] } {
  const { file, foreign = [], ...said } = input;
  const withoutFile = resolveSettings(said);
  const paths = [...(file === undefined ? [] : [file]), ...foreign].map((each) => each.path);
  if (paths.length === 0) return { resolved: withoutFile, findings: [] };
  try {
    return { resolved: resolveSettings(input), findings: paths.map((subject) => finding(subject, THERE)) };
  } catch (error) {
    const subject = paths.join(", ");
    return { resolved: withoutFile, findings: asFindings(error).map((row) => ({ ...row, subject })) };
  }
}

/** What a person can put right is a gap; anything else is a bug. */
function asFindings(error: unknown): readonly Finding[] {
  if (!(error instanceof UsageError)) throw error;
  return error.problems.map(({ what, next }) =>
    finding("the agent", { right: "missing", why: what.replace(/\.$/u, ""), next }),
  );
}

/** Whether a loop can work in the folder: git, a repository, nothing in the way of the loop's commits. */
async function workspaceFindings(place: LoopPlace, config: Config): Promise<readonly Finding[]> {
  const { root } = place;
  try {
    const git = finding(oneLine(await gitVersion(root)), THERE);
    if (await isGitRepository(root))
      return [git, finding(`the repository in ${root}`, THERE), await clean(place, config)];
    return [git, finding(`a git repository in ${root}`, config.skipGitRepoCheck ? NOT_ASKED : NO_REPOSITORY)];
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    return [finding("git", { right: "missing", why: oneLine(error.message), next: error.next })];
  }
}

/**
 * Whether checks and turns can be isolated on this machine. A run does without, and says so, unless `require-isolation`
 * is on.
 */
async function isolationFindings(isolating: Isolating, context: ProviderContext): Promise<readonly Finding[]> {
  const { checkSandbox, requireIsolation } = isolating.config;
  const silent = (): void => {};
  const [checks, turns] = await Promise.all([
    isolateChecks(isolating, silent).lack(),
    // Where the agent is not there, another finding says so.
    isolateTurns(isolating, context, silent).lack(),
  ]);
  const about = (subject: string, lack: typeof checks): Finding => {
    if (lack === undefined) return finding(subject, THERE);
    if (requireIsolation) return finding(subject, { right: "missing", ...lack });
    return finding(subject, { right: "unknown", because: "untold", why: `${lack.why}. ${lack.next}` });
  };
  const isStrict = checkSandbox === "strict" || checkSandbox === "on";
  return [
    ...(isStrict && checks === undefined ? [] : [about("the isolation of checks", checks)]),
    ...(turns === undefined ? [] : [about("the isolation of the agent's turns", turns)]),
  ];
}

/** Whether somebody looks at work whose proof is thin, and could. */
async function reviewerFindings(context: ProviderContext): Promise<readonly Finding[]> {
  const { config } = context;
  const choice = reviewerOf(config);
  if (choice === null) return [finding("a reviewer", NOBODY_LOOKS)];
  const subject = `a reviewer (${config.reviewer}, ${choice.name})`;
  if (choice.name === config.provider) return [finding(subject, THERE)];
  const found = await agentFindings({ ...context, config: reviewing(config, choice), reviews: true }).catch(asFindings);
  return found.map((each) => ({ ...each, subject: `${subject}: ${each.subject}` }));
}

const NOBODY_LOOKS: Right = {
  right: "unknown",
  because: "untold",
  why: "reviewer is off, so nobody but its checks looks at the work; --reviewer thin has another session look where they prove little",
};

const THERE: Right = { right: "there" };

const NO_REPOSITORY: Right = {
  right: "missing",
  why: "there is none, so nobody could see or undo what the agent changes",
  next: "Run git init there, name a repository with --cd, or say --skip-git-repo-check.",
};

const NOT_ASKED: Right = { right: "unknown", because: "untold", why: "there is none, and skip-git-repo-check is on" };

async function clean(place: LoopPlace, config: Config): Promise<Finding> {
  const excluded = unmeasuredPaths(place, config, 1, await projectionsOf(place, config));
  const dirty = await inTempFolder(async (folder) =>
    (await createGitWorkspace({ root: place.root, folder, excluded })).dirtyFiles(),
  );
  if (dirty.length === 0) return finding("a clean work tree", THERE);
  const changes = `changes in ${counted(dirty.length, "file")} are not committed`;
  // Without commits of the loop they only show up in its diff.
  if (config.commit === "never")
    return finding(`the work tree: ${changes}, and the loop does not commit either`, THERE);
  const next = "Commit or stash them first, or use --commit never.";
  return finding("a clean work tree", { right: "missing", why: changes, next });
}

function asJson(findings: readonly Finding[]): object {
  const rows = findings.map(({ subject, right, permission }) => ({
    subject,
    state: right.right === "readable" ? "there" : right.right,
    why: "why" in right ? right.why : "",
    next: "next" in right ? right.next || `Add permissions: ${permission}` : "",
  }));
  return { schema: 1, ok: gapsIn(findings).length === 0, findings: rows };
}
