import {
  chooseCopy,
  type Copy,
  type RefAnswer,
  type Bundle,
  type Carrier,
  type LoopRef,
  type Restored,
  type Wanted,
} from "../core/carry.ts";
import { OperationalError } from "../core/errors.ts";

/** Where a loop may have been brought to. */
export interface Sources {
  readonly loopId: string;
  /** undefined: not among the carriers that were chosen, or it cannot be used here */
  readonly ref: LoopRef | undefined;
  readonly artifact: Carrier | undefined;
  readonly cache: Carrier | undefined;
  /** an empty folder of our own to restore into */
  readonly folder: (name: string) => Promise<string>;
  /** bounds each carrier; milliseconds */
  readonly withinMs: number;
  /** tells a person what could not be had, and what that means */
  readonly notice: (text: string) => void;
}

/** A loop as the last run left it. */
export interface Brought {
  readonly copy: Copy;
  /** its other files; undefined where only the state could be had */
  readonly bundle: Bundle | undefined;
  /** whether a record names the bundle, or a run of this workflow uploaded it: not so what the cache has by its prefix */
  readonly proved: boolean;
}

/** What was found; without a copy the loop begins. */
export interface Found {
  readonly ref: RefAnswer;
  readonly brought: Brought | undefined;
}

/** A carrier's answer, under its name. */
interface Answer {
  readonly from: Carrier["name"];
  readonly restored: Restored;
  readonly proved: boolean;
}

const NO_REF: RefAnswer = { answer: "unreachable", why: "it is not among the carriers" };

/**
 * Asks the carriers for a loop and takes the newest copy that holds (C11). The ref is asked first: its record names the
 * rest. Whoever is down costs a bounded time and a notice, never the loop.
 */
export async function bringBack(sources: Sources): Promise<Found> {
  const ref = sources.ref === undefined ? NO_REF : await sources.ref.read(sources.withinMs);
  if (ref.answer === "unreachable" && sources.ref !== undefined) sources.notice(ref.why);
  const answers = await askCarriers(sources, ref);
  for (const { restored } of answers) {
    if (restored.found && restored.passedOver !== undefined) sources.notice(`${restored.passedOver} ${PASSED_OVER}`);
    if (!restored.found && restored.because !== "absent") sources.notice(restored.why);
  }
  refuseNewer(answers);
  const bundles = answers.flatMap(({ restored, ...answer }) =>
    restored.found ? [{ ...answer, bundle: restored.bundle }] : [],
  );
  const copy = chooseCopy(
    ref,
    bundles.map(({ from, bundle }) => ({ from, record: bundle.record })),
  );
  if (copy === undefined) return { ref, brought: undefined };
  const chosen =
    bundles.find(({ bundle }) => bundle.record === copy.record) ?? bundles.find(({ bundle }) => isNamed(ref, bundle));
  if (chosen === undefined) sources.notice(STATE_ONLY);
  return { ref, brought: { copy, bundle: chosen?.bundle, proved: chosen?.proved ?? false } };
}

/** Beginning anew would write over what a later version knows (PRE 1). */
function refuseNewer(answers: readonly Answer[]): void {
  for (const { restored } of answers) {
    if (restored.found || restored.because !== "newer") continue;
    throw new OperationalError({
      code: "STATE_NEWER",
      what: restored.why,
      next: "Let every workflow of this loop use the newest version of the Action. Nothing was changed.",
    });
  }
}

const PASSED_OVER = "An older copy is taken instead.";

const STATE_ONLY =
  "Neither cache nor artifact could bring the loop's other files. It goes on from its state, with a fresh session of the agent; earlier logs stay with the runs that wrote them.";

async function askCarriers(sources: Sources, ref: RefAnswer): Promise<readonly Answer[]> {
  const named = ref.answer === "found" ? ref.record.bulk : null;
  const whole = ref.answer === "found" && named?.revision === ref.record.revision;
  if (whole) return bulkOf(sources, named);
  // The last run may have died between its artifact and its last word on the ref, or could not write there at all.
  const [bulk, newest] = await Promise.all([bulkOf(sources, named), ask(sources, sources.artifact, null, true)]);
  const answers = [...bulk, ...newest];
  const nobodyCanSay = ref.answer === "unreachable" && !newest.some(({ restored }) => canSay(restored));
  return nobodyCanSay ? [...answers, ...(await ask(sources, sources.cache, null, true))] : answers;
}

/** What the record names: from the cache, which is faster, else from the artifact. */
async function bulkOf(sources: Sources, named: Wanted["named"]): Promise<readonly Answer[]> {
  if (named === null) return [];
  const cached = named.cache_key === null ? [] : await ask(sources, sources.cache, named, false);
  if (cached.some(({ restored }) => restored.found) || named.artifact === null) return cached;
  return [...cached, ...(await ask(sources, sources.artifact, named, false))];
}

async function ask(
  { loopId, folder, withinMs }: Sources,
  carrier: Carrier | undefined,
  named: Wanted["named"],
  unnamed: boolean,
): Promise<readonly Answer[]> {
  if (carrier === undefined) return [];
  const into = await folder(`${carrier.name}-${unnamed ? "newest" : "named"}`);
  const restored = await carrier.restore({ loopId, named, unnamed, into }, withinMs);
  return [{ from: carrier.name, restored, proved: named !== null || carrier.name === "artifact" }];
}

function canSay(restored: Restored): boolean {
  return restored.found || restored.because !== "unreachable";
}

function isNamed(ref: RefAnswer, bundle: Bundle): boolean {
  return ref.answer === "found" && ref.record.bulk?.digest === bundle.digest;
}
