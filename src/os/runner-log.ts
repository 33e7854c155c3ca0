import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import { output } from "./output.ts";
import { SecretValues } from "./secrets.ts";
import { keyLines } from "./token-formats.ts";

/** Bounds of what others say in our log. */
export interface RunnerLogLimits {
  /** a longer line of foreign text is cut; UTF-16 units */
  readonly lineLength: number;
  /** foreign text beyond that is left out; UTF-16 units */
  readonly total: number;
}

/** Foreign text in pieces, which need not end at the end of a line or character. */
interface ForeignStream {
  write(chunk: string | Uint8Array): void;
  /** Writes the rest of a last line without an end. */
  end(): void;
}

/** What an annotation says besides its text. */
interface AnnotationPlace {
  /** one line */
  readonly title?: string;
  /** seen from the checkout; the annotation stands on it */
  readonly file?: string;
  /** from 1 */
  readonly line?: number;
}

type Annotate = (text: string, place?: AnnotationPlace) => void;

/**
 * The log of a job. What anybody but us has said goes through `foreign` or `foreignStream`, so that the runner never
 * takes it for a command (threats; `::` and `##[` are obeyed on both streams). What is masked, and what has the form of
 * a token, is hidden in every line, however it is written (T2). Nothing here waits or throws.
 */
export interface RunnerLog {
  /** Our own words; one line. */
  line(text: string): void;
  foreign(text: string): void;
  foreignStream(): ForeignStream;
  /** Begins a part that can be folded; ends the one before, because they cannot be nested. */
  group(title: string): void;
  endGroup(): void;
  /** An annotation, for the first ten; each is made once, and later ones are lines of the log. */
  readonly notice: Annotate;
  readonly warning: Annotate;
  readonly error: Annotate;
  /** Has the runner blank out a text wherever it is printed from now on. */
  mask(secret: string): void;
  /** What no line shows: what is masked by now, and tokens. */
  readonly secrets: SecretValues;
  /** Resolves when everything is with the runner, when that is gone, or at `deadline`; never rejects. */
  drained(deadline: number): Promise<void>;
}

type Level = "notice" | "warning" | "error";

const LIMITS: RunnerLogLimits = { lineLength: 4096, total: 16 << 20 };
/** The runner shows no more of a level for one step. */
const ANNOTATIONS = 10;
const PREFIX = "│ ";

/** Control characters but tab, and the invisible ones that break lines or turn the reading direction. */
const CONTROL = /(?!\t)\p{Cc}|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;
/** A comparison by the rules of a language passes over ignorable characters, so they must not hide the mark. */
const OLD_COMMAND = /#\p{Default_Ignorable_Code_Point}*#\p{Default_Ignorable_Code_Point}*\[/gu;
/** No command begins like this, whatever the runner trims. */
const HARMLESS_BEGINNING = /^[\p{L}\p{N}[("'`]/u;
const LINE_END = /\r\n|\r|\n/u;

/** The one place that writes to the job's log. */
export function createRunnerLog(stream: Writable, limits: RunnerLogLimits = LIMITS): RunnerLog {
  const out = output(stream, (lines) => `${PREFIX}(${lines} lines left out: the log was too slow)`);
  const say = (line: string): void => out.line(line, false);
  const [said, masked] = [new Set<string>(), new Set<string>()];
  const secrets = new SecretValues([]);
  const isOfKey = keyLines();
  const hidden = (text: string, end?: number): string => secrets.hiddenInWords(text, end);
  const shownOf = (text: string, end: number): string => (isOfKey(text) ? "***" : hidden(text, end));
  let shown = 0;
  let grouped = false;

  const line = (text: string): void => {
    const safe = hidden(harmless(joined(text))).trim();
    say(HARMLESS_BEGINNING.test(safe) ? safe : `${PREFIX}${safe}`);
  };
  const foreignLine = (text: string): void => {
    if (shown > limits.total) return;
    shown += text.length + 1;
    if (shown > limits.total) say(`${PREFIX}(more is not shown here: the log has had its share of output)`);
    else out.line(`${PREFIX}${hidden(harmless(text))}`, true);
  };
  const foreignStream = (): ForeignStream =>
    lineSplitter({ length: limits.lineLength, beyond: secrets.longest }, foreignLine, shownOf);
  const annotate = (level: Level): Annotate => {
    let count = 0;
    return (text, place = {}) => {
      const key = JSON.stringify([level, place, text]);
      if (said.has(key)) return;
      said.add(key);
      count += 1;
      if (count <= ANNOTATIONS) say(command(level, place, text, hidden));
      else line(`${level}: ${place.title === undefined ? "" : `${place.title}: `}${text}`);
    };
  };
  const endGroup = (): void => {
    if (grouped) say("::endgroup::");
    grouped = false;
  };
  return {
    line,
    foreign: (text) => writeWhole(foreignStream(), text),
    foreignStream,
    group(title) {
      endGroup();
      grouped = true;
      say(command("group", {}, joined(title), hidden));
    },
    endGroup,
    notice: annotate("notice"),
    warning: annotate("warning"),
    error: annotate("error"),
    mask(secret) {
      if (masked.has(secret)) return;
      masked.add(secret);
      secrets.add(secret);
      say(`::add-mask::${escapedData(secret)}`);
    },
    secrets,
    drained: (deadline) => out.drained(deadline),
  };
}

function writeWhole(stream: ForeignStream, text: string): void {
  stream.write(text);
  stream.end();
}

function joined(lines: string): string {
  return lines.split(LINE_END).join(" ");
}

/** One line that is not a command and does not move the cursor. */
function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROL, "").replace(OLD_COMMAND, "## [");
}

/** A secret has to arrive as it is, or it is not found in the log. */
function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** @param hidden is asked before and after what nobody sees is taken out: a secret may hold it, or come together then */
function command(
  name: Level | "group",
  { file, line, title }: AnnotationPlace,
  text: string,
  hidden: (text: string) => string,
): string {
  const safe = hidden(text).split(LINE_END).map(harmless).join("\n");
  const data = escapedData(hidden(safe));
  const property = (said: string): string =>
    hidden(harmless(joined(hidden(said))))
      .replaceAll("%", "%25")
      .replaceAll(":", "%3A")
      .replaceAll(",", "%2C");
  const properties = Object.entries({ file, line, title }).flatMap(([key, said]) =>
    said === undefined ? [] : [`${key}=${property(String(said))}`],
  );
  return `::${name}${properties.length === 0 ? "" : ` ${properties.join(",")}`}::${data}`;
}

/**
 * Cuts a stream into lines as the runner does; of a line that is too long only the beginning is ever held.
 *
 * @param limit what is shown of a line, and how much more is looked at for what goes on there
 */
function lineSplitter(
  limit: { readonly length: number; readonly beyond: number },
  whole: (line: string) => void,
  shownOf: (text: string, end: number) => string,
): ForeignStream {
  const decoder = new StringDecoder("utf8");
  let held = "";
  let length = 0;
  let begun = false;
  let afterReturn = false;
  const hold = (part: string): void => {
    held += part.slice(0, Math.max(limit.length + limit.beyond - held.length, 0));
    length += part.length;
    begun ||= part !== "";
  };
  const finish = (): void => {
    const more = length - limit.length;
    whole(`${shownOf(held, limit.length)}${more > 0 ? `… (${more} more characters)` : ""}`);
    held = "";
    length = 0;
    begun = false;
  };
  const take = (text: string): void => {
    // The line feed of a line end that two chunks share.
    const rest = afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") afterReturn = text.endsWith("\r");
    const parts = rest.split(LINE_END);
    for (const [index, part] of parts.entries()) {
      hold(part);
      if (index < parts.length - 1) finish();
    }
  };
  return {
    write: (chunk) => take(typeof chunk === "string" ? chunk : decoder.write(chunk)),
    end() {
      take(decoder.end());
      if (begun) finish();
    },
  };
}
