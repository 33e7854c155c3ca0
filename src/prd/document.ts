import type { Prd, Story } from "../core/story/story.ts";
import { parsedJson } from "../core/text.ts";
import { type Finding, issuesOf, lineAt, type PrdIssue, shown } from "./issues.ts";
import { type JsonText, parseJsonText } from "./json-text.ts";
import { type StoryMark, withMarks, withStories } from "./render.ts";
import { criterionOf, ruleFindings } from "./rules.ts";
import { LIMITS, prdShape, type PrdShape, storyShape, type StoryShape } from "./shape.ts";
import { wrongShapes } from "./wrong-shapes.ts";

export type { PrdIssue } from "./issues.ts";
export type { StoryMark } from "./render.ts";

/** A `prd.json` in which nothing is wrong. */
export interface PrdDocument {
  readonly prd: Prd;
  /** as it was read */
  readonly text: string;
  /**
   * The same document with other `passes` and `inProgress`; all else is kept byte for byte. A story without a mark is
   * pending: `passes` is false, and nothing says that it is in progress.
   */
  render(marks: ReadonlyMap<string, StoryMark>): string;
  /** its stories as they are written, by their ids, in its order */
  readonly written: ReadonlyMap<string, string>;
  /** The same document with the stories of another one that it lacks, each behind the one that it comes after there. */
  withStoriesOf(other: Pick<PrdDocument, "written">): string;
}

const BOM = "\uFEFF";
const MINUTE_MS = 60_000;

/**
 * Reads a `prd.json` of anybody, and says all that is wrong with it at once: at most 100 issues, and how many more.
 *
 * @param at the PRD's name, and its folder seen from the workspace
 * @returns the document unless there is an error
 */
export function readDocument(
  text: string,
  at: { readonly name: string; readonly folder: string },
): { readonly document: PrdDocument | undefined; readonly issues: readonly PrdIssue[] } {
  const mark = text.startsWith(BOM) ? BOM : "";
  const json = text.slice(mark.length);
  const read = parseJsonText(json);
  if ("reason" in read) {
    const line = lineAt(json, read.offset);
    const column = read.offset - json.lastIndexOf("\n", read.offset - 1);
    const reason = `it is no JSON: line ${line}, column ${column}: ${read.reason}`;
    const cure = "Correct it there; an editor that knows JSON marks the place.";
    return { document: undefined, issues: [{ severity: "error", file: "prd.json", line, path: "", reason, cure }] };
  }
  const { prd, stories, findings } = understood(read);
  const issues = issuesOf(json, read.root, findings);
  if (prd === undefined || findings.some(({ severity }) => severity === "error"))
    return { document: undefined, issues };
  const nodes = read.root.members?.get("userStories")?.node.items ?? [];
  const ids = stories.map(({ id }) => id);
  const document: PrdDocument = {
    prd: toPrd(at, prd, stories),
    text,
    render: (marks) => mark + withMarks(json, nodes, ids, marks),
    written: new Map(nodes.map(({ start, end }, index) => [ids[index] ?? "", json.slice(start, end)])),
    withStoriesOf: ({ written }) => mark + withStories(json, nodes, ids, written),
  };
  return { document, issues };
}

interface Understood {
  readonly prd: PrdShape | undefined;
  /** those without an error in their shape */
  readonly stories: readonly StoryShape[];
  readonly findings: readonly Finding[];
}

function understood({ value, repeated }: JsonText): Understood {
  const findings: Finding[] = repeated.map(({ name, offset }) => ({
    severity: "error",
    at: [],
    offset,
    reason: `${JSON.stringify(name.slice(0, 60))} stands twice in one object`,
    cure: "Keep one of them: readers differ in which one counts.",
  }));
  const parsed = prdShape.safeParse(value);
  if (!parsed.success) findings.push(...wrongShapes(prdShape, value, [], parsed.error));
  if (!isObject(value)) return { prd: undefined, stories: [], findings };
  const list = value["userStories"];
  const refusal = refusalOfList(list);
  if (refusal !== undefined || !Array.isArray(list)) {
    findings.push({ severity: "error", at: ["userStories"], ...(refusal ?? NO_LIST) });
    return { prd: undefined, stories: [], findings };
  }
  const stories: StoryShape[] = [];
  for (const [index, one] of list.entries()) {
    const story = storyShape.safeParse(one);
    if (story.success) stories.push(story.data);
    else findings.push(...wrongShapes(storyShape, one, ["userStories", index], story.error));
  }
  findings.push(...ruleFindings(value, list));
  return { prd: parsed.data, stories, findings };
}

const NO_LIST = {
  reason: '"userStories" is missing',
  cure: 'Add "userStories": [ … ], a list with an object for each story.',
};

function refusalOfList(list: unknown): { readonly reason: string; readonly cure: string } | undefined {
  if (list === undefined) return NO_LIST;
  if (!Array.isArray(list)) {
    return { reason: `"userStories" is ${shown(list)}, and has to be a list: [ … ]`, cure: NO_LIST.cure };
  }
  if (list.length <= LIMITS.stories) return undefined;
  return {
    reason: `there are ${list.length} stories, and at most ${LIMITS.stories} are read`,
    cure: "Part it into several PRDs, each with a folder of its own.",
  };
}

function toPrd(
  at: { readonly name: string; readonly folder: string },
  prd: PrdShape,
  stories: readonly StoryShape[],
): Prd {
  const { project, description, branchName = null, provider = null } = prd;
  return {
    name: at.name,
    folder: at.folder,
    project,
    description,
    branchName,
    provider,
    stories: stories.map(toStory),
  };
}

function toStory(story: StoryShape): Story {
  const { id, title, description, acceptanceCriteria, priority, passes, checks = [] } = story;
  const { dependsOn = null, paths = null, provider = null, attempts = 1, pauseAfter = false } = story;
  return {
    ...{ id, title, description, criteria: acceptanceCriteria, priority, passes },
    ...{ dependsOn, paths, provider, attempts, pauseAfter },
    checks: checks.map(({ criterion, run, timeout }) => ({
      criterion: criterionOf(criterion, acceptanceCriteria) ?? 0,
      run,
      timeoutMs: timeout === undefined ? null : Math.ceil(timeout * MINUTE_MS),
    })),
  };
}

/** How the text of a `prd.json` marks each story, by id; what is no story is left out. */
export function marksIn(text: string): ReadonlyMap<string, StoryMark> {
  const value = parsedJson(text.startsWith(BOM) ? text.slice(BOM.length) : text);
  const stories: unknown = isObject(value) ? value["userStories"] : undefined;
  const marks = new Map<string, StoryMark>();
  for (const story of Array.isArray(stories) ? stories : [])
    if (isObject(story) && typeof story["id"] === "string")
      marks.set(story["id"], { passes: story["passes"] === true, inProgress: story["inProgress"] === true });
  return marks;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
