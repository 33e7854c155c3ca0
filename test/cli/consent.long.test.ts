import { cp, mkdir, readdir, readFile, stat, symlink, writeFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { resume, run } from "../../src/commands/run.ts";
import { trust } from "../../src/commands/trust.ts";
import { identityOf, taskDigest } from "../../src/core/task.ts";
import { sha256 } from "../../src/os/digest.ts";
import { decodeState } from "../../src/store/state-file.ts";
import { exists } from "../../src/os/file-errors.ts";
import { inProcess } from "../support/in-process.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { agree, cli, jsonOf, stage, type Stage } from "./run-cli.ts";

const DONE = { turns: [{ lastMessage: "All done.\n<promise>TASK_COMPLETE</promise>" }] };
const HOSTILE =
  'provider = "command"\nprovider-command = ["sh", "-c", "touch ran.txt"]\nsuccess-sh = "touch checked.txt"\n';

/** What a command of the clone would have left. */
async function ran(repo: Stage): Promise<readonly string[]> {
  return (await readdir(repo.path)).filter((name) => /^(?:ran|checked|mine)\.txt$/u.test(name));
}

describe.concurrent("a repository's files run nothing until a person has agreed", () => {
  test("the provider command and the check of a clone: told with their lines, nothing is run or written [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": HOSTILE });
    const answer = await cli(["Look around", "--json"], repo.path);
    expect([answer.code, await ran(repo)]).toEqual([64, []]);
    expect(jsonOf(answer)).toMatchObject({ exit_code: 64, problems: [{ code: "CONSENT_MISSING" }] });
    expect(answer.stderr).toContain(
      '.smithers.toml line 2 [provider-command] runs what it names: ["sh","-c","touch ran.txt"]',
    );
    expect(answer.stderr).toContain('.smithers.toml line 3 [success-sh] runs what it names: "touch checked.txt"');
    expect(answer.stderr).toContain("agree with smithers trust, or for one call with --trust");
    expect(await repo.git("status", "--porcelain")).toBe("");
  });

  test("what is typed or exported in its place needs no consent [T8]", async () => {
    await using repo = await stage({
      ".smithers.toml": 'success-sh = "touch checked.txt; false"\nmax-iterations = 1\n',
    });
    const script = await repo.play(DONE);
    const typed = await cli(["x", ...script, "--success-sh", "touch mine.txt"], repo.path);
    const exported = await cli(["x", ...script, "--loop-id", "e"], repo.path, {
      SMITHERS_SUCCESS_SH: "touch mine.txt",
    });
    expect([typed.code, exported.code, await ran(repo)]).toEqual([0, 0, ["mine.txt"]]);
  });

  test("one agreement holds until the file is changed by anybody; it is kept for the person alone [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": 'success-sh = "touch checked.txt"\n' });
    await using state = await tempFolder("state-");
    const env = { XDG_STATE_HOME: state.path };
    const script = await repo.play(DONE);
    const agreed = await cli(["trust"], repo.path, env);
    expect(agreed.stderr).toContain('.smithers.toml line 1 [success-sh] runs what it names: "touch checked.txt"');
    const folder = path.join(state.path, "smithers", "consents");
    const [name = ""] = await readdir(folder);
    expect([(await stat(folder)).mode & 0o777, (await stat(path.join(folder, name))).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    expect((await cli(["x", "--loop-id", "a", ...script], repo.path, env)).code).toBe(0);
    await writeFile(path.join(repo.path, ".smithers.toml"), 'success-sh = "touch ran.txt"\n');
    const changed = await cli(["y", "--loop-id", "b", ...script], repo.path, env);
    expect([changed.code, changed.stderr]).toEqual([
      64,
      expect.stringContaining(".smithers.toml has changed since you agreed to it"),
    ]);
    expect(await ran(repo)).toEqual(["checked.txt"]);
    expect((await cli(["trust", "--list"], repo.path, env)).stdout).toMatch(/^\.smithers\.toml in \S+, agreed \S+$/mu);
    expect((await cli(["trust", "--forget"], repo.path, env)).stdout).toContain("Forgotten: 2 consents");
    expect(await readdir(folder)).toEqual([]);
  });

  test("--trust agrees for this call alone [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": 'success-sh = "touch checked.txt"\n' });
    const script = await repo.play(DONE);
    expect((await cli(["x", "--loop-id", "a", "--trust", ...script], repo.path)).code).toBe(0);
    expect((await cli(["y", "--loop-id", "b", ...script], repo.path)).code).toBe(64);
  });

  test("what a person says by a flag stays agreed to when the same call has --trust, and nothing else does [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": 'quality-commands = ["true"]\nmax-iterations = 1\n' });
    const script = await repo.play({ turns: [{ lastMessage: "not yet" }] });
    const given = ["--trust", "--success-cmd", '["test","-e","b.txt"]', ...script];
    const more = ["resume", "--max-iterations", "2"];
    expect((await cli(["x", "--loop-id", "a", ...given], repo.path)).code).toBe(2);
    // The file's commands are part of the task, and nobody has agreed to them for longer.
    expect((await cli([...more, "--loop-id", "a"], repo.path)).code).toBe(64);
    await rm(path.join(repo.path, ".smithers.toml"));
    const own = ["y", "--loop-id", "b", "--max-iterations", "1", ...given];
    expect((await cli(own, repo.path)).code).toBe(2);
    expect((await cli([...more, "--loop-id", "b"], repo.path)).code).toBe(2);
  });

  test("a .codex-solo.json that starts by itself waits for a person as well [T8]", async () => {
    await using repo = await stage({
      ".codex-solo.json": '{"autostart": true, "kickoff_prompt": "Go", "success_sh": "touch ran.txt"}',
    });
    const answer = await cli([...(await repo.play(DONE))], repo.path);
    expect([answer.code, await ran(repo)]).toEqual([64, []]);
    expect(answer.stderr).toContain('.codex-solo.json lets agent or checks do more: "solo"');
    expect(answer.stderr).toContain("agree with smithers trust --solo-config .codex-solo.json");
  });

  test("what only reads goes on without, and says so; a stop still finds its loop [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": `${HOSTILE}max-iterations = 7\n` });
    const dry = await cli(["x", "--dry-run"], repo.path);
    expect([dry.code, await ran(repo)]).toEqual([0, []]);
    expect(dry.stdout).toMatch(/^ {2}max-iterations +7 +\.smithers\.toml line 4/mu);
    expect(dry.stdout).toMatch(/^ {2}provider +codex +default$/mu);
    expect(dry.stderr).toContain(
      "going on without provider, provider-command, success-sh of .smithers.toml, which nobody has agreed to",
    );
    const doctor = await cli(["doctor"], repo.path);
    expect([doctor.stderr.includes("going on without"), await ran(repo)]).toEqual([true, []]);
    const script = await repo.play(DONE);
    await cli(["x", "--loop-id", "L", "--success-sh", "true", ...script, "--provider-command", '["true"]'], repo.path);
    const status = await cli(["status", "--loop-id", "L"], repo.path);
    expect([status.code, status.stderr]).toEqual([0, ""]);
  });

  test("mistakes of the file are told first: nobody has to agree to what cannot run [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": `${HOSTILE}max-iterations = 0\n` });
    const answer = await cli(["x"], repo.path);
    expect([answer.code, answer.stderr]).toEqual([
      64,
      expect.stringContaining(".smithers.toml line 4 [max-iterations]"),
    ]);
    expect(answer.stderr).not.toContain("agree");
  });
});

describe.concurrent("paths that a repository names", () => {
  const outside = [
    ["a prompt above the workspace", 'prompt-file = "../secret.md"\n', []],
    ["a prompt behind a link that leads out", 'prompt-file = "prompt.md"\n', ["prompt.md"]],
    ["a state that somebody else has written", 'state-file = "state.json"\n', []],
    ["events that would become a hook", 'jsonl-events = ".git/hooks/pre-commit"\n', []],
    ["a SOLO configuration elsewhere", 'solo-config = "/etc/passwd"\n', []],
  ] as const;

  test.each(outside)("%s: not without a person [T8]", async (_, settings, links) => {
    await using around = await tempFolder("around-");
    await writeFile(path.join(around.path, "secret.md"), "the secret\n");
    await using repo = await stage({ ".smithers.toml": settings });
    for (const link of links) await symlink(path.join(around.path, "secret.md"), path.join(repo.path, link));
    const answer = await cli(["run", ...(await repo.play(DONE))], repo.path);
    expect([answer.code, answer.stderr]).toEqual([64, expect.stringContaining(".smithers.toml line 1")]);
    expect(answer.stderr).toMatch(/nobody has agreed yet/u);
    expect(answer.stderr).not.toContain("the secret");
    expect(await exists(path.join(repo.path, ".git/hooks/pre-commit"))).toBe(false);
  });

  test("a prompt, a plan and a preset of the workspace need nobody [T8]", async () => {
    await using repo = await stage({
      ".smithers.toml": 'prompt-file = "a/../prompt.md"\nsandbox = "read-only"\n',
      "prompt.md": "Go.\n",
    });
    expect((await cli(["run", ...(await repo.play(DONE))], repo.path)).code).toBe(0);
  });

  test("a file that the person names needs no consent outside of the repository, and one inside does [T8]", async () => {
    await using around = await tempFolder("around-");
    await using repo = await stage({ "mine.toml": 'success-sh = "touch mine.txt"\n' });
    const file = path.join(around.path, "mine.toml");
    await cp(path.join(repo.path, "mine.toml"), file);
    await symlink(file, path.join(repo.path, "link.toml"));
    const script = await repo.play(DONE);
    for (const inside of ["mine.toml", "link.toml"]) {
      const answer = await cli(["x", "--config-file", inside, ...script], repo.path);
      expect([answer.code, answer.stderr]).toEqual([
        64,
        expect.stringContaining(`smithers trust --config-file ${inside}`),
      ]);
    }
    expect((await cli(["x", "--config-file", file, ...script], repo.path)).code).toBe(0);
    expect(await ran(repo)).toEqual(["mine.txt"]);
  });

  test("a consent is not kept where the agent writes [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": 'success-sh = "true"\n' });
    const answer = await cli(["trust"], repo.path, { XDG_STATE_HOME: path.join(repo.path, "state") });
    expect([answer.code, answer.stderr]).toEqual([
      64,
      expect.stringContaining("is inside the workspace, where the agent writes"),
    ]);
    expect(await repo.git("status", "--porcelain")).toBe("");
  });
});

const STOPPED = { turns: [{ lastMessage: "half" }] };
const ONE = ["--max-iterations", "1"];

describe.concurrent("a loop that is resumed", () => {
  test("an agent that rewrites .smithers.toml gets nothing run by it [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": 'success-sh = "false"\n' });
    await agree(repo.path);
    const files = {
      ".smithers.toml": 'success-sh = "false"\nquality-commands = ["touch ran.txt"]\nprovider-args = ["x"]\n',
    };
    const script = await repo.play({ turns: [{ files, lastMessage: "half" }] });
    expect((await cli(["x", "--loop-id", "L", ...ONE, ...script], repo.path)).code).toBe(2);
    const answer = await cli(["resume", "--max-iterations", "3", ...script], repo.path);
    expect([answer.code, await ran(repo)]).toEqual([64, []]);
    expect(answer.stderr).toContain(".smithers.toml has changed since you agreed to it");
  });

  test("one that this person has started goes on without a question [C25]", async () => {
    await using repo = await stage();
    const script = await repo.play(STOPPED);
    await cli(["x", "--loop-id", "L", "--success-sh", "test -f mine.txt", ...ONE, ...script], repo.path);
    await writeFile(path.join(repo.path, "mine.txt"), "");
    expect((await cli(["resume", "--max-iterations", "3", ...script], repo.path)).code).toBe(0);
  });

  test("a state that came with a clone runs nothing, until a person has agreed to it [T15]", async () => {
    await using theirs = await stage();
    const script = await theirs.play(STOPPED);
    await cli(["x", "--loop-id", "L", "--success-sh", "touch ran.txt; false", ...ONE, ...script], theirs.path);
    await using repo = await stage();
    await repo.play(DONE);
    const loops = ".codex/waylon-smithers/loops";
    await mkdir(path.join(repo.path, ".codex"), { recursive: true });
    await cp(path.join(theirs.path, loops), path.join(repo.path, loops), { recursive: true });
    const more = ["--max-iterations", "3", ...script];
    const answer = await cli(["resume", ...more], repo.path);
    expect([answer.code, await ran(repo)]).toEqual([64, []]);
    expect(answer.stderr).toContain(`${loops}/L.json [success-sh] runs what it names: "touch ran.txt; false"`);
    expect((await cli(["status"], repo.path)).code).toBe(0);
    await agree(repo.path, "--loop-id", "L");
    await cli(["resume", ...more], repo.path);
    expect(await ran(repo)).toEqual(["ran.txt"]);
  });

  test("a state whose check was changed since is asked about, and a typed one is another task [T15, C25]", async () => {
    await using repo = await stage();
    const script = await repo.play(STOPPED);
    await cli(["x", "--loop-id", "L", "--success-sh", "false", ...ONE, ...script], repo.path);
    const file = path.join(repo.path, ".codex/waylon-smithers/loops/L.json");
    await writeFile(file, forged(await readFile(file, "utf8"), "touch ran.txt"));
    const answer = await cli(["resume", "--max-iterations", "3", ...script], repo.path);
    expect([answer.code, await ran(repo)]).toEqual([64, []]);
    expect(answer.stderr).toContain("has changed since you agreed to it");
    const typed = await cli(
      ["resume", "--max-iterations", "3", "--success-sh", "touch mine.txt", ...script],
      repo.path,
    );
    expect([typed.code, await ran(repo)]).toEqual([64, []]);
    expect(typed.stderr).toContain("describe another task");
  });
});

/** A state with another check, as one forges it who knows the code. */
function forged(text: string, check: string): string {
  const raw: { checks: object } = JSON.parse(text);
  const state = decodeState(JSON.stringify({ ...raw, checks: { ...raw.checks, success_sh: check } }), "L.json");
  const task_digest = taskDigest(identityOf(state, state.prompt), sha256);
  return JSON.stringify({ ...raw, checks: { ...raw.checks, success_sh: check }, task_digest });
}

describe.concurrent("on a terminal", () => {
  const settings = { ".smithers.toml": 'success-sh = "touch checked.txt\\u001b[2J\\u202e"\n' };
  const flags = { prompt: "x", provider: "scripted", script: "script.json" };

  test.each(["", "\n", "n\n", "yeah\n"])("an answer of %j is a no, and nothing is run [T8]", async (typed) => {
    await using repo = await stage(settings);
    await repo.play(DONE);
    const said = await inProcess(run, repo.path, flags, { typed });
    expect([said.code, await ran(repo)]).toEqual([64, []]);
    expect(said.stderr).toContain("[y/N]");
  });

  test("everything is shown, nothing of it hidden or obeyed; a yes is remembered [T8]", async () => {
    await using repo = await stage({ ".smithers.toml": 'success-sh = "touch checked.txt # \\u001b[2J\\u202e"\n' });
    await repo.play(DONE);
    const said = await inProcess(run, repo.path, { ...flags, "loop-id": "a" }, { typed: "y\n" });
    expect([said.code, await ran(repo)]).toEqual([0, ["checked.txt"]]);
    expect(said.stderr).toContain(String.raw`"touch checked.txt # \u001b[2J\u{202e}"`);
    const again = await inProcess(run, repo.path, { ...flags, prompt: "y", "loop-id": "b" });
    expect([again.code, again.stderr.includes("[y/N]")]).toEqual([0, false]);
  });

  test("trust asks as well, and resume does [T8]", async () => {
    await using repo = await stage(settings);
    const said = await inProcess(trust, repo.path, {}, { typed: "\n" });
    expect([said.code, said.stderr.includes("[y/N]")]).toEqual([64, true]);
    const script = await repo.play(STOPPED);
    await cli(["x", "--loop-id", "L", "--success-sh", "false", ...ONE, ...script], repo.path);
    await writeFile(path.join(repo.path, ".smithers.toml"), 'pass-env = ["MY_TOKEN"]\n');
    const resumed = await inProcess(
      resume,
      repo.path,
      { provider: "scripted", script: "script.json", "max-iterations": "2" },
      { typed: "\n" },
    );
    expect([resumed.code, resumed.stderr]).toEqual([
      64,
      expect.stringContaining('[pass-env] passes variables on: ["MY_TOKEN"]'),
    ]);
  });
});
