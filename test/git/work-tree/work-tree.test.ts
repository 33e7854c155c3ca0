import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { advance, aRecord, machine, type MachineOptions, REF, remoteWith, SOON } from "../../carry/git-machines.ts";
import { FILES, work } from "./some-work.ts";

const CHECKOUTS: readonly [string, MachineOptions][] = [
  ["a whole clone", {}],
  ["a shallow clone", { clone: ["--depth=1"] }],
  ["a clone without old contents", { clone: ["--filter=blob:none"] }],
];

for (const [name, options] of CHECKOUTS) {
  for (const sealKey of [null, "a state key"]) {
    const how = sealKey === null ? "" : ", sealed";
    test(`the next machine has the same work tree: ${name}${how} [C13]`, async () => {
      await using remote = await remoteWith(FILES);
      await using one = await machine(remote, options);
      await using other = await machine(remote, options);
      await work(one);
      expect(await one.ref({ sealKey }).write(one.record(), await one.tree(), SOON)).toMatchObject({
        value: { notices: [] },
      });
      const kept = await remote.git("ls-tree", "--name-only", REF);
      expect(kept).toBe(sealKey === null ? "record.json\ntree" : "record.json\ntree.sealed");
      const status = await other.git("status", "--porcelain");
      const ref = other.ref({ sealKey });
      expect(await ref.restoreTree(SOON)).toEqual({ restored: "applied" });
      expect(await other.files()).toEqual(await one.files());
      expect(await other.tree()).toBe(await one.tree());
      expect(status).toBe("");
      expect(await other.git("diff", "--cached", "--name-only")).toBe("");
      expect(await other.git("rev-parse", "HEAD")).toBe(other.head);
      expect(await other.git("fsck")).toBe("");
      expect(await other.git("status", "--porcelain")).toBe(await one.git("status", "--porcelain"));
    });
  }
}

test("work that is there already is not brought a second time, and does no harm [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await work(one);
  const ref = one.ref();
  await ref.write(one.record(), await one.tree(), SOON);
  const files = await one.files();
  expect(await ref.restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await one.files()).toEqual(files);
});

test("without work, or with nothing in it, nothing is brought [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  expect(await one.ref().restoreTree(SOON)).toEqual({ restored: "absent" });
  await one.ref().write(one.record(1), null, SOON);
  expect(await one.ref().restoreTree(SOON)).toEqual({ restored: "absent" });
  for (const [i, sealKey] of [null, "a state key"].entries()) {
    const written = await one.ref({ sealKey }).write(one.record(2 + i), await one.tree(), SOON);
    expect(written).toMatchObject({ ok: true });
    expect(await one.ref({ sealKey }).restoreTree(SOON)).toEqual({ restored: "nothing" });
  }
});

test("the wrong key, or none, leaves the workspace alone and says so [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await using other = await machine(remote);
  await work(one);
  await one.ref({ sealKey: "right" }).write(one.record(), await one.tree(), SOON);
  for (const sealKey of ["wrong", null]) {
    const restored = await other.ref({ sealKey }).restoreTree(SOON);
    expect(restored).toMatchObject({ restored: "failed", why: expect.stringContaining("state-key") });
  }
  expect(await other.git("status", "--porcelain")).toBe("");
});

test("a workspace below the repository's root brings and takes its own part [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote, { prefix: "packages/a/" });
  await using other = await machine(remote, { prefix: "packages/a/" });
  await one.write("in.txt", "changed\n");
  await one.write("sub/new.txt", "new\n");
  await writeFile(path.join(one.top, "README.md"), "not the loop's\n");
  await one.ref().write(one.record(), await one.tree(), SOON);
  expect(await remote.git("ls-tree", "-r", "--name-only", `${REF}:tree`)).toBe("in.txt\nsub/new.txt");
  await writeFile(path.join(other.top, "gone.txt"), "somebody's own\n");
  expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
  expect((await other.git("status", "--porcelain", "-uall")).split("\n")).toEqual([
    " M gone.txt",
    " M packages/a/in.txt",
    "?? packages/a/sub/new.txt",
  ]);
});

test("a sparse checkout keeps what it left out, and brings what it holds [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote, { clone: ["--depth=1", "--sparse"] });
  await using other = await machine(remote, { clone: ["--depth=1", "--sparse"] });
  for (const { git } of [one, other]) await git("sparse-checkout", "set", "packages/a");
  await one.write("packages/a/in.txt", "changed\n");
  await one.ref().write(one.record(), await one.tree(), SOON);
  expect(await remote.git("diff", "--name-only", "main", `${REF}:tree`)).toBe("packages/a/in.txt");
  expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await other.files()).toEqual(await one.files());
});

test("line ends are those that the checkout asks for [C13]", async () => {
  await using remote = await remoteWith({ ".gitattributes": "*.bat text eol=crlf\n", "a.bat": "a\nb\n" });
  await using one = await machine(remote);
  await using other = await machine(remote);
  expect(await readFile(path.join(one.top, "a.bat"), "utf8")).toBe("a\r\nb\r\n");
  await one.write("a.bat", "a\r\nB\r\n");
  await one.ref().write(one.record(), await one.tree(), SOON);
  expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await readFile(path.join(other.top, "a.bat"), "utf8")).toBe("a\r\nB\r\n");
});

test("a repository of SHA-256 objects [C13]", async () => {
  await using remote = await remoteWith(FILES, "sha256");
  await using one = await machine(remote);
  await using other = await machine(remote);
  await work(one);
  expect(await one.ref().write(one.record(), await one.tree(), SOON)).toMatchObject({ ok: true });
  expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await other.files()).toEqual(await one.files());
});

test("after bringing it the workspace can compare with the last machine's tree [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote, { clone: ["--depth=1"] });
  await using other = await machine(remote, { clone: ["--depth=1"] });
  await work(one);
  const tree = await one.tree();
  await one.ref().write(one.record(), tree, SOON);
  await other.ref().restoreTree(SOON);
  expect(await other.compare(tree)).toMatchObject({ files: 0 });
  await other.write("README.md", "else\n");
  expect(await other.compare(tree)).toMatchObject({ files: 1 });
});

test("a tree that is not known here any more: what the ref holds stays [C13]", async () => {
  await using remote = await remoteWith(FILES);
  await using one = await machine(remote);
  await work(one);
  const ref = one.ref();
  await ref.write(one.record(1), await one.tree(), SOON);
  const kept = await remote.git("rev-parse", `${REF}:tree`);
  expect(await ref.write(one.record(2), "1".repeat(40), SOON)).toMatchObject({ ok: true, value: { notices: [] } });
  expect(await remote.git("rev-parse", `${REF}:tree`)).toBe(kept);
  const elsewhere = { ...aRecord(3), base: null };
  expect(await ref.write(elsewhere, "1".repeat(40), SOON)).toMatchObject({
    value: { notices: [expect.stringContaining("not kept")] },
  });
  expect(await remote.git("ls-tree", "--name-only", REF)).toBe("record.json");
});

test("only what changed is sent, in a shallow clone of a branch that went on too [C13]", async () => {
  await using remote = await remoteWith({
    ...FILES,
    "big.txt": "x".repeat(2_000_000).replaceAll(/x{20}/gu, () => `${Math.random()}`),
  });
  await using one = await machine(remote, { clone: ["--depth=1"] });
  await advance(remote, ({ write }) => write("later.txt", "later\n"));
  await work(one);
  const before = await sizeOf(remote);
  expect(await one.ref().write(one.record(), await one.tree(), SOON)).toMatchObject({ ok: true });
  expect((await sizeOf(remote)) - before).toBeLessThan(200);
});

/** Of all objects of a repository, in KB. */
async function sizeOf(remote: { git: (...args: string[]) => Promise<string> }): Promise<number> {
  const counted = await remote.git("count-objects", "-v");
  return [/^size: (\d+)$/mu, /^size-pack: (\d+)$/mu].reduce((sum, at) => sum + Number(at.exec(counted)?.[1]), 0);
}
