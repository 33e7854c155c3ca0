import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { runCancelled } from "../support/ci/cancelled.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { HANGING_FILES, hangingTask } from "../support/ci/hanging-task.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { anApp } from "../support/github-api/server.ts";
import type { Job } from "../support/runner/runner.ts";

const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const PEM = KEY.export({ type: "pkcs1", format: "pem" }).toString();
const APP = { "app-id": "4711", "app-private-key": PEM };
/** The agent looks for what it must not get. */
const LOOKS = "{ env; git config --list; } > seen.txt 2>&1; true";
const TASK = scriptedTask([{ files: { "done.txt": "" }, commands: [LOOKS], lastMessage: "Done." }]);

/** A repository in which the job's own token may do nothing at all, and the App everything that is needed. */
async function ciWithApp(): Promise<Ci> {
  const ci = await startCi({ ...TASK, byRef: true, permissions: {} });
  ci.api.world.apps.push(anApp({ installation: { repositories: ["r"] } }, KEY));
  return ci;
}

/** The tokens that the App's own word has got. */
function minted({ api }: Ci): number {
  return api.requests.filter(({ operation }) => operation === "apps/create-installation-access-token").length;
}

function annotations({ main }: Job): string {
  return main.commands
    .filter(({ name }) => /^(?:error|warning|notice)$/u.test(name))
    .map(({ data }) => data)
    .join("\n");
}

test("an App's token does all that the job's own does, and nobody but GitHub gets it [C90] [C91]", async () => {
  await using ci = await ciWithApp();
  await using machine = await ci.machine();
  const job = await machine.run({ inProcess: true, inputs: { ...TASK.inputs, ...APP }, secrets: [PEM.slice(60, 120)] });
  expect(job.outputs).toMatchObject({ status: "completed", "pr-number": expect.stringMatching(/^\d+$/u) });
  const pull = ci.api.world.issues.find(({ number }) => String(number) === job.outputs["pr-number"]);
  expect(pull?.author).toBe("the-app[bot]");
  const askedAs = new Set(ci.api.requests.map(({ login }) => login));
  expect(askedAs).toEqual(new Set(["", "the-app[bot]"]));
  // The runner hides what it was told to: it was told before anything could be printed.
  const hidden = job.main.commands.filter(({ name }) => name === "add-mask").map(({ data }) => data);
  expect(hidden.filter((secret) => secret.startsWith("ghs_"))).toHaveLength(1);
  expect(hidden).toContain(PEM.split("\n")[5]);
  const seen = await ci.remote.git("show", `refs/heads/${job.outputs["branch"]}:seen.txt`);
  expect(seen).toContain("PATH=");
  const written =
    seen + JSON.stringify([job.log, job.main.summary, job.posts, ci.api.world.issues, ci.api.world.comments]);
  for (const secret of [/ghs_\w/u, /PRIVATE KEY/u, new RegExp(PEM.split("\n")[5] ?? "-", "u")])
    expect(written).not.toMatch(secret);
  expect([minted(ci), ci.api.requests.at(-1)?.operation]).toEqual([1, "apps/revoke-installation-access-token"]);
  expect([...ci.api.world.tokens.keys()].filter((name) => name.startsWith("ghs_"))).toEqual([]);
});

test("a loop that outlives its first token goes on with the next, and publishes with it [C90]", async () => {
  const task = scriptedTask([
    { files: { "late.txt": "an hour and a half" }, lastMessage: "More to do." },
    { files: { "done.txt": "" }, lastMessage: "Done." },
  ]);
  await using ci = await startCi({ ...task, byRef: true, permissions: {} });
  ci.api.world.apps.push(anApp({ installation: { repositories: ["r"] } }, KEY));
  await using machine = await ci.machine();
  const late = path.join(machine.workspace, "late.txt");
  const { now } = Date;
  // The job's clock and GitHub's move together.
  using _ = vi.spyOn(Date, "now").mockImplementation(() => now() + (existsSync(late) ? 90 * 60_000 : 0));
  ci.api.world.now = () => new Date(Date.now());
  const inputs = { ...task.inputs, ...APP, "job-timeout-minutes": "300" };
  const job = await machine.run({ inProcess: true, inputs });
  expect(job.outputs).toMatchObject({ status: "completed", iterations: "2" });
  expect(minted(ci)).toBe(2);
  const told = job.log.indexOf(
    "preflight: all that a loop does, by what the App was granted: it was not granted checks: read",
  );
  expect([told > 0, told < job.log.search(/iteration 1\b/u)]).toEqual([true, true]);
  expect(await ci.remote.git("ls-tree", "--name-only", `refs/heads/${job.outputs["branch"]}`)).toContain("done.txt");
});

test("what is wrong with the App is told before anything is done [C90]", async () => {
  await using ci = await ciWithApp();
  await using machine = await ci.machine();
  for (const [inputs, says] of [
    [{ ...APP, "app-private-key": "hunter2hunter2" }, "does not begin with -----BEGIN"],
    [{ ...APP, "app-id": "4712" }, "there is no App of that id"],
  ] as const) {
    const job = await machine.run({ inProcess: true, inputs: { ...TASK.inputs, ...inputs } });
    expect(job).toMatchObject({ conclusion: "failure", outputs: { status: "error", "stop-reason": "config" } });
    expect(annotations(job)).toContain(says);
    expect(job.log.replaceAll(/::add-mask::.*/gu, "")).not.toContain("hunter2");
    expect(await machine.git("status", "--porcelain")).toBe("");
  }
});

test("a token that an App has made bounds the run by its hour, and the way out is named [C92]", async () => {
  await using ci = await startCi({ ...TASK, byRef: true, publishes: false });
  const all = { actions: "write", contents: "write", "pull-requests": "write", statuses: "write" } as const;
  ci.api.world.tokens.set("ghs_given", { login: "the-app[bot]", permissions: all, mintedAt: new Date() });
  ci.api.world.tokens.set("ghs_jobs", { login: "github-actions[bot]", permissions: all });
  await using machine = await ci.machine();
  const run = async (token: string, minutes: number, env: Record<string, string> = {}) =>
    machine.run({
      inProcess: true,
      env,
      inputs: { ...TASK.inputs, carriers: "none", "github-token": token, "job-timeout-minutes": String(minutes) },
      secrets: [token],
    });
  const bounded = annotations(await run("ghs_given", 180));
  expect(bounded).toContain("The github-token is an App's, and GitHub ends it an hour after it was made");
  expect(bounded).toContain(
    "so this run ends before, 120 min earlier than its job. Give the inputs app-id and app-private-key",
  );
  expect(annotations(await run("ghs_jobs", 180))).not.toContain("this run ends before");
  // On a machine of one's own a job may take longer than its own token lives.
  const own = annotations(await run("ghs_jobs", 3_000, { RUNNER_ENVIRONMENT: "self-hosted" }));
  expect(own).toMatch(/GitHub ends a job's own token a day after the job began: .+ 1560 min earlier than its job\./u);
});

test("post of a cancelled job makes a token of its own and saves the loop with it [C90] [C91]", async () => {
  await using task = await hangingTask("apps-post");
  await task.turnOn("hang-in-turn-1");
  await using ci = await startCi({ files: HANGING_FILES, byRef: true, permissions: {}, publishes: false });
  ci.api.world.apps.push(anApp({ installation: { repositories: ["r"] } }, KEY));
  await using machine = await ci.machine();
  const job = await runCancelled(machine, {
    ...task,
    inputs: { ...task.inputs, ...APP },
    cancelWhen: () => task.hangs("turn"),
  });
  expect(job.conclusion).toBe("cancelled");
  const shown = new Set(ci.remote.requests.map(({ authorization = "" }) => authorization));
  expect(shown.size).toBeGreaterThanOrEqual(1);
  expect(await ci.refOf("apps-post")).toMatch(/^[0-9a-f]{40}$/u);
  expect([...ci.api.world.tokens.keys()].filter((name) => name.startsWith("ghs_")).length).toBeLessThanOrEqual(1);
  // The line that has the runner hide a token is taken by the runner, and shown to nobody.
  const seen = [job.log, ...job.posts.map(({ log }) => log)].join("\n").replaceAll(/^::add-mask::.*$/gmu, "");
  expect(seen).not.toMatch(/ghs_\w/u);
});
