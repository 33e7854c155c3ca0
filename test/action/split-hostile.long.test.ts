import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { startCi, type Ci } from "../support/ci/ci.ts";
import { shellIn } from "../support/git-repository.ts";
import { anArtifact } from "../support/github-api/server.ts";
import type { Job } from "../support/runner/runner.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { unzipped, zipped } from "../support/zip.ts";
import { filesOn, told } from "./publish-stage.ts";
import { splitRun, TASK } from "./split-stage.ts";

const PUBLICATION = "loop/publication.json";

type Files = Record<string, Buffer>;

/** What is forged of a record. */
const State = z.looseObject({
  github: z.looseObject({ branch: z.string(), pull_request: z.unknown(), authorised_by: z.unknown() }),
  checks: z.looseObject({}),
  stop_reason: z.unknown(),
  verdict: z.unknown(),
});
type State = z.output<typeof State>;
const Manifest = z.looseObject({ record: z.looseObject({ state: State }), files: z.unknown() });
const Anything = z.looseObject({});

let ci: Ci;
let split: ReturnType<typeof splitRun>;
let ran: Job;
/** What the first job has handed over. */
let honest: Buffer;
/** Of the default branch, before its people had named who reviews. */
let old: string;

/** One run, whose first job was honest; each attack begins from what it left. */
beforeAll(async () => {
  ci = await startCi({ files: TASK.files, private: true });
  old = await ci.remote.git("rev-parse", "refs/heads/main");
  await shellIn(ci.remote.folder, OWNERS);
  split = splitRun(ci);
  ran = await split.run();
  if (ran.outputs["status"] !== "completed") throw new Error(`the first job is ${ran.outputs["status"]}`);
  honest = await ci.results.blobs.read(stored().blob);
  return () => ci[Symbol.asyncDispose]();
}, 60_000);

beforeEach(async () => {
  await upload(honest);
  await shellIn(
    ci.remote.folder,
    "git for-each-ref --format='delete %(refname)' | grep -vx 'delete refs/heads/main' | git update-ref --stdin",
  );
  const { issues, comments, statuses, reviews } = ci.api.world;
  for (const rows of [issues, comments, statuses, reviews]) rows.length = 0;
});

/** The people of the default branch say who reviews. */
const OWNERS = `
  export GIT_INDEX_FILE=owners; git read-tree main
  git update-index --add --cacheinfo "100644,$(echo '* @team' | git hash-object -w --stdin),.github/CODEOWNERS"
  git update-ref refs/heads/main "$(git -c user.name=x -c user.email=x@x commit-tree -p main -m owners "$(git write-tree)")"`;

function stored() {
  const found = ci.results.artifacts.stored.find(({ id }) => String(id) === ran.outputs["artifact-id"]);
  if (found === undefined) throw new Error("nothing was handed over");
  return found;
}

/** Replaces what was handed over. */
async function upload(zip: Buffer): Promise<void> {
  const { id, blob, name } = stored();
  await ci.results.blobs.write(blob, zip);
  const rows = ci.api.world.artifacts;
  const at = rows.findIndex((row) => row.id === id);
  rows[at] = anArtifact({ id, runId: split.runId, name, zip, createdAt: new Date() });
}

const json = (files: Files, name: string): unknown => JSON.parse(files[name]?.toString() ?? "{}");
const put = (files: Files, name: string, value: unknown): void => {
  files[name] = Buffer.from(JSON.stringify(value));
};

/** Somebody who has the run's own token replaces what was handed over, with a manifest that fits. */
async function forge(change: (files: Files) => void | Promise<void>, state?: (state: State) => void): Promise<void> {
  const files = unzipped(honest);
  await change(files);
  const manifest = Manifest.parse(json(files, "carried.json"));
  state?.(manifest.record.state);
  if (files[PUBLICATION]?.length !== 5000) {
    const digest = createHash("sha256").update(JSON.stringify(manifest.record.state)).digest("hex");
    put(files, PUBLICATION, { ...Anything.parse(json(files, PUBLICATION)), state: digest });
  }
  const names = Object.keys(files).filter((name) => name !== "carried.json");
  manifest.files = names.map((name) => ({
    path: name,
    bytes: files[name]?.length,
    sha256: createHash("sha256")
      .update(files[name] ?? "")
      .digest("hex"),
  }));
  put(files, "carried.json", manifest);
  await upload(zipped(files));
}

/** A bundle with a commit of somebody's own, on what people have. */
async function committed(
  script: string,
  known = "origin/main",
): Promise<{ commit: string; bundle: Buffer; head: string }> {
  await using clone = await tempFolder("forger-");
  const ids = await shellIn(
    clone.path,
    `git clone -q "$0" r; cd r; git config user.name x; git config user.email x@x; git rev-parse HEAD
    ${script}
    git add -A; git commit -q --no-verify -m forged; git rev-parse HEAD
    git update-ref refs/smithers/handed-over HEAD; git bundle create -q ../b refs/smithers/handed-over ^${known}`,
    ci.remote.folder,
  );
  const [head = "", commit = ""] = ids.split("\n");
  return { head, commit, bundle: await readFile(path.join(clone.path, "b")) };
}

/** What the second job says, and what is on GitHub then. */
async function published(inputs: Readonly<Record<string, string>> = {}) {
  const done = await split.publish({ "handed-over": ran.outputs["artifact-id"] ?? "", ...inputs });
  const refs = await ci.remote.git("for-each-ref", "--format=%(refname)");
  const { issues, comments, statuses } = ci.api.world;
  return { done, said: told(done), refs: refs.split("\n"), issues, comments, statuses };
}

const UNTOUCHED = { refs: ["refs/heads/main"], issues: [], comments: [], statuses: [] };

test.each<[string, string, (state: State) => void]>([
  ["another branch", "is for the branch", (state) => (state.github.branch = "main")],
  ["a field that no loop writes", "a field that no loop writes, checks.run", (state) => (state.checks["run"] = "id")],
  [
    "a status that its reason does not make",
    "which max_iterations does not",
    (state) => (state.stop_reason = { kind: "max_iterations", max: 1 }),
  ],
  ["an ending without its proof", "a check that did not pass", (state) => (state.verdict = null)],
])("a record with %s publishes nothing, and says so [T15, T22]", { timeout: 120_000 }, async (_what, why, change) => {
  await forge(() => {}, change);
  const seen = await published();
  expect(seen.done.conclusion).toBe("failure");
  expect(seen.said).toContain(why);
  expect(seen).toMatchObject(UNTOUCHED);
});

test(
  "a record that names somebody's pull request reaches only the loop's own [T15]",
  { timeout: 120_000 },
  async () => {
    await forge(
      () => {},
      (state) => {
        state.github.pull_request = { number: 1, url: "https://evil.example/1", own: true };
        state.github.authorised_by = "mallory-the-forger";
      },
    );
    const { issues, done } = await published();
    expect(issues).toMatchObject([{ pull: { headBranch: "smithers/a-loop" } }]);
    expect(done.outputs["pr-url"]).not.toContain("evil");
    expect(issues[0]?.body).not.toContain("mallory");
  },
);

test.each<[string, string, (files: Files) => void]>([
  [
    "a publication with more fields",
    "publication.json is not",
    (files) => put(files, PUBLICATION, { ...Anything.parse(json(files, PUBLICATION)), branch: "main" }),
  ],
  ["one that is too long", "publication.json is not", (files) => (files[PUBLICATION] = Buffer.alloc(5000, " "))],
  [
    "a file that leads elsewhere",
    "it names a file that no loop has",
    (files) => (files["../../evil"] = Buffer.from("x")),
  ],
  ["a bundle that is none", "just the one ref", (files) => (files["loop/commits.bundle"] = Buffer.from("x"))],
  ["more than it may have", "more than", (files) => (files["loop/commits.bundle"] = Buffer.alloc((64 << 20) + 1))],
])("an artifact with %s publishes nothing [T14, T15]", { timeout: 120_000 }, async (_what, why, change) => {
  await forge(change);
  const seen = await published();
  expect(seen.done.conclusion).toBe("failure");
  expect(seen.said).toContain(why);
  expect(seen).toMatchObject(UNTOUCHED);
});

test.each([
  ["workflows", "mkdir -p .github/workflows; echo evil > .github/workflows/e.yml", ".github/workflows/e.yml"],
  ["more files than allowed", "for i in $(seq 101); do echo $i > f$i; done", "101 files changed"],
])(
  "commits with %s are not pushed, whatever the first job let pass [T17]",
  { timeout: 120_000 },
  async (_what, script, why) => {
    const { commit, bundle, head } = await committed(script);
    await forge((files) => {
      files["loop/commits.bundle"] = bundle;
      put(files, PUBLICATION, { schema: 1, run: split.runId, commit, head, tip: null, withheld: null });
    });
    const { said, refs } = await published();
    expect(said).toContain(why);
    expect(refs).not.toContain("refs/heads/smithers/a-loop");
  },
);

test(
  "work that is said to have begun before a protected file was there does not undo that file [T17]",
  { timeout: 120_000 },
  async () => {
    const { commit, bundle } = await committed(
      `git reset -q --hard $(git commit-tree -p ${old} -p HEAD -m both ${old}^{tree}); echo evil > e.txt`,
      old,
    );
    await forge((files) => {
      // It is built on what the work did begin with.
      delete files["loop/work.bundle"];
      files["loop/commits.bundle"] = bundle;
      put(files, PUBLICATION, { schema: 1, run: split.runId, commit, head: old, tip: null, withheld: null });
    });
    const { said, refs } = await published();
    expect(said).toContain(".github/CODEOWNERS");
    expect(refs).not.toContain("refs/heads/smithers/a-loop");
  },
);

test("some bytes of a bundle that become gigabytes are refused [T14, T17]", { timeout: 180_000 }, async () => {
  const { commit, bundle, head } = await committed("head -c 300000000 /dev/zero > zeros");
  expect(bundle.length).toBeLessThan(1 << 20);
  await forge((files) => {
    files["loop/commits.bundle"] = bundle;
    put(files, PUBLICATION, { schema: 1, run: split.runId, commit, head, tip: null, withheld: null });
  });
  const seen = await published();
  expect(seen.said).toContain("it holds 3000");
  expect(seen).toMatchObject(UNTOUCHED);
});

test("a commit with a secret that the first job did not know is not pushed [T2]", { timeout: 120_000 }, async () => {
  const { commit, bundle, head } = await committed("echo token-that-writes > t.txt");
  await forge((files) => {
    files["loop/commits.bundle"] = bundle;
    put(files, PUBLICATION, { schema: 1, run: split.runId, commit, head, tip: null, withheld: null });
  });
  const { said, refs } = await published();
  expect(said).toContain("line 1 of t.txt would show a secret to everybody who may read the repository");
  expect(refs).not.toContain("refs/heads/smithers/a-loop");
});

test("an artifact of another run is not even looked at [T15]", { timeout: 120_000 }, async () => {
  const other = splitRun(ci);
  const done = await other.publish({ "handed-over": ran.outputs["artifact-id"] ?? "" });
  expect(done.conclusion).toBe("failure");
  expect(told(done)).toContain("Nothing was pushed or said on GitHub");
  // Without a number there is nothing to publish, which is no failure.
  const none = await splitRun(ci).publish();
  expect(none.conclusion).toBe("success");
  expect(told(none)).toContain("there is nothing to publish");
});

test(
  "a sealed hand-over that somebody without the key has made is refused [T15, T16]",
  { timeout: 120_000 },
  async () => {
    const { done, said, refs } = await published({ "state-key": "a-long-random-text-of-the-team-1234567890" });
    expect(done.conclusion).toBe("failure");
    expect(said).toContain("state-key");
    expect(refs).toEqual(["refs/heads/main"]);
  },
);

test(
  "publishing twice is publishing once; somebody's push in between is not overwritten [T6]",
  { timeout: 180_000 },
  async () => {
    const first = await published();
    expect(first.done.conclusion).toBe("success");
    const [tip] = (await ci.remote.git("rev-parse", "refs/heads/smithers/a-loop")).split("\n");
    const again = await published();
    expect(again.done.conclusion).toBe("success");
    expect(again.issues).toHaveLength(1);
    expect(await ci.remote.git("rev-parse", "refs/heads/smithers/a-loop")).toBe(tip);
  },
);

test(
  "a branch that somebody has made meanwhile stays, and the work goes beside it [T6]",
  { timeout: 120_000 },
  async () => {
    const theirs = await shellIn(
      ci.remote.folder,
      `c=$(git -c user.name=x -c user.email=x@x commit-tree -p main -m theirs 'main^{tree}'); git update-ref refs/heads/smithers/a-loop $c; echo $c`,
    );
    const { said } = await published();
    expect(await ci.remote.git("rev-parse", "refs/heads/smithers/a-loop")).toBe(theirs);
    expect(said).toContain("somebody moved it meanwhile");
    expect(await filesOn(ci, `smithers/a-loop.run-${split.runId}`)).toEqual(["a.txt", "done.txt"]);
  },
);

test(
  "an ending that fails the job fails the one that publishes, not the one that runs [C17]",
  { timeout: 120_000 },
  async () => {
    const capped = splitRun(ci, { "loop-id": "capped" });
    const first = await capped.run({ "max-iterations": "1", "success-sh": "false" });
    expect(first).toMatchObject({ conclusion: "success", outputs: { status: "stopped_max_iterations" } });
    const done = await capped.publish({ "handed-over": first.outputs["artifact-id"] ?? "" });
    expect(done).toMatchObject({ conclusion: "failure", outputs: { status: "stopped_max_iterations" } });
    expect(await filesOn(ci, "smithers/capped")).toEqual(["a.txt"]);
  },
);
