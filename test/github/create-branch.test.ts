import { expect, test } from "vitest";
import { createBranch } from "../../src/github/create-branch.ts";
import { asking, HEAD } from "../support/asking.ts";

test("a branch begins at a commit, once; where it is already it stays", async () => {
  await using at = await asking();
  const wanted = { branch: "smithers/repo-1", commit: HEAD };
  expect(await createBranch(at.access, wanted)).toEqual({ done: true });
  expect(await createBranch(at.access, wanted)).toEqual({ done: true });
  expect(await at.refs("refs/heads/smithers/")).toEqual(["refs/heads/smithers/repo-1"]);
});
