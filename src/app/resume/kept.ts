import { realpath } from "node:fs/promises";
import { type KeptSettings, toKeep } from "../../config/kept.ts";
import { SETTING_BY_NAME } from "../../config/settings.ts";
import { isInside } from "../../os/own-file.ts";
import { keptFolder } from "../../store/consents.ts";
import { forgetKept, type KeptOf, readKept, writeKept } from "../../store/kept-settings.ts";
import { type LoopPlace, shownPath } from "../../store/place.ts";
import type { ConsentMode } from "../consent.ts";
import type { Settings } from "../read-settings.ts";
import type { Shell } from "../shell.ts";

/** Where a loop is in the person's workspace, whatever work tree its work is in. */
type Home = Pick<LoopPlace, "root" | "stateFile" | "loopId">;

/** What a loop on this machine was given; undefined: nothing is kept of it, or a job asks, whose workflow says it. */
export async function keptSettings(home: Home, shell: Shell): Promise<KeptSettings | undefined> {
  if (shell.inputs !== undefined) return undefined;
  const of = await keptOf(home);
  const folder = folderFor(of.workspace, shell);
  return folder === undefined ? undefined : readKept(folder, of);
}

/**
 * Keeps what a loop is given, where no work in the workspace can write it. It may fail: then the command that resumes
 * repeats the flags.
 *
 * @param mode what a file may run or widen that was agreed to for one call alone is asked about again, so it is not kept
 */
export async function keepSettings(home: Home, { given }: Settings, shell: Shell, mode: ConsentMode): Promise<void> {
  const of = await keptOf(home);
  const folder = folderFor(of.workspace, shell);
  if (folder === undefined) return;
  const kept = toKeep(given, (name, from) => {
    const isAgreed = mode === "ask" || (from !== "file" && from !== "foreign");
    return isAgreed || SETTING_BY_NAME.get(name)?.consent === null;
  });
  await writeKept(folder, of, kept).catch(() => undefined);
}

/** Forgets what was kept of a loop that is over; null: of every loop of the workspace. */
export async function forgetSettings(root: string, loopId: string | null, shell: Shell): Promise<void> {
  const workspace = await realpath(root);
  const folder = folderFor(workspace, shell);
  if (folder !== undefined) await forgetKept(folder, workspace, loopId).catch(() => undefined);
}

async function keptOf({ root, stateFile, loopId }: Home): Promise<KeptOf> {
  return { workspace: await realpath(root), subject: shownPath(root, stateFile), loopId };
}

function folderFor(workspace: string, { env }: Shell): string | undefined {
  const folder = keptFolder(env);
  return folder === undefined || isInside(workspace, folder) ? undefined : folder;
}
