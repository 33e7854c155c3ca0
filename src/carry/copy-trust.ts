import path from "node:path";
import type { Carrier } from "../core/carry.ts";
import { OperationalError } from "../core/errors.ts";
import { readOwnBytes } from "../os/own-file.ts";
import { seal, unseal } from "../os/seal.ts";

/** Where a copy of a loop was saved. */
export interface CopyOrigin {
  /** the repository's id, which it keeps when it is renamed */
  readonly repository: number;
  /** the workflow's file in the repository */
  readonly workflow: string;
  /** as in `refs/heads/main` */
  readonly ref: string;
}

/**
 * What a copy has to be that no record names: of the same repository and workflow; from the cache, which has a part for
 * each ref, of the same ref.
 */
export interface CopyTrust {
  readonly from: Carrier["name"];
  readonly origin: CopyOrigin;
  /** the `state-key`, with which the copy has to be proved; null: none is set */
  readonly key: string | null;
}

/** The name of the MAC (message authentication code) in a bundle, beside the manifest that it is of. */
export const MAC_FILE = "carried.mac";

/** Longest MAC that is read, in bytes. */
export const MAC_LIMIT = 1024;

/** Proves that who made a manifest had the `state-key`. @param digest hex SHA-256 of the manifest */
export function macOf(key: string, digest: string): Buffer {
  return seal(key, Buffer.from(provedText(digest)));
}

/** What is sealed says what it is for: nothing else that is sealed with the key is such a MAC. */
function provedText(digest: string): string {
  return `smithers: the manifest of a loop's copy, ${digest}`;
}

/**
 * @param folder holds the MAC; absolute
 * @param where the copy was found; named in the error
 * @throws OperationalError `COPY_REFUSED` when the manifest is not proved by the key
 */
export async function refuseUnproved(folder: string, where: string, key: string, digest: string): Promise<void> {
  const mac = await readOwnBytes(path.join(folder, MAC_FILE), MAC_LIMIT).catch(() => Buffer.of());
  if (!isMac(mac, key, digest)) throw copyRefused(where, UNPROVED);
}

function isMac(mac: Buffer, key: string, digest: string): boolean {
  try {
    return unseal(key, mac).toString() === provedText(digest);
  } catch {
    return false;
  }
}

const UNPROVED =
  "it is not proved by the state-key of this run. A run with another key, or with none, has saved it, or somebody else made it";

/**
 * @param saved what the copy says; null: an older version, or somebody else, made it
 * @throws OperationalError `COPY_REFUSED` when another repository, workflow or branch has saved it
 */
export function refuseStranger(saved: CopyOrigin | null, where: string, { origin, from }: CopyTrust): void {
  const isCache = from === "cache";
  if (saved === null) {
    if (isCache) throw copyRefused(where, "it does not say which workflow and branch it was saved by");
    return;
  }
  if (saved.repository !== origin.repository) throw copyRefused(where, "another repository has saved it");
  if (saved.workflow !== origin.workflow) throw copyRefused(where, "another workflow has saved it");
  if (isCache && saved.ref !== origin.ref) throw copyRefused(where, "a run of another branch has saved it");
}

/** A copy that is whole, and that this run may not go on from. @param why part of a sentence */
export function copyRefused(where: string, why: string): OperationalError {
  return new OperationalError({
    code: "COPY_REFUSED",
    what: `What ${where} holds of this loop is not taken: ${why}. It is left as it is.`,
    next: "Nothing, as long as another copy holds. Else give the run the permissions and the state-key of the one that saved it.",
  });
}
