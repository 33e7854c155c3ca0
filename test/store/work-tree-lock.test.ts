import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { nameOfHolder, thisHolder } from "../../src/os/holder.ts";
import {
  enterWorkTree,
  loopAtWork,
  type LoopAtWork,
  LOOPS_AT_WORK,
  loopsAtWork,
  noteOf,
} from "../../src/store/work-tree-lock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const a = (id: string, kind: "prd" | "loop", file = `/w/${id}.json`) => loopAtWork(id, file, kind === "prd");

async function enters(gitDir: string, loop: LoopAtWork) {
  const outcome = await enterWorkTree(gitDir, loop);
  if (outcome === undefined || !("entered" in outcome)) throw new Error(`refused by ${outcome?.refusedBy.loopId}`);
  return outcome.entered;
}

describe("the lock of a work tree", () => {
  it("keeps a PRD's loop from all others, and lets those share it [D-08]", async () => {
    await using git = await tempFolder();
    const shop = await enters(git.path, a("prd-shop", "prd"));
    for (const other of [a("prd-cart", "prd"), a("fix", "loop"), a("prd-shop", "prd", "/w/packages/a.json")])
      expect(await enterWorkTree(git.path, other)).toEqual({ refusedBy: a("prd-shop", "prd") });
    expect(await loopsAtWork(git.path)).toEqual([a("prd-shop", "prd")]);
    await shop.remove();
    const fix = await enters(git.path, a("fix", "loop"));
    const lint = await enters(git.path, a("lint", "loop"));
    expect(await enterWorkTree(git.path, a("prd-shop", "prd"))).toMatchObject({ refusedBy: { isPrd: false } });
    expect(await enterWorkTree(git.path, a("fix", "loop"))).toEqual({ refusedBy: a("fix", "loop") });
    await Promise.all([fix.remove(), lint.remove()]);
    await (await enters(git.path, a("prd-shop", "prd"))).remove();
    expect(await readdir(path.join(git.path, LOOPS_AT_WORK))).toEqual([]);
  });

  it("never lets two in that begin at once", async () => {
    await using git = await tempFolder();
    const all = Array.from({ length: 10 }, (_one, i) => enterWorkTree(git.path, a(`prd-${i}`, i < 5 ? "prd" : "loop")));
    const inside = (await Promise.all(all)).flatMap((one, i) => (one !== undefined && "entered" in one ? [i] : []));
    expect(inside.filter((i) => i < 5).length * inside.length).toBeLessThanOrEqual(1);
  });

  it("touches no note but its own: who is about to enter has a folder, and no lock in it yet [W-62]", async () => {
    await using git = await tempFolder();
    const other = noteOf(git.path, a("lint", "loop"));
    await mkdir(other, { recursive: true });
    await (await enters(git.path, a("fix", "loop"))).remove();
    expect(await readdir(path.dirname(other))).toEqual([path.basename(other)]);
  });

  it("is free when its holder was killed, whatever else lies there", async () => {
    await using git = await tempFolder();
    const lock = path.join(git.path, LOOPS_AT_WORK, "prd.prd-shop.01234567", "lock");
    await mkdir(lock, { recursive: true });
    await writeFile(path.join(lock, nameOfHolder({ ...(await thisHolder()), pid: 2 ** 30 })), "");
    await mkdir(path.join(git.path, LOOPS_AT_WORK, "prd.../../x.01234567"), { recursive: true });
    await writeFile(path.join(git.path, LOOPS_AT_WORK, "prd.file.01234567"), "");
    await enters(git.path, a("prd-cart", "prd"));
    expect(await loopsAtWork(git.path)).toEqual([a("prd-cart", "prd")]);
  });

  it("is the loop's own again when a container that is gone had it, and nobody else's [D-08]", async () => {
    await using git = await tempFolder();
    const shop = a("prd-shop", "prd");
    const lock = path.join(noteOf(git.path, shop), "lock");
    await mkdir(lock, { recursive: true });
    await writeFile(path.join(lock, nameOfHolder({ ...(await thisHolder()), host: "gone" })), "");
    expect(await enterWorkTree(git.path, a("fix", "loop"))).toEqual({ refusedBy: shop });
    await (await enters(git.path, shop)).remove();
    expect(await readdir(path.join(git.path, LOOPS_AT_WORK))).toEqual([]);
  });

  it("follows no link [T14]", async () => {
    await using git = await tempFolder();
    await using elsewhere = await tempFolder();
    await symlink(elsewhere.path, path.join(git.path, LOOPS_AT_WORK));
    await expect(enterWorkTree(git.path, a("fix", "loop"))).rejects.toHaveProperty("code", "LINK_REFUSED");
    expect(await readdir(elsewhere.path)).toEqual([]);
  });
});
