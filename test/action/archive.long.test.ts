import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../../src/core/names.ts";
import { startCi } from "../support/ci/ci.ts";
import { scriptedTask } from "../support/ci/scripted-task.ts";
import { gitRepository } from "../support/git-repository.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";

const program = promisify(execFile);

const ROOT = path.join(import.meta.dirname, "../..");

/** What GitHub sends for `uses: …@<commit>`, and npm fetches. */
const MAX_PACKED_BYTES = 2_800_000;

const TASK = scriptedTask([{ files: { "done.txt": "done\n" }, lastMessage: "Done. <promise>DONE</promise>" }]);

let folder: TempFolder;
let archive: string;
let unpacked: string;

beforeAll(async () => {
  folder = await tempFolder("archive-");
  archive = path.join(folder.path, "loop.tar.gz");
  unpacked = path.join(folder.path, "loop");
  await pack(archive);
  await program("tar", ["-xzf", archive, "-C", folder.path]);
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Has git pack the files as they lie here, as if they had been committed; the repository stays as it is. */
async function pack(file: string): Promise<void> {
  const git = async (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
    const { stdout } = await program("git", args, { cwd: ROOT, env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
    return stdout.trim();
  };
  const [index = "", objects = ""] = await Promise.all(
    ["index", "objects"].map((name) => git(["rev-parse", "--path-format=absolute", "--git-path", name])),
  );
  const own = {
    GIT_INDEX_FILE: path.join(folder.path, "index"),
    GIT_OBJECT_DIRECTORY: path.join(folder.path, "objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  await mkdir(own.GIT_OBJECT_DIRECTORY);
  await copyFile(index, own.GIT_INDEX_FILE);
  await git(["add", "--all"], own);
  const tree = await git(["write-tree"], own);
  await git(["archive", "--format=tar.gz", "--prefix=loop/", "-o", file, tree], own);
}

async function names(of: string): Promise<readonly string[]> {
  return (await readdir(of)).toSorted();
}

/** How a loop ends that a command runs in a repository of its own. */
async function statusOfLoop(command: readonly [string, ...string[]]): Promise<unknown> {
  await using repository = await gitRepository(TASK.files);
  const { prompt = "", script = "" } = TASK.inputs;
  const flags = ["--provider", "scripted", "--script", script, "--success-sh", "test -f done.txt"];
  const [first, ...rest] = command;
  const { stdout } = await program(first, [...rest, prompt, ...flags, "--sandbox", "workspace-write", "--json"], {
    cwd: repository.path,
  });
  const { status }: { status: unknown } = JSON.parse(stdout);
  return status;
}

test("the archive holds the programs and what has to go with them, and a job downloads at most 2.8 MB", async () => {
  expect((await stat(archive)).size).toBeLessThanOrEqual(MAX_PACKED_BYTES);
  expect(await names(unpacked)).toEqual(["LICENSE", "README.md", "action.yml", "dist", "package.json"]);
  expect(await names(path.join(unpacked, "dist"))).toEqual(await names(path.join(ROOT, "dist")));
  const files = await readdir(path.join(unpacked, "dist"), { recursive: true });
  expect(
    files.filter((file) => /\.\w+$/u.test(file) && !/\.js$|(?:^|\/)package\.json$/u.test(file)).toSorted(),
  ).toEqual(["cli/licenses.txt", "job/licenses.txt"]);
});

test("the Action runs from the unpacked archive, with its services and its last step", async () => {
  await using ci = await startCi({ files: TASK.files, actionDir: unpacked, publishes: false });
  await using machine = await ci.machine();
  const job = await machine.run({ inputs: TASK.inputs });
  expect(job.conclusion).toBe("success");
  expect(job.outputs).toMatchObject({
    status: "completed",
    iterations: "1",
    "artifact-id": expect.stringMatching(/^\d+$/u),
  });
  expect(job.posts.map(({ exitCode }) => exitCode)).toEqual([0]);
});

test("the command runs from the unpacked archive", async () => {
  const cli = path.join(unpacked, "dist/cli/index.js");
  const version = await program(cli, ["--version"]);
  expect(version.stdout).toBe(`${VERSION}\n`);
  const help = await program(cli, ["--help"]);
  expect(help.stdout).toContain('smithers "<what to do>" [options]');
  expect(await statusOfLoop([process.execPath, cli])).toBe("completed");
});

test("the archive can be installed, and needs nothing else", async () => {
  const prefix = path.join(folder.path, "installed");
  const npmrc = path.join(folder.path, "npmrc");
  await writeFile(npmrc, "");
  const env = { ...process.env, npm_config_userconfig: npmrc, npm_config_cache: path.join(folder.path, "cache") };
  const quiet = ["--offline", "--no-audit", "--no-fund", "--no-update-notifier"];
  await program("npm", ["install", "--global", "--prefix", prefix, ...quiet, archive], { cwd: folder.path, env });
  expect(await statusOfLoop([path.join(prefix, "bin/smithers")])).toBe("completed");
});
