/** How much a spec says that something matters. */
export type Priority = "high" | "medium" | "low";

const WORDS: Readonly<Record<string, Priority>> = {
  ...{ critical: "high", urgent: "high", highest: "high", high: "high", must: "high", p0: "high", p1: "high" },
  ...{ medium: "medium", normal: "medium", should: "medium", p2: "medium" },
  ...{ low: "low", lowest: "low", could: "low", optional: "low", "nice to have": "low", p3: "low", p4: "low" },
};

const WORD =
  "(?<word>critical|urgent|highest|high|medium|normal|lowest|low|must|should|could|optional|nice to have|p[0-4])";
const SUFFIX = "(?:[ -](?:priority|haves?))?";
const WHOLE = new RegExp(
  String.raw`^(?:priority)?[\s:#-]*${WORD}${SUFFIX}(?: (?:features|items|requirements|stories|tasks))?$`,
  "iu",
);
const MARKS: readonly RegExp[] = [
  // (P1), [High], (priority: low)
  new RegExp(String.raw`[[(]\s*(?:priority:?\s*)?${WORD}${SUFFIX}\s*[\])]`, "iu"),
  // **P1**: …, High: …, Must have — …
  new RegExp(String.raw`^[*_\x60]{0,3}${WORD}${SUFFIX}[*_\x60]{0,3}\s?[:—–][*_\x60]{0,3}`, "iu"),
  // … Priority: High
  new RegExp(String.raw`\bpriority[*_]{0,2}[:=][*_]{0,2}\s?[*_]{0,2}${WORD}\b`, "iu"),
];

/** The key words of RFC 2119 count in capitals only, and the strongest one decides. */
const KEY_WORDS: readonly (readonly [RegExp, Priority])[] = [
  [/\b(?:MUST|SHALL|REQUIRED)\b/u, "high"],
  [/\b(?:SHOULD|RECOMMENDED)\b/u, "medium"],
  [/\b(?:MAY|COULD|OPTIONAL)\b/u, "low"],
];

/** The priority that a line gives to itself; undefined when it says nothing of it. */
export function priorityOf(line: string): Priority | undefined {
  for (const mark of MARKS) {
    const word = mark.exec(line)?.groups?.["word"];
    if (word !== undefined) return WORDS[word.toLowerCase()];
  }
  return KEY_WORDS.find(([word]) => word.test(line))?.[1];
}

/** The priority that a heading, or a line that introduces a list, gives to what stands below it. */
export function priorityOfTitle(title: string): Priority | undefined {
  const word = WHOLE.exec(plain(title))?.groups?.["word"];
  return word === undefined ? priorityOf(title) : WORDS[word.toLowerCase()];
}

/** Whether a title says nothing but a priority. */
export function isPriorityTitle(title: string): boolean {
  return WHOLE.test(plain(title));
}

/** What comes later in a title tells nothing of its kind. */
const TITLE_LIMIT = 200;

/** A title without marks of Markdown, numbers in front and a colon behind. */
export function plain(title: string): string {
  return title
    .slice(0, TITLE_LIMIT)
    .replaceAll(/[*_\x60]/gu, "")
    .replace(/^\s*\d+(?:\.\d+)*[.):]?\s+/u, "")
    .replace(/[\s:]+$/u, "")
    .replaceAll(/[’]/gu, "'");
}
