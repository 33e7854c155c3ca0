import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, type CiMachine, startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";

const TASK = scriptedTask([
  { files: { "first.txt": "1\n" }, lastMessage: "Not yet." },
  { files: { "done.txt": "2\n" }, lastMessage: "Done." },
]);

const FILES = {
  ...TASK.files,
  "sub/agent.json": TASK.files["agent.json"] ?? "",
  "docs/guide.md": "guide\n",
};

const AS_SOMEBODY = ["-c", "user.name=T", "-c", "user.email=t@example.invalid"];

describe("every kind of checkout [C11, C13]", () => {
  let ci: Ci;
  beforeAll(async () => {
    ci = await startCi({ byRef: true, publishes: false, files: FILES });
    await using machine = await ci.machine();
    await addSubmodule(machine);
    await machine.git("push", "-q", `file://${ci.remote.folder}`, "HEAD:main");
  });
  afterAll(() => ci[Symbol.asyncDispose]());

  /** A loop of two runs on two machines: what the first leaves unfinished, the second has. */
  async function twoRuns(
    name: string,
    prepare: (machine: CiMachine) => Promise<unknown>,
    options: { depth?: number; inputs?: Record<string, string>; root?: string } = {},
  ): Promise<string> {
    const inputs = { ...TASK.inputs, "loop-id": name, ...options.inputs };
    const depth = options.depth === undefined ? {} : { depth: options.depth };
    await using first = await ci.machine(depth);
    await prepare(first);
    const paused = await first.run({ inputs: { ...inputs, "max-iterations": "1" } });
    expect(paused.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
    await using second = await ci.machine(depth);
    await prepare(second);
    const done = await second.run({ inputs });
    expect(done.outputs).toMatchObject({ status: "completed", iterations: "2", "loop-id": name });
    expect(done.conclusion).toBe("success");
    const root = path.join(second.workspace, options.root ?? "");
    expect(await readFile(path.join(root, "first.txt"), "utf8")).toBe("1\n");
    expect(await second.git("log", "-1", "--format=%s")).toBe("smithers: Write done.txt.");
    return await second.git("log", "-1", "--name-status", "--format=");
  }

  test("shallow, with a detached HEAD at the merge commit of a pull request, as actions/checkout makes them", async () => {
    const changed = await twoRuns(
      "shallow",
      async (machine) => {
        expect(await machine.git("rev-list", "--count", "HEAD")).toBe("1");
        await machine.git("checkout", "-q", "--detach");
        await machine.git(...AS_SOMEBODY, "commit", "-q", "--allow-empty", "-m", "merge");
      },
      { depth: 1 },
    );
    expect(changed).toBe("A\tdone.txt\nA\tfirst.txt");
  });

  test("sparse, with a workspace below the root: what is not there is not deleted", async () => {
    const sparse = (machine: CiMachine) => machine.git("sparse-checkout", "set", "sub");
    const changed = await twoRuns("sparse", sparse, { inputs: { cd: "sub" }, root: "sub" });
    expect(changed).toBe("A\tsub/done.txt\nA\tsub/first.txt");
  });
});

/** A submodule that nobody has fetched, as checkouts without `submodules: true` have it. */
async function addSubmodule(machine: CiMachine): Promise<void> {
  await writeFile(path.join(machine.workspace, ".gitmodules"), '[submodule "mod"]\n\tpath = mod\n\turl = ../mod.git\n');
  await machine.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},mod`);
  await machine.git("add", ".gitmodules");
  await machine.git(...AS_SOMEBODY, "commit", "-q", "-m", "submodule");
}
