import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { type GatheredBundle, gatherBundle, type LoopPlaces } from "../../src/carry/bundle.ts";
import type { CarriedRecord } from "../../src/core/carry.ts";
import { aState } from "../support/builders.ts";

export const SESSION_ID = "0199f5a0-1111-7000-8000-000000000001";
export const ROLLOUT = `2026/11/20/rollout-2026-11-20T03-00-00-${SESSION_ID}.jsonl`;

/** A record of the loop `a-loop`; its state has the same revision, and a session. */
export function aRecord(revision: number, overrides: Partial<CarriedRecord> = {}): CarriedRecord {
  const codex = { ...aState().codex, session_id: SESSION_ID };
  return {
    schema: 1,
    loop_id: "a-loop",
    generation: 1,
    revision,
    saved_at: "2026-11-20T03:00:00.000Z",
    run: { id: "101", attempt: "1" },
    nonce: `nonce-${revision}`,
    follows: null,
    base: null,
    bulk: null,
    state: aState({ loop_id: overrides.loop_id ?? "a-loop", revision, codex }),
    ...overrides,
  };
}

/** Where a loop would be on a machine that has this folder for it. */
export function placesIn(folder: string): LoopPlaces {
  return {
    stateFile: path.join(folder, "loops/a-loop.json"),
    folder: path.join(folder, "loops/a-loop"),
    sessionsFolder: path.join(folder, "codex/sessions"),
  };
}

/** Text of a file, told by its name. */
export function contentOf(name: string): string {
  return `{"this":"is ${name}"}\n`.repeat(20);
}

/** The names of a loop's files after this many iterations. */
export function loopFiles(iterations: number): string[] {
  const numbers = Array.from({ length: iterations }, (_, index) => index + 1);
  const logs = numbers.flatMap((n) => [`events_iter_${n}.jsonl`, `last_message_iter_${n}.txt`]);
  return ["events.jsonl", "progress.md", "prompt.txt", "summary.json", "tests.json", ...logs];
}

/** Puts a loop on a machine: its state, its files, its session. */
export async function writeLoop(places: LoopPlaces, iterations = 2): Promise<void> {
  await mkdir(places.folder, { recursive: true });
  await writeFile(places.stateFile, "{}\n");
  for (const name of loopFiles(iterations)) await writeFile(path.join(places.folder, name), contentOf(name));
  const rollout = path.join(places.sessionsFolder ?? places.folder, ROLLOUT);
  await mkdir(path.dirname(rollout), { recursive: true });
  await writeFile(rollout, contentOf("the session"));
}

/** A bundle of such a loop, in a folder of its own below `folder`. */
export async function aBundle(
  folder: string,
  record: CarriedRecord,
  options: { iterations?: number; seal?: string } = {},
): Promise<GatheredBundle> {
  const places = placesIn(path.join(folder, `machine-${record.nonce}`));
  await writeLoop(places, options.iterations);
  const into = path.join(folder, `bundle-${record.nonce}`);
  return await gatherBundle({ places, record, into, seal: options.seal ?? null, secrets: [] });
}
