import { expect, test } from "vitest";
import { committingEarly } from "../../src/git/workspace.ts";
import { createGitWorkspace } from "../../src/git/workspace.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

test("C13: what CI was given is the iteration's commit when the books are closed, and no other one's", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using folder = await tempFolder();
  const inner = await createGitWorkspace({ root: repository.path, folder: folder.path, excluded: [] });
  const workspace = committingEarly(inner);
  const request = (iteration: number) => ({ message: "smithers: x", loopId: "a", iteration });
  await repository.write("b.txt", "b\n");
  const early = await workspace.commit(request(1));
  expect(early?.commit).toBe(await repository.git("rev-parse", "HEAD"));
  expect(await workspace.commit(request(1))).toEqual(early);
  expect(await workspace.commit(request(2))).toBeUndefined();

  await repository.write("c.txt", "c\n");
  const late = await workspace.commit(request(2));
  expect(late?.commit).toBe(await repository.git("rev-parse", "HEAD"));
  const [before, after] = [early?.snapshot, await workspace.snapshot()];
  if (before === undefined || after === null) throw new Error("there is no snapshot");
  expect(await workspace.compare(before, after)).toMatchObject({ files: 1 });
});
