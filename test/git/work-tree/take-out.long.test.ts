import { expect, test } from "vitest";
import { gitRepository, shellIn } from "../../support/git-repository.ts";
import { snapshotOf, workspaceOf } from "../support.ts";

test("what is too large for a patch stays, and the rest is taken out", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  const workspace = await workspaceOf(repository.path);
  const before = await snapshotOf(workspace);
  await shellIn(repository.path, "yes $(printf 'x%01000d' 0) | head -c 201000000 > large.txt");
  await repository.write("new.txt", "by a check\n");
  expect(await workspace.takeOut(before, "checks.patch")).toMatchObject({
    made: ["new.txt"],
    left: [{ files: ["large.txt"], why: "large.txt is too large to be kept as a patch" }],
  });
  const aside = workspace.setAside("set-aside.patch");
  await expect(aside).rejects.toThrow(/more than 200000000 bytes.*\. It is in your work tree\.$/u);
});
