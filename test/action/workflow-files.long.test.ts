import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ci, startCi } from "../support/ci/ci.ts";
import { shellIn } from "../support/git-repository.ts";
import { end, FILES, filesOn, ON_AND_ON, pullsOf, stateOf, tipOf, told, work } from "./publish-stage.ts";

const CI = ".github/workflows/ci.yml";
const FOLDER = ".github/workflows";
/** The agent changes a workflow file, which the settings allow it. */
const TOUCHES = { turns: [{ files: { "done.txt": "done\n", [CI]: "on: workflow_dispatch\n" } }] };
const OPEN = { script: "touches.json", "protected-paths": "!.github/workflows/**" };

let ci: Ci;
let contents = 0;

beforeAll(async () => {
  ci = await startCi({ files: { ...FILES, [CI]: "on: push\n", "touches.json": JSON.stringify(TOUCHES) } });
});
afterAll(() => end(ci));

/** Somebody changes the workflow file on main. */
async function mainMoves(): Promise<string> {
  contents += 1;
  const script = `export GIT_INDEX_FILE=person.index; git read-tree main
    git update-index --add --cacheinfo "100644,$(echo "on: push # $0" | git hash-object -w --stdin),$1"
    commit=$(git -c user.name=P -c user.email=p@example.invalid commit-tree -p main -m person "$(git write-tree)")
    git update-ref refs/heads/main "$commit"; echo "$commit"`;
  return shellIn(ci.remote.folder, script, String(contents), CI);
}

/** A run in whose first iteration main moves. */
function whileMainMoves(inputs: Record<string, string>, loop: string) {
  let moving: Promise<string> | undefined;
  const cancelWhen = (log: string): boolean => {
    if (log.includes("Iteration 1 of")) moving ??= mainMoves();
    return false;
  };
  return work(ci, loop, inputs, { cancelWhen });
}

const workflowsOf = async (ref: string): Promise<string> => ci.remote.git("rev-parse", `refs/heads/${ref}:${FOLDER}`);

describe("a workflow file moves on main while the loop is at work [C80, C81]", { timeout: 240_000 }, () => {
  test("all of its work lands, over two runs, and no file of theirs where GitHub asks for none", async () => {
    ci.remote.workflows.rule = "documented";
    const loop = "moved";
    const branch = `smithers/${loop}`;
    const first = await whileMainMoves({ ...ON_AND_ON, "max-iterations": "1" }, loop);
    expect(first.outputs).toMatchObject({ status: "stopped_max_iterations", branch });
    expect(await filesOn(ci, branch)).toEqual(["n1.txt"]);
    expect(told(first)).not.toContain("in one more commit on top of the work");
    expect(await workflowsOf(branch)).not.toBe(await workflowsOf("main"));
    expect((await stateOf(ci, loop)).github.head).toBe(await tipOf(ci, branch));

    const second = await whileMainMoves({ "max-iterations": "2" }, loop);
    expect(second).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "2", branch } });
    expect(await filesOn(ci, branch)).toEqual(["done.txt", "n1.txt"]);
    expect(await workflowsOf(branch)).not.toBe(await workflowsOf("main"));
    expect(pullsOf(ci, branch)).toMatchObject([{ state: "open", pull: { draft: false } }]);
    // What the pull request adds to main is the work, however often main has moved.
    const added = await ci.remote.git("merge-tree", "--write-tree", "main", `refs/heads/${branch}`);
    expect(await ci.remote.git("diff", "--name-only", "main", added)).toBe("done.txt\nn1.txt");
  });

  test("work that changes one itself: said before, not pushed, kept, and pushed with a token that may", async () => {
    ci.remote.workflows.rule = "documented";
    const job = await work(ci, "touches", OPEN);
    expect(job.outputs).toMatchObject({ status: "completed" });
    expect(job.main.log).toMatch(/GAP +push workflow files \(protected-paths opens them\)/u);
    const why = `the work changes ${CI}, and the token may write no workflow files`;
    expect(told(job)).toContain(`Nothing was pushed to smithers/touches: ${why}.`);
    expect(told(job)).toMatch(
      /“Workflows: read and write”: the next run pushes the work then\..* refused\.patch in the/u,
    );
    expect(await tipOf(ci, "smithers/touches")).toBe("");
    expect(job.main.log).toContain("deleted the branch smithers/touches: nothing was pushed to it");

    ci.remote.workflowTokens.add(ci.remote.writeToken);
    const again = await work(ci, "touches", OPEN);
    expect(again).toMatchObject({ conclusion: "success", outputs: { status: "completed", iterations: "1" } });
    expect(await filesOn(ci, "smithers/touches")).toEqual(["done.txt"]);
    expect(pullsOf(ci, "smithers/touches")).toMatchObject([{ state: "open" }]);
    ci.remote.workflowTokens.clear();
  });
});

test(
  "in a public repository without a state-key the work is a patch in the artifact [C83]",
  { timeout: 120_000 },
  async () => {
    await using open = await startCi({
      private: false,
      files: { ...FILES, [CI]: "on: push\n", "touches.json": JSON.stringify(TOUCHES) },
    });
    const job = await work(open, "public", OPEN);
    expect(told(job)).toContain("Nothing else keeps the work here, so it is refused.patch in the loop's artifact");
    expect(told(job)).not.toContain("is lost with this machine: neither a branch");
    expect(job.conclusion).toBe("success");
    const [artifact] = open.api.world.artifacts;
    expect(artifact?.zip.length).toBeGreaterThan(0);
    expect(open.api.problems).toEqual([]);
  },
);
