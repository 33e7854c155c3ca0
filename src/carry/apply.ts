import { hasSession, unpackBundle, type Unpacked } from "./bundle.ts";
import type { TreeRestored } from "../core/carry.ts";
import { isNewer } from "../core/choose-copy.ts";
import { OperationalError } from "../core/errors.ts";
import type { Opening } from "../core/open-loop.ts";
import { AGENT_STATE, loopRefOf } from "../core/names.ts";
import { NO_SESSION } from "../core/session.ts";
import type { LoopState } from "../core/state.ts";
import type { Teller } from "../os/teller.ts";
import { replaceState } from "../store/loop-files.ts";
import { readState } from "../store/state-file.ts";
import { type Carriers, workFileIn } from "./carriers.ts";
import type { RestoredCopy, RestoredLoop } from "./restore.ts";

const TREE_MS = 60_000;

/**
 * Applies unfinished work to the checkout, which has to be the loop's branch already. The work of a finished generation
 * does not go into the next one's commits: it stays where it is stored.
 *
 * @param opening how the run begins
 * @throws OperationalError `WORK_MISSING` when the run has to publish that work and it cannot be read
 */
export type ApplyWork = (opening: Opening) => Promise<void>;

/**
 * Puts what was restored in place: state, files and the agent's session. Leaves a loop alone that an earlier step of
 * this job has taken further.
 */
export async function applyRestored(
  { ref, copy }: RestoredLoop,
  carriers: Carriers,
  { stateKey, teller }: { readonly stateKey: string | null; readonly teller: Teller },
): Promise<ApplyWork> {
  const { places } = carriers;
  const nothing: ApplyWork = () => Promise.resolve();
  if (ref.answer === "found") carriers.point(ref.record.bulk);
  if (copy === undefined) return nothing;
  const { record, from } = copy;
  const here = await readState(places.stateFile);
  if (here !== undefined && !isNewer(record, here)) return nothing;
  const { state } = record;
  const unpacking = copy.bundle && unpackBundle(copy.bundle, { to: places, state, key: stateKey });
  const unpacked = await unpacking?.catch((error: unknown) => {
    if (!(error instanceof OperationalError)) throw error;
    teller.notice(`${error.message} ${error.next}`);
    return undefined;
  });
  const isKnown = await hasSession(places, state);
  await replaceState(places, isKnown ? state : { ...state, [AGENT_STATE]: { ...state[AGENT_STATE], ...NO_SESSION } });
  teller.line(`brought back from ${from}: revision ${record.revision}, iteration ${state.iteration}, ${state.status}`);
  if (!isKnown) teller.line("the agent's session did not come along: the next turn begins a fresh session");
  const isGone = ref.answer === "absent" && record.follows !== null;
  return async (opening) => {
    if (opening.do === "renew") {
      teller.line("what comes now is another generation: it begins with what is checked out");
      return;
    }
    const tree = await restoreWork(copy, unpacked?.work ?? null, carriers, teller.notice);
    if (isGone) teller.notice(refGone(state.loop_id, from, tree));
    if (tree.restored === "applied") teller.line("the unfinished work of the last run is in the work tree again");
    else if ("why" in tree) teller.notice(tree.why);
    const isOnlyHere = opening.do === "publish" && isOnlyInCopies(state);
    if (isOnlyHere && tree.restored !== "applied") throw workMissing(state.loop_id, tree);
  };
}

/** The work to publish is on no branch. */
function isOnlyInCopies({ github }: LoopState): boolean {
  return github?.unpublished?.what === "branch" && github.unpublished.kept_on === null;
}

function workMissing(loopId: string, tree: TreeRestored): OperationalError {
  const why = "why" in tree ? tree.why : "No copy of the loop holds it.";
  return new OperationalError({
    code: "WORK_MISSING",
    what: `The work of loop ${loopId}, which is not on its branch yet, cannot be had. ${why} Nothing was published, and no turn was spent.`,
    next: "Run this workflow again when GitHub answers; or start over: change the prompt, or start it by hand with its input `smithers` set to `start`.",
  });
}

const ABSENT: TreeRestored = { restored: "absent" };

/** From the ref or from the loop's files: first from where the copy is. */
async function restoreWork(
  { from, bundle, proved }: RestoredCopy,
  work: Unpacked["work"],
  { ref, work: file, places }: Carriers,
  notice: Teller["notice"],
): Promise<TreeRestored> {
  const fromRef = async (): Promise<TreeRestored> => (await ref?.restoreTree(TREE_MS)) ?? ABSENT;
  const fromFile = async (): Promise<TreeRestored> => {
    if (work === null || bundle === undefined) return ABSENT;
    if (work === "sealed" || proved) return file.restore(workFileIn(places), bundle.record.run.id, TREE_MS);
    notice(UNPROVED);
    return ABSENT;
  };
  const [first, second] = from === "ref" ? [fromRef, fromFile] : [fromFile, fromRef];
  const tree = await first();
  return tree.restored === "absent" ? second() : tree;
}

/** Anybody who may write the cache could bring files into the checkout (T14). */
const UNPROVED =
  "The unfinished work that the cache holds is not brought back: no record names it and no state-key proves it, so nothing says whose work it is. The agent begins with what is checked out. Give the token `contents: write` or `actions: read`, or set state-key.";

function refGone(loopId: string, from: string, { restored }: TreeRestored): string {
  const lost =
    restored === "absent" ? " No unfinished work is kept there: the agent begins with what is checked out." : "";
  return `${loopRefOf(loopId)} is gone, so the loop goes on from the copy in the ${from}.${lost} To start over instead, start it by hand with its input \`smithers\` set to \`start\`.`;
}
