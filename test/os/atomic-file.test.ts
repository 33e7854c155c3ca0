import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { appendDurably, removeTemporaries, writeFileDurably } from "../../src/os/atomic-file.ts";
import { tempFolder } from "../support/temp-folder.ts";

const REWRITER = path.join(import.meta.dirname, "rewrite-for-ever.ts");

describe("writeFileDurably", () => {
  it("R-21: replaces a file and leaves nothing else behind", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "state.json");
    await writeFileDurably(file, "one");
    await writeFileDurably(file, Buffer.from("two"));
    expect(await readFile(file, "utf8")).toBe("two");
    expect(await readdir(folder.path)).toEqual(["state.json"]);
  });

  it("R-21: keeps the old content when the new one cannot be put there", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "missing", "state.json");
    await expect(writeFileDurably(file, "one")).rejects.toMatchObject({ code: "ENOENT" });
    const inTheWay = path.join(folder.path, "a-folder");
    await mkdir(inTheWay);
    await expect(writeFileDurably(inTheWay, "one")).rejects.toMatchObject({ code: "EISDIR" });
    expect(await readdir(folder.path)).toEqual(["a-folder"]);
  });

  it("R-21: does not put the new content in place before what has to be first is done", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "state.json");
    await writeFileDurably(file, "one");
    let seen: readonly string[] = [];
    const first = vi
      .waitUntil(async () => (seen = await readdir(folder.path)).length === 2)
      .then(() => Promise.reject(new Error("disk full")));
    await expect(writeFileDurably(file, "two", first)).rejects.toThrow("disk full");
    expect(seen).toContain("state.json");
    expect(await readFile(file, "utf8")).toBe("one");
    expect(await readdir(folder.path)).toEqual(["state.json"]);
    await writeFileDurably(file, "three", Promise.resolve());
    expect(await readFile(file, "utf8")).toBe("three");
  });

  it("replaces a link instead of following it", async () => {
    await using folder = await tempFolder();
    const target = path.join(folder.path, "target");
    const link = path.join(folder.path, "link");
    await writeFile(target, "untouched");
    await symlink(target, link);
    await writeFileDurably(link, "mine");
    expect(await readFile(target, "utf8")).toBe("untouched");
    expect(await readFile(link, "utf8")).toBe("mine");
  });

  it("R-21, W-58: readers and a SIGKILL never meet a part of a file", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "state.json");
    for (let kill = 0; kill < 3; kill++) {
      const writer = spawn(process.execPath, [REWRITER, file], { stdio: ["ignore", "pipe", "inherit"] });
      await once(writer.stdout, "data");
      for (let read = 0; read < 30; read++) expect(await readFile(file, "utf8")).toMatch(/^(?:a{300000}|b{300000})$/u);
      const ended = once(writer, "exit");
      writer.kill("SIGKILL");
      await ended;
      expect(await readFile(file, "utf8")).toMatch(/^(?:a{300000}|b{300000})$/u);
    }
    await removeTemporaries(file);
    expect(await readdir(folder.path)).toEqual(["state.json"]);
  });
});

describe("removeTemporaries", () => {
  it("W-08: leaves other files alone, those of other loops too", async () => {
    await using folder = await tempFolder();
    const others = [".b.json.1-ab.tmp", "a.json", ".a.json", "x.tmp", ".a.json.keep"];
    for (const name of [...others, ".a.json.1-ab.tmp"]) await writeFile(path.join(folder.path, name), "");
    await removeTemporaries(path.join(folder.path, "a.json"));
    expect((await readdir(folder.path)).toSorted()).toEqual(others.toSorted());
  });
});

describe("appendDurably", () => {
  it("makes the file and adds to it", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "notes");
    await appendDurably(file, "one\n");
    await appendDurably(file, Buffer.from("two\n"));
    expect(await readFile(file, "utf8")).toBe("one\ntwo\n");
  });
});
