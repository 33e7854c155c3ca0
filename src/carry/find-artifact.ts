import { z } from "zod";
import type { BulkPointer } from "../core/carry.ts";
import { done, failed, type Result, type Trouble } from "../core/result.ts";
import type { Github } from "../github/client.ts";
import { refusalOf } from "../github/refusal.ts";
import { BUNDLE_LIMITS } from "./manifest.ts";

/** One that may be downloaded. */
export interface ArtifactInfo {
  readonly id: number;
  readonly name: string;
  readonly runId: number;
  /** `sha256:<hex>`; null: GitHub does not tell */
  readonly digest: string | null;
}

/** Why none may be downloaded. */
interface NoArtifact extends Trouble {
  readonly kind: "absent" | "unreachable" | "refused";
}

type Found = Result<ArtifactInfo, NoArtifact>;

const PAGE = 100;
/** How many of the repository's newest artifacts are searched: the loop's last one is among them. */
const NEWEST = 500;

/** The artifact that a record names, if it is still there and a run of this repository uploaded it. */
export async function* findNamed(
  github: Github,
  loopId: string,
  { id, name, run_id }: NonNullable<BulkPointer["artifact"]>,
): AsyncGenerator<Found> {
  const listed = await attemptTo(async () => {
    const { data } = await github.rest.actions.listWorkflowRunArtifacts({ run_id, per_page: 100, name });
    return artifactsSchema.parse(data).artifacts;
  });
  if (!listed.ok) return yield listed;
  const artifact = listed.value.find((one) => one.id === id && isOf(one, loopId, run_id));
  // Where the server does not tell a fork's code, the record's digest does.
  yield artifact === undefined ? failed({ kind: "absent", because: `${name} is gone` }) : judge(github, artifact, true);
}

/**
 * The loop's artifacts that runs of this workflow in this repository uploaded, the newest first, one for each run
 * (T15). Only asks GitHub for more pages when the caller wants more; for a loop without artifacts, one request is
 * enough in most repositories.
 */
export async function* findNewest(github: Github, loopId: string, workflowFile: string): AsyncGenerator<Found> {
  const seen = new Set<number>();
  for await (const listed of listNewest(github, NEWEST)) {
    if (!listed.ok) return yield listed;
    for (const artifact of listed.value.toSorted(newestFirst)) {
      const runId = artifact.workflow_run?.id ?? runInName(artifact, loopId);
      if (runId === undefined || seen.has(runId) || !isOf(artifact, loopId, runId)) continue;
      seen.add(runId);
      const asked = mayBeOurs(github, artifact) ? await attemptTo(() => aboutRun(github, runId)) : done(undefined);
      if (!asked.ok) return yield asked;
      if (asked.value === undefined || isWorkflow(asked.value, workflowFile))
        yield judge(github, artifact, isOwnCode(asked.value));
    }
  }
}

/**
 * The loop's artifacts that this very run has uploaded, in this attempt or an earlier one, the newest first; of another
 * run none is ever asked for (T15).
 *
 * @param id of the only one that is wanted; null: any
 */
export async function* findInRun(
  github: Github,
  loopId: string,
  { runId, attempt }: { readonly runId: number; readonly attempt: number },
  id: number | null,
): AsyncGenerator<Found> {
  const listed = await inOne(
    listPages(PAGE, (page) => github.rest.actions.listWorkflowRunArtifacts({ run_id: runId, per_page: PAGE, page })),
  );
  if (!listed.ok) return yield listed;
  const ours = listed.value.filter(
    (one) => isOf(one, loopId, runId) && one.workflow_run?.id === runId && Math.floor(attemptOf(one.name)) <= attempt,
  );
  for (const artifact of ours.toSorted(newestFirst)) {
    if (id !== null && artifact.id !== id) continue;
    const isUnsaid = mayBeOurs(github, artifact) && artifact.workflow_run?.head_repository_id === undefined;
    const asked = isUnsaid ? await attemptTo(() => aboutRun(github, runId)) : done(undefined);
    yield asked.ok ? judge(github, artifact, isOwnCode(asked.value)) : asked;
  }
}

/**
 * The newest of a loop's artifacts among the repository's newest, for a person to look at: nothing of it is proved.
 * Undefined: there is none, or GitHub does not say. Never throws.
 */
export async function newestOfLoop(
  github: Github,
  loopId: string,
): Promise<Pick<ArtifactInfo, "id" | "name" | "runId"> | undefined> {
  const listed = await inOne(listNewest(github, PAGE));
  const [newest] = (listed.ok ? listed.value : [])
    .flatMap(({ id, name, expired, workflow_run: run }) =>
      run?.id !== undefined && !expired && isOf({ name }, loopId, run.id) ? [{ id, name, runId: run.id }] : [],
    )
    .toSorted((a, b) => b.runId - a.runId);
  return newest;
}

/** The repository's newest artifacts, as `listPages` gives them. */
function listNewest({ rest }: Github, most: number): Pages {
  return listPages(most, (page) => rest.actions.listArtifactsForRepo({ per_page: PAGE, page }));
}

type Pages = AsyncGenerator<Result<readonly Listed[], NoArtifact>>;

/**
 * The newest artifacts that may be a loop's, page by page. Pages about loops (`smithers-….html`) are not counted, so that one
 * beside each loop's files does not shorten the search: at most twice as many are asked for.
 *
 * @param most how many are given
 */
async function* listPages(most: number, ask: (page: number) => Promise<{ readonly data: unknown }>): Pages {
  let [looked, left] = [0, most];
  for (let page = 1; page <= (2 * most) / PAGE; page += 1) {
    const listed = await attemptTo(async () => artifactsSchema.parse((await ask(page)).data));
    if (!listed.ok) return yield listed;
    const { artifacts, total_count: total = artifacts.length < PAGE ? 0 : Infinity } = listed.value;
    const counted = artifacts.filter(({ name }) => !isReportPage(name)).slice(0, left);
    left -= counted.length;
    yield done(counted);
    looked += artifacts.length;
    // A server may give smaller pages than were asked for.
    if (artifacts.length === 0 || looked >= total || left === 0) return;
  }
}

/** All of them, or why one of the pages could not be had. */
async function inOne(pages: Pages): Promise<Result<readonly Listed[], NoArtifact>> {
  const all: Listed[] = [];
  for await (const listed of pages) {
    if (!listed.ok) return listed;
    all.push(...listed.value);
  }
  return done(all);
}

/** Later runs and attempts have larger numbers. */
function newestFirst(a: Listed, b: Listed): number {
  return (b.workflow_run?.id ?? 0) - (a.workflow_run?.id ?? 0) || attemptOf(b.name) - attemptOf(a.name);
}

function attemptOf(name: string): number {
  return Number(name.slice(name.lastIndexOf("-") + 1));
}

/** @param isOwn whether it is known otherwise that its run had code of this repository, where the server does not say */
function judge({ repository }: Github, artifact: Listed, isOwn: boolean): Found {
  const { id, name, digest, workflow_run: run } = artifact;
  const refused = (because: string): Found => failed({ kind: "refused", because });
  if (run?.id === undefined) return refused(`the server does not say which run has uploaded ${name}`);
  const head = run.head_repository_id;
  if (head === undefined && run.repository_id === repository.id && !isOwn) {
    return refused(`the server does not say whose code the run had that has uploaded ${name}: it may be a fork's`);
  }
  if ((head ?? repository.id) !== repository.id || run.repository_id !== repository.id) {
    return refused(`${name} was uploaded by a run of another repository's code, which may call it as it likes`);
  }
  if (artifact.expired) return failed({ kind: "absent", because: `${name} has expired` });
  if (artifact.size_in_bytes > BUNDLE_LIMITS.bytes) {
    return refused(`${name} has more than ${BUNDLE_LIMITS.bytes} bytes`);
  }
  return done({ id, name, digest: digest ?? null, runId: run.id });
}

/** Whether it is worth asking for its run. */
function mayBeOurs({ repository }: Github, { workflow_run: run }: Listed): boolean {
  const head = run?.head_repository_id ?? repository.id;
  return run?.id !== undefined && run.repository_id === repository.id && head === repository.id;
}

async function aboutRun(github: Github, runId: number): Promise<Run> {
  const { data } = await github.rest.actions.getWorkflowRun({ run_id: runId });
  return runSchema.parse(data);
}

/** What starts runs of the repository's own code, never of a proposed change. */
const OWN_EVENTS: ReadonlySet<string> = new Set([
  ...["push", "schedule", "workflow_dispatch", "repository_dispatch", "issues", "issue_comment"],
]);

function isOwnCode(run: Run | undefined): boolean {
  return OWN_EVENTS.has(run?.event ?? "");
}

/**
 * Whether a run is one of this workflow: others may call their artifacts what they like. Some servers leave the folder out
 * and add the ref: `smithers.yml@refs/heads/main`.
 */
function isWorkflow({ path }: Run, workflowFile: string): boolean {
  const file = /^(?:\.(?:github|gitea|forgejo)\/workflows\/)?(?<file>[^/]+)$/u.exec(path.split("@")[0] ?? "");
  return workflowFile !== "" && file?.groups?.["file"] === workflowFile;
}

/** The run that an artifact names itself, where the server says none; nothing is taken by it. */
function runInName({ name }: Listed, loopId: string): number | undefined {
  const run = Number(name.slice(`smithers-${loopId}-`.length).split("-")[0]);
  return Number.isSafeInteger(run) && isOf({ name }, loopId, run) ? run : undefined;
}

/** What the artifact is called that is a page about a loop, by what the loop's own artifact is called. */
export function pageName(name: string): string {
  return `${name}.html`;
}

/** Whether the name is of a page about a loop, and so never of a loop's files. */
function isReportPage(name: string): boolean {
  return name.startsWith("smithers-") && name.endsWith(".html");
}

/** Whether the name is of this loop in this run. */
function isOf({ name }: Pick<Listed, "name">, loopId: string, runId: number): boolean {
  const prefix = `smithers-${loopId}-${runId}-`;
  return name.startsWith(prefix) && /^\d+(?:\.\d)?$/u.test(name.slice(prefix.length));
}

/** The answer, or a text for GitHub's refusal or silence. */
async function attemptTo<T>(ask: () => Promise<T>): Promise<Result<T, NoArtifact>> {
  try {
    return done(await ask());
  } catch (error) {
    const strange = error instanceof z.ZodError;
    const because = strange ? "GitHub's answer is not what it should be" : refusalOf(error, "actions: read");
    return failed({ kind: "unreachable", because });
  }
}

const id = z.int().positive();

const runSchema = z.object({ path: z.string(), event: z.string().optional() });
type Run = z.infer<typeof runSchema>;

const artifactsSchema = z.object({
  total_count: z.int().nonnegative().optional(),
  artifacts: z.array(
    z.object({
      id,
      name: z.string(),
      size_in_bytes: z.int().nonnegative(),
      expired: z.boolean(),
      digest: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/u)
        .nullish(),
      workflow_run: z
        .object({ id: id.optional(), repository_id: id.optional(), head_repository_id: id.optional() })
        .nullish(),
    }),
  ),
});
type Listed = z.infer<typeof artifactsSchema>["artifacts"][number];
