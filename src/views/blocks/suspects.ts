import type { LoopState } from "../../core/state.ts";
import { listed } from "./list.ts";
import { alert, code, strong, text, type Block, type Piece } from "../markdown.ts";
import { proofOf } from "../proof.ts";
import type { PublicationFacts } from "../publication/facts.ts";
import type { RunView } from "../run-view.ts";

const PATHS = 40;

/** What was found to be changed on the branch; nothing where nobody looked. */
export type ChangedFiles = Pick<PublicationFacts, "changedTests" | "changedCi">;

export const NONE_CHANGED: ChangedFiles = { changedTests: [], changedCi: [] };

/**
 * The files by which the work could have made its own checks green (T3, T17, C21), what weakens the proof first. Without a
 * check there is nothing to be made green.
 */
export function suspectBlocks({ state }: RunView, { changedTests, changedCi }: ChangedFiles): Block[] {
  if (proofOf(state).result === "unchecked") return [];
  const weak = weakRows(state);
  const named = new Set(weak.map(({ path }) => path));
  const tests = [...new Set([...(state.strength.tampering?.changed.paths ?? []), ...changedTests])];
  const rows = [
    ...weak.map(({ kind, path }) => row(kind, path)),
    ...scriptRows(state),
    ...changedCi.map((path) => row("CI:", path)),
    ...tests.filter((path) => !named.has(path)).map((path) => row("Test:", path)),
  ];
  if (rows.length === 0) return [];
  return [
    alert("IMPORTANT", [
      [
        strong("Look at these files first."),
        text("The loop has changed tests, check scripts or CI, by which its own work is judged."),
      ],
    ]),
    listed(rows, PATHS, "see all changes"),
  ];
}

function row(kind: string, path: string): Piece[] {
  return [text(kind), code(path)];
}

function scriptRows({ strength }: LoopState): readonly Piece[][] {
  return (strength.tampering?.scripts.paths ?? []).map((path) => row("Check script:", path));
}

function weakRows({ strength }: LoopState): readonly { readonly kind: string; readonly path: string }[] {
  return strength.weaknesses.flatMap((weakness) => {
    switch (weakness.kind) {
      case "no_tests_ran":
      // The scripts are told as such.
      case "tests_unseen":
        return [];
      case "tests_deleted":
        return weakness.paths.map((path) => ({ kind: "Test, deleted:", path }));
      case "tests_emptied":
        return weakness.paths.map((path) => ({ kind: "Test, emptied:", path }));
      case "newly_skipped": {
        const paths = [...new Set(weakness.skips.map(({ path }) => path))];
        return paths.map((path) => ({ kind: "Test, newly skipped:", path }));
      }
    }
  });
}
