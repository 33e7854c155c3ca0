/**
 * Reads a log the way the runner does (`ActionCommand.cs`, `ActionCommandManager.cs`): both streams alike, any of
 * `\n`, `\r\n` and a lone `\r` ends a line, and a command is whatever begins with `::` after white space or has `##[`
 * anywhere.
 */

export interface RunnerCommand {
  /** in lower case: the runner compares without regard to it */
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
  /** the line that it came from */
  readonly line: string;
}

const NAMES = [
  "add-mask",
  "add-matcher",
  "add-path",
  "debug",
  "echo",
  "endgroup",
  "error",
  "group",
  "notice",
  "remove-matcher",
  "save-state",
  "set-env",
  "set-output",
  "stop-commands",
  "warning",
] as const;

/** White space as .NET trims it. */
const LEADING_SPACE = /^[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/u;

/** What a comparison by the rules of a language passes over, so that the marks are found in spite of it. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** The lines of one stream. */
export function runnerLines(log: string): string[] {
  const lines = log.split(/\r\n|\r|\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Every command that the runner finds in a log, in order; `stop-commands` is obeyed. */
export function runnerCommands(log: string): RunnerCommand[] {
  const registered = new Set<string>(NAMES);
  const found: RunnerCommand[] = [];
  let resumesWith: string | undefined;
  for (const line of runnerLines(log)) {
    const command = parseNew(line, registered) ?? parseOld(line, registered);
    if (command === undefined) continue;
    if (resumesWith !== undefined) {
      if (command.name !== resumesWith) continue;
      registered.delete(resumesWith);
      resumesWith = undefined;
      continue;
    }
    found.push(command);
    if (command.name !== "stop-commands") continue;
    const token = command.data.toLowerCase();
    if (token === "" || registered.has(token)) continue;
    registered.add(token);
    resumesWith = token;
  }
  return found;
}

/** `::name a=b,c=d::data` */
function parseNew(whole: string, registered: ReadonlySet<string>): RunnerCommand | undefined {
  const line = whole.replace(IGNORABLE, "").replace(LEADING_SPACE, "");
  if (!line.startsWith("::")) return undefined;
  const end = line.indexOf("::", 2);
  if (end < 0) return undefined;
  const { name, properties } = parseHead(line.slice(2, end), ",", PROPERTY);
  if (!registered.has(name)) return undefined;
  return { name, properties, data: unescape(line.slice(end + 2), DATA), line: whole };
}

/** `##[name a=b;c=d]data` */
function parseOld(whole: string, registered: ReadonlySet<string>): RunnerCommand | undefined {
  const line = whole.replace(IGNORABLE, "");
  const start = line.indexOf("##[");
  if (start < 0) return undefined;
  const end = line.indexOf("]", start);
  if (end < 0) return undefined;
  const { name, properties } = parseHead(line.slice(start + 3, end), ";", OLD);
  if (!registered.has(name)) return undefined;
  return { name, properties, data: unescape(line.slice(end + 1), OLD), line: whole };
}

type Escapes = readonly (readonly [escaped: string, character: string])[];

const DATA: Escapes = [
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%25", "%"],
];
const PROPERTY: Escapes = [
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%3A", ":"],
  ["%2C", ","],
  ["%25", "%"],
];
const OLD: Escapes = [
  ["%3B", ";"],
  ["%0D", "\r"],
  ["%0A", "\n"],
  ["%5D", "]"],
  ["%25", "%"],
];

function parseHead(head: string, separator: string, escapes: Escapes): Pick<RunnerCommand, "name" | "properties"> {
  const space = head.indexOf(" ");
  const name = space < 0 ? head : head.slice(0, space);
  const properties: Record<string, string> = {};
  for (const pair of space > 0
    ? head
        .slice(space + 1)
        .trim()
        .split(separator)
    : []) {
    const equals = pair.indexOf("=");
    if (equals >= 0) properties[pair.slice(0, equals)] = unescape(pair.slice(equals + 1), escapes);
  }
  return { name: name.toLowerCase(), properties };
}

function unescape(text: string, escapes: Escapes): string {
  return escapes.reduce((result, [escaped, character]) => result.replaceAll(escaped, character), text);
}
