import path from "node:path";
import { expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { unzipped } from "../support/zip.ts";
import { addFile, answer, message } from "../support/model-server.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = scriptedTask([
  {
    messages: ["I begin with a.txt."],
    files: { "a.txt": "a\n" },
    commands: ["echo hi"],
    usage: { input: 100, cachedInput: 40, output: 20 },
    lastMessage: "Not done yet.",
  },
  { files: { "done.txt": "done\n" }, usage: { input: 150, output: 30 }, lastMessage: "Done." },
]);

test("log, outputs, requests, summary and artifact of a small job [C9, W-02]", async () => {
  await using ci = await startCi(TASK);
  await using machine = await ci.machine();
  const job = await machine.run({ inputs: TASK.inputs });
  const told = await report(ci, job);
  const root = path.dirname(machine.runner.folders.temp);
  await expect(steady(told, root)).toMatchFileSnapshot("../golden/action-job.md");
});

test("an artifact holds all files of a loop, also of one that failed, and each attempt has its own [C11]", async () => {
  await using ci = await startCi({ ...TASK, publishes: false });
  for (const attempt of [1, 2]) {
    await using machine = await ci.machine();
    const inputs = { ...TASK.inputs, "success-sh": "false", "max-iterations": `${attempt}`, "retention-days": "3" };
    const job = await machine.run({ inputs, attempt, github: { run_id: "777" } });
    expect(job.outputs).toMatchObject({ status: "stopped_max_iterations", "artifact-id": `${attempt}` });
  }
  const { artifacts } = ci.api.world;
  const id = "r-smithers-loop-main-4f8e075e13";
  expect(artifacts.map(({ name }) => name)).toEqual([`smithers-${id}-777-1`, `smithers-${id}-777-2`]);
  const [, last] = artifacts;
  const files = unzipped(last?.zip ?? new Uint8Array());
  const names = Object.keys(files).toSorted();
  expect(names).toEqual(
    expect.arrayContaining([
      "loop/events.jsonl",
      "loop/events_iter_1.jsonl",
      "loop/events_iter_2.jsonl",
      "loop/last_message_iter_1.txt",
      "loop/last_message_iter_2.txt",
      "loop/progress.md",
      "loop/report.html",
      "loop/state.json",
      "loop/summary.json",
    ]),
  );
  const days = ci.results.requests
    .filter(({ method }) => method === "CreateArtifact")
    .map(({ body }) => /"expires_at":"([^"]+)"/u.exec(JSON.stringify(body))?.[1] ?? "")
    .map((at) => Math.round((Date.parse(at) - Date.now()) / 86_400_000));
  // Of each job the loop's files, and the page.
  expect(days).toEqual([3, 3, 3, 3]);
});

test("the least that a workflow has to say: a prompt, a check and a key [W-02]", async () => {
  await using ci = await startCi({
    publishes: false,
    script: ({ outputs }) => answer(outputs.length === 0 ? [addFile("a.txt", "text\n")] : [message("It is there.")]),
  });
  await using machine = await ci.machine();
  const inputs = {
    prompt: "Write a.txt.",
    "success-sh": "test -f a.txt",
    sandbox: "workspace-write",
    "api-key": "sk-1234567890",
  };
  const job = await machine.run({ inputs });
  expect([job.conclusion, job.outputs["status"], job.outputs["iterations"]]).toEqual(["success", "completed", "1"]);
  expect(await machine.git("log", "-1", "--name-status", "--format=")).toBe("A\ta.txt");
});

/** One readable text of everything that a job has said, and to whom. */
async function report({ remote, api, results }: Ci, { log, outputs, main, conclusion }: Job): Promise<string> {
  const fenced = (text: string): string => `~~~text\n${text.trimEnd()}\n~~~\n`;
  const requests = [
    ...api.requests.map(({ method, path: asked }) => `api ${method} ${asked}`),
    ...results.requests.map(({ method, body }) => `results ${method} ${JSON.stringify(body)}`),
    ...new Set(remote.requests.map(({ method, url }) => `git ${method} ${url}`)),
  ];
  const [artifact] = api.world.artifacts;
  const files = Object.keys(unzipped(artifact?.zip ?? new Uint8Array())).toSorted();
  const ref = await remote.git(
    "ls-tree",
    "-r",
    "--name-only",
    await remote.git("for-each-ref", "--format=%(refname)", "refs/smithers-loops"),
  );
  return [
    `# A small job: ${conclusion}\n`,
    `## Log\n\n${fenced(log)}`,
    `## Outputs\n\n${fenced(
      Object.entries(outputs)
        .map(([name, value]) => `${name}=${value}`)
        .join("\n"),
    )}`,
    `## Requests\n\n${fenced(requests.toSorted().join("\n"))}`,
    `## Artifact\n\n${fenced(files.join("\n"))}`,
    `## Ref\n\n${fenced(ref)}`,
    `## Summary\n\n${main.summary}`,
  ].join("\n");
}

/** Depends on who runs the tests, and on what can be isolated there. */
const OF_THE_MACHINE =
  /^(?:other processes of its user could read|something that the agent writes runs without) .*\n/gmu;

/** The same for every run: no moments, times, ports and ids. */
function steady(text: string, root: string): string {
  return text
    .replaceAll(OF_THE_MACHINE, "")
    .replaceAll(root, "/runner")
    .replaceAll(/^smithers\/loop \d.*$/gmu, "smithers/loop <version>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "<moment>")
    .replaceAll(/\b[\da-f]{40,64}\b/gu, "<id>")
    .replaceAll(/\b\d+(?:\.\d)? s\b/gu, "<time>")
    .replaceAll(/localhost:\d+/gu, "localhost:<port>")
    .replaceAll(/"size(_bytes)?":"\d+"/gu, '"size$1":"<bytes>"')
    .replaceAll(/"minutes" 0 --> [\d.]+\n {2}bar \[[^\]]*\]/gu, '"minutes" 0 --> <most>\n  bar [<minutes>]')
    .replaceAll(/\b5\d{3}\b/gu, "<number>");
}
