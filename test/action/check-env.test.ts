import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";

const RANDOM = "v8Kq2LxT0pRz7WmB4nYc";

/** Keeps what it sees, and is done in its second turn. It also does what would reach a later step's environment. */
const AGENT = `
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
const names = ["DATABASE_URL", "JAVA_HOME", "DEPLOY", "GITHUB_ENV", "ACTIONS_RUNTIME_TOKEN"];
writeFileSync("agent-sees.txt", names.filter((name) => name in process.env).join(" "));
if (existsSync("began.txt")) writeFileSync("done.txt", "");
writeFileSync("began.txt", "");
`;

/** Red until the work is done, and whenever its environment is not the step's. */
const CHECK =
  'echo "sees $JAVA_HOME $DATABASE_URL ${DEPLOY:-no} ${ACTIONS_RUNTIME_TOKEN:-no} ${GITHUB_ENV:-no}" | tee check-sees.txt; test -f done.txt';

test("a check has what env: and setup steps put there, the agent has not, and a red one names what was withheld [C95, T2]", async () => {
  await using ci = await startCi({ files: { "agent.mjs": AGENT }, byRef: true, publishes: false });
  await using machine = await ci.machine();
  const job = await machine.run({
    inProcess: true,
    env: {
      ...{ DATABASE_URL: "postgres://app:app@localhost:5432/app", JAVA_HOME: "/opt/java" },
      ...{ DEPLOY: RANDOM, LD_LIBRARY_PATH: machine.workspace },
    },
    inputs: {
      prompt: "Write done.txt.",
      "success-sh": CHECK,
      provider: "command",
      "provider-command": '["node","agent.mjs"]',
      "full-auto": "true",
      "max-iterations": "3",
      commit: "never",
    },
  });
  expect(job.outputs).toMatchObject({ status: "completed", iterations: "2" });
  const seen = async (name: string) => readFile(`${machine.workspace}/${name}`, "utf8");
  expect(await seen("check-sees.txt")).toBe("sees /opt/java postgres://app:app@localhost:5432/app no no no\n");
  expect(await seen("agent-sees.txt")).toBe("");
  expect(job.log.match(/did not get DEPLOY, because/gu)).toHaveLength(1);
  expect(job.log).not.toContain(RANDOM);
});
