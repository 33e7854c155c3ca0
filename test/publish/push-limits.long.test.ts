import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { done, failed } from "../../src/core/result.ts";
import { pushWork } from "../../src/publish/push-work.ts";
import { aView } from "../views/a-state.ts";
import { COMPLETED, ended } from "../views/publication-facts.ts";
import { BRANCH, type PublishStage, publishStage } from "./publish-stage.ts";

type Files = Readonly<Record<string, string>>;

/** The agent commits by itself, or a check that it has left behind does. */
async function commit(at: PublishStage, root: string, files: Files): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), content);
  }
  await at.git("add", "-A");
  await at.git("commit", "-q", "-m", "work");
  return at.git("rev-parse", "HEAD");
}

const MANY = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" };

describe("what a commit of the agent's own changes is held against the limits before it is pushed", () => {
  test.for([
    ["files", { "max-changed-files": "2" }, MANY, "3 files changed, 2 allowed (max-changed-files)"],
    ["bytes", { "max-changed-bytes": "9" }, { "a\nb": "x".repeat(10) }, "10 bytes changed, 9 allowed"],
    ["where git keeps hooks", {}, { "pkg/.husky/pre-commit": "evil\n" }, "pkg/.husky/pre-commit may not be changed"],
  ] as const)("%s [T8, T17]", async ([, inputs, files, because]) => {
    await using at = await publishStage();
    const job = await at.job({ inputs });
    const branch = await at.checkOut(job);
    const last = await commit(at, job.place.root, files);
    const pushed = await pushWork(at.pushing(job, branch), last, aView(ended(COMPLETED)));
    expect(pushed).toMatchObject(failed({ because: expect.stringContaining(because), saved: false }));
    expect(await at.remote.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  test("what the branch held already counts no more [T17]", async () => {
    await using at = await publishStage();
    const job = await at.job({ inputs: { "max-changed-files": "3" } });
    const branch = await at.checkOut(job);
    const first = await commit(at, job.place.root, MANY);
    expect(await pushWork(at.pushing(job, branch), first, aView(ended(COMPLETED)))).toEqual(done(first));
    const last = await commit(at, job.place.root, { "d.txt": "d\n" });
    expect(await pushWork(at.pushing(job, branch), last, aView(ended(COMPLETED)))).toEqual(done(last));
    expect(await at.tip(BRANCH)).toBe(last);
  });
});
