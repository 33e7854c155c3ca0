import path from "node:path";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { acquireLock } from "../../src/store/lock.ts";
import { removeArtifacts } from "../../src/store/loop-files.ts";
import { tempFolder } from "../support/temp-folder.ts";

const OWN = [
  ".agent.log.smithers-tmp",
  "agent.log",
  "US-001-12.patch",
  "US-001-12.1.patch",
  "events.jsonl",
  "events_iter_1.jsonl",
  "events_iter_12.jsonl",
  "last_message_iter_1.txt",
  "progress.md",
  "prompt.txt",
  "summary.json",
  "tests.json",
  "undone-3-prd.json",
  "undone-3-prd.12.md",
];

async function aFolder(base: string, names: readonly string[]): Promise<string> {
  const folder = path.join(base, "a-loop");
  await mkdir(path.join(folder, "control"), { recursive: true });
  for (const name of names) await writeFile(path.join(folder, name), "ours");
  await writeFile(path.join(folder, "control", "cancel"), "");
  return folder;
}

describe("removing a loop's artifacts", () => {
  it("deletes what smithers made, and nothing beside it [W-33, W-47]", async () => {
    await using base = await tempFolder();
    const folder = await aFolder(base.path, OWN);
    await writeFile(path.join(base.path, "a-loop.json"), "the state");
    await writeFile(path.join(base.path, "b-loop.json"), "another");
    const { removed, left } = await removeArtifacts(folder);
    expect(removed.map((file) => path.basename(file))).toEqual([...OWN, "control"].toSorted());
    expect(left).toEqual([]);
    expect((await readdir(base.path)).toSorted()).toEqual(["a-loop.json", "b-loop.json"]);
  });

  it("leaves what it does not know, and the folder then [W-47]", async () => {
    await using base = await tempFolder();
    const folder = await aFolder(base.path, OWN);
    const theirs = [
      "US-1.patch",
      "undone-1-other.json",
      "events_iter_x.jsonl",
      "main.ts",
      "my_events_iter_1.jsonl",
      "progress.md.bak",
    ];
    for (const name of theirs) await writeFile(path.join(folder, name), "theirs");
    await mkdir(path.join(folder, "src"));
    await writeFile(path.join(folder, "src", "progress.md"), "theirs");
    const { left } = await removeArtifacts(folder);
    expect(left.map((file) => path.basename(file))).toEqual([...theirs, "src"].toSorted());
    expect((await readdir(folder)).toSorted()).toEqual([...theirs, "src"].toSorted());
    expect(await readFile(path.join(folder, "src", "progress.md"), "utf8")).toBe("theirs");
  });

  it("leaves folders of a person that bear our names [W-47]", async () => {
    await using base = await tempFolder();
    const folder = await aFolder(base.path, []);
    const theirs = ["control/mode.ts", "control/stop/stop.ts", "git/HEAD", "git/client.ts", "progress.md/a.txt"];
    for (const name of theirs) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), "theirs");
    }
    await removeArtifacts(folder);
    for (const name of theirs) expect(await readFile(path.join(folder, name), "utf8")).toBe("theirs");
    expect((await readdir(path.join(folder, "control"))).toSorted()).toEqual(["mode.ts", "stop"]);
  });

  it("deletes the engine's own git directory [W-47]", async () => {
    await using base = await tempFolder();
    const folder = await aFolder(base.path, []);
    await mkdir(path.join(folder, "git", "objects"), { recursive: true });
    await writeFile(path.join(folder, "git", "HEAD"), "ref: refs/heads/none\n");
    await symlink(base.path, path.join(folder, "git", "objects", "link"));
    await writeFile(path.join(base.path, "a-loop.json"), "the state");
    expect((await removeArtifacts(folder)).removed).toEqual([path.join(folder, "control"), path.join(folder, "git")]);
    expect(await readdir(base.path)).toEqual(["a-loop.json"]);
  });

  it("follows no link, wherever one is put [W-47]", async () => {
    await using base = await tempFolder();
    const source = path.join(base.path, "repository");
    await mkdir(path.join(source, "deep"), { recursive: true });
    for (const name of ["deep/code.ts", "progress.md", "stop"]) await writeFile(path.join(source, name), "precious");
    await writeFile(path.join(source, "HEAD"), "ref: refs/heads/none\n");
    const folder = path.join(base.path, "a-loop");
    await mkdir(folder);
    for (const name of ["git", "control", "prompt.txt", "elsewhere"]) await symlink(source, path.join(folder, name));
    await symlink(path.join(source, "progress.md"), path.join(folder, "progress.md"));
    const { left } = await removeArtifacts(folder);
    expect(left).toEqual(["control", "elsewhere", "git"].map((name) => path.join(folder, name)));
    expect((await readdir(source)).toSorted()).toEqual(["HEAD", "deep", "progress.md", "stop"]);
    expect(await readdir(path.join(source, "deep"))).toEqual(["code.ts"]);
  });

  it("touches nothing when the folder itself is a link [W-47]", async () => {
    await using base = await tempFolder();
    const source = path.join(base.path, "repository");
    await mkdir(source);
    await writeFile(path.join(source, "progress.md"), "precious");
    const link = path.join(base.path, "a-loop");
    await symlink(source, link);
    expect(await removeArtifacts(link)).toEqual({ removed: [], left: [link] });
    expect(await readdir(source)).toEqual(["progress.md"]);
  });

  it("refuses while the loop runs [W-33]", async () => {
    await using base = await tempFolder();
    const folder = await aFolder(base.path, OWN);
    const lock = await acquireLock(folder);
    await expect(removeArtifacts(folder)).rejects.toMatchObject({ code: "LOOP_BUSY" });
    expect(await readdir(folder)).toContain("events.jsonl");
    await lock.release();
  });

  it("has nothing to do where there is nothing", async () => {
    await using base = await tempFolder();
    expect(await removeArtifacts(path.join(base.path, "missing"))).toEqual({ removed: [], left: [] });
    expect(await readdir(base.path)).toEqual([]);
  });
});
