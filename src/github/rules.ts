import type { RequiredCheck } from "../core/policy/mirror.ts";
import type { Result } from "../core/result.ts";
import type { Right } from "../views/gaps.ts";
import type { Github } from "./client.ts";
import { ask, type Refused } from "./refusal.ts";

/** Names of listed checks. */
const MOST = 10;

/**
 * Whether pull requests can meet the checks that the default branch's rules require. Never throws.
 *
 * @returns null: they require none, as far as they can be read
 */
export async function probeRules(github: Github): Promise<Right | null> {
  const repository = await ask("metadata: read", async () => (await github.rest.repos.get({})).data);
  if (!repository.ok) return null;
  const branch = repository.value.default_branch;
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
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : "";
  return {
    right: "unknown",
    because: "untold",
    why: `${branch} requires ${names.slice(0, MOST).join(", ")}${more}; pushes of a job's own token start no workflow, so set ci-workflow: FILE.yml to the one that has these jobs, with statuses: write; their results then stand under these names`,
  };
}

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
    const rules = await github.paginate((rest) => rest.repos.getBranchRules, { branch, per_page: 100 });
    const checks = rules.flatMap((rule) =>
      rule.type === "required_status_checks" ? (rule.parameters?.required_status_checks ?? []) : [],
    );
    const all = checks.map(({ context, integration_id: app }) => ({ context, app: app ?? null }));
    return [...new Map(all.map((check) => [`${check.context}\n${check.app}`, check])).values()];
  });
}
