import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { workflowFindings } from "../../src/app/workflows/findings.ts";
import type { Finding } from "../../src/views/gaps.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** The job of `workflow()` while it runs. */
export const JOB = { file: "w.yml", job: "loop" };
export const ALL =
  "actions: write, checks: read, contents: write, issues: write, pull-requests: write, statuses: write";

export interface Given {
  readonly on?: string;
  readonly may?: string;
  readonly concurrency?: string;
  /** lines of the job besides */
  readonly job?: string;
  readonly before?: string;
  readonly uses?: string;
  readonly with?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** A workflow that lacks nothing, but for what is given. */
export function workflow(given: Given): string {
  const {
    on = "on: schedule",
    may = ALL,
    concurrency = "{ group: 'g-${{ github.run_id }}', queue: max }",
    job = "runs-on: ubuntu-24.04",
  } = given;
  const lines = [
    ...[on, "permissions: {}", ...(concurrency === "" ? [] : [`concurrency: ${concurrency}`])],
    ...["jobs:", "  loop:", `    permissions: { ${may} }`, `    ${job}`, "    steps:"],
    ...(given.before === undefined ? [] : [`      - ${given.before}`]),
    `      - uses: smithers/loop@${given.uses ?? "v1"}`,
    `        with: { ${given.with ?? "prompt: x"} }`,
  ];
  return `${lines.join("\n")}\n`;
}

/** What they lack, in a folder of their own. */
export async function found(
  files: Readonly<Record<string, string>>,
  running?: typeof JOB,
): Promise<readonly Finding[]> {
  await using repo = await tempFolder();
  const folder = path.join(repo.path, ".github", "workflows");
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return await workflowFindings(repo.path, running);
}

/** All permissions but one. */
export const without = (line: string) =>
  ALL.split(", ")
    .filter((one) => one !== line)
    .join(", ");
