import { execFile } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Ci, type CiMachine, startCi } from "../support/ci/ci.ts";
import { scriptedTask, type Turns } from "../support/ci/scripted-task.ts";
import type { Job } from "../support/runner/runner.ts";

const run = promisify(execFile);

const DONE = { files: { "done.txt": "1\n" }, lastMessage: "Done." };
const TASK = scriptedTask([DONE]);
const script = (turns: Turns): string => JSON.stringify({ turns });

const FILES = {
  ...TASK.files,
  ".gitattributes": "*.big filter=lfs diff=lfs merge=lfs -text\n",
  "film.big": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
  "lfs.json": script([{ files: { "film.big": "all of it", "done.txt": "1\n" }, lastMessage: "Done." }]),
  "silent.json": script([{ files: { "done.txt": "1\n" }, silence: true }]),
};

let ci: Ci;
beforeAll(async () => {
  ci = await startCi({ byRef: true, publishes: false, files: FILES });
});
afterAll(() => ci[Symbol.asyncDispose]());
afterEach(() => vi.unstubAllEnvs());

function errors({ main }: Job): string {
  return main.commands
    .filter(({ name }) => name === "error")
    .map(({ data }) => data)
    .join("\n");
}

/** Everything in a checkout's configuration that makes git run something, or go elsewhere. */
async function plant(machine: CiMachine, mark: string, elsewhere: string, origin: string): Promise<void> {
  const { workspace } = machine;
  const evil = path.join(workspace, ".git/evil.sh");
  await writeFile(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat 2>/dev/null\nexit 1\n`);
  await chmod(evil, 0o755);
  await mkdir(path.join(workspace, ".git/hooks"), { recursive: true });
  for (const hook of HOOKS)
    await writeFile(path.join(workspace, ".git/hooks", hook), `#!/bin/sh\necho ${hook} >> '${mark}'\nexit 1\n`, {
      mode: 0o755,
    });
  const included = path.join(workspace, ".git/included");
  await writeFile(
    included,
    `[url "${elsewhere}/"]\n\tinsteadOf = ${origin}/\n\tpushInsteadOf = ${origin}/\n[core]\n\tfsmonitor = ${evil}\n`,
  );
  const settings = {
    "include.path": included,
    "core.fsmonitor": evil,
    "core.sshCommand": evil,
    "core.askPass": evil,
    "core.editor": evil,
    "core.pager": evil,
    "core.alternateRefsCommand": evil,
    "filter.lfs.clean": evil,
    "filter.lfs.smudge": evil,
    "filter.lfs.process": evil,
    "filter.lfs.required": "true",
    "diff.lfs.textconv": evil,
    "diff.external": evil,
    "merge.lfs.driver": evil,
    "alias.commit-tree": `!${evil}`,
    "alias.push": `!${evil}`,
    "credential.helper": evil,
    "commit.gpgSign": "true",
    "gpg.program": evil,
    "http.proxy": elsewhere,
    [`url.${elsewhere}/.insteadOf`]: `${origin}/`,
  };
  for (const [name, value] of Object.entries(settings)) await machine.git("config", name, value);
}

const HOOKS = [
  "pre-commit",
  "post-commit",
  "commit-msg",
  "pre-push",
  "post-checkout",
  "post-index-change",
  "reference-transaction",
];

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

describe("a checkout full of traps [T12]", () => {
  test("neither main nor post runs a program of it, and the token goes nowhere else", async () => {
    const seen: string[] = [];
    await using stack = new AsyncDisposableStack();
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(404).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    stack.defer(() => void server.close());
    const address = server.address();
    const elsewhere = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    const machine = stack.use(await ci.machine());
    const mark = path.join(machine.runner.folders.root, "mark");
    await plant(machine, mark, elsewhere, new URL(ci.remote.url.replace("127.0.0.1", "github.localhost")).origin);

    const inputs = { ...TASK.inputs, "loop-id": "traps" };
    const done = await machine.run({ inputs });
    expect(done.outputs).toMatchObject({ status: "completed" });
    expect(await ci.refOf("traps")).not.toBe("");
    const cancelled = await machine.run({
      inputs: { ...inputs, "loop-id": "traps-post", script: "silent.json", "success-sh": "false", commit: "never" },
      // The runner's times are as long as they are: they bound what post does.
      env: { NODE_OPTIONS: "" },
      cancelWhen: (log) => log.includes("agent changed"),
    });
    expect(cancelled.conclusion).toBe("cancelled");
    expect(cancelled.posts[0]?.log).toContain("carried away by git ref");
    expect(await ci.refOf("traps-post")).not.toBe("");
    expect([await exists(mark), seen]).toEqual([false, []]);
  });
});

describe("files that a git filter such as LFS belongs to [C13]", () => {
  test("changed, they end the loop with words that say what to do, and everything else is kept", async () => {
    await using machine = await ci.machine();
    const job = await machine.run({ inputs: { ...TASK.inputs, script: "lfs.json", "loop-id": "lfs" } });
    expect(job.outputs).toMatchObject({ status: "error", "stop-reason": "commit_refused", resumable: "true" });
    expect(job.conclusion).toBe("failure");
    expect(job.main.summary.replaceAll("\\", "")).toMatch(/film\.big.*filter/u);
    const kept = await ci.remote.git("ls-tree", "-r", "--name-only", "refs/smithers-loops/lfs");
    expect(kept.split("\n")).toContain("tree/done.txt");
    expect(await machine.git("log", "--oneline")).not.toContain("smithers:");
  });

  test("unchanged, nobody minds them", async () => {
    await using machine = await ci.machine();
    const job = await machine.run({ inputs: { ...TASK.inputs, "loop-id": "lfs-unchanged" } });
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(await machine.git("log", "-1", "--name-status", "--format=")).toBe("A\tdone.txt");
  });
});

test("a checkout that belongs to somebody else, as in the container of a job [C11]", async () => {
  await using machine = await ci.machine();
  await run("chown", ["-R", "4321:4321", machine.workspace]);
  // for the test's own git, not for the Action
  vi.stubEnv("GIT_CONFIG_PARAMETERS", "'safe.directory=*'");
  const job = await machine.run({ inputs: { ...TASK.inputs, "loop-id": "container" } });
  expect(job.outputs).toMatchObject({ status: "completed" });
});

test("what earlier steps have left uncommitted is named, and what to do about it [W-46]", async () => {
  await using machine = await ci.machine();
  await writeFile(path.join(machine.workspace, "report.xml"), "<x/>");
  const job = await machine.run({ inputs: { ...TASK.inputs, "loop-id": "dirty" } });
  expect(errors(job)).toContain("report.xml");
  expect(errors(job)).not.toContain("--");
});
