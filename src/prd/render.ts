import { type JsonMember, type JsonNode, opened } from "./json-text.ts";

/** What the loop says of a story. */
export interface StoryMark {
  readonly passes: boolean;
  readonly inProgress: boolean;
}

const PENDING: StoryMark = { passes: false, inProgress: false };

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with these marks in place of those that it has. All else stays byte for byte, and so does `"inProgress": false`.
 *
 * @param stories those of the text, in its order
 * @param ids theirs
 */
export function withMarks(
  text: string,
  stories: readonly JsonNode[],
  ids: readonly string[],
  marks: ReadonlyMap<string, StoryMark>,
): string {
  const edits = stories.flatMap((story, index) =>
    editsOf(text, opened(text, story), marks.get(ids[index] ?? "") ?? PENDING),
  );
  return edited(text, edits);
}

/**
 * The text with those stories of another one that it lacks, as they are written there, each behind the one that it comes
 * after there.
 *
 * @param stories those of the text, in its order; without one nothing is added
 * @param ids theirs
 * @param others by their ids, in their order
 */
export function withStories(
  text: string,
  stories: readonly JsonNode[],
  ids: readonly string[],
  others: ReadonlyMap<string, string>,
): string {
  const [first] = stories;
  if (first === undefined) return text;
  const between = /\s*$/u.exec(text.slice(0, first.start))?.[0] ?? "";
  const places = new Map(stories.map((node, index) => [ids[index] ?? "", node]));
  const edits: Edit[] = [];
  let before: JsonNode | undefined;
  for (const [id, story] of others) {
    const here = places.get(id);
    const at = before?.end ?? first.start;
    if (here === undefined) {
      edits.push({ start: at, end: at, text: before === undefined ? `${story},${between}` : `,${between}${story}` });
    }
    before = here ?? before;
  }
  return edited(text, edits);
}

function edited(text: string, edits: readonly Edit[]): string {
  let rendered = "";
  let at = 0;
  for (const { start, end, text: written } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    rendered += text.slice(at, start) + written;
    at = end;
  }
  return rendered + text.slice(at);
}

function editsOf(text: string, { members }: JsonNode, mark: StoryMark): readonly Edit[] {
  const passes = members?.get("passes");
  if (members === undefined || passes === undefined) return [];
  const edits: Edit[] = [];
  const set = ({ node }: JsonMember, value: boolean): void => {
    if (text.slice(node.start, node.end) !== String(value)) edits.push({ ...node, text: String(value) });
  };
  set(passes, mark.passes);
  const inProgress = members.get("inProgress");
  if (mark.inProgress && inProgress === undefined) edits.push(added(text, passes));
  else if (mark.inProgress && inProgress !== undefined) set(inProgress, true);
  else if (inProgress !== undefined && text.slice(inProgress.node.start, inProgress.node.end) === "true")
    edits.push(removed([...members.values()], inProgress));
  return edits;
}

/** A member behind that one, written as it is. */
function added(text: string, { start, node }: JsonMember): Edit {
  const indent = /[ \t\r\n]*$/u.exec(text.slice(Math.max(0, start - 256), start))?.[0] ?? "";
  const between = text.slice(start + '"passes"'.length, node.start);
  return { start: node.end, end: node.end, text: `,${indent}"inProgress"${between}true` };
}

/** @param all in the order of the text; there is more than one */
function removed(all: readonly JsonMember[], member: JsonMember): Edit {
  const index = all.indexOf(member);
  const before = all[index - 1];
  if (before !== undefined) return { start: before.node.end, end: member.node.end, text: "" };
  return { start: member.start, end: all[index + 1]?.start ?? member.node.end, text: "" };
}
