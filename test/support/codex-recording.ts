import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDER = path.join(import.meta.dirname, "../fixtures/codex");

/** What the real Codex once printed; see test/fixtures/codex/README.md. */
export interface CodexRecording {
  readonly stdout: string;
  readonly stderr: string;
  readonly lines: readonly string[];
}

export function codexRecording(name: string): CodexRecording {
  const stdout = read(`${name}.jsonl`);
  return { stdout, stderr: read(`${name}.stderr.txt`), lines: stdout.split("\n").filter((line) => line !== "") };
}

/** The names of all recordings that begin with `prefix`. */
export function codexRecordings(prefix: string): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.startsWith(prefix) && file.endsWith(".jsonl"))
    .map((file) => path.basename(file, ".jsonl"));
}

/** The path of the file that holds one stream of a recording. */
export function codexRecordingFile(name: string, stream: "jsonl" | "stderr.txt"): string {
  return path.join(FOLDER, `${name}.${stream}`);
}

function read(file: string): string {
  const whole = path.join(FOLDER, file);
  return existsSync(whole) ? readFileSync(whole, "utf8") : "";
}
