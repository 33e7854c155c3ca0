import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { startCi } from "../support/ci/ci.ts";
import { filesOn, stateOf } from "./publish-stage.ts";
import { splitRun, TASK } from "./split-stage.ts";

test(
  "a job with a token that only reads runs the loop, and a later one on another machine publishes it [T17, C13]",
  { timeout: 60_000 },
  async () => {
    await using ci = await startCi({ files: TASK.files });
    const { world, problems } = ci.api;
    const split = splitRun(ci);
    const ran = await split.run();
    expect(ran.log).toContain("job run: the token only has to read.");
    expect(ran).toMatchObject({ conclusion: "success", outputs: { status: "completed", "loop-id": "a-loop" } });
    expect(await ci.remote.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    expect([world.issues, world.comments, world.statuses]).toEqual([[], [], []]);

    await using machine = await ci.machine();
    // Nothing of a checkout is read, if there is one.
    await writeFile(path.join(machine.workspace, ".smithers.toml"), "this is no TOML");
    const published = await split.publish({ "handed-over": ran.outputs["artifact-id"] ?? "" }, {}, machine);
    expect(published).toMatchObject({
      conclusion: "success",
      outputs: { status: "completed", branch: "smithers/a-loop", "pr-number": String(world.issues[0]?.number) },
    });
    expect(await filesOn(ci, "smithers/a-loop")).toEqual(["a.txt", "done.txt"]);
    expect(world.issues).toMatchObject([{ pull: { draft: false, base: "main", headBranch: "smithers/a-loop" } }]);
    expect(world.statuses).toMatchObject([{ context: "smithers/loop", state: "success" }]);
    expect(world.comments).toHaveLength(1);
    expect(await stateOf(ci, "a-loop")).toMatchObject({ status: "completed", github: { branch: "smithers/a-loop" } });
    expect(problems).toEqual([]);
  },
);
