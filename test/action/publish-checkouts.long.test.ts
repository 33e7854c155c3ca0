import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiMachine, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { end, pullsOf, work } from "./publish-stage.ts";

const FILM = "all of the film\n";
const OID = createHash("sha256").update(FILM).digest("hex");
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${OID}\nsize ${FILM.length}\n`;

/** What the agent leaves in the submodule is the submodule's. */
const TASK = scriptedTask([
  { files: { "sub/first.txt": "1\n", "mod/litter.txt": "1\n" } },
  { files: { "sub/done.txt": "2\n" } },
]);

const FILES = {
  ...TASK.files,
  ".gitattributes": "*.big filter=lfs diff=lfs merge=lfs -text\n",
  "sub/film.big": POINTER,
  "docs/film.big": POINTER,
  "docs/guide.md": "guide\n",
};

let ci: Ci;
let before: string;

beforeAll(async () => {
  ci = await startCi({ byRef: true, files: FILES });
  await using machine = await ci.machine();
  const module = path.join(machine.workspace, "mod");
  await mkdir(module);
  await machine.git("-C", module, "init", "-q", "-b", "main");
  await commitIn(machine, module, "module");
  await writeFile(path.join(machine.workspace, ".gitmodules"), '[submodule "mod"]\n\tpath = mod\n\turl = ../mod.git\n');
  await machine.git("-c", "advice.addEmbeddedRepo=false", "add", ".gitmodules", "mod");
  await commitIn(machine, machine.workspace, "with a submodule");
  await machine.git("push", "-q", `file://${ci.remote.folder}`, "HEAD:main");
  before = await machine.git("rev-parse", "HEAD:mod");
  await machine.git("-C", module, "push", "-q", `file://${ci.remote.folder}`, "HEAD:refs/heads/module");
});
afterAll(() => end(ci));

async function commitIn(machine: CiMachine, folder: string, message: string): Promise<void> {
  const who = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"];
  await machine.git("-C", folder, ...who, "commit", "-q", "--allow-empty", "-m", message);
}

/** A checkout of two folders, with its submodule, and with the film that git-lfs has put in the place of the pointer. */
async function odd(): Promise<CiMachine> {
  const machine = await ci.machine();
  const { workspace } = machine;
  await machine.git("sparse-checkout", "set", "--skip-checks", "sub", "mod");
  await machine.git("clone", "-q", "-b", "module", `file://${ci.remote.folder}`, path.join(workspace, "mod"));
  const clean = path.join(workspace, ".git/clean.sh");
  await writeFile(clean, `#!/bin/sh\ncat > /dev/null\nprintf '%s' '${POINTER}'\n`);
  await chmod(clean, 0o755);
  await writeFile(path.join(workspace, "sub/film.big"), FILM);
  await machine.git("-c", `filter.lfs.clean=${clean}`, "add", "sub/film.big");
  expect(await machine.git("-c", `filter.lfs.clean=${clean}`, "status", "--porcelain")).toBe("");
  return machine;
}

describe("a sparse checkout with a submodule and a file of LFS [C11, C13]", { timeout: 120_000 }, () => {
  test("what is published, by two runs on two machines, is the agent's change and nothing else", async () => {
    const inputs = { ...TASK.inputs, "success-sh": "test -f sub/done.txt" };
    await using first = await odd();
    const paused = await work(ci, "odd", { ...inputs, "max-iterations": "1" }, { on: first });
    expect(paused.outputs).toMatchObject({ status: "stopped_max_iterations", branch: "smithers/odd" });
    expect(await changedOnBranch()).toBe("A\tsub/first.txt");

    await using second = await odd();
    const done = await work(ci, "odd", inputs, { on: second });
    expect(done.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(await changedOnBranch()).toBe("A\tsub/done.txt\nA\tsub/first.txt");
    expect(await ci.remote.git("rev-parse", "refs/heads/smithers/odd:mod")).toBe(before);
    expect(await readFile(path.join(second.workspace, "sub/film.big"), "utf8")).toBe(FILM);
    expect(pullsOf(ci, "smithers/odd")).toMatchObject([{ state: "open", pull: { draft: false } }]);
  });
});

/** What the branch has that `main` has not, as GitHub shows it. */
async function changedOnBranch(): Promise<string> {
  return ci.remote.git("diff", "--name-status", "main", "refs/heads/smithers/odd");
}
