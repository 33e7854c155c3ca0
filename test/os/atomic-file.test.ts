import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { link, lstat, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, test, vi } from "vitest";
import {
  appendDurably,
  appendIn,
  removeTemporaries,
  replaceIn,
  sharedFolder,
  unfinishedName,
  writeFileDurably,
} from "../../src/os/atomic-file.ts";
import { tempFolder } from "../support/temp-folder.ts";

const REWRITER = path.join(import.meta.dirname, "rewrite-for-ever.ts");

describe("writeFileDurably", () => {
  it("replaces a file and leaves nothing else behind [R-21]", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "state.json");
    await writeFileDurably(file, "one");
    await writeFileDurably(file, Buffer.from("two"));
    expect(await readFile(file, "utf8")).toBe("two");
    expect(await readdir(folder.path)).toEqual(["state.json"]);
  });

  it("keeps the old content when the new one cannot be put there [R-21]", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "missing", "state.json");
    await expect(writeFileDurably(file, "one")).rejects.toMatchObject({ code: "ENOENT" });
    const inTheWay = path.join(folder.path, "a-folder");
    await mkdir(inTheWay);
    await expect(writeFileDurably(inTheWay, "one")).rejects.toMatchObject({ code: "EISDIR" });
    expect(await readdir(folder.path)).toEqual(["a-folder"]);
  });

  it("does not put the new content in place before what has to be first is done [R-21]", async () => {
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

  it("readers and a SIGKILL never meet a part of a file [R-21, W-58]", async () => {
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
  it("leaves other files alone, those of other loops too [W-08]", async () => {
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

const run = promisify(execFile);

describe("the folder [C11]", () => {
  test("is made, and taken as it is the next time", async () => {
    await using root = await tempFolder();
    const folder = await sharedFolder(root.path, ".loopr");
    expect(folder).toBe(path.join(root.path, ".loopr"));
    expect(await sharedFolder(root.path, ".loopr")).toBe(folder);
    expect(await sharedFolder(root.path, "")).toBe(root.path);
  });

  test.each([
    ["a link to a folder", async (root: string) => symlink(path.join(root, "elsewhere"), path.join(root, ".loopr"))],
    ["a link to nowhere", async (root: string) => symlink(path.join(root, "gone"), path.join(root, ".loopr"))],
    ["a file", async (root: string) => writeFile(path.join(root, ".loopr"), "theirs")],
  ])("is not %s", async (_, make) => {
    await using root = await tempFolder();
    await mkdir(path.join(root.path, "elsewhere"));
    await make(root.path);
    await expect(sharedFolder(root.path, ".loopr")).rejects.toThrow("is no folder of its own");
    expect(await readdir(path.join(root.path, "elsewhere"))).toEqual([]);
  });

  test("is not made below one that is not there", async () => {
    await using root = await tempFolder();
    await expect(sharedFolder(path.join(root.path, "gone"), ".loopr")).rejects.toThrow("ENOENT");
  });
});

describe("a file that is replaced [R-21, C11]", () => {
  test("is new, then another, and leaves nothing else behind", async () => {
    await using folder = await tempFolder();
    await replaceIn(folder.path, ".call_count", "1\n");
    await replaceIn(folder.path, ".call_count", "2\n");
    expect(await readFile(path.join(folder.path, ".call_count"), "utf8")).toBe("2\n");
    expect(await readdir(folder.path)).toEqual([".call_count"]);
  });

  test("takes the place of a link, and what a killed run has left", async () => {
    await using folder = await tempFolder();
    const at = (name: string): string => path.join(folder.path, name);
    await writeFile(at("theirs"), "theirs\n");
    await symlink(at("theirs"), at("status.json"));
    await symlink(at("theirs"), at(unfinishedName("status.json")));
    await replaceIn(folder.path, "status.json", "ours\n");
    expect(await readFile(at("theirs"), "utf8")).toBe("theirs\n");
    expect((await lstat(at("status.json"))).isFile()).toBe(true);
    expect((await readdir(folder.path)).toSorted()).toEqual(["status.json", "theirs"]);
  });

  test("is not put in the place of a folder", async () => {
    await using folder = await tempFolder();
    await mkdir(path.join(folder.path, "status.json", "mine"), { recursive: true });
    await expect(replaceIn(folder.path, "status.json", "ours\n")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/u);
    expect(await readdir(folder.path)).toEqual(["status.json"]);
  });
});

describe("a file that only grows [L-22, C11]", () => {
  test("keeps what is in it", async () => {
    await using folder = await tempFolder();
    await writeFile(path.join(folder.path, "loop.log"), "theirs\n");
    await appendIn(folder.path, "loop.log", "1\n");
    await appendIn(folder.path, "loop.log", "2\n");
    expect(await readFile(path.join(folder.path, "loop.log"), "utf8")).toBe("theirs\n1\n2\n");
  });

  test.each([
    ["a link", async (from: string, to: string) => symlink(to, from)],
    ["a second name of another file", async (from: string, to: string) => link(to, from)],
    ["a pipe that nobody reads", async (from: string) => void (await run("mkfifo", [from]))],
  ])("is not %s", async (_, make) => {
    await using folder = await tempFolder();
    const theirs = path.join(folder.path, "theirs");
    await writeFile(theirs, "theirs\n");
    await make(path.join(folder.path, "loop.log"), theirs);
    await expect(appendIn(folder.path, "loop.log", "ours\n")).rejects.toThrow("loop.log");
    expect(await readFile(theirs, "utf8")).toBe("theirs\n");
  });
});
