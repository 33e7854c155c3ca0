import { expect, test } from "vitest";
import { createRef } from "../../src/github/refs.ts";
import { asking, HEAD } from "../support/asking.ts";

test("a branch begins at a commit, once; where it is already it stays", async () => {
  await using at = await asking();
  expect(await createRef(at.github, "refs/heads/smithers/repo-1", HEAD)).toMatchObject({ ok: true });
  expect(await createRef(at.github, "refs/heads/smithers/repo-1", HEAD)).toMatchObject({ ok: true });
  expect(await at.refs("refs/heads/smithers/")).toEqual(["refs/heads/smithers/repo-1"]);
});
