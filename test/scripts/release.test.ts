import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { moveMajor, notesOf, versionOf, whyNoRelease } from "../../scripts/release.ts";
import { VERSION } from "../../src/core/names.ts";
import { gitRepository, type GitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const CHANGELOG =
  "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-25\n\n### Added\n\n- A thing.\n\n## [1.1.0] - 2026-11-01\n\n- Older.\n\n[1.2.0]: https://example.org\n";
const versions = (version: string) => ({
  "package.json": JSON.stringify({ version, scripts: { build: "node build.mjs" } }),
  "package-lock.json": JSON.stringify({ version, packages: { "": { version } } }),
});
const FILES = { ...versions("1.2.0"), "CHANGELOG.md": CHANGELOG, "build.mjs": "process.exit(0);\n" };

/** A repository with a bare one as `origin`, which has its branch and these tags, oldest first. */
async function released(tags: readonly string[], files: Record<string, string> = FILES) {
  await using stack = new AsyncDisposableStack();
  const remote = stack.use(await tempFolder("release-remote-"));
  const repo = stack.use(await gitRepository(files));
  await repo.git("init", "-q", "--bare", remote.path);
  await repo.git("remote", "add", "origin", remote.path);
  for (const tag of tags) {
    await writeFile(path.join(repo.path, "step.txt"), tag);
    await repo.git("add", ".");
    await repo.git("commit", "-qm", tag);
    await repo.git("tag", "-am", tag, tag);
  }
  await repo.git("push", "-q", "origin", "main", "--tags");
  await repo.git("fetch", "-q", "origin");
  const owned = stack.move();
  const commitOf = async (tag: string) => repo.git("--git-dir", remote.path, "rev-parse", `${tag}^{commit}`);
  const move = async (tag: string) => moveMajor({ root: repo.path, tag, remote: "origin", token: null });
  return { repo, remote, commitOf, move, [Symbol.asyncDispose]: async () => owned.disposeAsync() };
}

describe("the tag of a major version [C93]", () => {
  test("is made and moved with each release, as a plain tag, and a second time changes nothing", async () => {
    await using at = await released(["v1.0.0"]);
    expect(await at.move("v1.0.0")).toMatch(/^v1 is now at v1\.0\.0, /u);
    await at.repo.git("commit", "-q", "--allow-empty", "-m", "more");
    await at.repo.git("tag", "v1.0.1");
    await at.repo.git("push", "-q", "origin", "v1.0.1");
    expect(await at.move("v1.0.1")).toMatch(/^v1 is now at v1\.0\.1, /u);
    expect(await at.move("v1.0.1")).toBe("v1 is at v1.0.1 already.");
    expect(await at.commitOf("v1")).toBe(await at.commitOf("v1.0.1"));
    expect(await at.repo.git("--git-dir", at.remote.path, "cat-file", "-t", "v1")).toBe("commit");
  });

  test("never goes backwards: not by an older release, not by what comes before one, not by another major", async () => {
    await using at = await released(["v1.2.0", "v1.9.0", "v1.10.0", "v1.11.0-rc.1", "v2.0.0"]);
    await at.move("v1.10.0");
    const before = await at.commitOf("v1");
    expect(await at.move("v1.9.0")).toBe("v1.10.0 is newer than v1.9.0, so v1 stays where it is.");
    expect(await at.move("v1.11.0-rc.1")).toContain("so v1 stays where it is");
    expect(await at.move("v2.0.0")).toMatch(/^v2 is now at v2\.0\.0/u);
    expect(await at.commitOf("v1")).toBe(before);
    await expect(at.move("v1.12.0")).rejects.toThrow("origin has no tag v1.12.0");
    await expect(at.move("v1")).rejects.toThrow("names no version");
  });
});

describe("a release is refused [C93]", () => {
  const why = async (change: (repo: GitRepository) => Promise<unknown>, tag = "v1.2.0") => {
    await using at = await released([]);
    await change(at.repo);
    await at.repo.git("add", ".");
    await at.repo.git("commit", "-q", "--allow-empty", "-m", "change");
    await at.repo.git("tag", "-f", tag);
    await at.repo.git("push", "-q", "origin", "main");
    return (await whyNoRelease(at.repo.path, tag, "origin/main")).join("\n");
  };
  const write = (name: string, text: string) => async (repo: GitRepository) =>
    writeFile(path.join(repo.path, name), text);
  test.for([
    { name: "not when all agree", change: async () => {}, says: "" },
    {
      name: "by another version",
      change: write("package.json", versions("1.1.9")["package.json"]),
      says: "The tag says 1.2.0, package.json and package-lock.json 1.1.9, 1.2.0, 1.2.0",
    },
    {
      name: "by a changelog without it",
      change: write("CHANGELOG.md", CHANGELOG.replace("## [1.2.0]", "## [1.1.5]")),
      says: "CHANGELOG.md has nothing under “## [1.2.0] - <date>”",
    },
    {
      name: "by an empty section",
      change: write("CHANGELOG.md", CHANGELOG.replace("### Added\n\n- A thing.\n\n", "")),
      says: "CHANGELOG.md has nothing",
    },
    {
      name: "by another dist/",
      change: write("build.mjs", 'console.error("cli/index.js differs"); process.exit(1);\n'),
      says: "dist/ is not what src/ gives: npm run build, and commit it.\ncli/index.js differs",
    },
  ])("$name", async ({ change, says }) => {
    const said = await why(change);
    expect(said === "" ? "" : said).toContain(says);
    expect(said === "").toBe(says === "");
  });

  test("by a tag of another commit, or of one that is not on main", async () => {
    await using at = await released(["v1.2.0"]);
    await at.repo.git("commit", "-q", "--allow-empty", "-m", "later");
    const said = (await whyNoRelease(at.repo.path, "v1.2.0", "origin/main")).join("\n");
    expect(said).toMatch(
      /^v1\.2\.0 is \w{40}, and checked out is \w{40}\.\n\w{40} is not on origin\/main: merge it first\.$/u,
    );
    expect(await whyNoRelease(at.repo.path, "v1", "origin/main")).toEqual([
      expect.stringContaining("names no version"),
    ]);
  });
});

test("a release is proved first, attested with its parts, and moves the major tag last [C93]", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../.github/workflows/release.yml"), "utf8");
  const { on, permissions, jobs } = Release.parse(parse(text));
  expect([on, permissions]).toEqual([{ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+*"] } }, {}]);
  expect(Object.entries(jobs).map(([name, { needs = [] }]) => [name, needs])).toEqual([
    ["prove", []],
    ["e2e", []],
    ["publish", ["prove", "e2e"]],
    ["move", "publish"],
  ]);
  const { prove, e2e, publish, move } = jobs;
  const runs = (job: typeof prove) => job?.steps.flatMap(({ run }) => run ?? []).join("\n") ?? "";
  // The dist against its sources is part of the first two.
  for (const command of ['release -- check "$TAG"', "npm run check", "npm test", "npm run test:long"]) {
    expect(runs(prove)).toContain(command);
  }
  expect(e2e?.uses).toBe("./.github/workflows/e2e.yml");
  const attested = publish?.steps.filter(({ uses = "" }) => uses.startsWith("actions/attest@")) ?? [];
  expect(attested.map((step) => step.with)).toMatchObject([
    { "subject-path": "release/*.tgz\ndist/*/index.js\n" },
    { "subject-path": "release/*.tgz", "sbom-path": "release/sbom.cdx.json" },
  ]);
  expect(publish?.permissions).toEqual({ attestations: "write", contents: "write", "id-token": "write" });
  for (const said of ["npm pack", "npm sbom", 'release -- notes "$TAG"', "--notes-file notes.md"]) {
    expect(runs(publish)).toContain(said);
  }
  expect([runs(move).includes('release -- move "$TAG"'), move?.permissions]).toEqual([true, { contents: "write" }]);
  const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.filter((one) => !/@[0-9a-f]{40}$/u.test(one))).toEqual([]);
});

const Release = z.object({
  ...{ on: z.unknown(), permissions: z.unknown() },
  jobs: z.record(
    z.string(),
    z.object({
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      uses: z.string().optional(),
      permissions: z.unknown(),
      steps: z
        .array(z.object({ uses: z.string().optional(), run: z.string().optional(), with: z.unknown().optional() }))
        .default([]),
    }),
  ),
});

test("versions and notes are read as they are written [C93]", () => {
  expect(["v1", "1.2.3", "v1.2", "v1.2.3.4", "v01.2.3", "v1.2.3+x"].map(versionOf)).toEqual(Array(6).fill(undefined));
  expect(versionOf("v1.2.3-rc.1")).toMatchObject({ numbers: [1, 2, 3], before: "rc.1" });
  expect(notesOf(CHANGELOG, "1.2.0")).toBe("### Added\n\n- A thing.");
  expect(notesOf(CHANGELOG, "1.1.0")).toBe("- Older.");
  expect(notesOf(CHANGELOG, "Unreleased")).toBeUndefined();
});

describe("the package and the Action are ready to be listed [C94]", () => {
  const read = (name: string): string => readFileSync(path.join(import.meta.dirname, "../..", name), "utf8");
  const manifest = JSON.parse(read("package.json"));
  const action = read("action.yml");

  test("the package can be published, and says where it comes from", () => {
    expect(manifest).not.toHaveProperty("private");
    expect(manifest).toMatchObject({
      name: "@smithers/loop",
      license: "MIT",
      repository: { type: "git", url: "git+https://github.com/smithers/loop.git" },
      bugs: { url: "https://github.com/smithers/loop/issues" },
      homepage: "https://github.com/smithers/loop#readme",
      publishConfig: { access: "public", provenance: true },
    });
    expect(manifest.keywords).toEqual(expect.arrayContaining(["github-action", "coding-agent"]));
    // What is bundled is installed by nobody.
    expect(manifest).not.toHaveProperty("dependencies");
    expect(JSON.parse(read("package-lock.json"))).toMatchObject({
      version: manifest.version,
      packages: { "": { version: manifest.version } },
    });
  });

  test("the version stands in package.json, and nowhere else by hand", () => {
    expect(VERSION).toBe(manifest.version);
    for (const name of ["README.md", "action.yml", "docs/action.md", "docs/github.md", "docs/command-line.md"]) {
      expect(read(name)).not.toContain(manifest.version);
    }
  });

  test("README says what to pin, and with which comment", () => {
    expect(read("README.md")).toMatch(/pin a release's full commit: `smithers\/loop@<sha> # v1\.x\.y`/u);
  });

  test("the Marketplace takes name, description and branding of action.yml", () => {
    const [, description = ""] = /^description: (.+)$/mu.exec(action) ?? [];
    expect([description === "", description.length <= 125]).toEqual([false, true]);
    expect(action).toMatch(/^name: smithers loop$/mu);
    expect(action).toMatch(
      /^branding:\n {2}icon: [a-z-]+\n {2}color: (?:white|black|yellow|blue|green|orange|red|purple|gray-dark)$/mu,
    );
    expect(action).toMatch(/^ {2}using: node24$/mu);
  });
});
