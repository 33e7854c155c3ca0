import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { type IsolationProfile, isTooWide, isWithin } from "./profile.ts";

/** What isolation, and nothing else, refused to a command. */
export interface Refusal {
  /** the line of the output that says so */
  readonly line: string;
  /** absolute; "": there is none, it was to become another user or to give files away */
  readonly path: string;
  /** what opens it, as a word of `check-access`; undefined: nothing does, or it would open what nobody should */
  readonly access: string | undefined;
}

/** How programs say which of the errors it was; the words are those of the C library. */
const SAID = {
  readOnly: /\bEROFS\b|read-only file system/iu,
  crossDevice: /\bEXDEV\b|cross-device link/iu,
  tooLarge: /\bEOVERFLOW\b|value too large for defined data type/iu,
};
/** A path, in quotes or not. */
const PATHS = /(["'`])(?<quoted>\/[^"'`]*)\1|(?<![\w.~-])(?<bare>\/[^\s"'`:,;()<>[\]{}]+)/gu;
/** Of sudo alone; without isolation there is no such flag. */
const NO_NEW_PRIVILEGES = /"no new privileges" flag is set/u;
/** What root can do outside, and nobody inside. */
const ROOTS_OWN =
  /\b(?:su|runuser|setpriv|gosu|su-exec|l?chown|fchown|chgrp|setgroups|initgroups|sete?[ug]id|setres[ug]id)\b.*(?:operation not permitted|invalid argument|\bEPERM\b|\bEINVAL\b)/iu;
/** Of an output that says much, the last lines that speak of it. */
const LINES_READ = 50;
const DOCKER = /\/docker\.sock$/u;

/**
 * Whether isolation made a command fail, by what it said. Words prove nothing, and the work chooses them: a line counts
 * when it names an error and a path, and this machine shows that the same would not have failed outside.
 *
 * - read-only: the user may write there, and the profile does not let the command
 * - another device: both paths lie on one device, and the profile has put a mount between them
 * - too large: the file belongs to somebody else, and lies under an overlay
 * - a socket: there is one at this path, and the profile hides it
 * - another user: sudo says why, or root was refused, who is refused nothing of the kind outside
 *
 * What the command may not change on purpose, the loop's own files, is no refusal to be lifted.
 */
export async function refusalIn(output: string, profile: IsolationProfile): Promise<Refusal | undefined> {
  const lines = output.split("\n");
  const privileged = lines.findLast((line) => NO_NEW_PRIVILEGES.test(line) || (profile.isRoot && ROOTS_OWN.test(line)));
  if (privileged !== undefined) return { line: privileged.trim(), path: "", access: undefined };
  const spoken = lines.filter((line) => line.includes("/"));
  for (const line of spoken.slice(-LINES_READ).toReversed()) {
    const paths = pathsIn(line);
    const [first] = paths;
    if (first === undefined) continue;
    const refused =
      (SAID.readOnly.test(line) && (await firstOf(paths, (one) => isKeptFromWriting(one, profile)))) ||
      (SAID.crossDevice.test(line) && (await partedAt(first, paths[1] ?? profile.cwd, profile))) ||
      (SAID.tooLarge.test(line) && (await firstOf(paths, (one) => isForeign(one, profile)))) ||
      undefined;
    if (refused !== undefined) return { line: line.trim(), path: refused, access: await accessTo(refused, profile) };
    const socket = await firstOf(paths, (one) => isHiddenSocket(one, profile));
    if (socket !== undefined)
      return { line: line.trim(), path: socket, access: DOCKER.test(socket) ? "docker" : `${socket}:rw` };
  }
  return undefined;
}

/** The folder, unless more than the work's own lies in it: the work chooses the words that a person reads and follows. */
async function accessTo(refused: string, { home, emptied, closed }: IsolationProfile): Promise<string | undefined> {
  const real = await realpath(await nearest(path.dirname(refused)));
  const holdsHidden = [...emptied, ...closed].some((one) => isWithin(one, real) || isWithin(real, one));
  return isTooWide(real, home) || holdsHidden ? undefined : `${path.dirname(refused)}:rw`;
}

function pathsIn(line: string): readonly string[] {
  const found = [...line.matchAll(PATHS)].map(({ groups }) => groups?.["quoted"] ?? groups?.["bare"] ?? "");
  return found.map((one) => path.posix.normalize(one.replace(/^\/{2,}/u, "/").replace(/(?<=.)[./]+$/u, "")));
}

async function firstOf(paths: readonly string[], holds: (one: string) => Promise<boolean>) {
  for (const one of paths) if (await holds(one)) return one;
  return undefined;
}

/** The workspace, an overlay, a folder of its own, or the read-only machine. */
function mountOf(file: string, { writable, overlays, replaced }: IsolationProfile): string {
  const mounts = [...writable, ...overlays.map(({ folder }) => folder), ...replaced.map(({ folder }) => folder)];
  const around = mounts.filter((folder) => isWithin(file, folder)).toSorted((a, b) => b.length - a.length);
  return around[0] ?? "/";
}

async function isKeptFromWriting(file: string, profile: IsolationProfile): Promise<boolean> {
  if (profile.readOnly.some((one) => isWithin(file, one)) || mountOf(file, profile) !== "/") return false;
  return access(await nearest(file), constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Of two paths between which the profile has put a mount, the one that can be opened. */
async function partedAt(from: string, to: string, profile: IsolationProfile): Promise<string | undefined> {
  const { writable, readOnly, overlays } = profile;
  if (readOnly.some((one) => isWithin(from, one) || isWithin(to, one))) return undefined;
  const [mount, other] = [mountOf(from, profile), mountOf(to, profile)];
  // Within an overlay a folder that was there before cannot be renamed.
  if (mount === other && !overlays.some(({ folder }) => folder === mount)) return undefined;
  const [here, there] = await Promise.all([from, to].map(async (one) => stat(await nearest(one))));
  return here?.dev === there?.dev ? [from, to].find((one) => !writable.includes(mountOf(one, profile))) : undefined;
}

async function isForeign(file: string, profile: IsolationProfile): Promise<boolean> {
  const { overlays } = profile;
  const mount = mountOf(file, profile);
  if (profile.isRoot || !overlays.some(({ folder }) => folder === mount)) return false;
  const info = await stat(file).catch(() => undefined);
  return info !== undefined && (info.uid !== process.getuid?.() || info.gid !== process.getgid?.());
}

async function isHiddenSocket(file: string, profile: IsolationProfile): Promise<boolean> {
  const { closed, emptied, replaced, writable, seen } = profile;
  if ([...writable, ...seen].some((one) => isWithin(file, one))) return false;
  const covered = [...closed, ...emptied, ...replaced.map(({ folder }) => folder)];
  const isCovered = covered.some((one) => isWithin(file, one)) || file === "/var/run/docker.sock";
  return isCovered && ((await stat(file).catch(() => undefined))?.isSocket() ?? false);
}

/** The path, or the folder around it that exists. */
async function nearest(file: string): Promise<string> {
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  return exists || file === "/" ? file : nearest(path.dirname(file));
}
