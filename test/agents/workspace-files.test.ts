import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { aTurnRequest, collect, theFailure } from "../contract/provider-contract.ts";
import { scriptedCase } from "../support/scripted-case.ts";

describe("paths out of the workspace", () => {
  test.each([
    ["a folder that is a link", { files: { "out/a.txt": "" } }],
    ["a file that is a link to nowhere", { files: { dangling: "" } }],
    ["a deletion below a link", { delete: ["out/kept.txt"] }],
    ["a placeholder", { files: { "x/{{prompt}}": "" } }],
  ])("are refused while playing: %s", async (_name, turn) => {
    await using it = await scriptedCase({ turns: [turn] });
    await mkdir(path.join(it.folder, "outside"), { recursive: true });
    await writeFile(path.join(it.folder, "outside/kept.txt"), "");
    await symlink(path.join(it.folder, "outside"), path.join(it.root, "out"));
    await symlink(path.join(it.folder, "outside/new.txt"), path.join(it.root, "dangling"));
    const events = await collect(it.provider, aTurnRequest({ prompt: "../../../stolen" }));
    expect(theFailure(events)).toMatchObject({ kind: "bad_request", retryable: false });
    expect(await readdir(path.join(it.folder, "outside"))).toEqual(["kept.txt"]);
  });

  test("a link that stays inside is followed", async () => {
    await using it = await scriptedCase({ turns: [{ files: { "in/a.txt": "A" } }] });
    await mkdir(path.join(it.root, "real"));
    await symlink("real", path.join(it.root, "in"));
    await collect(it.provider, aTurnRequest());
    expect(await readFile(path.join(it.root, "real/a.txt"), "utf8")).toBe("A");
  });
});
