import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { findOuter } from "../programs.ts";
import type { Overlay } from "./profile.ts";
import { removeTree } from "../temp-folder.ts";
import { own, takeOut } from "./scratch.ts";

/**
 * Overlays that bubblewrap finds mounted.
 *
 * When an overlay is unmounted, the kernel writes the whole file system of its upper layer to the disk: a check ended 20 s
 * late on a busy one. With the option `volatile` it does not, and bubblewrap cannot give that option. So `unshare` makes the
 * mounts, in a namespace of their own that ends with the command: nothing holds them between two commands, and each
 * sees what has changed below since.
 */

/** Where what commands write is kept: one of these is used by one command at a time. */
export interface Layers {
  readonly folder: string;
  /** gives it back; the command's namespace is empty */
  readonly free: () => void;
}

/** util-linux, or what looks like it. */
interface Mounter {
  readonly unshare: string;
  readonly mount: string;
}

/** undefined: they are not here, or where the agent can write */
export function findMounter(searchPath: string | undefined): Mounter | undefined {
  const [unshare, mount] = ["unshare", "mount"].map((name) => findOuter(name, searchPath)?.file);
  return unshare === undefined || mount === undefined ? undefined : { unshare, mount };
}

/** The lower layer is named by the working folder: no character of its path has to be escaped. */
const MOUNT = `mount=$1; shift
while [ "$1" != -- ]; do
  cd "$1" && "$mount" -i -n -t overlay -o "lowerdir=.,upperdir=$3,workdir=$4,volatile,userxattr" overlay "$2" || exit 125
  shift 4
done
shift
exec "$@"`;

/**
 * The command line before bubblewrap's own, in the same process. Who is not root becomes root of a user namespace, in
 * which bubblewrap makes another one where he is himself again and the mounts cannot be undone.
 */
export function mounting(
  { unshare, mount }: Mounter,
  overlays: readonly Overlay[],
  isRoot: boolean,
): readonly string[] {
  const rows = overlays.flatMap(({ folder, at, upper, work }) => [folder, at, upper, work]);
  return [unshare, ...(isRoot ? [] : ["-U", "-r"]), "-m", "/bin/sh", "-c", MOUNT, "sh", mount, ...rows, "--"];
}

/** What bubblewrap needs to know of it. */
export function identityAgain(isRoot: boolean): readonly string[] {
  const { getuid = () => 0, getgid = () => 0 } = process;
  return isRoot ? [] : ["--unshare-user", "--uid", String(getuid()), "--gid", String(getgid())];
}

/** Layers in a scratch folder. Commands side by side get some of their own: two mounts of one upper layer spoil it. */
export class LayerPool {
  readonly #scratch: string;
  readonly #used = new Set<number>();

  constructor(scratch: string) {
    this.#scratch = scratch;
  }

  async take(): Promise<Layers> {
    let nth = 0;
    while (this.#used.has(nth)) nth++;
    this.#used.add(nth);
    const folder = await own(this.#scratch, `layers-${nth}`, 0o700);
    return { folder, free: () => void this.#used.delete(nth) };
  }
}

/** @param nth tells the folders of one command apart */
export async function layersOf(folder: string, { folder: layers }: Layers, nth: number): Promise<Overlay> {
  const work = path.join(layers, `work-${nth}`);
  // A volatile mount leaves a mark there, after which the kernel refuses the next one.
  removeTree(work);
  await mkdir(work);
  const [upper, at] = [await own(layers, `upper-${nth}`, 0o700), await own(layers, `seen-${nth}`, 0o700)];
  return { folder, at, upper, work };
}

/** Folders of a home in which shells and tools look for settings and for code to run, besides the files in the home itself. */
const SETTINGS: readonly string[] = [
  ...[".config", ".local/etc", ".bundle", ".pip", ".git", ".mvn", ".hg", ".ipython", ".bashrc.d", ".zsh"],
  ...[".node_modules", ".node_libraries", "node_modules", ".cargo/config", ".cargo/config.toml", ".cargo/env"],
  ...[".gradle/init.d", ".gradle/init.gradle", ".gradle/init.gradle.kts", ".gradle/gradle.properties"],
  ...[".m2/settings.xml", ".m2/extensions.xml", ".m2/toolchains.xml"],
];

/**
 * Makes what shells and tools read in a home be as the machine has it again: all files in it, and known folders. What
 * one command wrote there would decide what the next one proves. Caches and installed tools stay.
 *
 * @param upper of the home's overlay, or of one around it; nothing is running in it
 * @param home relative to it; "" when it is the home. One below an overlay is forgotten as a whole
 */
export function forgetSettings(upper: string, home: string): void {
  if (home !== "") return takeOut(upper, home);
  for (const entry of readdirSync(upper, { withFileTypes: true })) if (!entry.isDirectory()) takeOut(upper, entry.name);
  for (const name of SETTINGS) takeOut(upper, name);
}
