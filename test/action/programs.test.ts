import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { tempFolder } from "../support/temp-folder.ts";

const TASK = scriptedTask([{ files: { "done.txt": "done\n" } }]);
const PLANTED = ["git", "tar", "zstd", "gzip", "ps", "npm", "sudo"];

test("in a job neither main nor post starts git or tar of the workspace, and the log says which entries of PATH it leaves out [T12]", async () => {
  await using traces = await tempFolder("traces-");
  await using ci = await startCi({ ...TASK, byRef: true });
  await using machine = await ci.machine();
  const bin = path.join(machine.workspace, "node_modules/.bin");
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(machine.workspace, "node_modules/.gitignore"), "*\n");
  for (const name of PLANTED) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n: > '${traces.path}/${name}-'$$\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  const PATH = [bin, "", "node_modules/.bin", process.env["PATH"]].join(path.delimiter);
  const job = await machine.run({ inputs: { ...TASK.inputs, "success-sh": "test -f done.txt" }, env: { PATH } });
  expect(await readdir(traces.path)).toEqual([]);
  expect(job.conclusion).toBe("success");
  const notices = job.main.commands.filter(({ data }) => data.includes("These entries of PATH"));
  expect(notices).toHaveLength(1);
  expect(notices[0]?.data).toContain(`${bin}, an empty entry, node_modules/.bin`);
});
