import type { RequiredCheck } from "../core/policy/mirror.ts";
import type { Result } from "../core/result.ts";
import type { Github } from "./client.ts";
import { ask, type Refused } from "./refusal.ts";

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
