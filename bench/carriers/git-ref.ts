import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { machine, REF, remoteWith } from "../../test/carriers/git-machines.ts";
import type { GitHttp } from "../../test/support/git-http.ts";
import { writeLogs } from "./large-loop.ts";
import { tarAndZstd } from "./tar-and-zstd.ts";
import { timed } from "./timed.ts";

const run = promisify(execFile);
const WITHIN_MS = 120_000;

interface Times {
  readonly save: number;
  readonly restore: number;
}

/**
 * Keeping 50 MB of unfinished work in the loop's ref and putting it back, against `tar | zstd` of the same files. Taken
 * off is what it takes git to move the same pack, ready made, to the same server and back.
 */
export async function measureGitRef(
  folder: string,
  say: (line: string) => void,
): Promise<{ readonly took: Times; readonly base: Times }> {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  await using other = await machine(remote);
  await writeLogs(path.join(one.root, "logs"), (n) => `log-${n}.txt`);
  const base = await tarAndZstd(path.join(one.root, "logs"), path.join(folder, "tar-git"));
  const ref = one.ref();
  await ref.read(WITHIN_MS);
  const [snapshot, tree] = await timed(() => one.tree());
  const [save, written] = await timed(() => ref.write(one.record(), tree, WITHIN_MS));
  if (!written.written) throw new Error(written.why);
  const back = other.ref();
  const [restore, restored] = await timed(async () => {
    await back.read(WITHIN_MS);
    return back.restoreTree(WITHIN_MS);
  });
  if (restored.restored !== "applied") throw new Error(`The work was not put back: ${restored.restored}.`);
  const network = await movePack(remote, path.join(folder, "pack.git"));
  const all = (times: Times): string => `${Math.round(times.save)} ms out, ${Math.round(times.restore)} ms back`;
  say(
    `git ref: ${all({ save, restore })}, after a snapshot of ${Math.round(snapshot)} ms; tar | zstd ${all(base)}; git's own transfer ${all(network)}`,
  );
  return { took: { save: snapshot + save - network.save, restore: restore - network.restore }, base };
}

/** Fetches the ref into a repository of its own, and pushes it from there under another name. */
async function movePack(remote: GitHttp, folder: string): Promise<Times> {
  await run("git", ["init", "-q", "--bare", folder]);
  const header = `http.extraHeader=AUTHORIZATION: basic ${btoa(`x-access-token:${remote.writeToken}`)}`;
  const git = (...args: string[]): Promise<unknown> => run("git", ["-C", folder, "-c", header, ...args]);
  const [restore] = await timed(() => git("fetch", "-q", remote.url, `${REF}:${REF}`));
  await remote.git("update-ref", "-d", REF);
  await remote.git("prune", "--expire=now");
  const [save] = await timed(() => git("-c", "pack.window=0", "push", "-q", remote.url, `${REF}:refs/smithers/again`));
  return { save, restore };
}
