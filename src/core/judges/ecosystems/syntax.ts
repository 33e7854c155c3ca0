import type { Syntax } from "../tests/tokens.ts";

type StringForm = Syntax["strings"][number];

/** A string between two equal marks. */
export function quoted(mark: string, form: Pick<StringForm, "escapes" | "oneLine">): StringForm {
  return { open: mark, close: mark, ...form };
}

export const ONE_LINE = { escapes: true, oneLine: true } as const;
export const LINES = { escapes: true, oneLine: false } as const;
export const RAW = { escapes: false, oneLine: false } as const;

/** Comments as in C: to the end of a line, and between marks. */
export const SLASHES: Syntax = {
  comment: /\/\/.*/uy,
  blocks: [["/*", "*/"]],
  strings: [quoted('"""', RAW), quoted('"', ONE_LINE)],
  patterns: false,
  bang: false,
};

/** Comments as in a shell. `#[` begins an attribute, where a language has some. */
export const HASHES: Syntax = {
  comment: /#(?!\[).*/uy,
  blocks: [],
  strings: [quoted('"', ONE_LINE), quoted("'", ONE_LINE)],
  patterns: false,
  bang: false,
};
