import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { codexHome } from "../support/codex-home.ts";
import { answer, command as says, message, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { cli, stage } from "./run-cli.ts";

const REAL = process.env["PATH"] ?? "";
const DONE = "Done.\n<promise>TASK_COMPLETE</promise>";
/** What the loop itself starts, and what Codex starts outside of its sandbox. */
const PLANTED = ["git", "codex", "my-agent", "node", "bash", "sh", "bwrap", "ps", "tar", "zstd", "npm", "sudo"];

/** A workspace that has programs of its own for everything; each leaves its name in `traces` when it runs. */
async function hostile() {
  await using stack = new AsyncDisposableStack();
  const traces = stack.use(await tempFolder("traces-"));
  const outside = stack.use(await tempFolder("outside-"));
  const repo = stack.use(await stage({ ".gitignore": "script.json\nnode_modules\nbin\n/codex\n/git\n" }));
  const plant = async (folder: string, names = PLANTED): Promise<void> => {
    await mkdir(folder, { recursive: true });
    for (const name of names) {
      const file = path.join(folder, name);
      await writeFile(file, `#!/bin/dash\n: > '${traces.path}/${name}-'$$\nexit 0\n`);
      await chmod(file, 0o755);
    }
  };
  const modules = path.join(repo.path, "node_modules/.bin");
  await plant(modules);
  await plant(path.join(repo.path, "bin"));
  // For the empty entry, which is the current folder.
  await plant(repo.path, ["git", "codex"]);
  const link = path.join(outside.path, "link");
  await symlink(modules, link);
  // A folder outside may hold a link to a program inside.
  const half = path.join(outside.path, "half");
  await mkdir(half);
  await symlink(path.join(modules, "git"), path.join(half, "git"));
  const owned = stack.move();
  return {
    repo,
    outside: outside.path,
    traces: traces.path,
    modules,
    link,
    half,
    ran: async () => (await readdir(traces.path)).map((name) => name.replace(/-\d+$/u, "")),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe.concurrent("programs that the loop itself starts [T12]", () => {
  test.each([
    ["a folder of the workspace", "modules"],
    ["an empty entry", ""],
    ["a relative entry", "bin"],
    ["a relative entry that leads through a folder", "./node_modules/.bin"],
    ["a link into the workspace", "link"],
    ["a link to a program in the workspace", "half"],
  ])("git of the workspace never runs, and the loop goes on with the machine's: %s", async (_name, entry) => {
    await using it = await hostile();
    const first = entry === "modules" || entry === "link" || entry === "half" ? it[entry] : entry;
    const script = await it.repo.play({ turns: [{ files: { "ok.txt": "yes\n" }, lastMessage: DONE }] });
    const said = await cli(["x", ...script, "--success-cmd", '["test","-f","ok.txt"]', "--full-auto"], it.repo.path, {
      PATH: `${first}:${REAL}`,
    });
    expect(await it.ran()).toEqual([]);
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("completed (success_command)") });
    expect(said.stderr.match(/entries of PATH/gu) ?? []).toHaveLength(first === it.half ? 0 : 1);
  });

  test("each entry that is left out is named once, with what it means", async () => {
    await using it = await hostile();
    const script = await it.repo.play({ turns: [{ lastMessage: DONE }] });
    const said = await cli(["x", ...script], it.repo.path, { PATH: `${it.modules}::bin:${it.modules}:${REAL}` });
    expect(said.stderr).toContain(
      `These entries of PATH are folders that the agent can write: ${it.modules}, an empty entry, bin. The agent and the checks have them as before; what smithers itself starts (git, the agent, tar) is not looked for there.`,
    );
    expect(await it.ran()).toEqual([]);
  });

  test("a check has the job's PATH as it is: programs of the workspace are its own", async () => {
    await using it = await hostile();
    const script = await it.repo.play({ turns: [{ lastMessage: DONE }] });
    const traces = ["--check-access", `${it.traces}:rw`];
    const said = await cli(["x", ...script, "--success-cmd", '["my-agent"]', ...traces], it.repo.path, {
      PATH: `${it.modules}:${REAL}`,
    });
    expect(said.code).toBe(0);
    expect(await it.ran()).toEqual(["my-agent"]);
  });

  test("an agent's program that is only in the workspace is refused, and the message says where it was found and the way out", async () => {
    await using it = await hostile();
    const command = ["x", "--provider", "command", "--provider-command", '["my-agent"]'];
    const said = await cli(command, it.repo.path, { PATH: `${it.modules}:${REAL}` });
    expect(said.code).toBe(64);
    expect(said.stderr).toContain(path.join(it.modules, "my-agent"));
    expect(said.stderr).toContain("provider-command");
    expect(await it.ran()).toEqual([]);
    const named = [
      "x",
      "--provider",
      "command",
      "--provider-command",
      JSON.stringify([path.join(it.modules, "my-agent")]),
    ];
    // In isolation it would leave no trace outside of the workspace.
    const bare = ["--max-iterations", "1", "--agent-isolation", "off"];
    await cli([...named, ...bare], it.repo.path, { PATH: `${it.modules}:${REAL}` });
    expect(new Set(await it.ran())).toEqual(new Set(["my-agent"]));
  });

  test("an agent's program is started from outside, and what its first line names as well; its own commands have the job's PATH", async () => {
    await using it = await hostile();
    const file = path.join(it.outside, "my-agent");
    await writeFile(file, `#!/usr/bin/env sh\necho "\${PATH%%:*}"\necho '<promise>TASK_COMPLETE</promise>'\n`);
    await chmod(file, 0o755);
    const args = ["x", "--provider", "command", "--provider-command", '["my-agent"]'];
    const PATH = `${it.modules}:${it.outside}:${REAL}`;
    const said = await cli(args, it.repo.path, { PATH });
    expect(await it.ran()).toEqual([]);
    expect(said.code).toBe(0);
    expect(said.stderr).toContain(`agent says: ${it.modules}`);
  });

  test("Codex of the workspace never runs: the refusal says where it is", async () => {
    await using it = await hostile();
    const args = ["x", "--success-cmd", '["test","-f","ok.txt"]', "--full-auto", "--max-iterations", "2"];
    const PATH = `${it.modules}:/usr/bin:/bin`;
    const refused = await cli([...args, "--check-sandbox", "strict"], it.repo.path, { PATH });
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain(path.join(it.modules, "codex"));
    expect(await it.ran()).toEqual([]);
  });

  test("what Codex starts outside of its sandbox is not the workspace's, with check-sandbox as well; its commands have the job's PATH", async () => {
    await using it = await hostile();
    // These are the check's own, and would answer it.
    await Promise.all(["bash", "sh"].map((name) => rm(path.join(it.modules, name))));
    await using server = await startModelServer([
      answer([says("printf '%s\\n' \"$PATH\" > ok.txt")]),
      answer([message(DONE)]),
    ]);
    await using home = await codexHome(server);
    const PATH = `${it.modules}:${home.env["PATH"]}`;
    const check = `printf '%s' "$PATH" | grep -q '${it.modules}' && grep -q '${it.modules}' ok.txt`;
    const args = [
      "x",
      "--success-sh",
      check,
      "--check-sandbox",
      "strict",
      "--full-auto",
      "--max-iterations",
      "2",
      "--pass-env",
      "MOCK_API_KEY",
    ];
    const said = await cli(args, it.repo.path, { ...home.env, PATH });
    // The sandbox's own commands may be the workspace's: it runs them inside.
    expect((await it.ran()).filter((name) => ["git", "codex", "bwrap"].includes(name))).toEqual([]);
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining("completed (success_command)") });
  });
});
