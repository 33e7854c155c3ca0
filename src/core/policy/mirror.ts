/** A check that a branch's rules ask for. */
export interface RequiredCheck {
  /** the name of a job or of a commit status */
  readonly context: string;
  /** the only App that may say it; null: anybody */
  readonly app: number | null;
}

/** A job of a run that has ended. */
interface JobOfRun {
  readonly name: string;
  /** in GitHub's words; null: it has not ended */
  readonly conclusion: string | null;
  readonly url: string;
}

/** A job's result under the name that a rule asks for. */
interface MirroredJob {
  readonly context: string;
  readonly state: "success" | "failure";
  readonly url: string;
}

/** A required check that stays open. */
export interface OpenCheck {
  readonly context: string;
  /** as in "the job was skipped", without a full stop */
  readonly why: string;
}

export interface Mirror {
  readonly mirrored: readonly MirroredJob[];
  readonly open: readonly OpenCheck[];
}

/** What a run of CI is mirrored by. */
export interface MirrorFacts {
  /** its file, as in `ci.yml` */
  readonly workflow: string;
  readonly jobs: readonly JobOfRun[];
  /** why its jobs prove nothing under these names; null: they do */
  readonly distrust: string | null;
  /** whether GitHub takes what is said for the workflow's own: the token is the job's */
  readonly isActions: boolean;
}

/** GitHub Actions, as an App. */
const ACTIONS = 15_368;
/** Names of our own are no job's. */
const OURS = /^smithers\//u;

/**
 * Which required checks a run's jobs answer (C96). A job that was started by hand does not count for a rule, a commit status
 * of its name does. A job's own result under its own name, and nothing that GitHub would not take for the same: a skipped
 * job would count as green for a pull request, but started by hand it may have been skipped for that very reason.
 */
export function mirrorOf(required: readonly RequiredCheck[], facts: MirrorFacts): Mirror {
  const judged = required.filter(({ context }) => !OURS.test(context)).map((check) => judge(check, facts));
  return {
    mirrored: judged.flatMap((one) => ("state" in one ? [one] : [])),
    open: judged.flatMap((one) => ("why" in one ? [one] : [])),
  };
}

function judge({ context, app }: RequiredCheck, facts: MirrorFacts): MirroredJob | OpenCheck {
  const { workflow, jobs, distrust, isActions } = facts;
  if (app !== null && app !== ACTIONS) return { context, why: `the rule takes it from another App alone (${app})` };
  if (app === ACTIONS && !isActions)
    return { context, why: "the rule takes it from GitHub Actions alone, and this loop has a token of its own" };
  const [job, ...others] = jobs.filter(({ name }) => name === context);
  if (job === undefined) return { context, why: `${workflow}, started by hand, has no job of this name` };
  if (others.length > 0) return { context, why: `${workflow} has several jobs of this name` };
  if (distrust !== null) return { context, why: distrust };
  const { conclusion, url } = job;
  if (conclusion === "success") return { context, state: "success", url };
  if (conclusion === "failure" || conclusion === "timed_out") return { context, state: "failure", url };
  return { context, why: `its job ended as ${conclusion ?? "nothing"}` };
}

/** The workflow of `ci-workflow`, and the names of its jobs; null: not known before it runs. */
export interface CiJobNames {
  readonly file: string;
  readonly names: ReadonlySet<string> | null;
}

/**
 * The names that the jobs of a workflow have on GitHub; null: they show only when it runs, as those of a matrix or of a
 * workflow that it calls do, or it is no workflow.
 *
 * @param document its YAML, as it was read
 */
export function jobNamesIn(document: unknown): ReadonlySet<string> | null {
  const jobs = isRecord(document) && isRecord(document["jobs"]) ? Object.entries(document["jobs"]) : [];
  const names = jobs.map(([key, job]) => {
    if (!isRecord(job) || job["strategy"] !== undefined || job["uses"] !== undefined) return null;
    const { name = key } = job;
    return typeof name === "string" && !name.includes("${{") ? name : null;
  });
  const known = names.filter((name) => name !== null);
  return known.length === 0 || known.length < names.length ? null : new Set(known);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** What a workflow's file takes from its own repository. */
export interface LocalUses {
  /** paths of workflows that it calls, and of folders of actions */
  readonly paths: readonly string[];
  /** why not all of them can be known; null: they can */
  readonly unknown: string | null;
}

/** Programs that an action names, which may lie outside of its folder. */
const PROGRAMS: ReadonlySet<string> = new Set([
  "main",
  "pre",
  "post",
  "image",
  "pre-entrypoint",
  "entrypoint",
  "post-entrypoint",
]);

/**
 * What a workflow or an action of the repository uses of the repository itself.
 *
 * @param document its YAML, as it was read
 */
export function localUses(document: unknown): LocalUses {
  const texts = textsIn(document, "");
  const used = texts
    .filter(({ key, text }) => key === "uses" && /^\.{1,2}(?:\/|$)/u.test(text))
    .map(({ text }) => text);
  const outside = texts.find(({ key, text }) => PROGRAMS.has(key) && text.split("/").includes(".."))?.text;
  const paths = used.map((text) => text.replaceAll(/(?:^|\/)\.?(?=\/|$)/gu, "").replace(/^\//u, ""));
  const strange = outside ?? used.find((text) => text.split("/").includes(".."));
  return {
    paths: [...new Set(paths)],
    unknown: strange === undefined ? null : `it uses ${strange}, outside of a folder of its own`,
  };
}

interface Text {
  readonly key: string;
  readonly text: string;
}

function textsIn(value: unknown, key: string): readonly Text[] {
  if (typeof value === "string") return [{ key, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, Array.isArray(value) ? key : name));
}
