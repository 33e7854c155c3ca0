import type { StarterFile } from "./starter-file.ts";
import { line } from "../views/line.ts";
import { plainText } from "../views/plain-text.ts";
import { note, printJson, printLines, type Shell } from "../app/shell.ts";
import type { Made, StarterFolder } from "./starter-folder.ts";
import type { Invocation } from "../app/command.ts";

/** A folder that a loop can begin in. */
interface Started {
  readonly folder: StarterFolder;
  readonly files: readonly StarterFile[];
  readonly made: Made;
  /** what the person has to do with the files, as part of a sentence */
  readonly fill: string;
  readonly notices: readonly string[];
  /** what else the JSON result tells */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Tells what was made and what to do next. */
export function tellStarted(
  { folder, files, made, fill, notices, facts }: Started,
  invocation: Invocation,
  shell: Shell,
): void {
  for (const notice of notices) note(shell, plainText(notice));
  const next = [
    ...(folder.name === "." ? [] : [`cd ${folder.name}`]),
    fill,
    `${shell.program} run --full-auto --dry-run   shows the first prompt`,
    `${shell.program} run --full-auto             begins`,
  ];
  if (invocation.json) {
    printJson(shell, {
      ...{ schema: 1, folder: folder.path, files: files.map((file) => file.path), repository_made: made.repository },
      ...{ ...facts, notices, next: next.map((step) => step.replace(/\s{2,}.*$/u, "")) },
    });
    return;
  }
  const width = Math.max(...files.map((file) => file.path.length));
  const rows = files.map((file) => `  ${plainText(file.path).padEnd(width)}  ${file.about}`);
  const repository = made.repository ? ["  a git repository, in which nothing is committed yet"] : [];
  const where = folder.name === "." ? "Here are now:" : `${folder.name} now holds:`;
  printLines(shell, [
    ...[where, ...rows, ...repository, "", "Next:", ...next.map((step) => `  ${step}`)].map((text) => line(text)),
  ]);
}
