import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { projectionReporter } from "../../src/reporters/projection.ts";
import type { Layout } from "../../src/views/projections/layout.ts";
import { LOOPR_LAYOUT } from "../../src/views/projections/loopr.ts";
import { RALPH_LAYOUT } from "../../src/views/projections/ralph.ts";
import { aFailure, aLastTurn } from "../support/builders.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aState, started, turnEnded, turnStarted } from "../views/a-state.ts";

const soon = (): number => Date.now() + 20_000;

/** The reporter of a layout in a folder, and what it could not do. */
function reporterOf(layout: Layout, root: string) {
  const failures: string[] = [];
  const reporter = projectionReporter({
    layout,
    root,
    hiding: (text) => text.replaceAll("sk-secret", "***"),
    failed: (why) => failures.push(why.message),
  });
  return { reporter, failures };
}

test("after every event the files are as the loop is, and the log has a line more [L-10, L-22, R-21]", async () => {
  await using root = await tempFolder();
  const { reporter, failures } = reporterOf(LOOPR_LAYOUT, root.path);
  const at = (name: string): Promise<string> => readFile(path.join(root.path, ".loopr", name), "utf8");
  reporter.report(started(), aState());
  await reporter.flush(soon());
  expect(JSON.parse(await at("status.json"))).toMatchObject({ state: "running", iteration: 0 });
  reporter.report(turnStarted(), aState({ iteration: 1 }));
  await reporter.flush(soon());
  expect(JSON.parse(await at("status.json"))).toMatchObject({ state: "running", iteration: 1 });
  expect(await at("loop.log")).toMatch(/ loop repo-1 started.*\n.* iteration 1 started.*\n$/u);
  const names = [".call_count", ".last_reset", "loop-state.json", "loop.log", "status.json"];
  expect((await readdir(path.join(root.path, ".loopr"))).toSorted()).toEqual(names);
  expect(failures).toEqual([]);
});

test("nothing is written through a link above the layout's folder [T14]", async () => {
  await using temp = await tempFolder();
  const [workspace, outside] = [path.join(temp.path, "work"), path.join(temp.path, "outside")];
  await mkdir(workspace);
  await mkdir(outside);
  await symlink(outside, path.join(workspace, "tools"));
  const failures: string[] = [];
  const failed = (why: Error): unknown => failures.push(why.message);
  const root = path.join(workspace, "tools");
  const reporter = projectionReporter({ layout: LOOPR_LAYOUT, root, workspace, hiding: (text) => text, failed });
  reporter.report(started(), aState());
  await reporter.flush(soon());
  expect(failures).toEqual([expect.stringContaining("is a link or not ours")]);
  expect(await readdir(outside)).toEqual([]);
});

test("what comes while files are written is gathered: the newest state, and a log line of each [R-21, R-34]", async () => {
  await using root = await tempFolder();
  const texts: number[] = [];
  const layout: Layout = {
    folder: "",
    files: { ".iteration": ({ state }) => `${texts.push(state.iteration)}: ${state.iteration}` },
    logs: { log: ({ state }) => (state.iteration === 3 ? undefined : `${state.iteration}`) },
  };
  const { reporter } = reporterOf(layout, root.path);
  for (let iteration = 1; iteration <= 9; iteration += 1)
    reporter.report(turnStarted(iteration), aState({ iteration }));
  await reporter.flush(soon());
  expect(texts).toEqual([1, 9]);
  expect(await readFile(path.join(root.path, "log"), "utf8")).toBe("1\n2\n4\n5\n6\n7\n8\n9\n");
});

test("what the agent quotes of our secrets is not in them [T16]", async () => {
  await using root = await tempFolder();
  const { reporter } = reporterOf(LOOPR_LAYOUT, root.path);
  const failure = aFailure("crashed", { message: "401 for sk-secret" });
  reporter.report(turnEnded({ failure }), aState({ last_turn: aLastTurn({ failure }) }));
  await reporter.flush(soon());
  for (const name of ["status.json", "loop.log"]) {
    const text = await readFile(path.join(root.path, ".loopr", name), "utf8");
    expect(text).toContain("401 for ***");
  }
});

test("what others have put there stays, what is damaged or missing is written again [C11]", async () => {
  await using root = await tempFolder();
  const at = (name: string): string => path.join(root.path, name);
  await writeFile(at("@fix_plan.md"), "- [ ] theirs\n");
  await writeFile(at(".call_count"), "\0\0not a number");
  const { reporter, failures } = reporterOf(RALPH_LAYOUT, root.path);
  reporter.report(started(), aState());
  await reporter.flush(soon());
  expect(await readFile(at(".call_count"), "utf8")).toBe("0\n");
  expect(await readFile(at("@fix_plan.md"), "utf8")).toBe("- [ ] theirs\n");
  expect(failures).toEqual([]);
});

test("a folder that is a link is not written to; that is said once, and tried again [C11]", async () => {
  await using root = await tempFolder();
  await mkdir(path.join(root.path, "elsewhere"));
  await symlink("elsewhere", path.join(root.path, ".loopr"));
  const { reporter, failures } = reporterOf(LOOPR_LAYOUT, root.path);
  for (const event of [started(), turnStarted(), turnEnded()]) {
    reporter.report(event, aState());
    await reporter.flush(soon());
  }
  expect(failures).toEqual([expect.stringContaining("no folder of its own")]);
  expect(await readdir(path.join(root.path, "elsewhere"))).toEqual([]);
});

test("one file that cannot be written does not keep the others from it, nor does a text that cannot be made end the loop [C11]", async () => {
  await using root = await tempFolder();
  await mkdir(path.join(root.path, ".call_count", "theirs"), { recursive: true });
  const { reporter, failures } = reporterOf(RALPH_LAYOUT, root.path);
  reporter.report(started(), aState());
  await reporter.flush(soon());
  expect(await readFile(path.join(root.path, ".last_reset"), "utf8")).toContain("2026");
  expect(failures).toHaveLength(1);
  const broken: Layout = { ...RALPH_LAYOUT, files: { x: () => String(JSON.parse("{")) } };
  const other = reporterOf(broken, root.path);
  other.reporter.report(started(), aState());
  await other.reporter.flush(soon());
  expect(other.failures).toHaveLength(1);
});
