import path from "node:path";
import { expect, test } from "vitest";
import { trackedAmong } from "../../src/git/status.ts";
import { gitRepository } from "../support/git-repository.ts";

const NAMES = [".loopr/status.json", ".call_count", "a*é.txt"];

test("C11: files that somebody has put under git's control, by exact name, from the top and from below", async () => {
  await using repository = await gitRepository({
    ".loopr/status.json": "{}\n",
    "aXé.txt": "x\n",
    "below/a*é.txt": "x\n",
  });
  await repository.write(".call_count", "1\n");
  expect(await trackedAmong(repository.path, NAMES)).toEqual([".loopr/status.json"]);
  expect(await trackedAmong(path.join(repository.path, "below"), NAMES)).toEqual(["a*é.txt"]);
});

test("W-25: outside of git there are none", async () => {
  expect(await trackedAmong(path.parse(process.cwd()).root, NAMES)).toEqual([]);
});
