import { appendFile, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { followLog } from "../../src/store/follow-log.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** The lines that a follower reads while `steps` happen to the file, one before each look but the first. */
async function followed(begin: string | null, ...steps: readonly ((file: string) => Promise<unknown>)[]) {
  await using folder = await tempFolder();
  const file = path.join(folder.path, "agent.log");
  if (begin !== null) await writeFile(file, begin);
  const left = [...steps];
  let looks = 0;
  const goesOn = async (): Promise<boolean> => {
    if (looks > 0) await left.shift()?.(file);
    looks += 1;
    return left.length > 0;
  };
  const lines: string[] = [];
  for await (const line of followLog({ root: folder.path, path: folder.path }, "agent.log", goesOn)) lines.push(line);
  return lines;
}

test("a log is followed line by line, whole lines alone [C69]", async () => {
  const add = (text: string) => (file: string) => appendFile(file, text);
  expect(await followed("one\ntwo\nthr", add("ee\n"), add("four\n"))).toEqual(["one", "two", "three", "four"]);
  expect(await followed("one\n")).toEqual(["one"]);
  expect(await followed(null, (file) => writeFile(file, "late\n"))).toEqual(["late"]);
});

test("nothing is told twice or lost when the older half goes meanwhile [C69]", async () => {
  const replace = (text: string) => async (file: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  expect(await followed("one\ntwo\nthree\n", replace("two\nthree\nfour\n"))).toEqual(["one", "two", "three", "four"]);
  expect(await followed("one\n", replace("eight\nnine\n"))).toEqual(["one", "eight", "nine"]);
});

test("a line that has no end is read in pieces, and a link is not followed [T14]", async () => {
  const lines = await followed("x".repeat(200_000));
  expect(lines.join("")).toHaveLength(196_608);
  const linked = followed("one\n", async (file) => {
    await rename(file, `${file}.old`);
    await symlink(`${file}.old`, file);
  });
  await expect(linked).rejects.toThrow("is a link or not ours");
});
