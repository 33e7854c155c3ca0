import path from "node:path";
import { UsageError } from "../../../src/core/errors.ts";
import { readRun } from "../../../src/github/runs.ts";
import { planRepair } from "../../../src/job/repair/repair-run.ts";
import type { RunRequest } from "../../../src/requests/run-request.ts";
import { githubOf } from "../../support/github-api/client.ts";
import type { GithubApi, RunRow } from "../../support/github-api/server.ts";
import { BASE, WORKFLOW } from "./failed-run-stage.ts";

/** What GitHub answers where a permission is missing. */
export const REFUSED = {
  status: 403,
  body: { message: "Resource not accessible by integration", documentation_url: "" },
};

interface Given {
  readonly base?: string | undefined;
  readonly checks?: Readonly<Record<string, unknown>>;
  readonly own?: string;
}

/**
 * Plans the repair of run 88 from now on.
 *
 * @param api as `startFailedRun` gives it
 * @param files see there
 * @param others see there
 */
export function plannerOf(api: () => GithubApi, files: Map<string, string>, others: ReadonlyMap<string, string>) {
  return async (given: Given = {}) => planned(api(), files, others, given);
}

async function planned(
  api: GithubApi,
  files: Map<string, string>,
  others: ReadonlyMap<string, string>,
  { base = WORKFLOW, checks = {}, own = "smithers.yml" }: Given,
) {
  files.set(BASE, base ?? "");
  const github = githubOf(api, AbortSignal.timeout(20_000));
  const run = await readRun(github, 88);
  if (!run.ok) throw new Error(run.trouble.because);
  const told: string[] = [];
  const tell = (text: string): void => void told.push(text);
  const none = { successCommand: null, successShell: null, quality: [], ci: null };
  const config = { apiKey: null, githubToken: null, stateKey: null, environmentSecrets: ["sesame-open-now"] };
  const asked = { pullRequest: 7, failed: run.value };
  const plan = await planRepair({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is looked at here
    ...({
      runRequest: asked,
      settings: { config, identity: { prd: null, checks: { ...none, ...checks } } },
    } as unknown as {
      runRequest: RunRequest;
      settings: Parameters<typeof planRepair>[0]["settings"];
    }),
    github: { within: async () => github, until: async () => github },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is looked at here
    context: { event: { defaultBranch: "main" }, workflow: { file: own } } as Parameters<
      typeof planRepair
    >[0]["context"],
    root: "/work",
    committed: {
      readOriginal: async (file) => {
        const text = file === "/work/.github/workflows/ci.yml" ? base : others.get(path.basename(file));
        return text === undefined ? undefined : { text };
      },
      read: async () => undefined,
      readTracked: async () => undefined,
    },
    teller: { line: tell, notice: tell, warning: tell, error: tell, told },
  });
  return { ...plan, told: told.join("\n"), checks: plan?.settings.identity.checks };
}

/** What a person reads of a refusal. */
export async function refusalOf(doing: Promise<unknown>): Promise<string> {
  return doing.then(
    () => "not refused",
    (error: unknown) =>
      error instanceof UsageError ? `${error.problems[0]?.what} ${error.problems[0]?.next}` : String(error),
  );
}

/** Makes run 88 another one. */
export function changeRun({ world: { runs } }: GithubApi, more: Partial<RunRow>): void {
  for (const [at, run] of runs.entries()) if (run.id === 88) runs[at] = { ...run, ...more };
}
