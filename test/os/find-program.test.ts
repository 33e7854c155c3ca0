import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../src/os/find-program.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("the first program of that name counts; folders, plain files and empty entries do not", async () => {
  await using folder = await tempFolder();
  const file = (name: string) => path.join(folder.path, name);
  await Promise.all(["a/tool", "b", "c", "d"].map((name) => mkdir(file(name), { recursive: true })));
  await Promise.all(["b", "c", "d"].map((name) => writeFile(file(`${name}/tool`), "#!/bin/sh\n")));
  await Promise.all(["c", "d"].map((name) => chmod(file(`${name}/tool`), 0o755)));
  const search = (...names: readonly string[]) => names.map((name) => name && file(name)).join(path.delimiter);
  expect(findProgram("tool", search("", "nowhere", "a", "b", "c", "d"))).toBe(file("c/tool"));
  expect(findProgram("tool", search("", "nowhere", "a", "b"))).toBeUndefined();
});
