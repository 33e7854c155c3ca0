import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { machine, REF, remoteWith } from "../../test/carry/git-machines.ts";
import type { GitHttp } from "../../test/support/git-http.ts";
import { writeLogs } from "./large-loop.ts";
import { tarAndZstd } from "./tar-and-zstd.ts";
import { type Cost, timed } from "./timed.ts";

const run = promisify(execFile);
const WITHIN_MS = 120_000;
const PACK_LIMIT = 1 << 28;

/** Milliseconds. */
interface Times {
  readonly save: number;
  readonly restore: number;
}

/** What one round took; `network` is included in `took`. */
export interface GitRound {
  readonly base: { readonly save: Cost; readonly restore: Cost };
  /** the snapshot, too */
  readonly took: Times;
  readonly snapshot: number;
  /** what the server's git does with the pack: takes it in, and makes it again */
  readonly network: Times;
  /** what git takes to make a pack of the same files and to check them out of it, with nothing of ours around it */
  readonly git: Times;
}

/** Keeps 50 MB of unfinished work in a loop's ref and puts it back on another machine. */
export async function gitRound(folder: string): Promise<GitRound> {
  await using remote = await remoteWith();
  // What comes as a pack stays one: or the server would look for differences between the files before it sends them.
  await remote.git("config", "receive.unpackLimit", "1");
  await using one = await machine(remote);
  await using other = await machine(remote);
  const logs = path.join(one.root, "logs");
  await writeLogs(logs, (n) => `log-${n}.txt`);
  const base = await tarAndZstd(logs, path.join(folder, "tar"));
  const ref = one.ref();
  await ref.read(WITHIN_MS);
  const [snapshot, tree] = await timed(() => one.tree());
  const [save, written] = await timed(() => ref.write(one.record(), tree, WITHIN_MS));
  if (!written.ok) throw new Error(written.trouble.because);
  const back = other.ref();
  const [restore, restored] = await timed(async () => {
    await back.read(WITHIN_MS);
    return back.restoreTree(WITHIN_MS);
  });
  if (restored.restored !== "applied") throw new Error(`The work was not put back: ${restored.restored}.`);
  return {
    base,
    took: { save: snapshot.wall + save.wall, restore: restore.wall },
    snapshot: snapshot.wall,
    network: await serversPart(remote, folder),
    git: await gitAlone(logs, folder),
  };
}

async function serversPart(remote: GitHttp, folder: string): Promise<Times> {
  const pack = path.join(folder, "pack");
  const script = 'echo "$2" | git -C "$1" pack-objects -q --revs --stdout > "$3"';
  const [restore] = await timed(() => run("bash", ["-c", script, "-", remote.folder, REF, pack]));
  const into = path.join(folder, "server.git");
  await run("git", ["init", "-q", "--bare", into]);
  const [save] = await timed(() => run("bash", ["-c", 'git -C "$1" index-pack --stdin < "$2"', "-", into, pack]));
  return { save: save.wall, restore: restore.wall };
}

async function gitAlone(logs: string, folder: string): Promise<Times> {
  const [from, to] = [path.join(folder, "from"), path.join(folder, "to")];
  for (const top of [from, to]) await run("git", ["init", "-q", top]);
  await cp(logs, path.join(from, "logs"), { recursive: true });
  const quick = "-c core.looseCompression=1 -c pack.window=0 -c pack.compression=1";
  const out = `cd "$1" && git ${quick} add -A && git write-tree > "$2/tree" && git ${quick} pack-objects -q --revs --stdout < "$2/tree" > "$2/own.pack"`;
  const back = `cd "$1" && git index-pack --stdin < "$2/own.pack" && git read-tree -u --reset "$(cat "$2/tree")"`;
  const [save] = await timed(() => run("bash", ["-c", out, "-", from, folder], { maxBuffer: PACK_LIMIT }));
  const [restore] = await timed(() => run("bash", ["-c", back, "-", to, folder], { maxBuffer: PACK_LIMIT }));
  return { save: save.wall, restore: restore.wall };
}
