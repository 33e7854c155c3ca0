import { setTimeout as sleep } from "node:timers/promises";
import type { Bundle, Carrier, Restored, Wanted, RefAnswer } from "../core/carry.ts";
import { chooseCopy, type Copy } from "../core/choose-copy.ts";
import { OperationalError } from "../core/errors.ts";
import type { Carriers } from "./carriers.ts";

/** Where a loop may be restored from. */
export interface Sources extends Pick<Carriers, "ref" | "artifact" | "cache" | "folder" | "provesCopies"> {
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
  /**
   * whether a record names the bundle, a run of this workflow uploaded it, or the `state-key` proves it: not so what the cache
   * has by its prefix
   */
  readonly proved: boolean;
}

/** What was found; without a copy the loop begins. */
export interface RestoredLoop {
  readonly ref: RefAnswer;
  readonly copy: RestoredCopy | undefined;
  /** all that could have been asked, when none of them could say whether there is such a loop; else nothing */
  readonly unanswered: readonly Silence[];
}

/** A carrier that could not answer; `why` is one or more whole sentences. */
interface Silence {
  readonly carrier: "ref" | Carrier["name"];
  readonly why: string;
}

/** A carrier's answer, under its name. */
interface Answer {
  readonly from: Carrier["name"];
  readonly restored: Restored;
  readonly proved: boolean;
}

const NO_REF: RefAnswer = { answer: "unreachable", why: "it is not among the carriers" };

/** How long to wait before the carriers are asked again, when none could answer; milliseconds. */
const PAUSES = [5_000, 15_000] as const;
/** What hangs once is not waited for as long again; milliseconds for each carrier. */
const AGAIN_MS = 15_000;

/**
 * Asks the carriers for a loop and takes the newest copy that holds (C11, C53). The ref's record decides; where there is
 * none, artifacts and cache are asked side by side, whatever the reason. A carrier that is down costs a bounded time and a
 * notice with what follows. When none could answer, all are asked again, and then it is not known whether there is such a
 * loop (C55).
 *
 * @param pauses before each further try; milliseconds
 * @throws OperationalError `STATE_NEWER`: beginning again would overwrite a later version's state (PRE 1)
 */
export async function restoreLoop(sources: Sources, pauses: readonly number[] = PAUSES): Promise<RestoredLoop> {
  let asked = await askAll(sources);
  const again = { ...sources, withinMs: Math.min(sources.withinMs, AGAIN_MS) };
  for (const pause of pauses) {
    if (asked.isAnswered) break;
    await sleep(pause);
    asked = await askAll(again);
  }
  return choose(sources, asked);
}

/** What the carriers have said. */
interface Asked {
  readonly ref: RefAnswer;
  readonly answers: readonly Answer[];
  readonly silent: readonly Silence[];
  /** whether any could answer; true where there is none to ask */
  readonly isAnswered: boolean;
}

async function askAll(sources: Sources): Promise<Asked> {
  const ref = sources.ref === undefined ? NO_REF : await sources.ref.read(sources.withinMs);
  const answers = await askCarriers(sources, ref);
  const isRefSilent = sources.ref !== undefined && ref.answer === "unreachable";
  const silent = [
    ...(isRefSilent ? [{ carrier: "ref" as const, why: ref.why }] : []),
    ...answers.flatMap(({ from, restored }) =>
      isSilent(restored) ? [{ carrier: from, why: restored.trouble.because }] : [],
    ),
  ];
  const hasSpoken = (sources.ref !== undefined && !isRefSilent) || answers.some(({ restored }) => !isSilent(restored));
  return { ref, answers, silent, isAnswered: hasSpoken || silent.length === 0 };
}

type Silent = Restored & { readonly ok: false };

function isSilent(restored: Restored): restored is Silent {
  return !restored.ok && restored.trouble.kind === "unreachable";
}

/** Tells what was not had and what follows, and chooses among the rest. */
function choose({ notice }: Sources, { ref, answers, silent, isAnswered }: Asked): RestoredLoop {
  for (const { carrier, why } of silent) if (carrier === "ref") notice(why);
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
  if (isAnswered && silent.length > 0 && ref.answer !== "found") notice(consequence(silent, best));
  if (best === undefined) return { ref, copy: undefined, unanswered: isAnswered ? [] : silent };
  const named = ref.answer === "found" ? ref.record.bulk?.digest : undefined;
  const chosen =
    bundles.find(({ record }) => record === best.record) ?? bundles.find(({ bundle }) => bundle.digest === named);
  if (chosen === undefined) notice(STATE_ONLY);
  return { ref, copy: { ...best, bundle: chosen?.bundle, proved: chosen?.proved ?? false }, unanswered: [] };
}

/** What it means that some could not answer, and the ref has no record. */
function consequence(silent: readonly Silence[], best: Copy | undefined): string {
  const names = [...new Set(silent.map(({ carrier }) => NAMES[carrier]))].join(" or ");
  return best === undefined
    ? `Nothing that could answer holds this loop, so it starts again. If it is kept in ${names}, this run does not know of its iterations, and pays for them again.`
    : `The loop goes on from the copy in the ${best.from}. If a newer one is kept in ${names}, this run does not know of it.`;
}

const NAMES: Readonly<Record<Silence["carrier"], string>> = {
  ref: "the loop's git ref",
  artifact: "an artifact",
  cache: "the cache",
};

function newer(what: string): OperationalError {
  const next = "Let every workflow of this loop use the newest version of the Action. Nothing was changed.";
  return new OperationalError({ code: "STATE_NEWER", what, next });
}

const PASSED_OVER = "An older copy is taken instead.";

const STATE_ONLY =
  "Neither cache nor artifact could bring the loop's other files. It goes on from its state, in a fresh session of the agent unless its own is on this machine; earlier logs stay with the runs that wrote them.";

async function askCarriers(sources: Sources, ref: RefAnswer): Promise<readonly Answer[]> {
  const named = ref.answer === "found" ? ref.record.bulk : null;
  if (ref.answer === "found" && named?.revision === ref.record.revision) return bulkOf(sources, named);
  // The last run may have died between its artifact and its final write to the ref, or could not write there at all. What
  // nobody proves to be later than the ref's record is not taken from the cache.
  const isAsked = ref.answer !== "found" || sources.provesCopies;
  const asked = await Promise.all([
    bulkOf(sources, named),
    ask(sources, sources.artifact, null),
    ask(sources, isAsked ? sources.cache : undefined, null),
  ]);
  return asked.flat();
}

/** What the record names: from the cache, which is faster, else from the artifact. */
async function bulkOf(sources: Sources, named: Wanted["named"]): Promise<readonly Answer[]> {
  if (named === null) return [];
  const cached = named.cache_key === null ? [] : await ask(sources, sources.cache, named);
  if (cached.some(({ restored }) => restored.ok) || named.artifact === null) return cached;
  return [...cached, ...(await ask(sources, sources.artifact, named))];
}

async function ask(
  { loopId, folder, withinMs, provesCopies }: Sources,
  carrier: Carrier | undefined,
  named: Wanted["named"],
): Promise<readonly Answer[]> {
  if (carrier === undefined) return [];
  const unnamed = named === null;
  const into = await folder(`${carrier.name}-${unnamed ? "newest" : "named"}`);
  const restored = await carrier.restore({ loopId, named, unnamed, into }, withinMs);
  return [{ from: carrier.name, restored, proved: !unnamed || provesCopies || carrier.name === "artifact" }];
}
