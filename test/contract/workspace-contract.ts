import { expect, test } from "vitest";
import type { Snapshot } from "../../src/core/state.ts";
import type { Workspace } from "../../src/core/ports.ts";

export interface WorkspaceFixture extends AsyncDisposable {
  readonly workspace: Workspace;
  /** whether the workspace can tell and keep changes: a git repository */
  readonly measured: boolean;
  write(name: string, content: string): Promise<void>;
}

const REQUEST = { message: "work", loopId: "loop", iteration: 1 };
const NOTHING: Snapshot = { id: "0", tree: "0", head: null };

/** What every workspace has to keep. */
export function workspaceContract(name: string, make: () => Promise<WorkspaceFixture>): void {
  test(`${name}: a snapshot is the same until something changes`, async () => {
    await using fixture = await make();
    const before = await fixture.workspace.snapshot();
    expect(before === null).toBe(!fixture.measured);
    expect(await fixture.workspace.snapshot()).toEqual(before);
    await fixture.write("new.txt", "one\ntwo\n");
    const after = await fixture.workspace.snapshot();
    if (before === null || after === null) return;
    expect(after.id).not.toBe(before.id);
    expect(await fixture.workspace.compare(before, after)).toEqual({
      files: 1,
      added: 2,
      removed: 0,
      stat: "new.txt | +2 -0",
      only_tests: false,
    });
  });

  test(`${name}: between a snapshot and itself nothing changed`, async () => {
    await using fixture = await make();
    const snapshot = (await fixture.workspace.snapshot()) ?? NOTHING;
    expect(await fixture.workspace.compare(snapshot, snapshot)).toEqual({
      files: 0,
      added: 0,
      removed: 0,
      stat: "",
      only_tests: false,
    });
  });

  test(`${name}: a second commit of the same work does nothing [C13]`, async () => {
    await using fixture = await make();
    await fixture.write("new.txt", "one\n");
    const first = await fixture.workspace.commit(REQUEST);
    expect(first === undefined).toBe(!fixture.measured);
    expect(await fixture.workspace.commit(REQUEST)).toBeUndefined();
  });

  test(`${name}: a commit comes with the snapshot after it, from which changes are told [C13]`, async () => {
    await using fixture = await make();
    for (const content of ["one\n", "two\n"]) {
      await fixture.write("new.txt", content);
      const before = await fixture.workspace.snapshot();
      const committed = await fixture.workspace.commit(REQUEST);
      expect(committed === undefined).toBe(!fixture.measured);
      if (before === null || committed === undefined) return;
      expect(committed.snapshot).toEqual(await fixture.workspace.snapshot());
      expect(committed.snapshot).toMatchObject({ tree: before.tree, head: committed.commit });
      expect(committed.snapshot.id).not.toBe(before.id);
    }
  });

  test(`${name}: without a change there is no commit [C13]`, async () => {
    await using fixture = await make();
    expect(await fixture.workspace.commit(REQUEST)).toBeUndefined();
  });

  test(`${name}: a story's commit is returned however often it is asked for [D-08]`, async () => {
    await using fixture = await make();
    await fixture.write("new.txt", "one\n");
    const request = { ...REQUEST, story: { prd: "login", id: "US-001" } };
    const first = await fixture.workspace.commit(request);
    expect(first === undefined).toBe(!fixture.measured);
    expect(await fixture.workspace.commit(request)).toEqual(first);
    const commits = first === undefined ? [] : [first.commit];
    expect(await fixture.workspace.holding([...commits, "0".repeat(40)])).toEqual(new Set(commits));
  });

  test(`${name}: what is set aside leaves what the last commit holds`, async () => {
    await using fixture = await make();
    await fixture.write("new.txt", "one\n");
    const committed = await fixture.workspace.commit(REQUEST);
    await fixture.write("new.txt", "two\n");
    const after = await fixture.workspace.setAside("aside.patch");
    expect(after).toEqual(committed?.snapshot ?? null);
    expect(await fixture.workspace.setAside("aside.patch")).toEqual(after);
  });
}
