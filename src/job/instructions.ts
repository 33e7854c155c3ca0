import { realpath } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/config.ts";
import { messageOf, UsageError } from "../core/errors.ts";
import { isProtected } from "../core/boundary.ts";
import { HOME_FOLDER, INSTRUCTIONS } from "../core/names.ts";
import type { Provider } from "../core/ports.ts";
import { decoded, printable } from "../git/diff.ts";
import {
  asCommitted,
  bringOurs,
  bringTheirs,
  findOtherVersions,
  isSame,
  type OtherFiles,
  type OtherVersions,
  replaceableNow,
} from "../git/work-tree/other-version.ts";
import { checkedOut } from "../git/repository.ts";
import { isInside } from "../os/own-file.ts";
import type { HandOver } from "../store/hand-over.ts";
import type { JobPlace } from "../store/place.ts";
import type { Base } from "./base.ts";

interface Steering {
  /** where what is replaced is noted */
  readonly handOver: Pick<HandOver, "displaced" | "displace">;
  readonly config: Pick<Config, "protectedPaths">;
  readonly place: Pick<JobPlace, "root" | "stateFile" | "folder">;
}

/**
 * Gives the agent instructions of the base alone (T8): when a turn begins, what steers an agent or the loop
 * (`INSTRUCTIONS`) is as the base has it, whoever has written it otherwise, and also where git ignores it. It is put back
 * before anybody looks at the work; what a check or an earlier turn has written is not, and what was there before it is.
 * What the workflow opens by `protected-paths` stays as it is. What differs is told once.
 *
 * @returns what makes a provider one whose turns are so; they throw OperationalError `INSTRUCTIONS_REFUSED`
 * @throws OperationalError `INSTRUCTIONS_REFUSED`, and as `Base.files`
 */
export async function instructionsOf(
  base: Pick<Base, "files">,
  { handOver, config, place }: Steering,
  notice: (text: string) => void,
): Promise<(provider: Provider) => Provider> {
  const [files, head] = [await base.files(), await checkedOut(place.root)];
  if (files === null || head === null) return (provider) => provider;
  const globs = [...INSTRUCTIONS, ...config.protectedPaths];
  const isWanted = (name: string): boolean => isProtected(INSTRUCTIONS, name) && isProtected(globs, name);
  const wanted = await findOtherVersions(files, head, isWanted, await ownNames(place, files.repository.top));
  const begun = await replaceableNow(wanted);
  if (begun.files.length > 0) notice(steers(namesOf(begun), files.commit));
  const told = new Set<string>();
  return (provider) => ({
    name: provider.name,
    preflight: (signal) => provider.preflight(signal),
    async *runTurn(request, signal) {
      const { now, taken } = await withoutLater(wanted, begun, place.root);
      const fresh = taken.filter((name) => !told.has(name));
      for (const name of fresh) told.add(name);
      if (fresh.length > 0) notice(takenAway(fresh, files.commit));
      if (now.files.length > 0) await handOver.displace({ instructions: now });
      let hasFailed = false;
      try {
        await bringTheirs(now);
        yield* provider.runTurn(request, signal);
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        await putInstructionsBack(handOver, notice).catch((later: unknown) => {
          // Why the turn failed counts more.
          if (!hasFailed) throw later;
          notice(messageOf(later));
        });
      }
    },
  });
}

/**
 * What is put back after a turn: what was there when the run began, and what the checkout has by now.
 *
 * @returns `taken`: the names of what something has written there since, which is not
 */
async function withoutLater(wanted: OtherFiles, begun: OtherVersions, root: string) {
  const now = await replaceableNow(wanted);
  const before = new Map(begun.files.map(({ name, ours }) => [name, ours]));
  const head = await checkedOut(root);
  const committed = head === null ? new Set<string>() : await asCommitted(wanted, now, head);
  const taken: string[] = [];
  const files = now.files.map((file) => {
    const ours = before.has(file.name) ? (before.get(file.name) ?? null) : file.theirs;
    if (isSame(file.ours, ours) || committed.has(file.name)) return file;
    taken.push(file.name);
    return { ...file, ours };
  });
  return { now: { ...now, files }, taken };
}

/** The files of a loop that lie in the checkout are no instructions. */
async function ownNames({ root, stateFile, folder }: Steering["place"], top: string): Promise<readonly string[]> {
  const real = await realpath(root);
  const files = [path.join(root, HOME_FOLDER), stateFile, folder].map((file) =>
    path.relative(top, path.resolve(real, path.relative(root, file))),
  );
  return files.filter((name) => name !== "" && !name.startsWith("..")).map((name) => name.split(path.sep).join("/"));
}

/**
 * Refuses a loop's state that a pull request brings: it would say how the loop stands, and what its checks are (T15).
 *
 * @throws UsageError `STATE_OF_PULL_REQUEST`, and as `Base.files`
 */
export async function refuseStateOfHead(base: Pick<Base, "files">, place: JobPlace): Promise<void> {
  const root = await realpath(place.root);
  const here = (file: string): string => path.resolve(root, path.relative(place.root, file));
  if (![place.stateFile, place.folder].some((file) => isInside(root, here(file)))) return;
  const [files, head] = [await base.files(), await checkedOut(place.root)];
  if (files === null || head === null || head === files.commit) return;
  const own = [place.stateFile, place.folder].map((file) => path.relative(files.repository.top, here(file)));
  const changed = (await files.changedIn(head)).map((change) => decoded(change.path));
  const name = changed.find((one) => own.some((mine) => one === mine || one.startsWith(`${mine}/`)));
  if (name === undefined) return;
  throw new UsageError({
    code: "STATE_OF_PULL_REQUEST",
    what: `${shown([name])} is a file of the loop, and this branch has it otherwise than commit ${files.commit.slice(0, 12)}, the base. Nothing of it is believed, and nothing was done.`,
    next: "Take it out of the branch, or leave the input `state-file` out: then the loop's files lie outside of the checkout.",
  });
}

/** Puts back what a turn's instructions have replaced, once, when no process of the turn is left; else nothing happens. */
export async function putInstructionsBack(
  handOver: Steering["handOver"],
  notice: (text: string) => void,
): Promise<void> {
  const { instructions = null } = handOver.displaced ?? {};
  if (instructions === null) return;
  const failed = await bringOurs(instructions);
  if (failed.length > 0) notice(notBack(failed));
  await handOver.displace({ instructions: null });
}

/** All of them: no name hides what steers behind others. */
function shown(names: readonly string[]): string {
  return names.map((name) => printable(Buffer.from(name).toString("latin1"))).join(", ");
}

function namesOf({ files }: OtherVersions): readonly string[] {
  return files.map(({ name }) => name);
}

function takenAway(names: readonly string[], commit: string): string {
  return `Something has written what tells an agent or the loop what to do, a check or a turn: ${shown(names)}. The agent does not get it: its turn has what commit ${commit.slice(0, 12)} says, the base, and after it lies there what was there when this run began. To let it be written, open it by protected-paths.`;
}

function steers(names: readonly string[], commit: string): string {
  return `What tells an agent or the loop what to do is otherwise in this workspace than in commit ${commit.slice(0, 12)}, the base: ${shown(names)}. While the agent works, it is as in the base; the workspace keeps its own, and the loop commits nothing of it. Review it yourself: it counts once it is merged, or opened by protected-paths.`;
}

function notBack(names: readonly string[]): string {
  return `What the branch has there could not be put back, because something is in the way: ${shown(names)}. The commits have it: git restore brings it back.`;
}
