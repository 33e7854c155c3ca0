import { appendFile, mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createProgressFile } from "../../src/store/progress-file.ts";
import { progressNotesContract } from "../contract/progress-notes-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";

progressNotesContract("the progress file", async () => {
  const folder = await tempFolder();
  return {
    notes: createProgressFile(path.join(folder.path, "a-loop")),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

const WHOLE = "## Iteration 1\n\nfirst\n\n## Iteration 2\n\nsecond\nwith two lines\n\n";

describe("the progress file", () => {
  it("is Markdown that a person can read [C18]", async () => {
    await using folder = await tempFolder();
    const notes = createProgressFile(folder.path);
    await notes.record(1, "first\n");
    await notes.record(2, "second\nwith two lines");
    expect(await readFile(path.join(folder.path, "progress.md"), "utf8")).toBe(WHOLE);
  });

  it("completes an entry wherever a crash tore it off, and is whole in the end [W-58]", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "progress.md");
    const notes = createProgressFile(folder.path);
    const start = WHOLE.indexOf("## Iteration 2\n") + "## Iteration 2\n".length;
    for (let length = start; length <= WHOLE.length; length++) {
      await writeFile(file, WHOLE);
      await truncate(file, length);
      await notes.record(2, "second\nwith two lines");
      expect(await readFile(file, "utf8")).toBe(WHOLE);
    }
  });

  it("an entry torn off inside its heading stays, and the next one begins on a line of its own [W-58]", async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, "progress.md");
    await writeFile(file, "## Iteration 1\n\nfirst\n\n## Itera");
    await createProgressFile(folder.path).record(2, "second");
    expect(await readFile(file, "utf8")).toMatch(/\n## Itera\n\n## Iteration 2\n\nsecond\n\n$/u);
  });

  it("finds the last entry behind notes of many chunks [C18]", async () => {
    await using folder = await tempFolder();
    const notes = createProgressFile(folder.path);
    await notes.record(41, "x".repeat(300_000));
    await notes.record(41, "again");
    await notes.record(42, "y\n".repeat(100_000));
    await notes.record(42, "again");
    expect(await readFile(path.join(folder.path, "progress.md"), "utf8")).not.toContain("again");
  });

  it("the tail of a huge file is read from its end [C18]", async () => {
    await using folder = await tempFolder();
    await mkdir(folder.path, { recursive: true });
    const file = path.join(folder.path, "progress.md");
    await writeFile(file, "");
    await truncate(file, 4 * 1024 ** 3);
    await appendFile(file, "\nthe last line\n");
    expect(await createProgressFile(folder.path).tail(100)).toBe("the last line\n");
  });
});
