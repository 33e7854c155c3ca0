import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { putInstructionsBack } from "../../src/job/instructions.ts";
import { tempFolder } from "../support/temp-folder.ts";

const content = (text: string) => ({ mode: "100644", content: Buffer.from(text).toString("base64") });

/** A job of whose record somebody has written `record`. */
async function puttingBack(make: (workspace: string) => unknown) {
  const folder = await tempFolder("job-");
  const workspace = path.join(folder.path, "workspace");
  const temp = path.join(folder.path, "temp");
  await mkdir(workspace);
  await mkdir(path.join(temp, "smithers"), { recursive: true });
  const file = path.join(temp, "smithers", "instructions.__self");
  await writeFile(file, JSON.stringify(make(workspace)));
  const said: string[] = [];
  await putInstructionsBack({ temp, step: "__self", workspace }, (text) => said.push(text));
  return { workspace, said, isLeft: existsSync(file), [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test("what a turn has replaced is put back, once [T8]", async () => {
  await using at = await puttingBack((top) => ({
    top,
    files: [{ name: "pkg/AGENTS.md", theirs: null, ours: content("ours\n") }],
    folders: [],
  }));
  expect(await readFile(path.join(at.workspace, "pkg/AGENTS.md"), "utf8")).toBe("ours\n");
  expect(at).toMatchObject({ said: [], isLeft: false });
});

test.for([
  ["a name that leads out of the checkout", "../AGENTS.md", ""],
  ["a name that is no instruction", ".git/hooks/pre-commit", ""],
  ["another folder than the checkout", "AGENTS.md", ".."],
] as const)("a forged record with %s writes nothing [T8, T14]", async ([, name, above]) => {
  await using at = await puttingBack((workspace) => ({
    top: path.join(workspace, above),
    files: [{ name, theirs: null, ours: content("evil\n") }],
    folders: [],
  }));
  expect(existsSync(path.join(at.workspace, above, name))).toBe(false);
  expect(at.isLeft).toBe(false);
});
