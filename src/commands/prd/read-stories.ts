import { isStoryId } from "../../core/story/story.ts";
import { seenOnOneLine } from "../../core/text.ts";
import type { StoryDraft } from "./story-drafts.ts";

/** What a Markdown text says of stories. */
export interface FoundStories {
  /** its title; null: it has none */
  readonly project: string | null;
  /** what stands below the title */
  readonly description: string;
  readonly stories: readonly StoryDraft[];
}

/** A story that is being read. */
interface Open {
  readonly id: string | null;
  readonly title: string;
  /** of its heading, 1 to 6; of a list item 7 and more, by how far it is indented */
  readonly level: number;
  readonly about: string[];
  readonly criteria: string[];
  dependsOn: string[] | null;
  inCriteria: boolean;
}

interface Reading {
  project: string | null;
  readonly intro: string[];
  /** whether the text below the title is still being read */
  inIntro: boolean;
  /** level of the heading below which the stories are; null: not there */
  section: number | null;
  open: Open | null;
  readonly stories: Open[];
}

const LONGEST_TITLE = 200;
const LONGEST_TEXT = 4_000;
const ITEM_LEVEL = 7;

/**
 * Finds stories where the structure of a Markdown text says so: headings and list items such as `US-001: …` or
 * `User story 2: …`, what is below a heading such as `User stories`, and the lists below `Acceptance criteria`. Everything
 * else is left out. A reader of lines: it takes any text, and as long as the text is.
 */
export function readStories(markdown: string): FoundStories {
  const reading: Reading = { project: null, intro: [], inIntro: false, section: null, open: null, stories: [] };
  let fence: string | null = null;
  for (const raw of markdown.split(/\r\n|[\r\n]/u)) {
    const mark = /^ {0,3}(?<mark>```|~~~)/u.exec(raw)?.groups?.["mark"];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null) fence = mark === fence ? null : fence;
    else readLine(raw, reading);
  }
  const taken = new Set<string>();
  const stories = reading.stories.map((story): StoryDraft => {
    const id = story.id === null || taken.has(story.id) ? null : story.id;
    if (id !== null) taken.add(id);
    const criteria = story.criteria.map((text) => ({ text, run: null }));
    return { id, title: story.title, description: joined(story.about), criteria, dependsOn: story.dependsOn };
  });
  return { project: reading.project, description: joined(reading.intro), stories };
}

function readLine(raw: string, reading: Reading): void {
  const text = raw.trim();
  if (text === "") return;
  const heading = /^ {0,3}(?<marks>#{1,6})[ \t]/u.exec(raw)?.groups?.["marks"];
  if (heading !== undefined)
    return readHeading(heading.length, plain(text.replace(/^#+/u, "").replace(/[ \t]#+$/u, "")), reading);
  const item = /^(?<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?<rest>\S.*)$/u.exec(raw)?.groups;
  if (item === undefined) return readText(text, reading);
  const rest = (item["rest"] ?? "").replace(/^\[[ xX]\][ \t]+/u, "");
  readItem(widthOf(item["indent"] ?? ""), plain(rest), reading);
}

function readHeading(level: number, text: string, reading: Reading): void {
  const { open, section } = reading;
  reading.inIntro = false;
  const named = namedStory(text);
  if (named !== null) return begin(reading, { ...named, level });
  if (open !== null && isCriteria(text)) {
    open.inCriteria = true;
    return;
  }
  if (open !== null && level > open.level && open.level < ITEM_LEVEL) {
    open.inCriteria = false;
    open.about.push(text);
    return;
  }
  if (section !== null && level > section) return begin(reading, { id: null, title: text, level });
  reading.open = null;
  reading.section = /^(?:user )?stories$/iu.test(text) ? level : null;
  if (level === 1 && reading.project === null) {
    reading.project = text;
    reading.inIntro = true;
  }
}

function readItem(indent: number, text: string, reading: Reading): void {
  const { open, section } = reading;
  const level = ITEM_LEVEL + indent;
  const isBelow = open !== null && (open.level < ITEM_LEVEL || level > open.level);
  const named = namedStory(text);
  if (!isBelow && named !== null) return begin(reading, { ...named, level });
  if (!isBelow && section !== null) return begin(reading, { id: null, title: text, level });
  if (!isBelow) return readText(text, reading);
  if (isCriteria(text)) open.inCriteria = true;
  else if (isAside(text, open)) return;
  else if (open.inCriteria || open.level >= ITEM_LEVEL) open.criteria.push(clipped(text));
  else open.about.push(text);
}

function readText(raw: string, reading: Reading): void {
  const { open } = reading;
  const text = plain(raw);
  if (open === null) {
    if (reading.inIntro) reading.intro.push(text);
  } else if (isCriteria(text)) open.inCriteria = true;
  else if (!isAside(text, open)) {
    open.inCriteria = false;
    open.about.push(text);
  }
}

function begin(reading: Reading, { id, title, level }: Pick<Open, "id" | "title" | "level">): void {
  const whole = seenOnOneLine(title, LONGEST_TEXT);
  const short = seenOnOneLine(title, LONGEST_TITLE);
  const about = short === whole ? [] : [whole];
  reading.open = { id, title: short, level, about, criteria: [], dependsOn: null, inCriteria: false };
  reading.stories.push(reading.open);
}

/** `US-001: Log in`, `User story 2 – Log in`; null: it is not called a story. */
function namedStory(text: string): Pick<Open, "id" | "title"> | null {
  const found = /^(?:(?<id>US-\d{1,6})|(?:user )?story \d{1,6})(?:[ \t]*[:.–—-][ \t]*|[ \t]+)(?<title>\S.*)$/iu.exec(
    text,
  )?.groups;
  if (found === undefined) return null;
  const digits = found["id"]?.slice("US-".length);
  const id = digits === undefined ? null : `US-${digits.padStart(3, "0")}`;
  return { id: id !== null && isStoryId(id) ? id : null, title: found["title"] ?? "" };
}

function isCriteria(text: string): boolean {
  return /^acceptance(?: criteria)?:?$/iu.test(text);
}

/** Whether a line says something of the story that is no part of its text. */
function isAside(text: string, open: Open): boolean {
  const said = /^(?<key>depends on|priority|passes)[ \t]*:(?<value>.*)$/iu.exec(text)?.groups;
  if (said === undefined) return false;
  const value = said["value"] ?? "";
  if (/^depends/iu.test(said["key"] ?? "")) open.dependsOn = [...new Set(value.toUpperCase().match(/US-\d{3,6}/gu))];
  return true;
}

/** Without the signs of emphasis around words. */
function plain(text: string): string {
  return text.replaceAll(/\*\*|__|`/gu, "").trim();
}

function clipped(text: string): string {
  return seenOnOneLine(text, LONGEST_TEXT);
}

function joined(lines: readonly string[]): string {
  return clipped(lines.join(" "));
}

function widthOf(indent: string): number {
  return indent.replaceAll("\t", "    ").length;
}
