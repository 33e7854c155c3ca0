import { styleText } from "node:util";
import type { Line, Tone } from "../views/line.ts";

const STYLES = {
  plain: [],
  good: ["green"],
  bad: ["red", "bold"],
  warn: ["yellow"],
  dim: ["dim"],
  strong: ["bold"],
} as const satisfies Record<Tone, readonly Parameters<typeof styleText>[0][]>;

/** A line as a terminal shows it. Without colour it is the line's text, unchanged. */
export function paint(line: Line, color: boolean): string {
  const styles = STYLES[line.tone];
  if (!color || styles.length === 0) return line.text;
  return styleText([...styles], line.text, { validateStream: false });
}

/** Whether a stream wants colours: a terminal, unless `NO_COLOR` is set to anything or the terminal is dumb. */
export function wantsColor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
