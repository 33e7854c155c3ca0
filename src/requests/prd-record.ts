import { done, type Result } from "../core/result.ts";
import type { LoopState } from "../core/state.ts";
import { type Ledger, parseLedger } from "../core/story/ledger.ts";
import { loopIdOfPrd } from "../core/story/story.ts";
import type { Github } from "../github/client.ts";
import { tipOf } from "../github/refs.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { readRun } from "../github/runs.ts";
import type { StoryRow } from "../views/github/prd-status.ts";
import { fileAt, readRecord, runOf } from "./find-loop.ts";

/** What is remembered of a PRD, as far as it is told. */
export interface PrdRecord {
  /** by the ids of the stories; one that is missing is what the file says */
  readonly stories: ReadonlyMap<string, Omit<StoryRow, "id" | "title">>;
  /** whether a run is under way; if that is not known, what the record says */
  readonly running: boolean;
  /** why that is not known, as part of a sentence; null: it is */
  readonly untold: string | null;
}

/**
 * What is remembered of a PRD (`contents: read`, `actions: read`): by its waves, else by the loop that works on it; null:
 * nobody has begun. Never throws.
 */
export async function readPrdRecord(github: Github, name: string): Promise<Result<PrdRecord | null, Refused>> {
  const tip = await tipOf(github, `smithers-prd/${name}`);
  if (tip.ok) return readLedger(github, tip.value, name);
  if (tip.trouble.kind !== "absent") return tip;
  const found = await readRecord(github, loopIdOfPrd(name));
  if (!found.ok) return found;
  if (found.value === null) return done(null);
  const { record } = found.value;
  return done({ stories: rememberedBy(record.state), ...(await runOf(github, record)) });
}

async function readLedger(github: Github, commit: string, name: string): Promise<Result<PrdRecord, Refused>> {
  const read = await ask("contents: read", async () => ledgerIn(await fileAt(github, commit, "ledger.json"), name));
  if (!read.ok) return read;
  const { stories, wave } = read.value;
  const known = new Map(
    Object.entries(stories).map(([id, { state, attempts, blocked, commit: landed }]) => {
      return [id, { state, attempts, blocked, commit: landed }];
    }),
  );
  if (wave?.is_open !== true) return done({ stories: known, running: false, untold: null });
  const run = await readRun(github, wave.run);
  if (run.ok) return done({ stories: known, running: !run.value.ended, untold: null });
  if (run.trouble.kind === "absent") return done({ stories: known, running: false, untold: null });
  return done({ stories: known, running: true, untold: run.trouble.because });
}

/** @throws when it is no ledger of that PRD */
function ledgerIn(text: string, name: string): Ledger {
  const read = parseLedger(text, name);
  if (read.ok) return read.value;
  throw new Error(read.trouble.because);
}

function rememberedBy({ stories }: LoopState): PrdRecord["stories"] {
  const records = stories?.records ?? [];
  return new Map(
    records.map(({ id, state, attempts, blocked, passing }) => {
      return [id, { state, attempts, blocked: blocked?.why ?? null, commit: passing?.commit ?? null }];
    }),
  );
}
