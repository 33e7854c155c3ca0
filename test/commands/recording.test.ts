import { appendFile, mkdir, readdir, rename, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { inRecording } from "../../src/commands/recording.ts";
import { readState } from "../../src/store/state-file.ts";
import { aBundle, aRecord } from "../carry/a-loop.ts";
import { contentsOf } from "../cli/an-artifact.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { zipped } from "../support/zip.ts";

const AGAIN = "Download the loop's artifact again; it is called smithers-, the loop's id, the run and its attempt.";

const KEY = "a key that is long enough";

function shellWith(env: Readonly<Record<string, string>>) {
  return { program: "smithers", cwd: "/", env, stdout: process.stdout, stderr: process.stderr };
}

describe("a downloaded artifact", () => {
  test.each([
    ["a folder", false, null],
    ["a zip", true, null],
    ["a sealed zip, with its key", true, KEY],
  ])("as %s is looked at like a loop of this machine, and stays as it is [C125]", async (_, isZip, seal) => {
    await using temp = await tempFolder();
    const record = aRecord(7);
    const { folder } = await aBundle(temp.path, record, { iterations: 3, ...(seal === null ? {} : { seal }) });
    const artifact = isZip ? path.join(temp.path, "loop.zip") : folder;
    const before = await contentsOf(folder);
    if (isZip) await writeFile(artifact, zipped(before));
    const shell = shellWith(seal === null ? {} : { SMITHERS_STATE_KEY: seal });
    const seen = await inRecording(artifact, shell, async ({ place, state, alive }) => {
      expect(await readState(place.stateFile)).toEqual(state);
      return { place, alive, state, names: await readdir(place.folder) };
    });
    expect(seen.state).toEqual(record.state);
    expect(seen.alive).toBe(false);
    expect(seen.names).toContain("events.jsonl");
    expect(await contentsOf(folder)).toEqual(before);
    await expect(readdir(seen.place.root)).rejects.toThrow("ENOENT");
  });

  test.each([
    ["no key", {}, "BUNDLE_SEALED", "SMITHERS_STATE_KEY is not set"],
    ["another key", { SMITHERS_STATE_KEY: "another key, long enough" }, "BUNDLE_KEY", "does not open it"],
  ])("that is sealed is told with what to do, with %s [C125]", async (_, env, code, why) => {
    await using temp = await tempFolder();
    const { folder } = await aBundle(temp.path, aRecord(7), { seal: KEY });
    const looked = inRecording(folder, shellWith(env), async () => "looked");
    await expect(looked).rejects.toMatchObject({
      code,
      message: expect.stringContaining(why),
    });
    await expect(looked).rejects.toThrow(folder);
  });

  test.each<[what: string, make: (folder: string) => Promise<string>, code: string, next?: string]>([
    [
      "was altered",
      async (folder) => {
        const bundle = await aBundle(folder, aRecord(7));
        await appendFile(path.join(bundle.folder, "loop/events.jsonl"), "more");
        return bundle.folder;
      },
      "RECORD_DAMAGED",
    ],
    [
      "has a link in the place of a file",
      async (folder) => {
        const bundle = await aBundle(folder, aRecord(7));
        const file = path.join(bundle.folder, "loop/events.jsonl");
        await rename(file, path.join(folder, "elsewhere"));
        await symlink(path.join(folder, "elsewhere"), file);
        return bundle.folder;
      },
      "RECORD_DAMAGED",
    ],
    [
      "is no archive",
      async (folder) => {
        await writeFile(path.join(folder, "x.zip"), "no zip");
        return path.join(folder, "x.zip");
      },
      "ARTIFACT_UNREADABLE",
    ],
    [
      "is another archive",
      async (folder) => {
        await writeFile(path.join(folder, "x.zip"), zipped({ "a.txt": Buffer.from("a") }));
        return path.join(folder, "x.zip");
      },
      "ARTIFACT_UNREADABLE",
    ],
    [
      "was made by a later version",
      async (folder) => {
        const bundle = await aBundle(folder, aRecord(7));
        await writeFile(path.join(bundle.folder, "carried.json"), '{ "schema": 2 }');
        return bundle.folder;
      },
      "STATE_NEWER",
      "Update smithers to the version that wrote it, and repeat the command.",
    ],
  ])("that %s is refused, by its own name [C125, T14]", async (_, make, code, next = AGAIN) => {
    await using temp = await tempFolder();
    const artifact = await make(temp.path);
    const looked = inRecording(artifact, shellWith({}), async () => "looked");
    await expect(looked).rejects.toMatchObject({ code, next });
    await expect(looked).rejects.toThrow(artifact);
  });

  test("nothing is copied of it but what its manifest names, and of that no more than it says [C125, T14]", async () => {
    await using temp = await tempFolder();
    const { folder } = await aBundle(temp.path, aRecord(7));
    await mkdir(path.join(folder, "more"));
    for (const name of ["more/huge.bin", "huge.bin"]) {
      await writeFile(path.join(folder, name), "");
      await truncate(path.join(folder, name), 50 << 20);
    }
    const copied = await inRecording(folder, shellWith({}), async ({ place }) =>
      readdir(path.dirname(place.root), { recursive: true }),
    );
    expect(copied.filter((name) => name.includes("huge"))).toEqual([]);
    expect(copied).toContain("bundle/carried.json");
    const events = path.join(folder, "loop/events.jsonl");
    await truncate(events, 50 << 20);
    await expect(inRecording(folder, shellWith({}), async () => "looked")).rejects.toMatchObject({
      code: "RECORD_DAMAGED",
      message: expect.stringContaining("its file loop/events.jsonl is missing or has another length"),
    });
  });
});
