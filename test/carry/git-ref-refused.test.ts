import { expect, test } from "vitest";
import { advance, machine, REF, remoteWith, SOON } from "./git-machines.ts";

const CI = ".github/workflows/ci.yml";

test.for([
  ["", null],
  [", sealed", "a state key"],
] as const)("work that GitHub refuses for its workflow files is kept all the same%s [C82]", async ([, sealKey]) => {
  await using remote = await remoteWith({ "README.md": "hello\n", [CI]: "on: push\n" });
  remote.workflows.rule = "strict";
  await using one = await machine(remote);
  await using other = await machine(remote);
  await advance(remote, async ({ write }) => write(CI, "on: [push]\n"));
  await one.write(CI, "on: workflow_dispatch\n");
  await one.write("new.txt", "new\n");
  const ref = one.ref({ sealKey });
  for (const revision of [1, 2]) {
    await one.write("new.txt", `new in ${revision}\n`);
    const written = await ref.write(one.record(revision), await one.tree(), SOON);
    expect(written).toMatchObject({ ok: true, value: { notices: [] } });
    const kept = await remote.git("ls-tree", "--name-only", REF);
    expect(kept).toBe(`record.json\n${sealKey === null ? "tree.packed" : "tree.sealed"}`);
  }
  // Once GitHub has refused the files, it is not asked again; and nothing of the person's history is sent along.
  expect(await remote.git("rev-list", "--count", REF)).toBe("2");
  expect(await other.ref({ sealKey }).restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await other.files()).toEqual(await one.files());
  expect(await other.tree()).toBe(await one.tree());
});

test("by the documented rule the ref keeps work as files that people can look at [C82]", async () => {
  await using remote = await remoteWith({ [CI]: "on: push\n" });
  await using one = await machine(remote);
  await advance(remote, async ({ write }) => write(CI, "on: [push]\n"));
  await one.write("new.txt", "new\n");
  expect(await one.ref().write(one.record(), await one.tree(), SOON)).toMatchObject({ value: { notices: [] } });
  expect(await remote.git("ls-tree", "--name-only", REF)).toBe("record.json\ntree");
});
