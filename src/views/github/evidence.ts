import { BENT } from "../../core/judges/bend.ts";
import type { LoopState } from "../../core/state.ts";
import { checkLabel, type CheckResult, secondTry } from "../../core/verdict.ts";
import { duration } from "../amounts.ts";
import { cut, firstLine, lastLines, plainText } from "../plain-text.ts";
import { lastVerdict, proofOf } from "../proof.ts";
import type { RunView } from "../run-view.ts";
import type { PublicationFacts } from "./facts.ts";
import {
  alert,
  type Block,
  code,
  fence,
  folded,
  heading,
  type Hole,
  inline,
  listed,
  paragraph,
  quieted,
  table,
  verbatim,
} from "./markdown.ts";

/** The output of the last red check (W-39). */
export function outputBlocks({ state }: RunView): Block[] {
  const { failing } = proofOf(state);
  const shown = shownLines(failing?.tail ?? "");
  if (failing === null || shown === "") return [];
  return folded("Last output of the failing check", [paragraph`${code(checkLabel(failing))}`, fence("text", shown)]);
}

export function fileBlocks({ change }: RunView): Block[] {
  const shown = shownLines(change?.stat ?? "");
  return shown === "" ? [] : folded("Changed files", [fence("text", shown)]);
}

const LINES = 200;
const LINE_LENGTH = 400;
const LENGTH = 12_000;

/** The end of somebody else's text, for a fence: bounded in every direction, and as quiet as `verbatim`. */
function shownLines(text: string): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lastLines(text, LINES).toReversed()) {
    const shown = quieted(cut(line, LINE_LENGTH));
    length += shown.length + 1;
    if (length > LENGTH) break;
    kept.unshift(shown);
  }
  return kept.join("\n");
}

const MOST_PATHS = 40;

/**
 * The files by which the work could have made its own checks green (T3, T17, C21), what weakens the proof first. Empty
 * without checks.
 */
export function suspectBlocks(
  { state }: RunView,
  { changedTests, changedCi }: Pick<PublicationFacts, "changedTests" | "changedCi">,
): Block[] {
  if (proofOf(state).result === "unchecked") return [];
  const { tampering } = state.strength;
  const weak = weakTests(state);
  const named = new Set(weak.map(({ path }) => path));
  const tests = [...new Set([...(tampering?.changed.paths ?? []), ...changedTests])];
  const suspects: readonly Suspect[] = [
    ...weak,
    ...(tampering?.scripts.paths ?? []).map((path) => ({ kind: "Check script:", path })),
    ...changedCi.map((path) => ({ kind: "CI:", path })),
    ...tests.filter((path) => !named.has(path)).map((path) => ({ kind: "Test:", path })),
  ];
  const rows = suspects.map(
    ({ kind, path, line = null }) => inline`${kind} ${code(line === null ? path : `${path}:${line}`)}`,
  );
  if (rows.length === 0) return [];
  return [
    alert("IMPORTANT", [
      inline`**Look at these files first.** The loop has changed tests, check scripts or CI, by which its own work is judged.`,
    ]),
    listed(rows, MOST_PATHS, "see all changes"),
  ];
}

interface Suspect {
  readonly kind: string;
  readonly path: string;
  readonly line?: number | null;
}

function weakTests({ strength }: LoopState): readonly Suspect[] {
  return strength.weaknesses.flatMap((weakness) => {
    switch (weakness.kind) {
      case "no_tests_ran":
      // The scripts are listed as such.
      case "tests_unseen":
      case "scripts_changed":
        return [];
      case "tests_deleted":
        return weakness.paths.map((path) => ({ kind: "Test, deleted:", path }));
      case "tests_emptied":
        return weakness.paths.map((path) => ({ kind: "Test, emptied:", path }));
      case "judges_bent":
        return weakness.bends.map(({ kind, path, line }) => ({ kind: `Bent, ${BENT[kind]}:`, path, line }));
      case "newly_skipped": {
        const paths = [...new Set(weakness.skips.map(({ path }) => path))];
        return paths.map((path) => ({ kind: "Test, newly skipped:", path }));
      }
    }
  });
}

const MOST_CHECKS = 50;

/** The first line of the task, without what makes it a heading or the like. */
export function taskLine({ prompt }: LoopState): string {
  return firstLine(plainText(prompt).trim()).replace(/^[#>*\s-]+/u, "");
}

/** What the loop was asked to do: its first line, and the whole behind a fold. */
export function taskBlocks(state: LoopState): Block[] {
  const line = taskLine(state);
  const plain = plainText(state.prompt).trim();
  const whole = plain === line ? [] : folded("The whole task", [verbatim(plain, 6_000)]);
  return [heading(3, "Task"), paragraph`${line}`, ...whole];
}

/** Each check and the end of its output; [] when none has run on the last state of the work. */
export function checkBlocks(state: LoopState): Block[] {
  const checks = lastVerdict(state)?.checks ?? [];
  if (checks.length === 0) return [];
  const rows = checks
    .slice(0, MOST_CHECKS)
    .map((check): Hole[] => [code(checkLabel(check)), check.role, checkResult(check), duration(check.durationMs)]);
  return [
    heading(3, "Checks"),
    table([null, null, null, "right"], ["Check", "Kind", "Result", "Time"], rows),
    ...(checks.length > MOST_CHECKS ? [paragraph`${checks.length - MOST_CHECKS} more are in summary.json.`] : []),
  ];
}

function checkResult(check: CheckResult): string {
  const again = secondTry(check);
  return again === undefined ? lastResult(check) : `${lastResult(check)}, ${again}`;
}

function lastResult({ exitCode, timedOut }: CheckResult): string {
  if (timedOut) return "❌ timed out";
  if (exitCode === null) return "❌ killed";
  return exitCode === 0 ? "✅ passed" : `❌ exit ${exitCode}`;
}
