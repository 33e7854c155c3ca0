import {
  aJob,
  aPull,
  aRun,
  type GithubApi,
  moment,
  startGithubApi,
  type Token,
} from "../../support/github-api/server.ts";
import { NOT_FOUND } from "../../support/github-api/operation.ts";
import { gitOfFiles } from "./git-of-files.ts";

export const HEAD = "b".repeat(40);
export const BASE = "a".repeat(40);
export const WORKFLOW =
  "on: [push, workflow_dispatch]\njobs:\n  test:\n    steps:\n      - run: npm ci\n      - run: npm test\n";
const at = (second: number, text: string): string => `2026-11-20T03:10:0${second}.1234567Z ${text}`;
const LOG = [
  at(0, "##[group]Run npm ci"),
  at(1, "added 2 packages"),
  at(2, "##[group]Run npm test"),
  at(3, "not ok 7 adds up, the token is sesame-open-now"),
  at(3, "##[error]Process completed with exit code 1."),
  at(4, "Post job cleanup."),
].join("\n");
const CAN: Token["permissions"] = { actions: "read", checks: "read", contents: "read", "pull-requests": "read" };

/**
 * GitHub with run 88 of CI, which has failed in its job `test` for pull request 7.
 *
 * @param files the workflow's file, by commit
 * @param others see `gitOfFiles`
 */
export async function startFailedRun(
  files: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): Promise<GithubApi> {
  const api = await startGithubApi({
    tokens: { t: { login: "bot", permissions: CAN } },
    handlers: {
      ...gitOfFiles(files, BASE, others),
      "repos/get-content": {
        needs: { contents: "read" },
        handle: ({ query, params }) => {
          const text = files.get(query.get("ref") ?? "");
          if (text === undefined || params["path"] !== ".github/workflows/ci.yml") return NOT_FOUND;
          const urls = { url: api.url, html_url: api.url, git_url: api.url, download_url: api.url };
          const named = { type: "file", name: "ci.yml", path: ".github/workflows/ci.yml", sha: "f".repeat(40) };
          const content = { encoding: "base64", content: Buffer.from(text).toString("base64"), size: text.length };
          const links = { git: api.url, html: api.url, self: api.url };
          return { status: 200, body: { ...named, ...content, ...urls, _links: links } };
        },
      },
    },
  });
  api.world.issues.push(aPull({ number: 7, headSha: HEAD }));
  const ci = { path: ".github/workflows/ci.yml", event: "pull_request" };
  api.world.runs.push(
    aRun({ ...ci, id: 80, branch: "feature", sha: "c".repeat(40), conclusion: "success" }),
    aRun({ ...ci, id: 81, branch: "main", sha: BASE, event: "push", conclusion: "success" }),
    aRun({ ...ci, id: 88, branch: "feature", sha: HEAD, conclusion: "failure" }),
  );
  const steps = { "Set up job": "success", "Run npm ci": "success", "Run npm test": "failure" };
  const time = (second: number): Date => new Date(moment(10).getTime() + second * 1_000);
  const stepTimes = { "Run npm ci": [time(0), time(1)], "Run npm test": [time(2), time(3)] } as const;
  const annotations = [
    { path: "src/add.js", line: 3, level: "failure", message: "expected 5" },
    { path: "src/add.js", line: 4, level: "warning", message: "unused" },
  ] as const;
  api.world.jobs.push(
    aJob({
      id: 9,
      runId: 88,
      name: "test",
      conclusion: "failure",
      steps,
      stepTimes,
      annotations,
      log: LOG,
      labels: ["ubuntu-24.04"],
    }),
    aJob({ id: 10, runId: 88, name: "lint", conclusion: "success" }),
  );
  return api;
}
