import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { TARGETS } from "../../fuzz/targets.ts";

const SOURCE = path.join(import.meta.dirname, "../../src");

/** What takes a text of others apart is called like this. */
const READS =
  /^export (?:async )?function\*? (?<name>(?:parse|decode|read|scan|unseal|understand)[A-Z]\w*|unseal|fenced|visible|plainText|tokensIn)\(/gmu;
/** What reads JSON, or lets a library read TOML, YAML, Markdown or an archive. */
const TAKES_APART = /JSON\.parse\(|from "(?:smol-toml|yaml|yauzl|mdast-util-from-markdown)"/u;

/** What has no target, by the reason why. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "its text is a person's own, or this program's": [
    "agents/codex/settings.ts",
    "app/loops/loop-id.ts",
    "carry/artifact-program.ts",
    "carry/serve-toolkit.ts",
    "carry/toolkit.ts",
    "commands/watch/beside.ts",
    "git/locks/left-locks.ts",
    "os/closed-process.ts",
    "prd/kept-documents.ts",
    "store/worktree-record.ts",
    "store/worktree-record.ts#readWorktreeRecord",
  ],
  "hands a file's bytes or head on, to readers that are tried": [
    "agents/output.ts#readLines",
    "agents/turn-files.ts#readLastMessage",
    "app/locate.ts#readOptional",
    "app/prd/read-prd.ts#readPrdOf",
    "backlogs/workspace-file.ts#readWorkspaceFile",
    "commands/prd/given.ts#readGiven",
    "commands/prd/write-files.ts#readPrdFile",
    "job/repair/repair-run.ts",
    "os/own-file.ts#readAtMost",
    "os/own-file.ts#readOwnBytes",
    "os/own-file.ts#readOwnFile",
    "prd/folder.ts#readDocuments",
    "prd/folder.ts#readPrd",
    "store/file-store.ts#readPrompt",
    "store/lines-from-end.ts#readAt",
    "store/read-events.ts#readEarlierEvents",
    "store/state-file.ts#readState",
  ],
  "brings a record, which parseRecord reads": [
    "carry/git-ref.ts",
    "requests/find-loop.ts",
    "requests/find-loop.ts#readRecord",
    "requests/find-loop.ts#readRecordAt",
    "requests/prd-record.ts#readPrdRecord",
  ],
  "asks GitHub, whose answers a schema or the types of its API hold": [
    "checks/ci/ci-run.ts#readCiRun",
    "github/comments.ts#readComment",
    "github/kill-switch.ts#readKillSwitch",
    "github/orders/issue.ts#readIssue",
    "github/orders/review.ts#readMarkedReviews",
    "github/orders/review.ts#readReview",
    "github/orders/review.ts#readThreads",
    "github/pulls.ts#readPullRequest",
    "github/runs.ts#readAnnotations",
    "github/runs.ts#readJobLog",
    "github/runs.ts#readJobs",
    "github/runs.ts#readJobStart",
    "github/runs.ts#readRun",
    "requests/issue-events.ts#readLabelEvent",
    "requests/prds.ts#readStories",
  ],
  "asks git or ps, whose output has a reader that is tried": [
    "git/private-git.ts#readSettings",
    "git/repository.ts#readHead",
    "os/process-tree.ts#readPs",
  ],
  "puts together what was read": [
    "app/read-settings.ts#readSettings",
    "commands/stats/read-runs.ts#readRuns",
    "config/consent.ts#readPaths",
    "config/presets.ts#readPreset",
    "core/open-loop.ts#readStories",
    "job/run-job.ts#readJob",
    "requests/reviewed.ts#readReviewed",
  ],
  "is tried as a part of its caller": ["core/progress/runners/runner.ts#readCounts", "setup/spec/blocks.ts"],
};
const elsewhere = Object.values(ELSEWHERE).flat();

async function sources(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const file of glob("**/*.ts", { cwd: SOURCE }))
    files.set(file, await readFile(path.join(SOURCE, file), "utf8"));
  return files;
}

const covered = new Set(TARGETS.flatMap(({ covers }) => covers));
const coveredFiles = new Set([...covered].map((place) => place.replace(/#.*$/u, "")));

test("every target says what it tries, and that is there", async () => {
  const files = await sources();
  const missing = [...covered].filter((place) => {
    const [file = "", name = ""] = place.split("#");
    return !new RegExp(`^export (?:abstract )?(?:async )?(?:function\\*?|class|const|type) ${name}\\b`, "mu").test(
      files.get(file) ?? "",
    );
  });
  expect(missing).toEqual([]);
  expect(TARGETS.filter(({ covers }) => covers.length === 0)).toEqual([]);
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length);
});

test("whatever reads what others write is tried by a target, or it is said why not [T15]", async () => {
  const found = [...(await sources())].flatMap(([file, text]) => {
    const functions = [...text.matchAll(READS)].map((match) => `${file}#${match.groups?.["name"]}`);
    const apart = TAKES_APART.test(text) && !coveredFiles.has(file) ? [file] : [];
    return [...functions.filter((place) => !covered.has(place)), ...apart];
  });
  expect(found.filter((place) => !elsewhere.includes(place)).toSorted()).toEqual([]);
  expect(elsewhere.filter((place) => !found.includes(place))).toEqual([]);
});
