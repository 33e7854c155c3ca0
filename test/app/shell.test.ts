import { describe, expect, test } from "vitest";
import { prdProgramName, programName } from "../../src/app/shell.ts";

describe("the program's name", () => {
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
});
