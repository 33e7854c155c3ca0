import type { LintDocument } from "./document.ts";

/** A block of YAML that cannot be checked. */
export interface UncheckedBlock {
  readonly file: string;
  readonly line: number;
  readonly mark: string;
}

export interface MarkdownBlocks {
  readonly documents: readonly LintDocument[];
  readonly unchecked: readonly UncheckedBlock[];
}

const BLOCK = /^(?<indent> *)```ya?ml(?<mark>[^\n]*)\n(?<text>.*?)^ *```$/gmsu;

/** Wraps a list of steps, so that it can be checked as a workflow. */
const AROUND_STEPS = [
  "on: workflow_dispatch",
  "permissions: {}",
  "jobs:",
  "  job:",
  "    runs-on: ubuntu-latest",
  "    steps:",
];
const STEP_INDENT = 6;

/**
 * The workflows that a Markdown text shows: every YAML block is a whole one, or a list of steps where its fence says
 * `yaml steps`.
 */
export function markdownBlocks(file: string, markdown: string): MarkdownBlocks {
  const documents: LintDocument[] = [];
  const unchecked: UncheckedBlock[] = [];
  for (const match of markdown.matchAll(BLOCK)) {
    const { indent = "", mark = "", text = "" } = match.groups ?? {};
    const line = markdown.slice(0, match.index).split("\n").length + 1;
    const lines = text.split("\n").map((one) => one.slice(indent.length));
    if (mark.trim() === "") {
      documents.push({ kind: "workflow", file, line, indent: indent.length, text: lines.join("\n") });
    } else if (mark.trim() === "steps") {
      documents.push(asWorkflow(file, line, indent.length, lines));
    } else {
      unchecked.push({ file, line: line - 1, mark: mark.trim() });
    }
  }
  return { documents, unchecked };
}

function asWorkflow(file: string, line: number, indent: number, lines: readonly string[]): LintDocument {
  const steps = lines.map((one) => (one === "" ? "" : `${" ".repeat(STEP_INDENT)}${one}`));
  return {
    kind: "workflow",
    file,
    line: line - AROUND_STEPS.length,
    indent: indent - STEP_INDENT,
    text: [...AROUND_STEPS, ...steps].join("\n"),
  };
}
