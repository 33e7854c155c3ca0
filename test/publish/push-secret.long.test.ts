import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { pushWork } from "../../src/publish/push-work.ts";
import { done, failed } from "../../src/core/result.ts";
import { aView } from "../views/a-state.ts";
import { COMPLETED, ended } from "../views/publication-facts.ts";
import { BRANCH, LOOP, type PublishStage, publishStage } from "./publish-stage.ts";

const SECRET = "sk-a-key-of-the-job";

const LONG_SECRET = "of several lines, first\nand the second line of it";

/** What a test of the repository holds from before the loop: they only look like secrets. */
const TEST_TOKEN = "ghp_aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zFixT";
const TEST_KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvwIBADANFIXTURE\n-----END PRIVATE KEY-----";

interface Case {
  readonly name: string;
  /** the agent's commits, one after the other: a message, and files; null deletes */
  readonly commits: readonly (readonly [message: string, files: Record<string, string | null>])[];
  /** a setting of git that names their author or committer, with its value */
  readonly by?: readonly [key: string, value: string];
  readonly shows: string;
}

const CASES: readonly Case[] = [
  {
    name: "a file",
    commits: [["Work", { "a.txt": `the key:\n${SECRET}\n`, "b.txt": "b\n" }]],
    shows: "line 2 of a.txt",
  },
  {
    name: "base64 inside of a longer text",
    commits: [["Work", { "a.txt": Buffer.from(`x: ${SECRET}!`).toString("base64") }]],
    shows: "line 1 of a.txt",
  },
  {
    name: "a file that is called binary",
    commits: [["Work", { "a.bin": `\0${SECRET}`, ".gitattributes": "*.bin -diff\n" }]],
    shows: "line 1 of a.bin",
  },
  {
    name: "a file that is gone again",
    commits: [
      ["Work", { "a.txt": SECRET }],
      ["More", { "a.txt": null, "b.txt": "b\n" }],
    ],
    shows: "line 1 of a.txt",
  },
  {
    name: "a token that no setting knows",
    commits: [["Work", { "a.txt": "t = ghp_aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zAbCd\n" }]],
    shows: "line 1 of a.txt",
  },
  {
    name: "a private key",
    commits: [
      ["Work", { "a.pem.txt": "x\n-----BEGIN RSA PRIVATE KEY-----\nMIIEvwIBADAN\n-----END RSA PRIVATE KEY-----\n" }],
    ],
    shows: "line 2 of a.pem.txt",
  },
  {
    name: "a line behind others that look like parts of a patch",
    commits: [["Work", { "a.txt": `++ b/x.txt\n@@ -1,9 +90,9 @@\n\n${SECRET}\nend`, "b.txt": "b\n" }]],
    shows: "line 4 of a.txt",
  },
  {
    name: "a new key behind the first line of one that a test has",
    commits: [
      ["Work", { "a.txt": `${TEST_KEY.replace("MIIEvwIBADANFIXTURE", "MIIEvwIBADANanother")}\n`, "b.txt": "b\n" }],
    ],
    shows: "line 1 of a.txt",
  },
  {
    name: "a secret of several lines",
    commits: [["Work", { "a.txt": `${LONG_SECRET}\n` }]],
    shows: "line 1 of a.txt",
  },
  {
    name: "several files",
    commits: [["Work", { "a.txt": SECRET, "b.txt": SECRET }]],
    shows: "line 1 of a.txt and 1 more",
  },
  { name: "a commit's message", commits: [[`Use ${SECRET}`, { "a.txt": "a\n" }]], shows: "a commit's message" },
  ...["user.name", "user.email", "author.name", "committer.email"].map((key) => ({
    name: `a commit's ${key}`,
    commits: [["Work", { "a.txt": "a\n" }]] satisfies Case["commits"],
    by: [key, SECRET] as const,
    shows: "a commit's author or committer",
  })),
  { name: "a file's name", commits: [["Work", { [SECRET]: "a\n" }]], shows: "a file's name" },
];

async function commit(at: PublishStage, root: string, [message, files]: Case["commits"][number]): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    await (content === null ? rm(file) : writeFile(file, content));
  }
  await at.git("add", "-A");
  await at.git("commit", "-q", "-m", message);
  return at.git("rev-parse", "HEAD");
}

/** A person's commit on the default branch: tests with what only looks like secrets. */
async function onMain(at: PublishStage, root: string): Promise<void> {
  const files = { "token.txt": `token = ${TEST_TOKEN}\n`, "key.txt": `${TEST_KEY}\n` };
  await commit(at, root, ["Tests", files]);
  await at.git("push", "-q", "origin", "HEAD:main");
}

describe.concurrent("work that would show a secret of its job is not pushed anywhere [T2, T16]", () => {
  test.for(CASES)("$name", async ({ commits, by, shows }) => {
    await using at = await publishStage();
    const job = await at.job({ inputs: { "api-key": SECRET }, env: { DEPLOY_TOKEN: LONG_SECRET } });
    await onMain(at, job.place.root);
    const branch = await at.checkOut(job);
    if (by !== undefined) await at.git("config", ...by);
    let last = "";
    for (const made of commits) last = await commit(at, job.place.root, made);
    const pushed = await pushWork(at.pushing(job, branch), last, aView(ended(COMPLETED)));
    const because = expect.stringMatching(
      `^Nothing was pushed to ${BRANCH}: ${shows} would show a secret to everybody`,
    );
    expect(pushed).toEqual(failed({ because, head: null, saved: true }));
    expect(JSON.stringify(pushed)).not.toContain(SECRET);
    expect(JSON.stringify(pushed)).toContain(`refs/smithers-loops/${LOOP}`);
    expect(await at.remote.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  });

  test("a made-up token that a test of the repository had before may be moved, copied and taken out; the first line of a key is no secret", async () => {
    await using at = await publishStage();
    const job = await at.job({ inputs: { "api-key": SECRET } });
    await onMain(at, job.place.root);
    const branch = await at.checkOut(job);
    const moved = { "token.txt": null, "moved.txt": `const token = "${TEST_TOKEN}"; // moved\n` };
    await commit(at, job.place.root, ["Move", moved]);
    const copied = { "copy.txt": `${TEST_KEY}\n`, "key.txt": `# a key\n${TEST_KEY}\n` };
    await commit(at, job.place.root, ["Copy", copied]);
    const mention = { "a.ts": 'const BEGIN = "-----BEGIN PRIVATE KEY-----";\n', "key.txt": "gone\n" };
    const last = await commit(at, job.place.root, ["Clean", mention]);
    expect(await pushWork(at.pushing(job, branch), last, aView(ended(COMPLETED)))).toEqual(done(last));
  });

  test("one that came to the default branch meanwhile may be merged", async () => {
    await using at = await publishStage();
    const job = await at.job({ inputs: { "api-key": SECRET } });
    const branch = await at.checkOut(job);
    await at.work("a.txt");
    await at.git("checkout", "-q", "main");
    await onMain(at, job.place.root);
    await at.git("checkout", "-q", "-");
    await at.git("merge", "-q", "--no-edit", "main");
    const last = await at.git("rev-parse", "HEAD");
    expect(await pushWork(at.pushing(job, branch), last, aView(ended(COMPLETED)))).toEqual(done(last));
  });

  test("what was there before is not held against it", async () => {
    await using at = await publishStage();
    const job = await at.job({ inputs: { "api-key": SECRET } });
    await at.push(BRANCH, `${SECRET}.txt`);
    const branch = await at.checkOut(job);
    const last = await at.work("a.txt");
    expect(await pushWork(at.pushing(job, branch), last, aView(ended(COMPLETED)))).toEqual(done(last));
    expect(await at.tip(BRANCH)).toBe(last);
  });

  test("where that cannot be told, nothing is pushed", async () => {
    await using at = await publishStage();
    const job = await at.job();
    await at.checkOut(job);
    const branch = await at.branches(job).reopen({ name: BRANCH, tip: null, head: "0".repeat(40) });
    const pushed = await pushWork(at.pushing(job, branch), await at.work("a.txt"), aView(ended(COMPLETED)));
    expect(pushed).toMatchObject({ ok: false, trouble: { because: expect.stringContaining("cannot be told: ") } });
    expect(await at.tip(BRANCH)).toBe("");
  });
});
