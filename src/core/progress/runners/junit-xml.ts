import { NO_TESTS, type Runner, type RunnerReport, summed } from "./runner.ts";

/** The JUnit XML that most runners can write, where a check prints it. */
export const junitXml: Runner = {
  name: "JUnit XML",
  marks: ["<testsuite"],

  read({ text }) {
    const documents: RunnerReport[] = [];
    let document: Document | undefined;
    for (const tag of readTags(text)) {
      if (isSuite(tag) && tag.kind === "begin") document ??= new Document();
      document?.take(tag);
      if (document?.depth !== 0) continue;
      documents.push({ ...NO_TESTS, ...document.counts, failing: document.failing });
      document = undefined;
    }
    return summed(documents);
  },
};

function isSuite(tag: Tag): boolean {
  return tag.name === "testsuite" || tag.name === "testsuites";
}

/** From the outermost suite's begin to its end; without an end it is not a report. */
class Document {
  depth = 0;
  readonly counts = { passed: 0, failed: 0, skipped: 0 };
  readonly failing: string[] = [];
  #case: { readonly name: string; status: "passed" | "failed" | "skipped" } | undefined;

  take(tag: Tag): void {
    if (isSuite(tag)) this.depth += tag.kind === "end" ? -1 : Number(tag.kind === "begin");
    else if (tag.name === "testcase") this.#takeCase(tag);
    else if (this.#case !== undefined && tag.kind !== "end") {
      this.#case.status = this.#case.status === "failed" || tag.name !== "skipped" ? "failed" : "skipped";
    }
  }

  #takeCase(tag: Tag): void {
    if (tag.kind !== "end") this.#case = { name: nameOf(tag), status: "passed" };
    if (tag.kind === "begin" || this.#case === undefined) return;
    this.counts[this.#case.status] += 1;
    if (this.#case.status === "failed") this.failing.push(this.#case.name);
    this.#case = undefined;
  }
}

function nameOf({ attributes }: Tag): string {
  const parts = ["file", "classname", "name"].map((key) => attributes.get(key) ?? "");
  return [...new Set(parts)].filter((part) => part !== "").join(" > ");
}

interface Tag {
  readonly kind: "begin" | "end" | "empty";
  readonly name: string;
  /** entities replaced */
  readonly attributes: ReadonlyMap<string, string>;
}

const BEGIN = /<(?:!--|!\[CDATA\[|(\/?)(testsuites?|testcase|failure|error|skipped)(?=[\s/>]))/gu;
const HIDDEN_END: Readonly<Record<string, string>> = { "<!--": "-->", "<![CDATA[": "]]>" };
const ATTRIBUTE = /([\w:.-]{1,60})=(?:"([^"]*)"|'([^']*)')/gu;
const NUMBERED = /&#(x?)([\da-fA-F]{1,5});/gu;

/**
 * Finds the tags in a text that holds XML among other things: tolerant, in one pass and in linear time. Comments and
 * CDATA are passed over.
 */
function readTags(text: string): readonly Tag[] {
  const tags: Tag[] = [];
  let visible = 0;
  for (const { 0: begin, 1: slash, 2: name = "", index } of text.matchAll(BEGIN)) {
    if (index < visible) continue;
    const hiddenEnd = HIDDEN_END[begin];
    if (hiddenEnd !== undefined) {
      visible = text.indexOf(hiddenEnd, index);
      // Without an end there is nothing behind it.
      if (visible === -1) return tags;
    } else {
      const next = text.indexOf("<", index + 1);
      const tag = tagIn(text.slice(index, next === -1 ? text.length : next), name, slash === "/");
      if (tag !== undefined) tags.push(tag);
    }
  }
  return tags;
}

/** @param piece from one `<` to the next, which no tag reaches beyond */
function tagIn(piece: string, name: string, closing: boolean): Tag | undefined {
  const end = endOfTag(piece);
  if (end === -1) return undefined;
  if (closing) return { kind: "end", name, attributes: new Map() };
  return { kind: piece[end - 1] === "/" ? "empty" : "begin", name, attributes: attributesIn(piece.slice(0, end)) };
}

/** The first `>` outside quotes; -1 when not found. */
function endOfTag(piece: string): number {
  let quote = "";
  for (let at = 0; at < piece.length; at++) {
    const character = piece.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return at;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

function attributesIn(tag: string): ReadonlyMap<string, string> {
  const found = Array.from(tag.matchAll(ATTRIBUTE));
  return new Map(found.map(([, key = "", double, single = ""]) => [key, withoutEntities(double ?? single)]));
}

function withoutEntities(value: string): string {
  return value
    .replaceAll(NUMBERED, (_, x: string, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, x === "" ? 10 : 16)),
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
