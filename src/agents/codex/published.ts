import { readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { digestTree } from "../../os/digest.ts";

/** What was published of one version: `digestTree` of each package. Written by `scripts/pin-agent.ts`. */
export interface Pins {
  readonly version: string;
  /** of the package that npm is asked for */
  readonly launcher: string;
  /** of the package with the program, by platform and architecture */
  readonly programs: Readonly<Record<string, string>>;
}

/** Of the version that is installed unless another one is asked for. */
export const PINS: Pins = {
  version: "0.169.0",
  launcher: "70066ff5e942f82813f0144af1369b1e07f7a289121a55fee41f72f17ef2c7e7",
  programs: {
    "linux-x64": "f0a126f8bbf7b5937aae50c6d0dd534818bc330c22346fd82a98203202beb33e",
    "linux-arm64": "e8f77632e666ce4137df7c4335600e29331bb7fe917e6fb2cb374be829f47e14",
    "darwin-x64": "4fec8f8d91fec0cdc6995d1eecd199cae11aabe1e8f76aa7755e7353ca228abc",
    "darwin-arm64": "812fe17e6bdf35fef7aef0bc9598c6ddfde9de18247c17304383b214a1f088d1",
  },
};

/** What is known of a version for this machine; undefined: nothing, or there is no program for it. */
export function pinsFor(version: string, pins: Pins): Pins | undefined {
  return version === pins.version && PLATFORM in pins.programs ? pins : undefined;
}

const PLATFORM = `${process.platform}-${process.arch}`;
const SCOPE = "@openai";
const NAME = "codex";

/**
 * Whether a folder that npm has installed into holds what was published, and nothing beside it that anybody could find:
 * its folder of programs comes first on our `PATH`.
 */
export async function isPublished(folder: string, { launcher, programs }: Pins): Promise<boolean> {
  try {
    const modules = path.join(folder, "node_modules");
    const scope = path.join(modules, SCOPE);
    const program = `${NAME}-${PLATFORM}`;
    const isLaidOut =
      (await holdsFolders(modules, [".bin", SCOPE], [".package-lock.json"])) &&
      (await holdsFolders(scope, [NAME, program], [])) &&
      (await readdir(path.join(modules, ".bin"))).join("/") === NAME &&
      (await readlink(path.join(modules, ".bin", NAME))) === path.join("..", SCOPE, NAME, "bin", "codex.js");
    if (!isLaidOut || (await digestTree(path.join(scope, NAME))) !== launcher) return false;
    return (await digestTree(path.join(scope, program))) === programs[PLATFORM];
  } catch {
    return false;
  }
}

/** Whether these folders are all that a folder holds, besides files that may be there; links are none. */
async function holdsFolders(folder: string, names: readonly string[], files: readonly string[]): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const others = entries.filter((entry) => !entry.isDirectory() && !(entry.isFile() && files.includes(entry.name)));
  return others.length === 0 && folders.toSorted().join("/") === names.toSorted().join("/");
}
