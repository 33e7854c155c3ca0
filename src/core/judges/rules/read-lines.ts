import { bracedSettings } from "./read-braces.ts";
import { bounded, DEEPEST, MOST_SETTINGS, segments, type Setting, unquoted } from "./setting.ts";

/** Settings of YAML: maps, lists, texts of several lines (a setting for each). Anchors and tags are not followed. Linear. */
export function indentedSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  const open: { readonly indent: number; readonly names: readonly string[] }[] = [];
  /** under which a text of several lines stands */
  let block: { readonly indent: number; readonly path: readonly string[] } | null = null;
  const lines = text.split("\n");
  const flows = new Flows(lines);
  let read = 0;
  for (const [at, whole] of lines.entries()) {
    if (settings.length >= MOST_SETTINGS) break;
    if (at < read) continue;
    const line = at + 1;
    const indent = whole.length - whole.trimStart().length;
    const content = whole.trim();
    if (content === "" || (block === null && content.startsWith("#"))) continue;
    if (block !== null && indent > block.indent) {
      settings.push({ path: block.path, value: bounded(content), line });
      continue;
    }
    block = null;
    const { dashes, rest } = listItem(content);
    for (let top = open.at(-1); top !== undefined && top.indent >= indent + dashes; top = open.at(-1)) open.pop();
    const base = open.flatMap(({ names }) => names).slice(-DEEPEST);
    const { key, value: words } = keyed(rest);
    const value = words.startsWith("#") ? "" : words;
    const path = key === null ? base : [...base, key];
    if (/^[|>][-+\d]{0,3}(?:\s+#.*)?$/u.test(value)) block = { indent, path };
    else if (/^[[{]/u.test(value)) {
      read = flows.endOf(at, value);
      const flow = [value, ...lines.slice(at + 1, read)].join("\n");
      settings.push(...under(path, bracedSettings(flow, line)));
    } else if (value !== "") settings.push({ path, value: unquoted(value), line });
    if (key !== null && value === "" && open.length < DEEPEST) open.push({ indent: indent + dashes, names: [key] });
  }
  return settings;
}

/** How deep an item of lists begins, and what it says. */
function listItem(content: string): { readonly dashes: number; readonly rest: string } {
  const dashes = content.length - content.replace(/^(?:- +){1,5}/u, "").length;
  return { dashes, rest: content.slice(dashes) };
}

function keyed(text: string): { readonly key: string | null; readonly value: string } {
  const quoted = /^(["'])([^"']{0,400})\1\s*:(?:\s+|$)/u.exec(text);
  const plain = quoted ?? /^()([^\s"'#[\]{},&*!|>%@`][^:#]{0,400}?)\s{0,5}:(?:\s+|$)/u.exec(text.slice(0, 500));
  if (plain === null) return { key: null, value: text };
  const [all, , key = ""] = plain;
  return { key, value: text.slice(all.length) };
}

const FLOW_LINES = 50;
const CLOSES = /[\]}]/u;

/** Behind which line a list or map in brackets ends; one that does not end soon is read as far as its first line. */
class Flows {
  readonly #lines: readonly string[];
  /** the next line that closes something; what is before it has been looked at */
  #next = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  endOf(at: number, value: string): number {
    if (CLOSES.test(value)) return at + 1;
    this.#next = Math.max(this.#next, at + 1);
    while (this.#next < this.#lines.length && !CLOSES.test(this.#lines.slice(this.#next, this.#next + 1).join("")))
      this.#next += 1;
    return this.#next - at > FLOW_LINES || this.#next === this.#lines.length ? at + 1 : this.#next + 1;
  }
}

/**
 * Settings of INI, TOML and properties: sections, keys, lists in brackets or on indented lines. Linear.
 */
export function sectionSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let section: readonly string[] = [];
  let path: readonly string[] = [];
  let list: { readonly path: readonly string[]; readonly first: number; readonly lines: string[] } | null = null;
  for (const [at, whole] of text.split("\n").entries()) {
    if (settings.length >= MOST_SETTINGS) break;
    const line = at + 1;
    const content = whole.trim();
    if (list !== null) {
      list.lines.push(whole);
      if (!/^[\]}]|[\]}],?$/u.test(content)) continue;
      settings.push(...under(list.path, bracedSettings(list.lines.join("\n"), list.first)));
      list = null;
      continue;
    }
    if (content === "" || /^[#;]/u.test(content)) continue;
    const header = /^\[+([^\]]{1,200})\]+/u.exec(content);
    if (header !== null && whole.startsWith("[")) {
      const [, name = ""] = header;
      section = segments(name.replaceAll(/["']/gu, "").replaceAll(":", "."));
      continue;
    }
    const pair = /^(["']?)([^\s=:"'][^=:"']{0,200}?)\1\s{0,9}[=:]\s{0,9}(.*)$/u.exec(content.slice(0, 2_000));
    if (pair === null || (/^\s/u.test(whole) && path.length > 0 && !/^\s*["']?[\w.-]+["']?\s?=(?!=)/u.test(whole))) {
      // Goes on from the line before, as lists of INI do.
      settings.push({ path: path.length === 0 ? section : path, value: unquoted(content), line });
      continue;
    }
    const [, , key = "", value = ""] = pair;
    path = [...section, ...segments(key)];
    if (/^[[{]/u.test(value) && !/[\]}]\s*(?:#.*)?$/u.test(value)) list = { path, first: line, lines: [value] };
    else if (/^[[{]/u.test(value)) settings.push(...under(path, bracedSettings(value, line)));
    else if (value !== "") settings.push({ path, value: unquoted(value), line });
  }
  return settings;
}

function under(path: readonly string[], settings: readonly Setting[]): readonly Setting[] {
  return settings.map((setting) => ({ ...setting, path: [...path, ...setting.path].slice(0, DEEPEST * 2) }));
}

/** Settings of XML: an element's text under its names, an attribute under `@name` besides. Linear. */
export function elementSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  const open: string[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length && settings.length < MOST_SETTINGS) {
    const begin = text.indexOf("<", at);
    const words = text.slice(at, begin === -1 ? text.length : begin);
    const value = words.trim();
    if (value !== "" && open.length > 0)
      settings.push({ path: open.slice(-DEEPEST), value: bounded(value), line: line + newlines(words.trimEnd()) });
    line += newlines(words);
    if (begin === -1) break;
    const isComment = text.startsWith("<!--", begin);
    const sign = isComment ? "-->" : ">";
    const end = text.indexOf(sign, begin);
    const tag = text.slice(begin, end === -1 ? text.length : end);
    if (!isComment) settings.push(...tagged(open, tag, line));
    line += newlines(tag);
    at = end === -1 ? text.length : end + sign.length;
  }
  return settings;
}

/** Takes a tag into account, and gives the settings of its attributes. */
function tagged(open: string[], tag: string, line: number): readonly Setting[] {
  const name = /^<([\w:.-]{1,100})/u.exec(tag)?.[1];
  if (name === undefined) {
    if (tag.startsWith("</")) open.pop();
    return [];
  }
  const path = [...open, name].slice(-DEEPEST);
  const settings = [...tag.slice(0, 4_000).matchAll(/([\w:.-]{1,100})="([^"]{0,400})"/gu)].map(
    ([, attribute, value = ""]) => ({ path: [...path, `@${attribute}`], value, line }),
  );
  if (!tag.endsWith("/") && open.length < MOST_SETTINGS) open.push(name);
  return settings;
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

/** The lines of a file that is a list: an ignore file, options. */
export function listedSettings(text: string): readonly Setting[] {
  return text
    .split("\n", MOST_SETTINGS)
    .map((value, at) => ({ path: [], value: bounded(value.trim()), line: at + 1 }))
    .filter(({ value }) => value !== "" && !value.startsWith("#"));
}
