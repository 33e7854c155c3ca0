import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiJob, type CiMachine, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { refuse } from "../support/results/reply.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = scriptedTask([
  { files: { "done-{{iteration}}.txt": "done\n" }, lastMessage: "Done. <promise>TASK_COMPLETE</promise>" },
]);

/** Two endings: one that leaves the job green, and one that fails it. */
const ENDINGS = {
  completed: { inputs: { "success-sh": "test -f done-1.txt" }, conclusion: "success", exitCode: 0 },
  stopped_max_iterations: {
    inputs: { "success-sh": "false", "max-iterations": "1" },
    conclusion: "failure",
    exitCode: 1,
  },
} as const;

interface Case {
  readonly name: string;
  readonly status: keyof typeof ENDINGS;
  readonly job?: CiJob;
  readonly breaks?: (ci: Ci) => Promise<void> | void;
  /** what people are told, each once */
  readonly told: readonly RegExp[];
  /** whether all copies are saved in spite of it */
  readonly saved?: true;
}

const NO_CACHE = "The loop's files are not in the cache: ";
const NO_ARTIFACT = "The loop's files are not uploaded as an artifact: ";

const failing =
  (cache: Parameters<Ci["results"]["fail"]>[1], artifact = cache) =>
  ({ results }: Ci): void => {
    results.fail("CreateCacheEntry", cache);
    results.fail("CreateArtifact", artifact);
  };

const bothSay = (words: string, others = words): readonly RegExp[] => [
  literal(NO_CACHE + words),
  literal(NO_ARTIFACT + others),
];

/** Waits are as long as they are, and of this reserve an upload gets 1.8 s. */
const REAL_TIME: CiJob = { env: { NODE_OPTIONS: "" }, inputs: { "reserve-minutes": "0.1" } };

const CASES: readonly Case[] = [
  {
    name: "the results service does not know the token (401) or forbids it (403)",
    status: "completed",
    breaks: failing(refuse(401, "unauthenticated", "no"), refuse(403, "permission_denied", "no")),
    told: bothSay(
      "the service does not know the run's token (401).",
      "the service refuses this to the run's token (403).",
    ),
  },
  {
    name: "GitHub's API has trouble, and the loop's files are saved",
    status: "stopped_max_iterations",
    breaks: ({ api }) => {
      for (const operation of API) api.fail(operation, { status: 500, body: { message: "oops" } }, 99);
    },
    told: [/When the job began is not known: .+ The deadline counts from the start of this step/u],
    saved: true,
  },
  {
    name: "the results service is asked too often (429) or has trouble (500), and GitHub's API hangs when it is asked for the job",
    status: "stopped_max_iterations",
    breaks: (ci) => {
      failing(refuse(429, "resource_exhausted", "later"), refuse(500, "internal", "oops"))(ci);
      ci.api.fail("actions/get-job-for-workflow-run", "hang", 99);
    },
    told: [
      ...bothSay("the service is asked too often at the moment (429).", "the service has trouble of its own (500)."),
      /When the job began is not known/u,
    ],
  },
  {
    name: "the results service hangs",
    status: "completed",
    job: REAL_TIME,
    breaks: failing("hang"),
    told: bothSay("the service took longer than 1.8 s."),
  },
  {
    name: "nobody listens where the results service and GitHub's API were",
    status: "stopped_max_iterations",
    job: { env: { ACTIONS_RESULTS_URL: "http://127.0.0.1:9/" }, github: { api_url: "http://127.0.0.1:9" } },
    told: [...bothSay(""), /When the job began is not known/u],
  },
  {
    name: "the step got no runtime token",
    status: "completed",
    job: { env: { ACTIONS_RUNTIME_TOKEN: "" } },
    told: bothSay("this runner gave the step no ACTIONS_RUNTIME_TOKEN."),
  },
  {
    name: "the git server has trouble (500)",
    status: "completed",
    breaks: ({ remote }) => {
      remote.fault = () => ({ status: 500, text: "oops" });
    },
    told: gitTold("500"),
  },
  {
    name: "the git server does not know the token (401)",
    status: "stopped_max_iterations",
    breaks: ({ remote }) => {
      remote.fault = () => ({ status: 401, text: "who?" });
    },
    told: gitTold("the repository does not accept the token"),
  },
  {
    name: "the git server lets the token only read (403)",
    status: "completed",
    breaks: ({ remote }) => {
      remote.fault = ({ url }) => (url.includes("receive-pack") ? { status: 403, text: "no" } : undefined);
    },
    told: [/so what it does is lost if this machine vanishes: .+ Add `contents: write` to the job's `permissions:`/u],
  },
  {
    name: "the git server cuts connections",
    status: "stopped_max_iterations",
    breaks: ({ remote }) => {
      remote.fault = () => "drop";
    },
    told: gitTold(""),
  },
  {
    name: "the blob store is down",
    status: "completed",
    breaks: ({ results }) => results.blobs.stop(),
    told: bothSay(""),
  },
];

const API = [
  "actions/get-job-for-workflow-run",
  "actions/list-artifacts-for-repo",
  "actions/get-workflow-run",
  "actions/list-workflow-run-artifacts",
  "actions/get-actions-cache-list",
];

function gitTold(why: string): readonly RegExp[] {
  return [
    new RegExp(`could not be read, so other copies of the loop have to do: .*${literal(why).source}`, "u"),
    new RegExp(`is lost if this machine vanishes: .*${literal(why).source}`, "u"),
  ];
}

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`), "u");
}

describe("whatever a service does, the loop's result is kept and people are told once what that means", () => {
  let ci: Ci;
  let machine: CiMachine;
  beforeAll(async () => {
    ci = await startCi({ ...TASK, publishes: false });
    machine = await ci.machine();
  });
  afterAll(async () => {
    await machine[Symbol.asyncDispose]();
    await ci[Symbol.asyncDispose]();
  });

  test.each(CASES.map((row, at) => ({ ...row, at })))("$name [C11]", async (row) => {
    await machine.git("clean", "-q", "-f");
    ci.results.heal();
    ci.remote.fault = undefined;
    for (const operation of API) ci.api.fail(operation, "drop", 0);
    await row.breaks?.(ci);
    const ending = ENDINGS[row.status];
    const inputs = {
      ...TASK.inputs,
      commit: "never",
      "loop-id": `loop-${row.at}`,
      ...ending.inputs,
      ...row.job?.inputs,
    };
    const job = await machine.run({ ...row.job, inputs });
    expect(job.main.exitCode).toBe(ending.exitCode);
    expect(job.posts.map(({ exitCode }) => exitCode)).toEqual([0]);
    expect(job).toMatchObject({ conclusion: ending.conclusion, outputs: { status: row.status, iterations: "1" } });
    expect(job.main.summary).toContain(`## ${row.status}`);
    for (const words of row.told) expectToldOnce(job, words);
    expect(said(job)).toEqual([...new Set(said(job))]);
    const lost = said(job).filter((text) => /is lost if|are not in|are not uploaded/u.test(text));
    expect(row.saved === true ? lost : []).toEqual([]);
  });
});

/** As an annotation, and below the notices of the summary. */
function expectToldOnce(job: Job, words: RegExp): void {
  expect(
    said(job).filter((text) => words.test(text)),
    `in ${said(job).join("\n")}`,
  ).toHaveLength(1);
  expect(job.main.summary.replaceAll("\\", "")).toMatch(words);
}

function said({ main, posts }: Job): readonly string[] {
  return [main, ...posts]
    .flatMap(({ commands }) => commands)
    .filter(({ name }) => ["notice", "warning", "error"].includes(name))
    .map(({ data }) => data);
}
