import path from "node:path";
import { done, failed, type Result } from "../../core/result.ts";
import { unlessMissing } from "../../os/file-errors.ts";
import { inOwnFolderIfThere, ownFolder, readOwnBytes } from "../../os/own-file.ts";
import { nulFields, printableList } from "../diff.ts";
import type { PrivateGit } from "../private-git.ts";
import type { Scope } from "../repository.ts";
import { CAREFUL, said } from "./apply-tree.ts";
import { PATCH_BYTES, type PatchPlace } from "./patch-file.ts";

/** How work that was set aside is in the work tree again. */
export interface TakenBack {
  /** `applied`: just now; `there`: it was there already */
  readonly how: "applied" | "there";
  /** the files that it changes, as people read paths */
  readonly files: readonly string[];
}

interface Taking {
  readonly git: PrivateGit;
  /** what may be changed */
  readonly scope: Scope;
  /** a path, a byte string relative to the top, as people read it */
  readonly shown: (name: string) => string;
}

/**
 * Brings back what `setAside` has written: all of it or nothing. Changes files alone, no index; runs nothing, follows no
 * link, and writes nothing outside of the scope.
 *
 * @param mayApply whether the work tree may be written; else it only says whether the work is there
 * @returns undefined: there is no such patch any more
 * @throws OperationalError `LINK_REFUSED`
 */
export async function takeBack(
  { git, scope, shown }: Taking,
  place: PatchPlace,
  mayApply: boolean,
): Promise<Result<TakenBack> | undefined> {
  const patch = await textOf(place);
  if (patch === undefined) return undefined;
  const apply = (...options: readonly string[]) =>
    git.try([...CAREFUL, "apply", "--whitespace=nowarn", ...options, "-"], { input: patch });
  const listed = await apply("--numstat", "-z");
  if (listed.exitCode !== 0) return failed({ because: said(listed.stderr) });
  const names = nulFields(listed.stdout).map((row) => row.split("\t").slice(2).join("\t"));
  const outside = names.filter((name) => !scope.holds(name));
  if (outside.length > 0) return failed({ because: `it changes ${printableList(outside)}` });
  const files = names.map(shown);
  if ((await apply("--check", "--reverse")).exitCode === 0) return done({ how: "there", files });
  if (!mayApply) return failed({ because: "it is not in the work tree" });
  const applied = await apply();
  if (applied.exitCode !== 0) return failed({ because: said(applied.stderr) });
  return done({ how: "applied", files });
}

async function textOf({ root, folder, file }: PatchPlace): Promise<string | undefined> {
  if (path.basename(file) !== file) throw new Error(`${file} is no file's name`);
  const read = (at: string) => unlessMissing(readOwnBytes(path.join(at, file), 2 * PATCH_BYTES));
  return (await inOwnFolderIfThere(await ownFolder(root, folder), read))?.toString("latin1");
}
