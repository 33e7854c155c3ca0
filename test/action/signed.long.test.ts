import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { end, filesOn, pullsOf, stateOf, tipOf, work } from "./publish-stage.ts";

const KINDS = ["chmod +x run.txt", "ln -s run.txt link.txt", "printf '\\377' > bytes.txt"];
const TURNS = [{ files: { "run.txt": "#!/bin/sh\n" }, commands: KINDS }, { files: { "done.txt": "done\n" } }];
const LOOP = "signed";
const BRANCH = `smithers/${LOOP}`;

let ci: Ci;

beforeAll(async () => {
  ci = await startCi({
    byRef: true,
    files: { "README.md": "hello\n", "agent.json": JSON.stringify({ turns: TURNS }) },
  });
});
afterAll(() => end(ci));

describe("sign-commits", { timeout: 120_000 }, () => {
  test("GitHub makes the commits and signs them; the next run goes on from them, and the pull request is ready", async () => {
    const { remote, api } = ci;
    await using machine = await ci.machine();
    const inputs = { "sign-commits": "true", commit: "iteration" };
    const first = await work(ci, LOOP, { ...inputs, "max-iterations": "1" }, { on: machine });
    expect(first.outputs).toMatchObject({ status: "stopped_max_iterations", branch: BRANCH });
    const tip = await tipOf(ci, BRANCH);
    expect(api.world.signed.has(tip)).toBe(true);
    expect(await remote.git("ls-tree", tip, "run.txt", "link.txt")).toMatch(/^120000 .*\n100755 /u);
    expect(await remote.git("log", "-1", "--format=%cn %B", tip)).toMatch(/^GitHub [^]*^Smithers-Loop: signed$/mu);
    // The machine has what GitHub has.
    expect(await machine.git("symbolic-ref", "HEAD")).toBe(`refs/heads/${BRANCH}`);
    expect(await machine.git("rev-parse", "HEAD")).toBe(tip);
    expect(await machine.git("status", "--porcelain")).toBe("");
    expect((await stateOf(ci, LOOP)).github.head).toBe(tip);
    const statuses = () => api.world.statuses.map(({ sha, state }) => [sha, state]);
    expect(statuses()).toEqual([[tip, "failure"]]);

    const second = await work(ci, LOOP, { ...inputs, "max-iterations": "2" });
    expect(second).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2" } });
    const last = await tipOf(ci, BRANCH);
    const range = (await remote.git("rev-list", `main..${last}`)).split("\n");
    expect([range[0], range.at(-1)]).toEqual([last, tip]);
    expect(range.every((commit) => api.world.signed.has(commit))).toBe(true);
    expect(await filesOn(ci, BRANCH)).toEqual(["bytes.txt", "done.txt", "link.txt", "run.txt"]);
    expect(statuses().at(-1)).toEqual([last, "success"]);
    expect(pullsOf(ci, BRANCH)).toMatchObject([{ state: "open", pull: { draft: false } }]);
  });
});
