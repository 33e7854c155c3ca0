import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { RefWritten } from "../../src/core/carry.ts";
import { aRecord, machine, REF, remoteWith, SOON } from "./git-machines.ts";

function commitOf(written: RefWritten): string {
  if (!written.ok) throw new Error(written.trouble.because);
  return written.value.commit;
}

test("a ref that is not there is absent, and is made by the first write [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const ref = one.ref();
  expect(await ref.read(SOON)).toEqual({ answer: "absent" });
  const record = one.record();
  const commit = commitOf(await ref.write(record, null, SOON));
  expect(await remote.git("rev-parse", REF)).toBe(commit);
  expect(await remote.git("ls-tree", "--name-only", REF)).toBe("record.json");
  expect(await one.ref().read(SOON)).toEqual({ answer: "found", commit, record });
});

test("each write goes on from the one before: a chain that can be looked at [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const ref = one.ref();
  const commits: string[] = [];
  for (const revision of [1, 2, 3]) commits.unshift(commitOf(await ref.write(aRecord(revision), null, SOON)));
  expect((await remote.git("rev-list", REF)).split("\n")).toEqual(commits);
});

test("another machine goes on where the first one stopped [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await using other = await machine(remote, { clone: ["--depth=1"] });
  const first = commitOf(await one.ref().write(one.record(1), await one.tree(), SOON));
  const ref = other.ref();
  expect(await ref.read(SOON)).toMatchObject({ answer: "found", commit: first });
  const second = commitOf(await ref.write(other.record(2), await other.tree(), SOON));
  expect(await remote.git("rev-parse", `${REF}^1`)).toBe(first);
  expect(await remote.git("rev-parse", REF)).toBe(second);
});

test("of two runs that read the same, one wins; the other is superseded, and stays so [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await using other = await machine(remote);
  const [winner, loser] = [one.ref(), other.ref()];
  await winner.write(aRecord(1), null, SOON);
  await loser.read(SOON);
  const commit = commitOf(await winner.write(aRecord(2), null, SOON));
  for (const revision of [2, 3]) {
    const lost = await loser.write(aRecord(revision), null, SOON);
    expect(lost).toMatchObject({ ok: false, trouble: { kind: "superseded", because: expect.stringContaining(REF) } });
  }
  expect(await remote.git("rev-parse", REF)).toBe(commit);
});

test("of two runs that make the ref at the same moment one wins, for their nonces differ [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await using other = await machine(remote);
  const refs = [one.ref(), other.ref()];
  await Promise.all(refs.map((ref) => ref.read(SOON)));
  const written = await Promise.all(refs.map((ref) => ref.write(aRecord(1), null, SOON)));
  expect(written.map((one) => (one.ok ? "won" : one.trouble.kind)).toSorted()).toEqual(["superseded", "won"]);
});

test("a ref that could not be read is not moved away from a record as late as ours [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await using other = await machine(remote);
  const ref = other.ref();
  await one.ref().write(aRecord(5), null, SOON);
  remote.fault = () => ({ status: 503, text: "down" });
  expect(await ref.read(SOON)).toMatchObject({ answer: "unreachable" });
  remote.fault = undefined;
  for (const revision of [5, 6])
    expect(await ref.write(aRecord(revision), null, SOON)).toMatchObject({ trouble: { kind: "superseded" } });
  expect(await other.ref().write(aRecord(6), null, SOON)).toMatchObject({ ok: true });
});

test.each([
  {
    name: "of a run that went on from an older copy, whatever it has done since",
    since: { generation: 1, revision: 4 },
  },
  { name: "of a run that started over without an answer", since: null },
])("a ref that could not be read is not moved away by the later record $name [C53]", async ({ since }) => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await using other = await machine(remote);
  const ref = other.ref();
  const commit = commitOf(await one.ref().write(aRecord(5), null, SOON));
  remote.fault = () => ({ status: 503, text: "down" });
  expect(await ref.read(SOON)).toMatchObject({ answer: "unreachable" });
  remote.fault = undefined;
  expect(await ref.write(aRecord(12), null, SOON, since)).toMatchObject({
    trouble: { kind: "superseded", because: expect.stringContaining(commit.slice(0, 12)) },
  });
  expect(await remote.git("rev-parse", REF)).toBe(commit);
});

test("a ref that could not be read is moved by the run that went on from as late a copy [C53]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await using other = await machine(remote);
  await one.ref().write(aRecord(5), null, SOON);
  const since = { generation: 1, revision: 5 };
  expect(await other.ref().write(aRecord(6), null, SOON, since)).toMatchObject({ ok: true });
});

test("a first write whose answer was lost is not taken for another run's, though the ref was never read [C53]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const ref = one.ref();
  await remote.hook("post-receive", "sleep 30");
  expect(await ref.write(aRecord(1), null, 900, null)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
  await remote.hook("post-receive", "");
  expect(await ref.write(aRecord(2), null, SOON, null)).toMatchObject({ ok: true });
});

test("a ref that is deleted meanwhile is not made again [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const ref = one.ref();
  await ref.write(aRecord(1), null, SOON);
  await remote.git("update-ref", "-d", REF);
  expect(await ref.write(aRecord(2), null, SOON)).toMatchObject({
    ok: false,
    trouble: { kind: "superseded", because: expect.stringContaining("gone") },
  });
});

test("a write whose answer was lost is not taken for somebody else's [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const ref = one.ref();
  await ref.write(aRecord(1), null, SOON);
  await remote.hook("post-receive", "sleep 30");
  expect(await ref.write(aRecord(2), null, 700)).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
  await remote.hook("post-receive", "");
  const arrived = await remote.git("rev-parse", REF);
  const commit = commitOf(await ref.write(aRecord(3), null, SOON));
  expect(await remote.git("rev-parse", `${REF}^1`)).toBe(arrived);
  expect(await remote.git("rev-parse", REF)).toBe(commit);
});

test.each([
  ["a token that only reads", { token: "token-that-reads" }, "contents: write"],
  ["a token that is unknown", { token: "nobody's token" }, "does not accept the token"],
])("with %s the write is refused, and what to do is said [C13]", async (_name, overrides, says) => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const written = await one.ref(overrides).write(aRecord(1), null, SOON);
  expect(written).toMatchObject({ ok: false, trouble: { because: expect.stringContaining(says) } });
  expect(written).toMatchObject({ trouble: { because: expect.stringContaining("is lost if this machine vanishes") } });
  expect(JSON.stringify(written)).not.toContain(overrides.token);
});

test("the token that only reads does read [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await one.ref().write(aRecord(1), null, SOON);
  const ref = one.ref({ token: remote.readToken });
  expect(await ref.read(SOON)).toMatchObject({ answer: "found" });
  expect(await ref.write(aRecord(2), null, SOON)).toMatchObject({ trouble: { kind: "refused" } });
});

const RULES = 'echo "error: GH013: Repository rule violations found for refs/smithers-loops/a-loop." >&2; exit 1';

test("a rule of the repository that refuses every write is named [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await remote.hook("pre-receive", RULES);
  expect(await one.ref().write(one.record(), await one.tree(), SOON)).toMatchObject({
    trouble: { kind: "refused", because: expect.stringMatching(/GH013.*ruleset/u) },
  });
});

test("when the server refuses the work, the record goes alone, and that is said once [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await remote.hook(
    "pre-receive",
    `while read old new ref; do git ls-tree -r $new | grep -q bad && { echo "GH013: Repository rule violations found" >&2; exit 1; }; done; exit 0`,
  );
  await one.write("bad.txt", "bad");
  const ref = one.ref();
  const written = await ref.write(one.record(), await one.tree(), SOON);
  const said = written.ok ? written.value.notices : written.trouble.because;
  expect(said).toEqual([expect.stringContaining("Only the loop's record")]);
  expect(await remote.git("ls-tree", "--name-only", REF)).toBe("record.json");
  expect(await ref.write(one.record(2), await one.tree(), SOON)).toMatchObject({ ok: true, value: { notices: [] } });
});

test("a hidden ref is named [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await remote.git("config", "receive.hideRefs", "refs/smithers-loops");
  expect(await one.ref().write(aRecord(), null, SOON)).toMatchObject({
    trouble: { kind: "refused", because: expect.stringContaining("keeps refs of that name to itself") },
  });
});

test("a record that is too large is refused and says so [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const record = { ...aRecord(), nonce: "n".repeat(70_000) };
  expect(await one.ref().write(record, null, SOON)).toMatchObject({
    trouble: { kind: "refused", because: expect.stringContaining("65536") },
  });
});

test.each([
  ["answers with 500", { status: 500, text: "broken" } as const],
  ["drops the connection", "drop" as const],
  ["redirects elsewhere", { status: 302, text: "" } as const],
  ["does not know the repository", { status: 404, text: "Repository not found." } as const],
])("a server that %s costs a notice, not the loop [C11]", async (_name, fault) => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  remote.fault = () => fault;
  const ref = one.ref();
  expect(await ref.read(SOON)).toMatchObject({ answer: "unreachable", why: expect.stringContaining(REF) });
  const written = await ref.write(aRecord(), null, SOON);
  expect(written).toMatchObject({ ok: false, trouble: { kind: "unreachable" } });
  expect(written.ok ? "" : written.trouble.because).toMatch(
    /^The loop is not kept under (?!.*could not be read).*[^.]\.$/u,
  );
  expect(await ref.restoreTree(SOON)).toMatchObject({ restored: "failed" });
});

test("a server that does not answer is waited for so long and no longer [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const ref = one.ref();
  await ref.write(aRecord(1), null, SOON);
  remote.fault = () => "hang";
  const began = performance.now();
  expect(await ref.read(300)).toMatchObject({ answer: "unreachable", why: expect.stringContaining("within 0.3 s") });
  expect(await ref.write(aRecord(2), null, 300)).toMatchObject({ trouble: { kind: "unreachable" } });
  expect(await ref.restoreTree(300)).toEqual({ restored: "absent" });
  expect(performance.now() - began).toBeLessThan(6_000);
  remote.fault = undefined;
  expect(await ref.write(aRecord(3), null, SOON)).toMatchObject({ ok: true });
});

test("work that the ref holds stays with its record, though its objects are gone here [C13]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await one.write("new.txt", "work\n");
  const tree = await one.tree();
  const ref = one.ref();
  expect(await ref.write(one.record(1), tree, SOON)).toMatchObject({ ok: true });
  await rm(path.join(one.path, "loops/a-loop/git/objects"), { recursive: true });
  expect(await ref.write(one.record(2), tree, SOON)).toMatchObject({ ok: true });
  expect(await remote.git("rev-parse", `${REF}:tree`)).toBe(tree);
});

test("what is not a record is not used, and is gone on from [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await remote.git("update-ref", REF, "main");
  const ref = one.ref();
  expect(await ref.read(SOON)).toMatchObject({ answer: "unreachable", why: expect.stringContaining("no record.json") });
  expect(await ref.write(aRecord(1), null, SOON)).toMatchObject({ ok: true });
  expect(await remote.git("rev-parse", `${REF}^1`)).toBe(await remote.git("rev-parse", "main"));
});

test("what a newer version wrote is never written over [C11]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const newer = { ...aRecord(1), schema: 2 };
  await one.ref().write(JSON.parse(JSON.stringify(newer)), null, SOON);
  const before = await remote.git("rev-parse", REF);
  const ref = one.ref();
  await expect(ref.read(SOON)).rejects.toMatchObject({ code: "STATE_NEWER" });
  expect(await ref.write(aRecord(9), null, SOON)).toMatchObject({ trouble: { kind: "refused" } });
  expect(await ref.restoreTree(SOON)).toMatchObject({ restored: "failed" });
  expect(await remote.git("rev-parse", REF)).toBe(before);
});
