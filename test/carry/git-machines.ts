import path from "node:path";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { createGitRef, type GitRefOptions } from "../../src/carry/git-ref.ts";
import type { CarriedRecord, LoopRef, WorkFile } from "../../src/core/carry.ts";
import { createWorkBundle, type WorkBundleOptions } from "../../src/git/work-tree/work-bundle.ts";
import type { Change } from "../../src/core/state.ts";
import { createGitWorkspace } from "../../src/git/workspace.ts";
import { aState } from "../support/builders.ts";
import { gitHttp, type GitHttp } from "../support/git-http.ts";
import { headOf, shellIn } from "../support/git-repository.ts";
import { tempFolder, type TempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);

export const REF = "refs/smithers-loops/a-loop";
export const SOON = 20_000;

let nonces = 0;

/** A valid record; two are never the same. */
export function aRecord(revision = 1, overrides: Partial<CarriedRecord> = {}): CarriedRecord {
  return {
    schema: 1,
    loop_id: "a-loop",
    generation: 1,
    revision,
    saved_at: "2026-03-01T10:00:00.000Z",
    run: { id: "7", attempt: "1" },
    nonce: `n${(nonces += 1)}`,
    follows: null,
    base: null,
    bulk: null,
    state: aState({ revision }),
    ...overrides,
  };
}

/** A remote whose branch `main` holds `files`. */
export async function remoteWith(
  files: Record<string, string> = { "README.md": "hello\n" },
  objectFormat: "sha1" | "sha256" = "sha1",
): Promise<GitHttp> {
  const remote = await gitHttp(objectFormat);
  await advance(remote, async ({ write }) => {
    for (const [name, content] of Object.entries(files)) await write(name, content);
  });
  return remote;
}

/** Makes a commit on the remote's `main`; what is there already is checked out first. */
export async function advance(
  remote: GitHttp,
  change: (use: { write: (name: string, content: string) => Promise<void>; path: string }) => Promise<void>,
): Promise<void> {
  await using folder = await tempFolder("author-");
  const shell = (script: string) => shellIn(folder.path, script, remote.folder);
  // An empty repository does not tell its clone the format of its objects.
  await shell(`git init -q --object-format="$(git -C "$0" rev-parse --show-object-format)"
    if git -C "$0" show-ref -q; then git pull -q "$0" main; fi`);
  await change({
    path: folder.path,
    write: async (name, content) => {
      await mkdir(path.dirname(path.join(folder.path, name)), { recursive: true });
      await writeFile(path.join(folder.path, name), content, "latin1");
    },
  });
  await shell(`git add -A -f; git -c user.name=A -c user.email=a@example.invalid commit -q -m work
    git push -q "$0" HEAD:main`);
}

/** A machine with the remote checked out, as a job has it. */
export interface Machine extends TempFolder {
  /** the workspace's root */
  readonly root: string;
  readonly top: string;
  readonly head: string;
  readonly git: (...args: string[]) => Promise<string>;
  /** writes a file below the root */
  readonly write: (name: string, content: string | Buffer) => Promise<void>;
  ref(overrides?: Partial<GitRefOptions>): LoopRef;
  workFile(overrides?: Partial<WorkBundleOptions>): WorkFile;
  /** the id of the workspace's tree */
  tree(): Promise<string>;
  /** what lies between an older tree of the workspace and now */
  compare(tree: string): Promise<Change | null>;
  /** a record of what is checked out */
  record(revision?: number): CarriedRecord;
  /** what every file of the work tree is: mode and content */
  files(): Promise<Record<string, string>>;
}

export interface MachineOptions {
  /** arguments of `git clone`; a whole clone without them */
  readonly clone?: readonly string[];
  /** the workspace's root below the top */
  readonly prefix?: string;
}

export async function machine(remote: GitHttp, { clone = [], prefix = "" }: MachineOptions = {}): Promise<Machine> {
  const folder = await tempFolder("machine-");
  const top = path.join(folder.path, "work");
  const git = async (...args: string[]) =>
    (await run("git", args, { cwd: top, maxBuffer: 1 << 26 })).stdout.replace(/\n$/u, "");
  const header = `http.extraHeader=AUTHORIZATION: basic ${btoa(`x-access-token:${remote.readToken}`)}`;
  await run("git", ["-c", header, "clone", "-q", ...clone, remote.url, top]);
  const head = await git("rev-parse", "HEAD");
  const root = path.join(top, prefix);
  const loop = path.join(folder.path, "loops/a-loop");
  const workspace = await createGitWorkspace({ root, folder: loop, excluded: [] });
  const place = {
    ref: REF,
    url: remote.url,
    token: remote.writeToken,
    folder: path.join(folder.path, "loops/a-loop.ref.git"),
    mark: "test",
    workTree: {
      top,
      prefix,
      privateObjects: path.join(loop, "git/objects"),
      theirObjects: path.join(top, ".git/objects"),
      shallowFile: path.join(top, ".git/shallow"),
      head: () => headOf(top),
    },
  };
  return {
    ...folder,
    root,
    top,
    head,
    git,
    write: async (name, content) => {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), content);
    },
    ref: (overrides = {}) => createGitRef({ ...place, sealKey: null, secrets: [], ...overrides }),
    workFile: (overrides = {}) =>
      createWorkBundle({ ...place, folder: path.join(folder.path, "loops/a-loop.work"), secrets: [], ...overrides }),
    tree: async () => (await workspace.snapshot())?.tree ?? "",
    compare: async (before) => {
      const now = await workspace.snapshot();
      return now && workspace.compare({ ...now, id: "", tree: before }, now);
    },
    record: (revision = 1) => aRecord(revision, { base: head }),
    files: () => filesBelow(top),
  };
}

async function filesBelow(top: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const names = await readdir(Buffer.from(top), { recursive: false, encoding: "buffer" });
  const visit = async (folder: Buffer, below: readonly Buffer[]): Promise<void> => {
    for (const name of below) {
      const file = Buffer.concat([folder, Buffer.from("/"), name]);
      if (name.toString() === ".git") continue;
      const info = await lstat(file);
      if (info.isDirectory()) {
        await visit(file, await readdir(file, { encoding: "buffer" }));
        continue;
      }
      const content = info.isSymbolicLink() ? await readlink(file, { encoding: "buffer" }) : await readFile(file);
      const digest = createHash("sha256").update(content).digest("hex").slice(0, 12);
      const kind = info.isSymbolicLink() ? "link" : (info.mode & 0o111) === 0 ? "file" : "program";
      files[file.toString("latin1").slice(top.length + 1)] = `${kind} ${digest}`;
    }
  };
  await visit(Buffer.from(top), names);
  return files;
}
