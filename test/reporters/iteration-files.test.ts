import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { iterationFiles, KEPT_ITERATIONS } from "../../src/reporters/iteration-files.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { aCheck, aState, started, turnEnded, turnStarted } from "../views/a-state.ts";

const soon = (): number => Date.now() + 20_000;
const snapshot = (tree: string) => ({ id: tree, tree, head: null, branch: null });
const PATCH = { text: "+key sk-secret\n", leftOut: 0 };

async function aStage(patch: typeof PATCH | undefined = PATCH) {
  const temp = await tempFolder();
  const folder = path.join(temp.path, "loop");
  const failures: string[] = [];
  const files = iterationFiles({
    ...{ root: temp.path, folder },
    hiding: (text) => text.replaceAll("sk-secret", "***"),
    patch: async () => patch,
    failed: (why) => failures.push(why.message),
  });
  const turn = (iteration: number, from: string, to: string | null): void => {
    files.report(turnStarted(iteration), aState({ iteration, snapshot: snapshot(from) }));
    const after = to === null ? null : snapshot(to);
    files.report(turnEnded({ iteration, snapshot: after }), aState({ iteration, snapshot: after }));
  };
  const read = async (name: string): Promise<string> => {
    await files.flush(soon());
    return readFile(path.join(folder, name), "utf8");
  };
  return { files, folder, failures, turn, read, [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose]() };
}

test("an iteration keeps what was asked, what has changed and what the checks said, without secrets [C70]", async () => {
  await using at = await aStage();
  at.files.report(started(), aState());
  at.files.observe({ type: "check.ended", check: aCheck(), output: { text: "before\n", cut: false } });
  at.files.keepPrompt(1, "first try");
  at.files.keepPrompt(1, "Fix it; the key is sk-secret");
  at.turn(1, "a", "b");
  const red = aCheck({ exitCode: 1, name: "unit tests" });
  at.files.observe({ type: "check.ended", check: red, output: { text: "not ok sk-secret", cut: false } });
  at.files.observe({
    type: "check.ended",
    check: aCheck({ exitCode: null, timedOut: true }),
    output: { text: "", cut: true },
  });
  at.files.observe({ type: "check.ended", check: aCheck() });
  expect(await at.read("prompt_iter_1.txt")).toBe("Fix it; the key is ***");
  expect(await at.read("changes_iter_1.patch")).toBe("+key ***\n");
  expect(await at.read("checks_iter_0.txt")).toBe("$ npm test  (exit 0, 3 s)\nbefore\n\n");
  expect(await at.read("checks_iter_1.txt")).toBe(
    [
      "$ unit tests (npm test)  (exit 1, 3 s)",
      "not ok ***",
      "",
      "$ npm test  (timed out, 3 s)",
      "[cut: the beginning of its output is left out]",
      "",
      "",
    ].join("\n"),
  );
  expect(at.failures).toEqual([]);
});

test("nothing changed, or nothing measured, is no patch [C70]", async () => {
  await using at = await aStage();
  at.turn(1, "a", "a");
  at.turn(2, "a", null);
  await using lost = await aStage();
  await at.files.flush(soon());
  await lost.files.flush(soon());
  expect((await readdir(at.folder)).filter((name) => name.endsWith(".patch"))).toEqual([]);
});

test("each file is cut at a limit, and says so [C70]", async () => {
  await using at = await aStage({ text: "+a\n", leftOut: 7 });
  at.files.keepPrompt(1, "x".repeat(300_000));
  at.turn(1, "a", "b");
  for (let nth = 0; nth < 6; nth += 1)
    at.files.observe({ type: "check.ended", check: aCheck(), output: { text: "y".repeat(300_000), cut: false } });
  expect(await at.read("prompt_iter_1.txt")).toMatch(
    /^x{262144}\n\[cut: 37856 characters at the end are left out\]\n$/u,
  );
  expect(await at.read("changes_iter_1.patch")).toBe("+a\n\n[cut: 7 bytes at the end are left out]\n");
  const checks = await at.read("checks_iter_1.txt");
  expect(checks.length).toBeLessThan(1_049_000);
  expect(checks).toMatch(/\[cut: the beginning of its output is left out\]\ny+\n/u);
  expect(checks.endsWith("[cut: what further checks of this iteration said is left out]\n")).toBe(true);
});

test("only the last iterations keep their files [C70]", async () => {
  await using at = await aStage();
  for (const iteration of [1, 2]) {
    at.files.keepPrompt(iteration, "x");
    at.turn(iteration, "a", `b${iteration}`);
  }
  at.turn(KEPT_ITERATIONS + 1, "a", "a");
  await at.files.flush(soon());
  expect((await readdir(at.folder)).toSorted()).toEqual(["changes_iter_2.patch", "prompt_iter_2.txt"]);
});

test("no link is followed, and one failure is told once [T14]", async () => {
  await using at = await aStage();
  await using outside = await tempFolder();
  await mkdir(at.folder);
  const theirs = path.join(outside.path, "theirs");
  await writeFile(theirs, "theirs\n");
  await symlink(theirs, path.join(at.folder, "checks_iter_0.txt"));
  await symlink(theirs, path.join(at.folder, "prompt_iter_1.txt"));
  for (let nth = 0; nth < 2; nth += 1)
    at.files.observe({ type: "check.ended", check: aCheck(), output: { text: "y", cut: false } });
  at.files.keepPrompt(1, "x");
  expect(await at.read("prompt_iter_1.txt")).toBe("x");
  expect(await readFile(theirs, "utf8")).toBe("theirs\n");
  expect(at.failures).toHaveLength(1);
});
