import type { CiJobNames, RequiredCheck } from "../core/policy/mirror.ts";
import type { Result } from "../core/result.ts";
import type { Right } from "../views/gaps.ts";
import { onceKnown } from "./ask-again.ts";
import type { Github } from "./client.ts";
import { ask, type Refused, saysThat } from "./refusal.ts";

interface CommitStatus {
  readonly sha: string;
  readonly state: "pending" | "success" | "failure" | "error";
  /** `smithers/loop` for the loop's own; of a job of CI, its name */
  readonly context: string;
  /** one line; cut at the 140 characters that GitHub takes */
  readonly description: string;
  /** where people read more */
  readonly targetUrl: string;
}

const LONGEST = 140;

/** Sets a status of a commit (`statuses: write`), in place of an earlier one of its context. Never throws. */
export async function setCommitStatus(
  github: Github,
  { sha, state, context, description, targetUrl }: CommitStatus,
): Promise<Result<unknown, Refused>> {
  const params = { sha, state, context, description: cut(description), target_url: targetUrl };
  return ask("statuses: write", () => onceKnown(github.signal, () => github.rest.repos.createCommitStatus(params)));
}

/** No half of a character is left at the end. */
function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** Names of listed checks. */
const MOST = 10;

/**
 * Whether pull requests can meet the checks that the rules of their base require. Never throws.
 *
 * @param known the base, without `refs/heads/`; null: the default branch, for which GitHub is asked first
 * @param ci what answers them; null: nothing
 * @returns null: they require none, as far as they can be read
 */
export async function probeRules(
  github: Github,
  known: string | null = null,
  ci: CiJobNames | null = null,
): Promise<Right | null> {
  const branch = known ?? (await defaultBranchOf(github));
  if (branch === null) return null;
  const required = await requiredChecks(github, branch);
  if (!required.ok || required.value.length === 0) return null;
  const names = required.value.map(({ context }) => context);
  const ours = names.filter((name) => name.startsWith("smithers/"));
  if (ours.length > 0) {
    const why = `${branch} requires ${ours.join(", ")}, which people's own pull requests never get: none of them can be merged`;
    return {
      right: "missing",
      why,
      next: "Take it out of the branch's rules; a checkpoint is kept from being merged by its draft.",
    };
  }
  const open = ci === null ? names : names.filter((name) => ci.names?.has(name) === false);
  if (open.length === 0) return null;
  const more = open.length > MOST ? ` and ${open.length - MOST} more` : "";
  const asks = `${branch} requires ${open.slice(0, MOST).join(", ")}${more}`;
  const why =
    ci === null
      ? `${asks}; pushes of a job's own token start no workflow, so set ci-workflow: FILE.yml to the one that has these jobs, with statuses: write; their results then stand under these names`
      : `${asks}, and ${ci.file} has no job of that name, so that nothing is said for it on the loop's pull request; name the job so, or set ci-workflow to the workflow that has it`;
  return { right: "unknown", because: "untold", why };
}

async function defaultBranchOf(github: Github): Promise<string | null> {
  const repository = await ask("metadata: read", async () => (await github.rest.repos.get({})).data);
  return repository.ok ? repository.value.default_branch : null;
}

/** What GitHub says of a private repository whose plan has no rules. */
const NO_RULES = /upgrade to github/iu;

/**
 * The checks that a branch's rules ask for, each once (`metadata: read`, which every token has). What a classic branch
 * protection asks for is only told to administrators. Never throws.
 *
 * @param branch without `refs/heads/`
 */
export async function requiredChecks(
  github: Github,
  branch: string,
): Promise<Result<readonly RequiredCheck[], Refused>> {
  return ask("metadata: read", async () => {
    const asked = github.paginate((rest) => rest.repos.getBranchRules, { branch, per_page: 100 });
    const rules = await asked.catch((error: unknown) => {
      if (saysThat(error, NO_RULES)) return [];
      throw error;
    });
    const checks = rules.flatMap((rule) =>
      rule.type === "required_status_checks" ? (rule.parameters?.required_status_checks ?? []) : [],
    );
    const all = checks.map(({ context, integration_id: app }) => ({ context, app: app ?? null }));
    return [...new Map(all.map((check) => [`${check.context}\n${check.app}`, check])).values()];
  });
}
