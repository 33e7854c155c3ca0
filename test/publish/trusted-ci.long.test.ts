import { mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asInBase } from "../../src/publish/trusted-ci.ts";
import { commitOn, type PublishStage, publishStage } from "./publish-stage.ts";

const CI = ".github/workflows/ci.yml";
const BASE: Readonly<Record<string, string>> = {
  [CI]: "jobs:\n  test:\n    steps: [{ uses: ./.github/actions/setup }, { uses: ./ }]\n  b: { uses: ./.github/workflows/b.yml }\n",
  ".github/workflows/b.yml": "jobs: { x: { steps: [{ uses: ./tools/image }, { uses: ./.github/actions/other }] } }\n",
  ".github/workflows/gone.yml": "jobs: { x: { steps: [{ uses: ./made/later }] } }\n",
  ".github/workflows/broken.yml": "jobs: [\n",
  ".github/workflows/many.yml": `jobs: { x: { steps: [${Array.from({ length: 60 }, (_, at) => `{ uses: ./many/${at} }`).join(", ")}] } }\n`,
  ".github/workflows/outside.yml": "jobs: { x: { steps: [{ uses: ./../x }] } }\n",
  ".github/actions/setup/action.yml": "runs: { using: composite, steps: [{ run: ./setup.sh, shell: bash }] }\n",
  ".github/actions/setup/setup.sh": "true\n",
  ".github/actions/other/action.yaml": "runs: { using: composite, steps: [{ uses: ./.github/actions/setup }] }\n",
  "tools/image/Dockerfile": "FROM scratch\n",
  "action.yml": "runs: { using: node24, main: dist/index.js }\n",
  ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`many/${at}/Dockerfile`, "FROM scratch\n"])),
};

let at: PublishStage;
beforeAll(async () => {
  at = await publishStage();
  await commit("main", "origin/main", BASE);
});
afterAll(async () => at[Symbol.asyncDispose]());

/** A commit with these files on top of another one, as a branch on GitHub. */
const commit = (branch: string, from: string, files: Readonly<Record<string, string>>): Promise<string> =>
  commitOn(at, branch, from, files);

async function whyNot(sha: string, workflow = "ci.yml", base = "main"): Promise<string | null> {
  const compared = await asInBase(at.access(), { workflow, sha, base, as: "branch" });
  return compared.ok ? null : `${compared.trouble.kind}: ${compared.trouble.because}`;
}

test.each<readonly [files: Record<string, string>, workflow: string, why: string | null]>([
  [{ "src.txt": "work\n", "action.yml": "runs: { using: node24, main: other.js }\n" }, "ci.yml", null],
  [{ [CI]: "jobs: {}\n" }, "ci.yml", `unlike: ${CI} is not as in main`],
  [{ ".github/actions/setup/setup.sh": "exit 0\n" }, "ci.yml", "unlike: .github/actions/setup is not as in main"],
  [{ ".github/workflows/b.yml": "jobs: {}\n" }, "ci.yml", "unlike: .github/workflows/b.yml is not as in main"],
  [{ "tools/image/Dockerfile": "FROM x\n" }, "ci.yml", "unlike: tools/image is not as in main"],
  [
    { ".github/workflows/new.yml": "jobs: {}\n" },
    "new.yml",
    "unlike: .github/workflows/new.yml, which it uses, is not in main",
  ],
  [{}, "gone.yml", "unlike: made/later, which it uses, is not in main"],
  [{}, "broken.yml", "unlike: .github/workflows/broken.yml cannot be read"],
  [{}, "many.yml", "unlike: many.yml uses too many files of the repository to compare"],
  [{}, "outside.yml", "unlike: it uses ./../x, outside of a folder of its own"],
])("a branch with %j, judged by %s: %s [C118]", async (files, workflow, why) => {
  expect(await whyNot(await commit("work", "main", files), workflow)).toBe(why);
});

test("an action behind a link of the base's is not what the base has, once the branch may change where it leads [C118]", async () => {
  const top = await at.git("rev-parse", "--show-toplevel");
  const linked = { ".github/workflows/linked.yml": "jobs: { x: { steps: [{ uses: ./.github/actions/link }] } }\n" };
  await at.git("checkout", "-q", "-B", "linking", "main");
  await symlink("../../tools/image", path.join(top, ".github/actions/link"));
  const sha = await commit("linking", "main", linked);
  const why = "unlike: .github/actions/link is a symbolic link, and where it leads is not compared";
  expect(await whyNot(sha, "linked.yml", "linking")).toBe(why);
  const changed = await commit("work", "linking", { "tools/image/Dockerfile": "FROM nothing\n" });
  expect(await whyNot(changed, "linked.yml", "linking")).toBe(why);
  await rm(path.join(top, ".github/actions/link"), { force: true });
});

test.each([
  ["../../image/Dockerfile", "tools/linking/deep/link is a symbolic link"],
  ["/etc/hostname", "tools/linking/deep/link is a symbolic link"],
  ["../self/../../image/Dockerfile", "tools/linking/deep/link is a symbolic link"],
  ["../..", "tools/linking/deep/link is a symbolic link"],
  ["../run.sh", null],
  ["..", null],
])("a link to %s below an action's folder: %s [C118]", async (target, why) => {
  const top = await at.git("rev-parse", "--show-toplevel");
  await at.git("checkout", "-q", "-B", "linking", "main");
  await mkdir(path.join(top, "tools/linking/deep"), { recursive: true });
  await symlink(target, path.join(top, "tools/linking/deep/link"));
  await symlink(".", path.join(top, "tools/linking/self"));
  await at.git("add", "-A");
  await at.git("commit", "-q", "-m", "links");
  const sha = await commit("linking", "linking", {
    "tools/linking/action.yml": "runs: { using: composite, steps: [{ run: deep/link, shell: bash }] }\n",
    "tools/linking/run.sh": "true\n",
    ".github/workflows/linked.yml": "jobs: { x: { steps: [{ uses: ./tools/linking }] } }\n",
  });
  expect(await whyNot(sha, "linked.yml", "linking")).toEqual(
    why === null ? null : `unlike: ${why}, and where it leads is not compared`,
  );
  await at.git("checkout", "-q", "main");
});

test("what the action at the root uses is compared, though the repository is its own work; broken or behind a link it is not believed [C118]", async () => {
  const used = { "action.yml": "runs: { using: composite, steps: [{ uses: ./tools/image }] }\n" };
  const root = { ".github/workflows/root.yml": "jobs: { x: { steps: [{ uses: ./ }] } }\n" };
  const base = await commit("rooted", "main", { ...used, ...root });
  expect(await whyNot(base, "root.yml", "rooted")).toBeNull();
  const own = await commit("work", "rooted", { "src.txt": "work\n" });
  expect(await whyNot(own, "root.yml", "rooted")).toBeNull();
  const bent = await commit("work", "rooted", { "tools/image/Dockerfile": "FROM nothing\n" });
  expect(await whyNot(bent, "root.yml", "rooted")).toBe("unlike: tools/image is not as in rooted");
  const broken = await commit("work", "rooted", { "action.yml": "runs: [\n" });
  expect(await whyNot(broken, "root.yml", "rooted")).toBe("unlike: the repository's own action cannot be read");
  const top = await at.git("rev-parse", "--show-toplevel");
  await rm(path.join(top, "action.yml"));
  await symlink("tools/other.yml", path.join(top, "action.yml"));
  await at.git("commit", "-q", "-a", "-m", "a link");
  const linked = await commit("work", "work", {});
  expect(await whyNot(linked, "root.yml", "rooted")).toBe(
    "unlike: action.yml is a symbolic link, and where it leads is not compared",
  );
});

test("what only the base has changed since, or both have alike, is not the branch's doing [C118, C80]", async () => {
  const behind = await commit("work", "main", { "src.txt": "work\n" });
  await at.git("push", "-q", "-f", at.remote.folder, "main:moving");
  const moved = { [CI]: "jobs: { moved: { steps: [] } }\n" };
  await commit("moving", "main", moved);
  expect(await whyNot(behind, "ci.yml", "moving")).toBeNull();
  expect(await whyNot(await commit("work", "main", moved), "ci.yml", "moving")).toBeNull();
  // An old file of the base is the branch's own word as well, once the branch has had the new one.
  const undone = await commit("work", "moving", { [CI]: BASE[CI] ?? "" });
  expect(await whyNot(undone, "ci.yml", "moving")).toBe(`unlike: ${CI} is not as in moving`);
});

test.each([
  ["git/get-tree", 3, null],
  ["repos/compare-commits", 3, null],
  ["git/get-tree", 99, "unread: "],
])("what GitHub does not have yet by %s, %i times, is asked for again: %s [C118]", async (operation, times, why) => {
  const sha = await commit("work", "main", {});
  at.api.fail(operation, { status: 404, body: { message: "Not Found" } }, times);
  const said = await whyNot(sha);
  at.api.fail(operation, { status: 404, body: {} }, 0);
  expect(said?.slice(0, "unread: ".length) ?? null).toBe(why);
});

test.each(["git/get-ref", "repos/compare-commits", "git/get-tree", "git/get-blob"])(
  "where GitHub does not tell, by %s, nothing is believed [C118]",
  async (operation) => {
    const sha = await commit("work", "main", {});
    at.api.fail(
      operation,
      { status: 403, body: { message: "Resource not accessible by integration", documentation_url: "" } },
      9,
    );
    expect(await whyNot(sha)).toContain("unread: ");
    at.api.fail(operation, { status: 200, body: {} }, 0);
  },
);
