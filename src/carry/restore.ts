import type { Bundle, Carrier, Restored, Wanted, RefAnswer } from "../core/carry.ts";
import { chooseCopy, type Copy } from "../core/choose-copy.ts";
import { OperationalError } from "../core/errors.ts";
import type { Carriers } from "./carriers.ts";

/** Where a loop may be restored from. */
export interface Sources extends Pick<Carriers, "ref" | "artifact" | "cache" | "folder"> {
  readonly loopId: string;
  /** bounds each carrier; milliseconds */
  readonly withinMs: number;
  /** tells a person what could not be read, and what that means */
  readonly notice: (text: string) => void;
}

/** A loop as the last run left it. */
export interface RestoredCopy extends Copy {
  /** its other files; undefined where only the state could be had */
  readonly bundle: Bundle | undefined;
  /** whether a record names the bundle, or a run of this workflow uploaded it: not so what the cache has by its prefix */
  readonly proved: boolean;
}

/** What was found; without a copy the loop begins. */
export interface RestoredLoop {
  readonly ref: RefAnswer;
  readonly copy: RestoredCopy | undefined;
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
 * rest. A carrier that is down costs a bounded time and a notice, never the loop.
 *
 * @throws OperationalError `STATE_NEWER`: beginning again would overwrite a later version's state (PRE 1)
 */
export async function restoreLoop(sources: Sources): Promise<RestoredLoop> {
  const { notice } = sources;
  const ref = sources.ref === undefined ? NO_REF : await sources.ref.read(sources.withinMs);
  if (ref.answer === "unreachable" && sources.ref !== undefined) notice(ref.why);
  const answers = await askCarriers(sources, ref);
  for (const { restored } of answers) {
    if (!restored.ok && restored.trouble.kind !== "absent") notice(restored.trouble.because);
    if (restored.ok && restored.value.passedOver !== undefined) notice(`${restored.value.passedOver} ${PASSED_OVER}`);
  }
  for (const { restored } of answers) {
    if (!restored.ok && restored.trouble.kind === "newer") throw newer(restored.trouble.because);
  }
  const bundles = answers.flatMap(({ restored, from, proved }) =>
    restored.ok ? [{ from, proved, bundle: restored.value.bundle, record: restored.value.bundle.record }] : [],
  );
  const best = chooseCopy(ref, bundles);
  if (best === undefined) return { ref, copy: undefined };
  const named = ref.answer === "found" ? ref.record.bulk?.digest : undefined;
  const chosen =
    bundles.find(({ record }) => record === best.record) ?? bundles.find(({ bundle }) => bundle.digest === named);
  if (chosen === undefined) notice(STATE_ONLY);
  return { ref, copy: { ...best, bundle: chosen?.bundle, proved: chosen?.proved ?? false } };
}

function newer(what: string): OperationalError {
  const next = "Let every workflow of this loop use the newest version of the Action. Nothing was changed.";
  return new OperationalError({ code: "STATE_NEWER", what, next });
}

const PASSED_OVER = "An older copy is taken instead.";

const STATE_ONLY =
  "Neither cache nor artifact could bring the loop's other files. It goes on from its state, with a fresh session of the agent; earlier logs stay with the runs that wrote them.";

async function askCarriers(sources: Sources, ref: RefAnswer): Promise<readonly Answer[]> {
  const named = ref.answer === "found" ? ref.record.bulk : null;
  if (ref.answer === "found" && named?.revision === ref.record.revision) return bulkOf(sources, named);
  // The last run may have died between its artifact and its final write to the ref, or could not write there at all.
  const [bulk, newest] = await Promise.all([bulkOf(sources, named), ask(sources, sources.artifact, null)]);
  const nobodyCanSay =
    ref.answer === "unreachable" && newest.every(({ restored: it }) => !it.ok && it.trouble.kind === "unreachable");
  return [...bulk, ...newest, ...(nobodyCanSay ? await ask(sources, sources.cache, null) : [])];
}

/** What the record names: from the cache, which is faster, else from the artifact. */
async function bulkOf(sources: Sources, named: Wanted["named"]): Promise<readonly Answer[]> {
  if (named === null) return [];
  const cached = named.cache_key === null ? [] : await ask(sources, sources.cache, named);
  if (cached.some(({ restored }) => restored.ok) || named.artifact === null) return cached;
  return [...cached, ...(await ask(sources, sources.artifact, named))];
}

async function ask(
  { loopId, folder, withinMs }: Sources,
  carrier: Carrier | undefined,
  named: Wanted["named"],
): Promise<readonly Answer[]> {
  if (carrier === undefined) return [];
  const unnamed = named === null;
  const into = await folder(`${carrier.name}-${unnamed ? "newest" : "named"}`);
  const restored = await carrier.restore({ loopId, named, unnamed, into }, withinMs);
  return [{ from: carrier.name, restored, proved: !unnamed || carrier.name === "artifact" }];
}
