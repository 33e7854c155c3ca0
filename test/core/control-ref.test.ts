import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { loopRefOf } from "../../src/core/names.ts";
import { controlRefOf } from "../../src/core/control-requests.ts";

const run = promisify(execFile);

describe("the name of a request", () => {
  it("is a ref that git takes [W-46]", async () => {
    const ref = controlRefOf("a-loop", { kind: "stop", login: "dependabot[bot]", id: "77" });
    expect(ref).toBe("refs/smithers-control/a-loop/stop/dependabot.bot-77");
    await run("git", ["check-ref-format", ref]);
  });

  it.each([
    ["../x", "1"],
    ["ann", "1/2"],
    ["", "1"],
    ["-ann", "1"],
  ])("%j with id %j is refused [T15]", (login, id) => {
    expect(() => controlRefOf("a-loop", { kind: "stop", login, id })).toThrow(RangeError);
  });
});

it("a loop's ref is none that git takes for the short name of its branch", () => {
  const loop = "fix-1";
  // As git looks up `smithers/fix-1`, before it comes to branches.
  const before = ["", "refs/", "refs/tags/"].map((prefix) => `${prefix}smithers/${loop}`);
  expect(before).not.toContain(loopRefOf(loop));
});
