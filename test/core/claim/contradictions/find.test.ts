import { expect, test } from "vitest";
import { contradictionsOf, followedLists } from "../../../../src/core/claim/contradictions/find.ts";
import { beginList } from "../../../../src/core/claim/contradictions/follow-list.ts";
import type { LoopState, Snapshot } from "../../../../src/core/state.ts";
import type { Ports } from "../../../../src/core/ports.ts";
import { aBlock, aClaim, aDoneClaim, aState, aTask, digest } from "../../../support/builders.ts";
import { fakePorts } from "../../../support/fake-ports.ts";

type Found = NonNullable<Awaited<ReturnType<Ports["workspace"]["named"]>>>;

const BEGUN = tree(0);
const CLAIM = aDoneClaim();

function tree(number: number, nested?: string): Snapshot {
  const at = { id: `h/tree-${number}`, tree: `tree-${number}`, head: "h" };
  return nested === undefined ? at : { ...at, nested };
}

interface World {
  readonly message?: string;
  readonly claim?: typeof CLAIM;
  readonly now?: Snapshot | null;
  /** before the turn */
  readonly before?: Snapshot | null;
  readonly begun?: Snapshot | null;
  readonly named?: Found | null;
  readonly lists?: string;
  readonly isLost?: boolean;
}

async function found(world: World) {
  const { message = "", claim = CLAIM, now = tree(0), before = tree(0), begun = BEGUN, named = null, lists } = world;
  const ports = fakePorts({ lists: () => (lists === undefined ? [] : [{ path: "PLAN.md", text: lists }]) });
  const compare: Ports["workspace"]["compare"] =
    world.isLost === true ? async () => null : (one, other) => ports.workspace.compare(one, other);
  const { lists: port, workspace, digest: asDigest } = ports;
  const asked = { lists: port, digest: asDigest, workspace: { ...workspace, named: async () => named, compare } };
  const boundary = { begun, refused: null, turns: 0 };
  const state: LoopState = { ...aState(), boundary, snapshot: before };
  const turn = { claim, message, tally: null, snapshot: now };
  const task = aTask({ identity: { doneToken: "READY" } });
  return (await contradictionsOf(turn, { task, state }, asked)).map(({ kind }) => kind);
}

test("the lists speak against a claim, in git and outside of it [C46]", async () => {
  expect(await found({ lists: "- [ ] a" })).toEqual(["open_items"]);
  expect(await found({ lists: "- [ ] a", begun: null, now: null })).toEqual(["open_items"]);
});

test("files that are named as written are looked up in git alone [C47]", async () => {
  const message = "Created a.ts, b.ts, c.ts and d.ts.";
  const named: Found = new Map([
    ["a.ts", "changed"],
    ["b.ts", "unchanged"],
    ["c.ts", "missing"],
    ["d.ts", "unknown"],
  ]);
  expect(await found({ message, named })).toEqual(["missing_files", "unchanged_files"]);
  expect(await found({ message: "Created a.ts.", named })).toEqual([]);
  expect(await found({ message, named: null })).toEqual([]);
  expect(await found({ message, named, now: null })).toEqual([]);
  expect(await found({ message, named, begun: null })).toEqual([]);
  expect(await found({ message: "All done.", named })).toEqual([]);
});

test.each<[what: string, world: World, isFound: boolean]>([
  ["nothing changed since the loop began", {}, true],
  ["less changed since the loop began", { now: tree(1), before: tree(1) }, true],
  ["it is not known what was there before the turn", { before: null }, true],
  ["as much changed in earlier turns", { now: tree(3), before: tree(3) }, false],
  ["the turn changed something", { now: tree(1), before: tree(0) }, false],
  ["a nested repository changed in the turn", { now: tree(0, "n") }, false],
  ["a nested repository changed before", { now: tree(0, "n"), before: tree(0, "n") }, false],
  ["what changed is not known", { now: tree(1), before: tree(1), isLost: true }, false],
  ["there is no git", { now: null, before: null, begun: null }, false],
])("a block that counts 3 files is held against the tree where %s [C48]", async (_what, world, isFound) => {
  const claim = aClaim({ block: aBlock({ files_modified: 3, exit_signal: true, status: "COMPLETE" }) });
  expect(await found({ ...world, claim })).toEqual(isFound ? ["nothing_modified"] : []);
});

test("a block that counts none is not [C48]", async () => {
  expect(await found({ claim: aClaim({ block: aBlock({ files_modified: 0 }) }) })).toEqual([]);
});

test("the numbers of a promise and of a done token are, and of no other claim [C49]", async () => {
  const message = (end: string): string => `2 items are open.\nx\ny\nAll 5 items done ${end}`;
  expect(await found({ message: message("<promise>DONE</promise>") })).toEqual(["numbers"]);
  expect(await found({ message: message("READY"), claim: aClaim({ token_done: true }) })).toEqual(["numbers"]);
  expect(await found({ message: message("READY"), claim: aClaim() })).toEqual([]);
});

test("lists are followed where there were any, and a list that is not read stays as it was [C46]", async () => {
  const list = beginList({ path: "PLAN.md", text: "- [ ] a" }, null, digest);
  const ports = fakePorts({ lists: () => [{ path: "PLAN.md", text: "- [x] a" }] });
  const follow = (lists: LoopState["lists"]) => followedLists({ ...aState(), lists }, aTask(), ports);
  expect(await follow([])).toBeUndefined();
  expect((await follow([list]))?.[0]?.items[0]?.open).toBe(false);
  const other = { ...list, path: "OTHER.md" };
  expect(await follow([other])).toEqual([other]);
});
