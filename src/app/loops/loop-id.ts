import path from "node:path";
import { sha256 } from "../../os/digest.ts";
import { exists } from "../../os/file-errors.ts";
import { placeOf } from "../../store/place.ts";

const NAME_LENGTH = 60;

/**
 * The id of a new loop on the command line: the workspace's name and the local time, as in `repo-2026-01-06T21-10-00`
 * (W-17). Counts on where a loop of that name exists already.
 */
export async function newLoopId(root: string, now: Date): Promise<string> {
  const base = `${nameOf(root)}-${localTime(now)}`;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    const { stateFile, folder } = placeOf(root, id, null);
    if (!(await exists(stateFile)) && !(await exists(folder))) return id;
  }
}

/** The id of a PRD's one loop. @param name as in `isPrdName` */
export function prdLoopId(name: string): string {
  return `prd-${name}`;
}

/** A folder's name in the characters that an id may have (C9). */
function nameOf(root: string): string {
  const name = path
    .basename(root)
    .replaceAll(/[^A-Za-z0-9._-]+/gu, "-")
    .replaceAll(/\.{2,}/gu, ".")
    .replace(/^[^A-Za-z0-9]+/u, "")
    .slice(0, NAME_LENGTH);
  return name === "" ? "loop" : name;
}

function localTime(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join("-");
  return `${date}T${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join("-")}`;
}

/** What a loop in CI is known by from run to run. */
export interface LoopOrigin {
  /** as in `owner/name` */
  readonly repository: string;
  /** of the workflow's file in the repository */
  readonly workflowPath: string;
  readonly job: string;
  readonly step: string;
  /** `${{ toJSON(matrix) }}`; "" or `null` outside of a matrix */
  readonly matrix: string;
  readonly pullRequest: number | null;
  /** the issue whose text is the task; absent: none */
  readonly issue?: number;
  readonly ref: string;
}

const SLUG_LENGTH = 40;
const DIGEST_LENGTH = 10;

/**
 * The id that a loop has in every run of the same step for the same pull request, issue or branch (C9): at most 40 readable
 * characters of `[a-z0-9-]`, `-`, and 10 hex digits that tell apart what looks the same.
 */
export function loopIdOf(origin: LoopOrigin): string {
  const { repository, workflowPath, job, step } = origin;
  const subject = subjectOf(origin);
  const identity = [repository, workflowPath, job, step, canonical(origin.matrix), subject];
  const name = repository.slice(repository.indexOf("/") + 1);
  const workflow = workflowPath.slice(workflowPath.lastIndexOf("/") + 1).replace(/\.ya?ml$/u, "");
  const digest = sha256(JSON.stringify(identity)).slice(0, DIGEST_LENGTH);
  return [slugOf([name, workflow, job, subject].join("-")), digest].filter((part) => part !== "").join("-");
}

/** `pr-12`, `issue-12`, else the branch; some events of a pull request do not name it but run at its merge ref. */
function subjectOf({ pullRequest, issue, ref }: LoopOrigin): string {
  if (pullRequest === null && issue !== undefined) return `issue-${issue}`;
  const number = pullRequest ?? /^refs\/pull\/(\d+)\//u.exec(ref)?.[1];
  return number === undefined ? ref.replace(/^refs\/heads\//u, "") : `pr-${number}`;
}

/** At most 40 readable characters of `[a-z0-9-]` of a text; "" where it has none. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replace(/^-/u, "")
    .slice(0, SLUG_LENGTH)
    .replace(/-$/u, "");
}

/** A matrix without what the order of its keys and its layout say. */
function canonical(matrix: string): string {
  if (matrix.trim() === "") return "null";
  try {
    return JSON.stringify(JSON.parse(matrix, (_key, value: unknown) => sorted(value)));
  } catch {
    return matrix;
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
