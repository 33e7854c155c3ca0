import { constants, open } from "node:fs/promises";
import path from "node:path";

/** Something that people are told beside what happens: `info` in the log, the others as annotations. */
export interface Remark {
  readonly level: "info" | "notice" | "warning";
  readonly text: string;
}

/** Where the running job's `timeout-minutes` may be written. */
export interface JobTimeoutQuestion {
  /** the value of `job-timeout-minutes`; null: not set */
  readonly set: number | null;
  /** the checkout */
  readonly workspace: string;
  /** of the running workflow's file in the repository */
  readonly workflowPath: string;
  /** the job's key in it */
  readonly job: string;
  readonly environment: "github-hosted" | "self-hosted";
}

/** How long the job may run, and what people have to know of how that was found. */
export interface JobTimeout {
  readonly minutes: number;
  readonly remarks: readonly Remark[];
}

/** Safe for nearly every job: a loop that leaves too early goes on in the next run, one that is killed loses work. */
const ASSUMED_MINUTES = 60;
/** No job on a hosted runner lives longer. */
const LONGEST_HOSTED_MINUTES = 360;
const LARGEST_FILE_BYTES = 1024 * 1024;

/**
 * How long GitHub lets the job run, which no context, variable or API tells: the setting, else
 * `jobs.<job>.timeout-minutes` of the workflow's file in the checkout where that is a plain number, else 60 minutes.
 * Never throws.
 */
export async function findJobTimeout(question: JobTimeoutQuestion): Promise<JobTimeout> {
  const { set, workflowPath, environment } = question;
  const written = await readTimeout(question);
  const { minutes, remarks } = choose(set, written, workflowPath);
  if (environment === "self-hosted" || minutes <= LONGEST_HOSTED_MINUTES) return { minutes, remarks };
  const text = `The job's time-out is ${minutes} minutes, but GitHub ends every job on a hosted runner after ${LONGEST_HOSTED_MINUTES}: the loop reckons with those.`;
  return { minutes: LONGEST_HOSTED_MINUTES, remarks: [...remarks, { level: "notice", text }] };
}

/** What the file says: a number, or why there is none. */
type Written = { readonly minutes: number } | { readonly why: string };

function choose(set: number | null, written: Written, file: string): JobTimeout {
  if (set !== null) {
    if (!("minutes" in written) || written.minutes === set) return { minutes: set, remarks: [] };
    const text = `job-timeout-minutes is ${set}, but ${file} gives the job timeout-minutes: ${written.minutes}. The loop reckons with ${set}; make the two equal, or leave job-timeout-minutes out.`;
    return { minutes: set, remarks: [{ level: "warning", text }] };
  }
  if ("minutes" in written) {
    const text = `The job's time-out is ${written.minutes} minutes, as ${file} says.`;
    return { minutes: written.minutes, remarks: [{ level: "info", text }] };
  }
  const text = `How long the job may run is not known: ${written.why}. The loop reckons with ${ASSUMED_MINUTES} minutes; set job-timeout-minutes to what the job's timeout-minutes is.`;
  return { minutes: ASSUMED_MINUTES, remarks: [{ level: "notice", text }] };
}

async function readTimeout({ workspace, workflowPath, job }: JobTimeoutQuestion): Promise<Written> {
  const text = await readSmallFile(path.join(workspace, workflowPath), workspace);
  if (text === undefined) return { why: `${workflowPath} cannot be read in the checkout` };
  const { parse } = await import("./yaml.ts");
  try {
    return timeoutIn(parse(text), job, workflowPath);
  } catch {
    return { why: `${workflowPath} is not valid YAML` };
  }
}

function timeoutIn(workflow: unknown, job: string, file: string): Written {
  const settings = property(property(workflow, "jobs"), job);
  if (settings === undefined) return { why: `${file} has no job ${job}` };
  const minutes = property(settings, "timeout-minutes");
  if (minutes === undefined) return { why: `job ${job} in ${file} has no timeout-minutes` };
  if (typeof minutes === "number" && Number.isFinite(minutes) && minutes > 0) return { minutes };
  return { why: `timeout-minutes of job ${job} in ${file} is no plain number` };
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The checkout is somebody else's: neither a path out of it nor a file without end is followed. */
async function readSmallFile(file: string, root: string): Promise<string | undefined> {
  if (path.relative(root, file).startsWith("..")) return undefined;
  try {
    // Opening a pipe would otherwise wait for somebody who writes into it.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > LARGEST_FILE_BYTES) return undefined;
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
