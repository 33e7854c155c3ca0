import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { inTempFolder, makeTempFolder, sweepTempFolders } from "../../src/os/temp-folder.ts";
import { tempFolder } from "../support/temp-folder.ts";

const SOURCE = path.join(import.meta.dirname, "../../src/os/temp-folder.ts");
const DAY_MS = 24 * 3_600_000;

/** A process that has made one and lives until it is ended. @returns the folder, and what ends it */
async function maker(parent: string) {
  const program = `const { makeTempFolder } = await import(${JSON.stringify(SOURCE)});
  process.on("SIGTERM", () => process.exit(0));
  process.stdout.write(await makeTempFolder(${JSON.stringify(parent)}));
  setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const folder = String((await once(child.stdout, "data"))[0]);
  await mkdir(path.join(folder, "git/objects"), { recursive: true });
  return {
    folder,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await once(child, "close");
    },
  };
}

describe("folders for a moment [C61]", () => {
  test("of a process that was killed are gone when the next one is made beside them; a living one keeps its own", async () => {
    await using parent = await tempFolder();
    const [killed, alive] = [await maker(parent.path), await maker(parent.path)];
    await killed.end("SIGKILL");
    expect(await readdir(parent.path)).toHaveLength(2);
    const mine = await makeTempFolder(parent.path);
    expect((await readdir(parent.path)).toSorted()).toEqual(
      [mine, alive.folder].map((one) => path.basename(one)).toSorted(),
    );
  });

  test("go with a process that ends by itself, and with the work that they were made for", async () => {
    await using parent = await tempFolder();
    await (await maker(parent.path)).end("SIGTERM");
    expect(await readdir(parent.path)).toEqual([]);
    const failing = inTempFolder(async (folder) => {
      await writeFile(path.join(folder, "a"), "");
      throw new Error("no");
    }, parent.path);
    await expect(failing).rejects.toThrow("no");
    expect(await readdir(parent.path)).toEqual([]);
  });

  test("many of them, one after the other, are one thing to do when the process ends", async () => {
    await using parent = await tempFolder();
    const before = process.listenerCount("exit");
    for (let made = 0; made < 3; made++) await inTempFolder(async () => {}, parent.path);
    expect(process.listenerCount("exit")).toBeLessThanOrEqual(before + 1);
  });

  test.each<[what: string, replaced: readonly [RegExp, string], days: number, isSwept: boolean]>([
    ["of a process whose number another has now", [/-(\d+)-(\d+)-([\da-f]{8})-/u, "-$1-1-$3-"], 0, true],
    ["of another container", [/^smithers-\d+-/u, "smithers-1-"], 9, false],
    ["of another container, and old", [/^smithers-\d+-/u, "smithers-1-"], 11, true],
    ["from before a restart", [/-[\da-f]{8}-(\w{6})$/u, "-00000000-$1"], 9, false],
    ["whose name is not ours", [/^smithers-\d+-/u, "smithers-x-"], 11, false],
  ])("%s", async (_what, [pattern, by], days, isSwept) => {
    await using parent = await tempFolder();
    const killed = await maker(parent.path);
    await killed.end("SIGKILL");
    const name = path.basename(killed.folder).replace(pattern, by);
    expect(name).not.toBe(path.basename(killed.folder));
    await mkdir(path.join(parent.path, name));
    await sweepTempFolders([parent.path], Date.now() + days * DAY_MS);
    expect(await readdir(parent.path)).toEqual(isSwept ? [] : [name]);
  });

  test("a link of such a name stays, and where it leads is not looked at [T14]", async () => {
    await using parent = await tempFolder();
    await using elsewhere = await tempFolder();
    await writeFile(path.join(elsewhere.path, "mine"), "");
    const killed = await maker(parent.path);
    await killed.end("SIGKILL");
    const link = path.basename(killed.folder).replace(/\w{6}$/u, "linked");
    await symlink(elsewhere.path, path.join(parent.path, link));
    expect(await sweepTempFolders([parent.path])).toEqual([]);
    expect(await readdir(parent.path)).toEqual([link]);
    expect(await readdir(elsewhere.path)).toEqual(["mine"]);
  });
});
