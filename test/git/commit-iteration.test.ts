import { expect, test } from "vitest";
import { gitRepository } from "../support/git-repository.ts";
import { workspaceOf } from "./support.ts";

const REQUEST = { message: "feat: the work", loopId: "demo", iteration: 4 };

test("an iteration has one commit: what a person changes before it is settled again waits for the next [C60]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n", "notes.md": "mine\n" });
  const workspace = await workspaceOf(repository.path);
  const request = { ...REQUEST, begun: await repository.git("rev-parse", "HEAD") };
  await repository.write("a.txt", "b\n");
  await workspace.commit(request);
  await repository.write("notes.md", "more\n");
  const head = await repository.git("rev-parse", "HEAD");
  expect(await workspace.commit(request)).toBeUndefined();
  expect(await repository.git("rev-parse", "HEAD")).toBe(head);
  expect((await workspace.commit({ ...request, iteration: request.iteration + 1 }))?.commit).not.toBe(head);
});

test("a loop that starts over under its id commits, also where HEAD is a commit of the same number [C60, C25]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const workspace = await workspaceOf(repository.path);
  await repository.write("a.txt", "b\n");
  await workspace.commit(REQUEST);
  const begun = await repository.git("rev-parse", "HEAD");
  await repository.write("a.txt", "c\n");
  expect((await workspace.commit({ ...REQUEST, begun }))?.commit).toMatch(/^[0-9a-f]{40}$/u);
  expect(await repository.git("show", "HEAD:a.txt")).toBe("c");
});
