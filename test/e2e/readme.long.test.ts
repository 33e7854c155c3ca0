import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { zipOf } from "../cli/an-artifact.ts";
import { addFile, command, patch } from "../support/model-server.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openTerminal } from "../support/terminal.ts";
import { expectExit } from "./expect-exit.ts";
import { commandsIn, showsBeginning } from "./readme-commands.ts";
import { claims } from "./says.ts";
import { workbench, type Workbench } from "./workbench.ts";

const PROJECT = path.join(import.meta.dirname, "../..");
const text = (name: string): string => readFileSync(path.join(PROJECT, name), "utf8");
const BUILT_CLI = "dist/cli/index.js";
const PROGRAM = `node ${BUILT_CLI}`;
const BUILT = existsSync(path.join(PROJECT, BUILT_CLI));
const PAGES = ["README.md", "docs/command-line.md", "docs/agents.md"];
const SHOWN = [...new Set(PAGES.flatMap((page) => commandsIn(text(page))))].filter(isOurs);

const DONE = "<promise>DONE</promise>";
const SHOP = {
  "package.json": '{ "scripts": { "test": "test -e fixed.txt" } }\n',
  FILE: JSON.stringify({ turns: [{ lastMessage: "All done.\n<promise>TASK_COMPLETE</promise>" }] }),
};

/** With a script whose agent does not get done. */
const UNFINISHED = { ...SHOP, STEPS: SHOP.FILE.replace("TASK_COMPLETE", "LATER") };

/** What Claude Code prints at the end of a turn, as far as a script reads it. */
const CLAUDE_SAYS = {
  ...{ type: "result", subtype: "success", is_error: false, num_turns: 3, total_cost_usd: 0.126 },
  result: "All done. <promise>TASK_COMPLETE</promise>",
  usage: { input_tokens: 300, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 60 },
};

/** The script of an agent is not a command of ours. */
function isOurs(shown: string): boolean {
  return /^(?:smithers|npm|npx|node)\s/u.test(shown);
}

/** Proves that a command of the README does what the README says. */
type Proof = (shown: string) => void | Promise<void>;

/** A loop that was stopped after one iteration lies in the repository. */
async function withLoop(bench: Workbench): Promise<void> {
  const run = await bench.run(["Go.", "--provider", "scripted", "--script", "STEPS", "--max-iterations", "1"]);
  expectExit(run, 2);
}

/** A loop whose agent runs a command without end; the command given has to end it as asked. */
const endsRunningLoop: Proof = async (shown) => {
  await using bench = await workbench([command("touch started; sleep 300")], { files: SHOP });
  await using run = bench.start(["Go.", "--full-auto", "--iteration-timeout-minutes", "1"]);
  await bench.hasFile("started");

  const asked = await bench.shell(shown);
  const ended = await run.finished;

  expectExit(asked, 0);
  expectExit(ended, 130);
};

/** What is too young, or belongs to a loop that can go on, stays. */
const prunes: Proof = async (shown) => {
  await using bench = await workbench([], { files: UNFINISHED });
  await withLoop(bench);
  expectExit(await bench.shell(shown), 0);
  expectExit(await bench.run(["status"]), 0);
};

const begins: Proof = async (shown) => {
  await using bench = await workbench([], { files: { "spec.md": "## Tasks\n\n- [ ] scan\n" } });
  expectExit(await bench.shell(shown), 0);
  expect(await bench.read("my-project/@fix_plan.md")).toContain("\n- [ ] ");
};

const pausesRunningLoop: Proof = async (shown) => {
  await using bench = await workbench([command("touch started; while [ ! -e go ]; do sleep 0.1; done"), claims()]);
  await using run = bench.start(["Go.", "--full-auto", "--quality-commands", "false"]);
  await bench.hasFile("started");

  const asked = await bench.shell(shown);
  await bench.repository.write("go", "");
  const ended = await run.finished;

  expectExit(asked, 0);
  expectExit(ended, 130);
  expect(bench.model.requests).toHaveLength(2);
};

/** Agreeing is seen in the list, and is gone once it is taken back. */
const agrees: Proof = async (shown) => {
  await using bench = await workbench([], { files: { ".smithers.toml": 'sandbox = "workspace-write"\n' } });
  expectExit(await bench.shell("smithers trust"), 0);
  const run = await bench.shell(shown);
  expectExit(run, 0);
  const after = await bench.shell("smithers trust --list");
  const isForgotten = run.stdout.includes("Forgotten: 1 consent");
  expect(after.stdout).toContain(isForgotten ? "agreed to nothing" : ".smithers.toml in ");
  expect(isForgotten).toBe(shown.endsWith("--forget"));
};

const runInCi: Proof = (shown) => {
  const steps = shown.split(" && ").map((step) => `step ${step}`);
  for (const step of steps) expect(text(".ci/run")).toMatch(new RegExp(`^${step}\\b`, "mu"));
};

function isScript(shown: string): void {
  const name = /^npm run (\S+)/u.exec(shown)?.[1] ?? "";
  const script = new RegExp(`"${name}": "node (\\S+?)"`, "u").exec(text("package.json"))?.[1] ?? "";
  expect(script).not.toBe("");
  expect(existsSync(path.join(PROJECT, script))).toBe(true);
}

const demonstrates: Proof = async (shown) => {
  isScript(shown);
  const args = shown.split(" -- ")[1]?.split(" ") ?? [];
  // A person's profile may wait for a lock that another shell of theirs holds.
  await using home = await tempFolder("home-");
  const demo = { cwd: PROJECT, env: { ...process.env, HOME: home.path } };
  const { stdout } = await promisify(execFile)(process.execPath, ["examples/demo/run.mjs", ...args], demo);
  const folder = /^The repository: (.*\/\.demo\/[^/]+)\/shop$/mu.exec(stdout)?.[1] ?? "";
  expect(stdout).toMatch(/exit code 1 \(red\)[\s\S]*^Changed: .*cart\.js[\s\S]*exit code 0 \(green\)/mu);
  const report = /^The report, for a browser: (.*)$/mu.exec(stdout)?.[1] ?? "";
  expect(readFileSync(report, "utf8")).toContain("<title>Loop shop-");
  const stats = [path.join(PROJECT, BUILT_CLI), "stats"];
  const told = await promisify(execFile)(process.execPath, stats, { ...demo, cwd: path.join(folder, "shop") });
  expect(showsBeginning(text("docs/stats.md"), told.stdout)).toBe(true);
  await rm(folder, { recursive: true });
};

/** What a command says of a loop that was stopped after its first iteration. */
function looksBack(said: RegExp, exitCode = 0): Proof {
  return async (shown) => {
    await using bench = await workbench([], { files: UNFINISHED });
    await withLoop(bench);
    const run = await bench.shell(shown);
    expectExit(run, exitCode);
    expect(run.stdout).toMatch(said);
  };
}

/** On a terminal, until it is left. */
const watches: Proof = async (shown) => {
  await using bench = await workbench([], { files: UNFINISHED });
  await withLoop(bench);
  const env = { PATH: process.env["PATH"] ?? "", HOME: bench.home.path, LANG: "C.UTF-8" };
  await using terminal = await openTerminal(bench.repository.path, env, { columns: 80, rows: 24 });
  await terminal.enter(shown);
  await terminal.shows(/Status: {3}stopped_max_iterations/u);
  terminal.press("q");
  await terminal.isAsked();
};

/** The browser of this machine gets the page that was written. */
const opensPage: Proof = async (shown) => {
  await using bench = await workbench([], { files: UNFINISHED });
  await withLoop(bench);
  await using bin = await tempFolder("bin-");
  const [opened, script] = [path.join(bin.path, "opened"), path.join(bin.path, "xdg-open")];
  await writeFile(script, `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
  await symlink(script, path.join(bin.path, "open"));
  const run = await bench.shell(`PATH="${bin.path}:$PATH" ${shown}`);
  expectExit(run, 0);
  const page = await readFile(opened, "utf8");
  expect(run.stdout).toBe(`${page}\n`);
  expect(await readFile(page, "utf8")).toContain("<title>Loop repo-");
};

const readsArtifact: Proof = async (shown) => {
  await using bench = await workbench([], { files: UNFINISHED });
  await withLoop(bench);
  const [id = ""] = await bench.loopIds();
  await zipOf(bench.repository.path, id, path.join(bench.repository.path, "smithers-loop-x.zip"));
  expectExit(await bench.shell(shown), 0);
  expect(await bench.read(`report-${id}.html`)).toContain(`<title>Loop ${id}`);
};

const SPEC =
  "# Login\n\nPeople log in.\n\n## US-001: Fix it\n\nAs a customer, I want it fixed.\n\n**Acceptance criteria**\n\n- fixed.txt is there\n";

/** A repository in which the PRD `login` was made of a document, and committed. */
async function withPrd(bench: Workbench): Promise<void> {
  expectExit(await bench.shell("smithers prd new login --from spec.md"), 0);
  await bench.repository.git("add", ".");
  await bench.repository.git("commit", "-qm", "docs: a PRD");
}

const PROOFS: Readonly<Record<string, Proof>> = {
  "npm run demo": demonstrates,
  "npm ci && npm test": runInCi,
  "npm test": runInCi,
  "npm install -g ./smithers-loop-*.tgz": async () => {
    await using folder = await tempFolder();
    const run = (program: string, ...args: readonly string[]) =>
      promisify(execFile)(program, args, { cwd: PROJECT, env: { ...process.env, npm_config_cache: folder.path } });
    await run("npm", "pack", "--pack-destination", folder.path, "--silent");
    const [archive = ""] = globSync("*.tgz", { cwd: folder.path });
    expect(archive).toMatch(/^smithers-loop-\d+\.\d+\.\d+\.tgz$/u);
    await run("npm", "install", "--global", "--offline", "--prefix", folder.path, path.join(folder.path, archive));
    const { stdout } = await run(path.join(folder.path, "bin/smithers"), "--help");
    expect(stdout).toContain("Runs a coding agent in a loop");
    expect(existsSync(path.join(folder.path, "share/man/man1/smithers.1"))).toBe(true);
  },
  "npm pack": () => expect(Object.keys(PROOFS)).toContain("npm install -g ./smithers-loop-*.tgz"),
  "npm install -g .": () => expect(text("package.json")).toContain('"smithers": "dist/cli/index.js"'),
  [PROGRAM]: async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [BUILT_CLI, "--help"], { cwd: PROJECT });
    expect(stdout).toContain("--max-iterations");
  },
  'smithers "Fix failing tests until green. Output <promise>DONE</promise> when all tests pass." --completion-promise DONE --max-iterations 25 --quality-commands "npm test" --full-auto':
    async (shown) => {
      await using bench = await workbench(
        [claims("too early", DONE), addFile("fixed.txt", "yes\n"), claims("now", DONE)],
        { files: SHOP },
      );
      const run = await bench.shell(shown);
      expectExit(run, 0);
      expect(bench.model.requests[1]?.prompt).toContain("The check `npm test` failed");
      expect(bench.model.requests).toHaveLength(3);
    },
  'smithers "Make the test suite green." --success-cmd \'["npm","test"]\' --full-auto': async (shown) => {
    await using bench = await workbench([addFile("fixed.txt", "yes\n"), claims()], { files: SHOP });
    const run = await bench.shell(shown);
    expectExit(run, 0);
  },
  "smithers setup my-project": begins,
  "smithers import spec.md --name my-project": begins,
  "smithers prd new login --from spec.md": async (shown) => {
    await using bench = await workbench([], { files: { "spec.md": SPEC } });
    expectExit(await bench.shell(shown), 0);
    expect(await bench.read(".daedalus/prds/login/prd.json")).toContain('"US-001"');
  },
  'smithers prd run login --full-auto --quality-commands "npm test"': async (shown) => {
    const turns = [addFile("fixed.txt", "yes\n"), claims()];
    await using bench = await workbench(turns, { files: { ...SHOP, "spec.md": SPEC } });
    await withPrd(bench);
    expectExit(await bench.shell(shown), 0);
    expect(await bench.repository.git("log", "-1", "--format=%s")).toBe("feat: [US-001] - Fix it");
  },
  "smithers prd status login": async (shown) => {
    await using bench = await workbench([], { files: { "spec.md": SPEC } });
    await withPrd(bench);
    const run = await bench.shell(shown);
    expectExit(run, 0);
    expect(run.stdout).toContain("Next: US-001 Fix it");
  },
  "smithers install-helpers": async (shown) => {
    await using bench = await workbench([]);
    expectExit(await bench.shell(shown), 0);
    expect(await bench.read(".codex/skills/waylon-smithers/SKILL.md")).toContain("name: waylon-smithers\n");
  },
  "smithers trust": agrees,
  "smithers trust --list": agrees,
  "smithers trust --forget": agrees,
  "smithers prune": prunes,
  "smithers prune --yes": prunes,
  "smithers doctor": async (shown) => {
    await using bench = await workbench([], { files: SHOP });
    const run = await bench.shell(shown);
    expectExit(run, 0);
    expect(run.stdout).toContain("Nothing is missing.");
    expect(bench.model.requests).toEqual([]);
  },
  'smithers "…" --dry-run': async (shown) => {
    await using bench = await workbench([]);
    const run = await bench.shell(shown);
    expectExit(run, 0);
    expect(run.stdout + run.stderr).toContain("read-only");
    expect(await bench.repository.git("status", "--porcelain", "--ignored")).toBe("");
  },
  "smithers status": async (shown) => {
    await using bench = await workbench([], { files: UNFINISHED });
    await withLoop(bench);
    const run = await bench.shell(shown);
    expectExit(run, 0);
    expect(run.stdout).toContain("stopped_max_iterations");
  },
  "smithers list": looksBack(/^repo-\S+ .* 1 of 1 .* Go\.\n$/u),
  "smithers logs -f": looksBack(/iteration 1 started/u),
  "smithers logs 3": looksBack(/^$/u, 64),
  "smithers diff": looksBack(/^$/u),
  "smithers diff 3": looksBack(/^$/u, 64),
  "smithers stats": looksBack(/^Proved: 0 of 1$/mu),
  "smithers watch": watches,
  "smithers report --open": opensPage,
  "smithers report smithers-loop-x.zip": readsArtifact,
  "smithers explain": looksBack(/decided: stop, by the rule max_iterations/u),
  "smithers explain 3": looksBack(/^$/u, 64),
  "smithers help limits": looksBack(/^Limits:/u),
  "smithers completion bash": looksBack(/^complete /mu),
  "smithers --help": looksBack(/--help-all/u),
  'smithers "Write hello into greeting.txt." --provider command --provider-command \'["sh","agent.sh"]\' --quality-commands "grep -q hello greeting.txt"':
    async (shown) => {
      const [, script = ""] = /^```sh\n(#!.*?)^```$/msu.exec(text("docs/agents.md")) ?? [];
      await using bench = await workbench([], { files: { "agent.sh": script } });
      const run = await bench.shell(shown);
      expectExit(run, 0);
      expect(run.stdout).toContain("Verified: `grep -q hello greeting.txt` passed.");
      expect(await bench.read("prompt.txt")).toContain("Write hello into greeting.txt.");
    },
  "smithers pause": pausesRunningLoop,
  "smithers stop": endsRunningLoop,
  "smithers resume": async (shown) => {
    const todo = { "TODO.md": "- [ ] one\n\nHARD STOP\n" };
    const tick = patch("*** Update File: TODO.md\n@@\n-- [ ] one\n+- [x] one");
    await using bench = await workbench([tick, claims("one", "more to come"), claims()], { files: todo });
    const paused = await bench.shell('smithers "…" --todo-file TODO.md --sandbox workspace-write');
    expectExit(paused, 3);
    const run = await bench.shell(shown);
    expectExit(run, 0);
  },
  "smithers cancel --cleanup-artifacts": async (shown) => {
    await using bench = await workbench([], { files: UNFINISHED });
    await withLoop(bench);
    const run = await bench.shell(shown);
    expectExit(run, 0);
    const [loopId = ""] = await bench.loopIds();
    expect(await bench.state(loopId)).toMatchObject({ status: "canceled" });
    expect(existsSync(bench.loopFile(loopId, ""))).toBe(false);
  },
  'smithers "…" --provider scripted --script FILE': async (shown) => {
    await using bench = await workbench([], { files: SHOP });
    const run = await bench.shell(shown);
    expectExit(run, 0);
  },
  "smithers --help-all": async (shown) => {
    await using bench = await workbench([]);
    const run = await bench.shell(shown);
    expectExit(run, 0);
    for (const code of ["0", "1", "2", "3", "64", "75", "130"]) {
      expect(run.stdout).toMatch(new RegExp(`^\\s+${code}\\s`, "mu"));
    }
  },
};

/** These show the built program, which is not there before the first build. */
const NEEDS_BUILD: ReadonlySet<string> = new Set(["npm run demo", "npm install -g ./smithers-loop-*.tgz", PROGRAM]);

describe.concurrent("every command of the README works", () => {
  for (const shown of SHOWN) {
    test.skipIf(!BUILT && NEEDS_BUILD.has(shown))(`runs ${shown}`, async () => {
      // A new command in the README needs a proof above.
      expect(Object.keys(PROOFS)).toContain(shown);
      await PROOFS[shown]?.(shown);
    });
  }

  test("with the settings in .smithers.toml a plain resume is enough [C25]", async () => {
    const [, settings = ""] = /^```toml\n(.*?)^```$/msu.exec(text("docs/command-line.md")) ?? [];
    expect(settings).toContain('sandbox = "workspace-write"');
    const files = { ".smithers.toml": settings, "TODO.md": "- [ ] one\n\nHARD STOP\n" };
    const tick = patch("*** Update File: TODO.md\n@@\n-- [ ] one\n+- [x] one");
    await using bench = await workbench([tick, claims("one", "more to come"), addFile("two.txt", "2\n"), claims()], {
      files,
    });
    expectExit(await bench.shell("smithers trust"), 0);
    const paused = await bench.shell('smithers "…" --todo-file TODO.md');
    expectExit(paused, 3);
    expect(paused.stdout).toMatch(/go on with: smithers resume --loop-id \S+$/mu);
    const run = await bench.shell("smithers resume");
    expectExit(run, 0);
    expect(await bench.read("two.txt")).toBe("2\n");
  });

  test("an agent behind a script of the docs says what it costs [C14]", async () => {
    const [, script = ""] = /^```js\n(.*?)^```$/msu.exec(text("docs/agents.md")) ?? [];
    const claude = `#!/bin/sh\ncat > /dev/null; touch fixed.txt\ncat <<'EOF'\n${JSON.stringify(CLAUDE_SAYS)}\nEOF\n`;
    await using bin = await tempFolder("bin-");
    await writeFile(path.join(bin.path, "claude"), claude, { mode: 0o755 });
    await using bench = await workbench([], { files: { ...SHOP, "claude.mjs": script } });
    const provider = `--provider command --provider-command '["node","claude.mjs"]'`;
    const shown = `PATH="${bin.path}:$PATH" smithers "Fix it." ${provider} --quality-commands "npm test"`;
    const run = await bench.shell(shown);
    expectExit(run, 0);
    expect(run.stdout).toMatch(/^Took: .*480 tokens, about 0\.13 USD/mu);
  });

  test("the README fits in 8 KB", () => {
    expect(Buffer.byteLength(text("README.md"))).toBeLessThanOrEqual(8192);
  });

  test.skipIf(!BUILT)("and its picture shows the demo of now", async () => {
    const checked = promisify(execFile)(process.execPath, ["scripts/demo-picture.ts", "--check"], { cwd: PROJECT });
    await expect(checked).resolves.toMatchObject({ stderr: "" });
  });

  test.skipIf(!BUILT)("and the picture of the report shows the page of now", async () => {
    const checked = promisify(execFile)(process.execPath, ["scripts/report-picture.ts", "--check"], { cwd: PROJECT });
    await expect(checked).resolves.toMatchObject({ stderr: "" });
  });

  test("and no proof is left over", () => {
    expect(Object.keys(PROOFS).filter((command) => !SHOWN.includes(command))).toEqual([]);
  });
});
