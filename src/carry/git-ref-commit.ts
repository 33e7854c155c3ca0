import type { CarriedRecord } from "../core/carry.ts";
import { decoded, encoded, nulFields } from "../git/diff.ts";
import type { RefGit } from "../git/work-tree/ref-git.ts";
import type { Kept } from "../git/work-tree/work-keeping.ts";
import { recordText } from "./record-schema.ts";

/** The record in a ref takes no more room than that, in bytes of JSON: it is written after every turn. */
export const REF_RECORD_LIMIT = 64 << 10;

const RECORD = "record.json";
const TREE = "tree";
const SEALED = "tree.sealed";

/** Where the ref stands, and what it holds there. */
export interface Tip {
  readonly commit: string;
  /** null: what is there is no record */
  readonly record: CarriedRecord | null;
  readonly kept: Kept | null;
}

/** Writes a commit with a record and, if there is one, a work tree. No index, hook or work tree has a part in it. */
export async function writeCommit(
  git: RefGit,
  record: CarriedRecord,
  kept: Kept | null,
  previous: string | null,
): Promise<string> {
  const bytes = encoded(recordText(record));
  const blob = (await git.run(["hash-object", "-w", "--stdin"], { input: bytes })).trim();
  const tree = (await git.run(["mktree", "-z"], { input: entries(blob, kept) })).trim();
  // The commit that the work began with is a parent, so that it can always be fetched beside it.
  const parents = [previous, kept?.base ?? null].flatMap((parent) => (parent === null ? [] : ["-p", parent]));
  const input = `smithers: ${record.loop_id}, revision ${record.revision}\n`;
  return (await git.run(["commit-tree", tree, ...parents], { input })).trim();
}

/**
 * Reads a commit of the ref that is here.
 *
 * @throws what `parse` throws, and Error when there is no record, or one that is too large
 */
export async function readCommit(git: RefGit, commit: string, parse: (json: unknown) => CarriedRecord): Promise<Tip> {
  const listed = nulFields(await git.run(["ls-tree", "-z", "-l", commit]));
  const found = new Map(listed.map(toEntry));
  const blob = found.get(RECORD);
  if (blob === undefined) throw new Error(`its commit holds no ${RECORD}`);
  if (!(blob.bytes <= REF_RECORD_LIMIT)) throw new Error(`its ${RECORD} is larger than ${REF_RECORD_LIMIT >> 10} KB`);
  const text = decoded(await git.run(["cat-file", "blob", blob.object]));
  const record = parse(JSON.parse(text));
  const [tree, sealed] = [found.get(TREE), found.get(SEALED)];
  const entry = tree ?? sealed;
  const kept = entry && { base: record.base, object: entry.object, sealed: tree === undefined };
  return { commit, record, kept: kept ?? null };
}

function entries(record: string, kept: Kept | null): string {
  const blob = `100644 blob ${record}\t${RECORD}\0`;
  if (kept === null) return blob;
  return blob + (kept.sealed ? `100644 blob ${kept.object}\t${SEALED}\0` : `040000 tree ${kept.object}\t${TREE}\0`);
}

function toEntry(field: string): [string, { object: string; bytes: number }] {
  const [meta = "", name = ""] = field.split("\t");
  const [, , object = "", size = ""] = meta.split(/ +/u);
  return [name, { object, bytes: Number.parseInt(size, 10) }];
}
