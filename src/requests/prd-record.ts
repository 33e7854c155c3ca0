import { done, type Result } from "../core/result.ts";
import type { LoopState } from "../core/state.ts";
import { editedStories, entryOf, howPassed, type Ledger, parseLedger } from "../core/story/ledger.ts";
import { recordsById } from "../core/story/stories.ts";
import { loopIdOfPrd } from "../core/story/story.ts";
import type { Github } from "../github/client.ts";
import { tipOf } from "../github/refs.ts";
import { ask, type Refused } from "../github/refusal.ts";
import { readRun } from "../github/runs.ts";
import type { StoryRow } from "../views/github/prd-status.ts";
import { fileAt, readRecord, runOf } from "./find-loop.ts";
import type { StoryOnBranch } from "./prds.ts";

/** What is remembered of a PRD, as far as it is told. */
export interface PrdRecord {
  /** how a story of the file is; undefined: it is what the file says */
  readonly of: (story: StoryOnBranch) => Omit<StoryRow, "id" | "title"> | undefined;
  /** whether a run is under way; if that is not known, what the record says */
  readonly running: boolean;
  /** why that is not known, as part of a sentence; null: it is */
  readonly untold: string | null;
  /** whether its last wave is open: its closing job has not done all that it has to, whatever the stories are */
  readonly unclosed: boolean;
  /** when a run last wrote it down, or began its last wave; milliseconds since the epoch, 0: not known */
  readonly at: number;
  /** the last request of a person that was obeyed, as in `comment:7`; null: none that it names */
  readonly obeyed: string | null;
}

/**
 * What is remembered of a PRD (`contents: read`, `actions: read`): by its waves, else by the loop that works on it; null:
 * nobody has begun. Never throws.
 */
export async function readPrdRecord(github: Github, name: string): Promise<Result<PrdRecord | null, Refused>> {
  const tip = await tipOf(github, `refs/smithers-prd/${name}`);
  if (tip.ok) return readLedger(github, tip.value, name);
  if (tip.trouble.kind !== "absent") return tip;
  const found = await readRecord(github, loopIdOfPrd(name));
  if (!found.ok) return found;
  if (found.value === null) return done(null);
  const { record } = found.value;
  const { state, saved_at: saved } = record;
  const written = { at: Date.parse(saved), obeyed: state.github?.obeyed ?? null };
  return done({ of: rememberedBy(state), unclosed: false, ...written, ...(await runOf(github, record)) });
}

async function readLedger(github: Github, commit: string, name: string): Promise<Result<PrdRecord, Refused>> {
  const read = await ask("contents: read", async () => ledgerIn(await fileAt(github, commit, "ledger.json"), name));
  if (!read.ok) return read;
  const { wave, obeyed } = read.value;
  const of = (story: StoryOnBranch) => rowIn(read.value, story);
  const known = { of, obeyed, at: wave === null ? 0 : Date.parse(wave.begun_at) };
  if (wave?.is_open !== true) return done({ ...known, running: false, untold: null, unclosed: false });
  const run = await readRun(github, wave.run);
  if (run.ok) return done({ ...known, running: !run.value.ended, untold: null, unclosed: true });
  if (run.trouble.kind === "absent") return done({ ...known, running: false, untold: null, unclosed: true });
  return done({ ...known, running: true, untold: run.trouble.because, unclosed: true });
}

/** @throws when it is no ledger of that PRD */
function ledgerIn(text: string, name: string): Ledger {
  const read = parseLedger(text, name);
  if (read.ok) return read.value;
  throw new Error(read.trouble.because);
}

function rowIn(ledger: Ledger, story: StoryOnBranch): ReturnType<PrdRecord["of"]> {
  const { id, digest } = story;
  if (ledger.stories[id] === undefined) return undefined;
  const { state, attempts, blocked, commit, accepted_by: by = null } = entryOf(ledger, id);
  const passed = howPassed(ledger, story);
  const edited = digest !== null && editedStories(ledger, [{ id, digest }]).length > 0;
  return { state: passed === null ? state : "passed", attempts, blocked, commit, passed, by, edited };
}

function rememberedBy({ stories }: LoopState): PrdRecord["of"] {
  const records = recordsById(stories ?? { records: [] });
  return ({ id }) => {
    const record = records.get(id);
    if (record === undefined) return undefined;
    const { state, attempts, blocked, passing, changed } = record;
    const { how = null, by = null, commit = null } = passing ?? {};
    return { state, attempts, blocked: blocked?.why ?? null, commit, passed: how, by, edited: changed };
  };
}
