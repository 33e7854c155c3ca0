import { mkdtemp, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

const BASE = path.join(import.meta.dirname, "../../.test-work");

/** The variable that names the folder of a run of the tests, in which they make theirs. */
const RUN = "TEST_RUN_FOLDER";

/** What the tests of a run have done with. */
const SPENT = "spent";

/** A folder that is gone when its scope ends: `await using folder = await tempFolder()`. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes an empty folder outside the system's temp directory, because that one is writable inside Codex's sandbox and
 * would hide what a sandboxed agent can and cannot do.
 */
export async function tempFolder(prefix = "t-"): Promise<TempFolder> {
  const run = process.env[RUN];
  await mkdir(run ?? BASE, { recursive: true });
  const folder = await mkdtemp(path.join(run ?? BASE, prefix));
  return {
    path: folder,
    async [Symbol.asyncDispose]() {
      if (run === undefined) await remove(folder);
      else await rename(folder, path.join(run, SPENT, path.basename(folder)));
    },
  };
}

/**
 * Keeps what the tests have done with until all of them are through: ext4 without a journal leaves the inodes of deleted
 * files unused for a minute, and looks past each of them for every file that it makes. Removes what runs that were ended
 * have left. @returns what removes this run's
 */
export default async function setup(): Promise<() => Promise<void>> {
  const run = path.join(BASE, `run-${process.pid}`);
  const home = path.join(run, "home");
  await mkdir(path.join(run, SPENT), { recursive: true });
  await mkdir(home);
  await writeFile(path.join(home, ".gitconfig"), "[user]\n\tname = Tester\n\temail = tester@example.org\n");
  for (const name of await readdir(BASE)) {
    const by = /^run-(\d+)$/u.exec(name)?.[1];
    if (by !== undefined && !isAlive(Number(by))) await remove(path.join(BASE, name));
  }
  process.env[RUN] = run;
  // What a person agrees to is kept there; tests never agree to anything in the name of who runs them.
  process.env["XDG_STATE_HOME"] = path.join(run, "state");
  // Shell commands run in login shells: the profile of who runs the tests is none of their business, and may be slow.
  process.env["HOME"] = home;
  return async () => {
    Reflect.deleteProperty(process.env, RUN);
    await remove(run);
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}
