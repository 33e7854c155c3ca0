import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Status } from "../../src/core/outcome.ts";
import { end } from "../action/publish-stage.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { timeIsUpOnce } from "../support/ci/late-clock.ts";
import { isPull } from "../support/github-api/issue-documents.ts";
import { dispatchEvent } from "../support/github-api/webhooks.ts";
import { addFile, message, type ModelRequest, type Reply, unauthorized } from "../support/model-server.ts";
import { claims, worksOn } from "./says.ts";

interface Ending {
  readonly status: Status;
  readonly reason: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** what the agent does in each turn after the first, which writes a file */
  readonly goesOn: Reply;
  /** the job's clock shows that its time is up once the file is there */
  readonly isLate?: true;
  /** what alice is told: on a draft by a comment; undefined: nothing */
  readonly told?: string;
}

const WAITS = "the loop waits for a person.";
const ENDINGS: readonly Ending[] = [
  {
    ...{ status: "circuit_open", reason: "no_progress", told: WAITS },
    inputs: { "max-no-progress": "1" },
    goesOn: worksOn("I am still looking"),
  },
  {
    ...{ status: "stopped_max_iterations", reason: "max_iterations", told: WAITS },
    inputs: { "max-iterations": "1" },
    goesOn: worksOn("there was no time"),
  },
  {
    ...{ status: "stopped_budget", reason: "tokens", told: WAITS },
    inputs: { "max-tokens": "200" },
    goesOn: worksOn("it was too dear"),
  },
  {
    ...{ status: "blocked", reason: "agent_blocked", told: WAITS },
    inputs: {},
    goesOn: message("BLOCKED\n- There is no network here. Needed: a mirror."),
  },
  { ...{ status: "error", reason: "auth", told: WAITS }, inputs: {}, goesOn: unauthorized() },
  { ...{ status: "paused_time_budget", reason: "time_budget" }, inputs: {}, goesOn: worksOn("later"), isLate: true },
  {
    ...{ status: "waiting", reason: "calls_per_hour" },
    inputs: { "max-calls-per-hour": "1" },
    goesOn: worksOn("later"),
  },
  {
    ...{ status: "completed", reason: "success_command", told: "the work is done; please look at it." },
    inputs: { "success-sh": "test -f work.txt", "pull-request": "draft" },
    goesOn: claims(),
  },
];

function says({ prompts, outputs }: ModelRequest): Reply {
  const [, loop] = /^Loop (\S+), iteration /mu.exec(prompts[0] ?? "") ?? [];
  const ending = ENDINGS.find(({ status }) => nameOf(status) === loop);
  if (ending === undefined) throw new Error(`there is no loop ${loop}`);
  if (prompts.length > 1) return ending.goesOn;
  if (outputs.length === 0) return addFile("work.txt", "half\n");
  return ending.status === "completed" ? ending.goesOn : worksOn("half of it");
}

const nameOf = (status: string): string => status.replaceAll("_", "-");

let ci: Ci;
beforeAll(async () => {
  ci = await startCi({ files: { "README.md": "hello\n" }, script: says, byRef: true });
});
afterAll(async () => end(ci));

describe.concurrent(
  "who has started the workflow by hand is told of each ending, once [C87]",
  { timeout: 120_000 },
  () => {
    test.for(ENDINGS)("$status", async ({ status, reason, inputs, isLate, told }) => {
      const { world } = ci.api;
      const loop = nameOf(status);
      await using machine = await ci.machine({ depth: 1 });
      const job = await machine.run({
        event: dispatchEvent(world, {
          workflow: ".github/workflows/smithers.yml",
          ref: "main",
          inputs: {},
          login: "alice",
        }),
        env: isLate === true ? timeIsUpOnce(ci, machine, "work.txt") : {},
        inputs: {
          prompt: "Do the work.",
          "success-sh": "test -f nothing.txt",
          sandbox: "workspace-write",
          "api-key": "sk-secret-key",
          "job-timeout-minutes": "60",
          "loop-id": loop,
          ...inputs,
        },
      });
      expect(job.outputs).toMatchObject({ status, "stop-reason": reason });
      const pull = world.issues.filter(isPull).find((issue) => issue.pull.headBranch === `smithers/${loop}`);
      expect(pull).toMatchObject({ pull: { draft: true, requested: [] } });
      const said = world.comments.filter(({ issue, body }) => issue === pull?.number && body.includes("@alice"));
      const calls = said.map(({ body }) => /@alice: (?<words>.*)/u.exec(body)?.groups?.["words"]);
      expect(calls).toEqual(told === undefined ? [] : [told]);
    });
  },
);
