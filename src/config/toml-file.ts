import { parse, TomlError } from "smol-toml";
import type { Problem } from "../core/errors.ts";

/** One `key = value` of the file's top level. */
export interface TomlEntry {
  readonly key: string;
  readonly value: unknown;
  /** 1-based */
  readonly line: number;
}

export type TomlFile =
  | { readonly ok: true; readonly entries: readonly TomlEntry[] }
  | { readonly ok: false; readonly problem: Problem };

/** Reads the text of a TOML file; `path` is only for messages. A syntax error carries line and column. */
export function readToml(path: string, text: string): TomlFile {
  const source = text.replace(/^\uFEFF/u, "");
  try {
    const lines = source.split(/\r?\n/u);
    const table = Object.entries(parse(source, { unsafeKeyBehaviour: "throw" }));
    return { ok: true, entries: table.map(([key, value]) => ({ key, value, line: lineOf(key, lines) })) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { ok: false, problem: syntaxProblem(path, error) };
  }
}

function syntaxProblem(path: string, error: TomlError): Problem {
  const [reason = ""] = error.message.split("\n", 1);
  return {
    code: "CONFIG_FILE_SYNTAX",
    what: `${path} line ${error.line}, column ${error.column}: ${reason.replace(/^Invalid TOML document: /u, "")}.`,
    next: "Correct the file: one `name = value` a line, texts in quotes, lists in brackets.",
  };
}

/** The parser does not tell where a key stood: it is the first line that looks like it and is not inside a text. */
function lineOf(key: string, lines: readonly string[]): number {
  const name = key.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const opening = new RegExp(String.raw`^\s*(?:\[+\s*)?(["']?)${name}\1\s*[=.\]]`, "u");
  const index = lines.findIndex((line, at) => opening.test(line) && isToml(lines.slice(0, at).join("\n")));
  return index + 1;
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
