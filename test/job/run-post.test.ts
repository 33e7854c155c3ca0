import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { resolveSettings } from "../../src/config/resolve.ts";
import { readContext } from "../../src/github/context.ts";
import { runPost } from "../../src/job/run-post.ts";
import { beginHandOver } from "../../src/job/run-job.ts";
import { createRunnerLog } from "../../src/os/runner-log.ts";
import { findOuter, keepProgramsOutside } from "../../src/os/programs.ts";
import { jobPlaceOf } from "../../src/store/place.ts";
import { Sink } from "../reporters/sink.ts";
import { aJob, read } from "./credentials-stage.ts";

/** A program of git's name. @returns its folder */
async function plantGit(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "git"), "#!/bin/sh\n", { mode: 0o755 });
  return folder;
}

test("post takes no program from what access opens for changes, or from a git folder elsewhere [T12]", async () => {
  await using job = await aJob();
  onTestFinished(() => keepProgramsOutside([]));
  const { repository, temp } = job;
  const tree = path.join(temp, "tree");
  await repository.git("commit", "-q", "--allow-empty", "-m", "first");
  await repository.git("worktree", "add", "-q", tree);
  const opened = [path.join(temp, "turns"), path.join(temp, "checks")];
  const folders = [...opened.map((one) => path.join(one, "bin")), path.join(repository.path, ".git")];
  const env = {
    ...job.env,
    PATH: [...folders, "/usr/bin", "/bin"].join(path.delimiter),
    "INPUT_AGENT-ACCESS": `${opened[0]}:rw`,
    "INPUT_CHECK-ACCESS": `${opened[1]}:rw`,
  };
  const { config } = resolveSettings({ flags: {}, env, inputs: env });
  keepProgramsOutside([tree]);
  const place = jobPlaceOf(temp, tree, "a-loop", null);
  await beginHandOver({ context: readContext(env), place, settings: { config } }, env);
  for (const folder of folders) await plantGit(folder);

  // Post is another process.
  keepProgramsOutside([]);
  const taken: Record<string, string> = { ...env };
  (await read(env)).restore(taken);
  expect(taken["PATH"]).toBe(["/usr/bin", "/bin"].join(path.delimiter));
  expect(findOuter("git", env.PATH)?.file).toMatch(/^\/usr\/bin\//u);
});

/** What post says in this environment. @returns its exit code as well */
async function posted(env: Readonly<Record<string, string>>) {
  const sink = new Sink();
  const script = path.join(env["RUNNER_TEMP"] ?? "", "post/index.js");
  const host = { env: { ...env }, script, stdout: sink, stderr: sink, startedAt: 0, platform: "linux" as const };
  onTestFinished(() => keepProgramsOutside([]));
  const code = await runPost(host, createRunnerLog(sink), () => {});
  return { code, text: sink.text };
}

test.for<[variable: string, isSaved: boolean]>([
  ["LD_PRELOAD", false],
  ["NODE_OPTIONS", false],
  ["NODE_ENV", true],
])(
  "where nothing is proved and %s is set, the work is saved with the step's secrets: %s [T11, T15]",
  async ([variable, isSaved]) => {
    await using job = await aJob();
    const [step = ""] = await readdir(path.join(job.temp, "smithers/hand-over"));
    await writeFile(path.join(job.temp, "smithers/hand-over", step, "hand-over.json"), "{}");
    const { code, text } = await posted({ ...job.env, [variable]: "x" });
    expect(code).toBe(1);
    expect(text).toContain("What the main step handed over cannot be proved");
    expect(text.includes("replace the secrets that this job has")).toBe(!isSaved);
    expect(text.includes(`${variable}: this is set here`)).toBe(!isSaved);
    expect((await readdir(job.temp)).includes("smithers-unproved")).toBe(isSaved);
  },
);

test.for([["proved"], ["unproved"]])(
  "what isolated commands of a killed main have written is gone after post, with a hand-over that is %s [T2]",
  async ([how]) => {
    await using job = await aJob();
    const made = path.join(process.cwd(), "src/os/temp-folder.ts");
    const program = `const { diskFolder, makeTempFolder } = await import(${JSON.stringify(made)});
    process.stdout.write(await makeTempFolder(await diskFolder()));
    setInterval(() => {}, 1e6);`;
    const main = spawn(process.execPath, ["--input-type=module", "-e", program]);
    onTestFinished(() => void main.kill("SIGKILL"));
    const [folder] = (await once(main.stdout, "data")).map(String);
    await writeFile(path.join(folder ?? "", "secret"), "of a check");
    await posted(job.env);
    expect(existsSync(folder ?? "")).toBe(true);
    main.kill("SIGKILL");
    await once(main, "close");
    const [step = ""] = await readdir(path.join(job.temp, "smithers/hand-over"));
    if (how === "unproved") await writeFile(path.join(job.temp, "smithers/hand-over", step, "hand-over.json"), "{}");
    await posted(job.env);
    expect(existsSync(folder ?? "")).toBe(false);
  },
);
