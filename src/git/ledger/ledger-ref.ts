import { done, failed, type Result, type Trouble } from "../../core/result.ts";
import { emptyLedger, type Ledger, LEDGER_LIMIT, ledgerText, parseLedger } from "../../core/story/ledger.ts";
import { ledgerRef } from "../../core/story/wave-names.ts";
import { createOperations } from "../bounded.ts";
import { decoded } from "../diff.ts";
import { withCure } from "../refusal.ts";
import { RemoteGit, type RemoteGitPlace } from "../remote-git.ts";
import { rootsOf, sidesAt } from "../true-trees.ts";

const FILE = "ledger.json";
const NOTES = "progress.md";
/** Notes are cut at their beginning where they would be longer, in UTF-16 units. */
const NOTES_LIMIT = 64 << 10;

/** A PRD's ledger, and the commit of its ref; null: there is none yet, and the ledger is an empty one. */
export interface HeldLedger {
  readonly ledger: Ledger;
  readonly commit: string | null;
  /** what its waves have noted for people, in Markdown; "": nothing. Others' words: data */
  readonly notes: string;
}

/** Why a ledger was not read or written, as part of a sentence; `moved`: somebody else has changed it meanwhile. */
export interface LedgerTrouble extends Trouble {
  readonly kind: "moved" | "unreachable" | "refused";
}

/**
 * The ledger of a PRD in its ref: a chain of commits, moved by compare-and-swap through a git directory of our own. No
 * call throws or takes longer than `within` milliseconds.
 */
export interface LedgerRef {
  read(within: number): Promise<Result<HeldLedger, LedgerTrouble>>;
  /**
   * Moves the ref from where `held` was to a commit with `ledger` and the notes of `held`.
   *
   * @param by whose change it is: no two writers have the same, so that no two of them can both seem to have won
   */
  write(
    held: HeldLedger,
    ledger: Ledger,
    by: string,
    within: number,
  ): Promise<Result<HeldLedger & { readonly commit: string }, LedgerTrouble>>;
}

export function createLedgerRef(place: RemoteGitPlace, prd: string): LedgerRef {
  const bounded = createOperations();
  const ref = ledgerRef(prd);
  const unreachable = (because: string) => failed({ kind: "unreachable", because } as const);
  return {
    read: (within) => bounded(within, (signal) => read(new RemoteGit(place, signal), ref, prd), unreachable),
    write: (held, ledger, by, within) =>
      bounded(within, (signal) => write(new RemoteGit(place, signal), ref, { held, ledger, by }), unreachable),
  };
}

async function read(git: RemoteGit, ref: string, prd: string): Promise<Result<HeldLedger, LedgerTrouble>> {
  await git.prepare(null);
  const fetched = await git.fetch(`+${ref}:${ref}`, 1);
  if (!fetched.ok) {
    if (fetched.trouble.kind === "absent") return done({ ledger: emptyLedger(prd), commit: null, notes: "" });
    return failed({ kind: "unreachable", because: withCure(fetched.trouble) });
  }
  const commit = (await git.run(["rev-parse", "--verify", `${ref}^{commit}`])).trim();
  const { text, notes } = await git.reading(async (objects) => {
    const root = (await rootsOf(objects, [commit])).get(commit);
    const held = root === undefined ? undefined : await sidesAt(objects, root, [FILE, NOTES]);
    const ids = [FILE, NOTES].map((name) => held?.get(name)?.object);
    const found = await objects(
      ids.filter((id) => id !== undefined),
      LEDGER_LIMIT,
    );
    const [ledger, noted] = ids.map((id) => (id === undefined ? undefined : found.get(id)?.content));
    return { text: ledger, notes: noted ?? "" };
  });
  const parsed = text === undefined ? undefined : parseLedger(decoded(text), prd);
  if (parsed?.ok === true) return done({ ledger: parsed.value, commit, notes: decoded(notes) });
  const why = parsed?.trouble.because ?? `it holds no ${FILE}, or one that is too large`;
  return failed({ kind: "refused", because: `what ${ref} holds is not taken: ${why}` });
}

async function write(
  git: RemoteGit,
  ref: string,
  { held, ledger, by }: { readonly held: HeldLedger; readonly ledger: Ledger; readonly by: string },
): ReturnType<LedgerRef["write"]> {
  const content = Buffer.from(ledgerText(ledger));
  if (content.length > LEDGER_LIMIT) return failed({ kind: "refused", because: "the ledger would be too large" });
  await git.prepare(null);
  const blob = await git.write("blob", content);
  const notes = wholeLines(held.notes);
  const noted = notes === "" ? [] : entry(NOTES, await git.write("blob", Buffer.from(notes)));
  const tree = await git.write("tree", Buffer.concat([...entry(FILE, blob), ...noted]));
  const parents = held.commit === null ? [] : [held.commit];
  const commit = await git.writeCommit(tree, parents, `smithers: ${ledger.prd}, revision ${ledger.revision}, ${by}`);
  // The history before is not here, and the remote has it.
  if (held.commit !== null) {
    const known = await git.fetch(`+${ref}:${ref}`, 1);
    if (!known.ok) return failed({ kind: "unreachable", because: withCure(known.trouble) });
  }
  const pushed = await git.push([{ ref, to: commit, expected: held.commit }]);
  if (pushed.ok) return done({ ledger, commit, notes });
  const { trouble } = pushed;
  if (trouble.kind !== "stale") return failed({ kind: "unreachable", because: withCure(trouble) });
  const listed = await git.list(ref);
  // An answer that was lost: it is ours that is there.
  if (listed.ok && listed.value.get(ref) === commit) return done({ ledger, commit, notes });
  return failed({ kind: "moved", because: "another run has changed the ledger meanwhile" });
}

function entry(name: string, id: string): readonly Buffer[] {
  return [Buffer.from(`100644 ${name}\0`), Buffer.from(id, "hex")];
}

/** The end of the notes. */
function wholeLines(notes: string): string {
  if (notes.length <= NOTES_LIMIT) return notes;
  const end = notes.slice(-NOTES_LIMIT);
  return end.slice(end.indexOf("\n") + 1);
}
