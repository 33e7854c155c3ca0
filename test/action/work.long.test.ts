import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { advance } from "../carry/git-machines.ts";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { savePoint } from "../support/ci/save-point.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import type { Job } from "../support/runner/runner.ts";

const TASK = scriptedTask([{ files: { "work-{{iteration}}.txt": "text\n" }, lastMessage: "Working." }]);
const RESTORED = "the unfinished work of the last run is in the work tree again";

describe("work that is not finished, where the loop's ref does not bring it, or something else is in its way [C11, C13]", () => {
  let ci: Ci;
  beforeAll(async () => {
    ci = await startCi({ ...TASK, publishes: false });
  });
  afterAll(() => ci[Symbol.asyncDispose]());
  beforeEach(async () => {
    ci.remote.fault = undefined;
    await ci.remote.hook("update", "");
  });

  /** The next run of a loop, on an empty machine, for one turn; done when the work of two turns is there, or of three. */
  async function run(loopId: string, turn: number, inputs: Record<string, string> = {}): Promise<Job> {
    await using machine = await ci.machine({ depth: 1 });
    return await machine.run({
      inputs: {
        ...TASK.inputs,
        "loop-id": loopId,
        "success-sh": "test -f work-1.txt && test -f work-2.txt",
        "max-iterations": String(turn),
        ...inputs,
      },
    });
  }

  test("is there when the ref was deleted, which is told; another task begins without it, with what is checked out [C25]", async () => {
    await run("deleted", 1);
    const again = await savePoint(ci);
    await ci.remote.git("update-ref", "-d", "refs/smithers-loops/deleted");
    const second = await run("deleted", 2);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second.log).toContain(RESTORED);
    expect(second.log).toContain("is gone, so the loop goes on from the copy in the artifact.");
    expect(second.log).not.toContain("No unfinished work");

    await again();
    const other = await run("deleted", 1, { prompt: "Something else." });
    expect(other.outputs).toMatchObject({ status: "stopped_max_iterations", iterations: "1" });
    expect(other.log).not.toContain(RESTORED);
  });

  test("a rule that refuses what is pushed with files: the ref has the record, the loop's files the work", async () => {
    await ci.remote.hook("update", `git ls-tree "$3" tree | grep -q . && echo GH013 >&2 && exit 1; exit 0`);
    const first = await run("ruled", 1);
    expect(first.log).toContain("Only the loop's record is kept under refs/smithers-loops/ruled");
    expect(await ci.remote.git("ls-tree", "--name-only", "refs/smithers-loops/ruled")).toBe("record.json");
    const second = await run("ruled", 2);
    expect(second.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(second.log).toContain("brought back from ref");
    expect(second.log).toContain(RESTORED);
  });

  test("a ref that the last run could not write at its end: the newer work wins over the ref's", async () => {
    const check = { "success-sh": "test -f work-1.txt && test -f work-2.txt && test -f work-3.txt" };
    await run("behind", 1, check);
    let pushes = 0;
    ci.remote.fault = ({ method, url }) =>
      url.includes("receive-pack") && (pushes += Number(method === "POST")) > 1
        ? { status: 403, text: "no" }
        : undefined;
    await run("behind", 2, check);
    ci.remote.fault = undefined;
    expect(await ci.remote.git("ls-tree", "--name-only", "refs/smithers-loops/behind:tree")).not.toContain(
      "work-2.txt",
    );
    const third = await run("behind", 3, check);
    expect(third.outputs).toMatchObject({ status: "completed", iterations: "3" });
    expect(third.log).toContain("brought back from artifact");
  });

  test("from the cache alone, without a token: only what is sealed comes into the checkout [T14]", async () => {
    for (const [loopId, key, status] of [
      ["plain-cache", {}, "stopped_max_iterations"],
      ["sealed-cache", { "state-key": "a long random text, for tests only" }, "completed"],
    ] as const) {
      await run(loopId, 1, { "github-token": "", ...key });
      const second = await run(loopId, 2, { "github-token": "", ...key });
      expect(second.outputs).toMatchObject({ status, iterations: "2" });
      expect(second.log.includes("The unfinished work that the cache holds is not brought back")).toBe(
        status !== "completed",
      );
    }
  });

  test("goes on top of what was pushed meanwhile; what does not fit is told and kept under the ref", async () => {
    await run("pushed", 1);
    const again = await savePoint(ci);
    await advance(ci.remote, ({ write }) => write("notes.md", "pushed\n"));
    const merged = await run("pushed", 2);
    expect(merged.outputs).toMatchObject({ status: "completed", iterations: "2" });

    await again();
    const kept = await ci.refOf("pushed");
    await advance(ci.remote, ({ write }) => write("work-1.txt", "pushed\n"));
    const conflict = await run("pushed", 2);
    await again();
    expect(conflict.log).toMatch(
      /::notice::.*both have changed work-1\.txt\..* kept under refs\/smithers-loops\/pushed/u,
    );
    expect(conflict.log).toContain(kept);
  });

  test("a run that leaves the loop as it is: what others have pushed meanwhile is not undone by its work", async () => {
    const check = { "success-sh": "test -f work-1.txt && test -f work-2.txt && test -f theirs.txt" };
    await run("left", 1, check);
    await advance(ci.remote, ({ write }) => write("theirs.txt", "theirs\n"));
    const second = await run("left", 1, check);
    expect(second.log).toContain("max-iterations has to be higher");
    const third = await run("left", 2, check);
    expect(third.outputs).toMatchObject({ status: "completed", iterations: "2" });
    expect(third.log).toContain("brought back from ref");
  });
});
