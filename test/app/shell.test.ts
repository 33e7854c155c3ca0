import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { prdProgramName, programName, programVersion } from "../../src/app/shell.ts";
import { tempFolder } from "../support/temp-folder.ts";

describe("the program's name and version", () => {
  test.each([
    ["/usr/bin/smithers", "smithers"],
    ["/usr/bin/waylon-smithers", "waylon-smithers"],
    ["/usr/bin/daedalus", "smithers"],
    ["/work/src/cli.ts", "smithers"],
    ["", "smithers"],
  ])("called as %j it is %s", (script, name) => {
    expect(programName(script)).toBe(name);
  });

  test("called as daedalus it takes the verbs about PRDs alone [D-11]", () => {
    expect(["/usr/bin/daedalus", "/usr/bin/smithers", ""].map((script) => prdProgramName(script))).toEqual([
      "daedalus",
      undefined,
      undefined,
    ]);
  });

  test("the version is that of the package behind the link, past a bundle's own package.json", async () => {
    await using folder = await tempFolder();
    const dist = path.join(folder.path, "pkg/dist/cli");
    await mkdir(dist, { recursive: true });
    await mkdir(path.join(folder.path, "bin"));
    await writeFile(path.join(folder.path, "pkg/package.json"), '{"version":"1.2.3"}');
    await writeFile(path.join(dist, "package.json"), '{"type":"module"}');
    await writeFile(path.join(dist, "index.js"), "");
    await symlink(path.join(dist, "index.js"), path.join(folder.path, "bin/smithers"));
    expect(programVersion(path.join(folder.path, "bin/smithers"))).toBe("1.2.3");
  });
});
