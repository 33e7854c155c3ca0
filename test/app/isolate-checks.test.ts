import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { keepProgramsOutsideOf } from "../../src/app/isolate.ts";
import { isolateChecks } from "../../src/app/isolate-checks.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import { surroundingsIn } from "../../src/os/isolation/isolation.ts";
import { findOuter, keepProgramsOutside } from "../../src/os/programs.ts";
import { placeOf } from "../../src/store/place.ts";
import { finish, shell } from "../support/supervised-shell.ts";
import { gitRepository } from "../support/git-repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PATH = process.env["PATH"] ?? "";

/** What a person is told before a run with these flags, on a machine whose only bubblewrap is this script. */
async function announced(
  flags: Record<string, string>,
  script?: string,
  repairMachine?: () => Promise<boolean>,
  isHome = false,
) {
  await using repository = await gitRepository();
  await using machine = await tempFolder();
  const program = path.join(machine.path, "bwrap");
  if (script !== undefined) {
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
  }
  const given = Object.fromEntries(Object.entries(flags).map(([name, value]) => [name, [value]]));
  const { config } = resolveSettings({ flags: { prompt: ["x"], ...given }, env: {} });
  // Only a job may repair its machine.
  const job = repairMachine === undefined ? {} : { GITHUB_ACTIONS: "true" };
  const home = isHome ? repository.path : machine.path;
  const env = { ...job, PATH: script === undefined ? PATH : machine.path, HOME: home };
  const about = { place: placeOf(repository.path, "loop", null), config, env, repairMachine };
  const told: string[] = [];
  const checks = isolateChecks(about, (text) => told.push(text));
  const problems = await checks.announce();
  const refused = problems.length === 0 ? undefined : { problems };
  const { lack } = isolateChecks({ ...about, repairMachine: undefined }, () => {});
  return { told, refused, isIsolated: (await checks.isolation()) !== undefined, lack: await lack() };
}

const UBUNTU = 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1';
const CONTAINER = 'echo "bwrap: Creating new namespace failed: Operation not permitted" >&2; exit 1';

test("on a machine of one's own a check sees neither what the runner is known by nor other repositories [T2, T3]", async () => {
  await using machine = await tempFolder();
  const at = (name: string): string => path.join(machine.path, name);
  const work = "runner/_work/mine/mine";
  for (const name of [
    work,
    "runner/_work/_temp",
    "runner/_work/_tool/x",
    "runner/_work/other/other/.git",
    "runner/_diag",
  ])
    await mkdir(at(name), { recursive: true });
  const secrets = [
    ".runner",
    ".credentials",
    ".credentials_rsaparams",
    ".env",
    "_diag/log",
    "_work/other/other/.git/config",
  ];
  for (const name of secrets) await writeFile(at(`runner/${name}`), "CANARY-runner");
  await writeFile(at("runner/_work/_tool/x/tool"), "tool\n");
  const kept = { HOME: at("home"), CODEX_HOME: at("home/codex") };
  for (const name of ["home/codex/sessions", "home/.claude", "home/.config/rclone"])
    await mkdir(at(name), { recursive: true });
  for (const name of [
    "codex/config.toml",
    "codex/skills.md",
    "codex/sessions/one",
    ".claude/login",
    ".pgpass",
    ".Xauthority",
    ".config/rclone/rclone.conf",
  ])
    await writeFile(at(`home/${name}`), "CANARY-home");
  const env = {
    PATH,
    ...kept,
    GITHUB_ACTIONS: "true",
    RUNNER_TEMP: at("runner/_work/_temp"),
    GITHUB_WORKSPACE: at(work),
  };
  const { config } = resolveSettings({ flags: { prompt: ["x"] }, env: {} });
  const checks = isolateChecks({ place: placeOf(at(work), "loop", null), config, env }, () => {});
  const isolation = await checks.isolation();
  if (isolation === undefined) throw new Error("not isolated");
  const script = `cd ../../..; cat _work/_tool/x/tool ${secrets.join(" ")}; cd; cat codex/* codex/*/* .claude/* .pgpass .Xauthority .config/rclone/*; touch ${at(work)}/made`;
  const { stdout, exit } = await finish(shell(script, { cwd: at(work), env, isolation: await isolation.launcher() }));
  expect([stdout, exit.exitCode]).toEqual(["tool\n", 0]);
});

test.each<[string, Record<string, string>, string]>([
  ["what is found by itself", {}, "work/.loopr/config"],
  ["what a setting names", { "solo-config": "conf/solo.json", "loopr-root": "conf" }, "work/conf/.loopr/config"],
])("a check changes no file that is read as configuration: %s [T8, C26]", async (_what, named, loopr) => {
  await using machine = await tempFolder();
  const at = (name: string): string => path.join(machine.path, name);
  const files = [".smithers.toml", named["solo-config"] ?? ".codex-solo.json", loopr.slice("work/".length)];
  for (const name of ["home", "work/.git", ...files.map((file) => path.dirname(`work/${file}`))])
    await mkdir(at(name), { recursive: true });
  await promisify(execFile)("git", ["init", "-q", at("work")]);
  for (const name of files) await writeFile(at(`work/${name}`), "mine");
  const given = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, [value]]));
  const { config } = resolveSettings({ flags: { prompt: ["x"], ...given }, env: {} });
  const env = { PATH, HOME: at("home") };
  const isolation = await isolateChecks({ place: placeOf(at("work"), "l", null), config, env }, () => {}).isolation();
  if (isolation === undefined) throw new Error("not isolated");
  const script = `for f in ${files.join(" ")}; do echo theirs > $f; rm -f $f; done; touch made; cat made ${files.join(" ")}`;
  const launcher = await isolation.launcher();
  const { stdout } = await finish(shell(script, { cwd: at("work"), env, isolation: launcher }));
  expect(stdout).toBe("mine".repeat(files.length));
});

describe("before a run a person is told of the isolation of checks [C26]", () => {
  test("nothing where they are isolated, which is the default", async () => {
    expect(await announced({})).toEqual({ told: [], refused: undefined, isIsolated: true, lack: undefined });
  });

  test("in a job what runs as its user can read the repository's token as well, and that is said", async () => {
    const { told } = await announced({ "check-sandbox": "off" }, undefined, async () => false);
    expect(told[0]).toMatch(/secrets included, and the repository's token from the environment of git/u);
  });

  test.each([
    ["it is off", { "check-sandbox": "off" }, undefined, /\(check-sandbox is off\).+check-sandbox auto isolates them/u],
    [
      "Ubuntu restricts user namespaces",
      {},
      UBUNTU,
      /uid map.+sysctl -w kernel\.apparmor_restrict_unprivileged_userns=0/u,
    ],
    ["a container forbids them", {}, CONTAINER, /Operation not permitted.+--security-opt seccomp=unconfined/u],
  ])("once why they are not, what it means and what cures it: %s", async (_why, flags, script, expected) => {
    const { told, isIsolated, lack } = await announced(flags, script);
    expect(told).toEqual([expect.stringMatching(expected)]);
    expect(told[0]).toMatch(
      /they run as you, and what the agent wrote into them can read what you can, this run's secrets included\./u,
    );
    expect(told[0]).toMatch(/require-isolation refuses such runs\.$/u);
    expect(told[0]?.length).toBeLessThan(500);
    expect(isIsolated).toBe(false);
    expect(`(${lack?.why}) ${lack?.next}`).toMatch(expected);
  });

  test.each([
    ["it does not work", {}, UBUNTU],
    ["it is off", { "check-sandbox": "off" }, undefined],
    ["Docker is open", { "check-access": "docker" }, undefined],
    ["the agent's own sandbox is none", { "check-sandbox": "strict", sandbox: "danger-full-access" }, undefined],
  ])("and a run that requires it is refused: %s", async (_why, flags, script) => {
    const { refused, told } = await announced({ ...flags, "require-isolation": "true" }, script);
    expect(refused).toMatchObject({ problems: [{ code: "ISOLATION_REQUIRED" }] });
    expect(told).toEqual([]);
  });

  test("that Docker makes them root although they are isolated [T3]", async () => {
    const { told, isIsolated } = await announced({ "check-access": "docker" });
    expect(told).toEqual([expect.stringMatching(/not isolated \(check-access has docker: they are root here\)/u)]);
    expect(isIsolated).toBe(true);
  });

  test("that they change a home that is the repository, which require-isolation refuses [T12]", async () => {
    const { told, refused, isIsolated } = await announced({}, undefined, undefined, true);
    expect([told, refused, isIsolated]).toEqual([
      [expect.stringMatching(/not isolated \(your home is what they work on.+a repository of its own/u)],
      undefined,
      true,
    ]);
    const required = await announced({ "require-isolation": "true" }, undefined, undefined, true);
    expect([required.told, required.refused?.problems[0]?.code]).toEqual([[], "ISOLATION_REQUIRED"]);
  });

  test.each([
    ["the runner's temp folder", "work/temp", true],
    ["the folder of hand-overs, by a link", "link", true],
    ["one hand-over in it", "work/temp/smithers/hand-over/x", true],
    ["the files of commands", "work/temp/_runner_file_commands", true],
    ["what a person has agreed to", "state/smithers/consents", true],
    ["what loops were given", "state/smithers/loops", true],
    ["a folder of the workflow's own", "work/temp/own", false],
    ["a folder around it all, in which it stays hidden", "work", false],
  ])(
    "that access opens %s for changes, which require-isolation refuses [T3, T11, T15]",
    async (_what, name, isOurs) => {
      await using repository = await gitRepository();
      await using machine = await tempFolder();
      const at = (file: string): string => path.join(machine.path, file);
      const folders = ["smithers/hand-over/x", "_runner_file_commands", "own"].map((one) => `work/temp/${one}`);
      for (const folder of [...folders, "state/smithers/consents", "state/smithers/loops", "home"])
        await mkdir(at(folder), { recursive: true });
      await symlink(at("work/temp/smithers"), at("link"));
      const env = { PATH, HOME: at("home"), RUNNER_TEMP: at("work/temp"), XDG_STATE_HOME: at("state") };
      const asked = async (requireIsolation: "true" | "false") => {
        const flags = { prompt: ["x"], "check-access": [`${at(name)}:rw`], "require-isolation": [requireIsolation] };
        const { config } = resolveSettings({ flags, env: {} });
        const told: string[] = [];
        const about = { place: placeOf(repository.path, "loop", null), config, env };
        const problems = await isolateChecks(about, (text) => told.push(text)).announce();
        return { told, codes: problems.map(({ code }) => code) };
      };
      const words = /not isolated \(check-access opens .+ for changes, .+Open a folder of its own/u;
      const { told, codes } = await asked("false");
      expect([told.map((text) => words.test(text)), codes]).toEqual([isOurs ? [true] : [], []]);
      expect(await asked("true")).toEqual({ told: [], codes: isOurs ? ["ISOLATION_REQUIRED"] : [] });
    },
  );

  test("that strict is no sandbox where the agent has none; nothing where it has one [T3]", async () => {
    const strict = { "check-sandbox": "strict" };
    const { told, lack } = await announced({ ...strict, sandbox: "danger-full-access" });
    expect(told).toEqual([
      expect.stringMatching(/not isolated \(check-sandbox strict .* danger-full-access ends it\)/u),
    ]);
    expect(lack?.next).toMatch(/check-sandbox auto isolates them/u);
    expect(await announced({ ...strict, sandbox: "workspace-write" })).toMatchObject({ told: [], lack: undefined });
  });

  test("in a job the machine is repaired first, and it is tried again", async () => {
    let repairs = 0;
    const repair = async () => ++repairs > 0;
    const { told, lack } = await announced({}, UBUNTU, repair);
    expect([repairs, told.length]).toEqual([1, 1]);
    expect(lack?.why).toMatch(/uid map/u);
  });
});

test("no program of ours is taken from what access opens for changes, or from a git folder elsewhere [T12]", async () => {
  await using repository = await gitRepository({ "a.txt": "a\n" });
  await using machine = await tempFolder();
  const at = (name: string): string => path.join(machine.path, name);
  await repository.git("worktree", "add", "-q", at("tree"));
  for (const folder of ["tools/bin", "read/bin"]) {
    await mkdir(at(folder), { recursive: true });
    await writeFile(at(`${folder}/git`), "#!/bin/sh\n", { mode: 0o755 });
  }
  await writeFile(path.join(repository.path, ".git/git"), "#!/bin/sh\n", { mode: 0o755 });
  const access = [`${at("tools")}:rw`, at("read")];
  const { config } = resolveSettings({ flags: { prompt: ["x"], "agent-access": access }, env: {} });
  const env = { PATH: [at("tools/bin"), path.join(repository.path, ".git"), at("read/bin")].join(":") };
  keepProgramsOutside([at("tree")]);
  onTestFinished(() => keepProgramsOutside([]));
  expect(findOuter("git", env.PATH)?.file).toBe(at("tools/bin/git"));
  await keepProgramsOutsideOf({ place: placeOf(at("tree"), "loop", null), config, env });
  expect(findOuter("git", env.PATH)?.file).toBe(at("read/bin/git"));
});

describe("in isolation the repository's git folder", () => {
  test.each(["as it is", "with a submodule and a linked work tree"])(
    "takes commits, but nothing by which a person's git would run programs: %s [T12]",
    async (kind) => {
      await using repository = await gitRepository({ "a.txt": "a\n" });
      await using inner = await gitRepository({ "b.txt": "b\n" });
      const git = path.join(repository.path, ".git");
      await rm(path.join(git, "hooks"), { recursive: true, force: true });
      const isPlain = kind === "as it is";
      if (!isPlain) {
        const add = ["submodule", "add", "-q", inner.path, "libs/sub"];
        await repository.git("-c", "protocol.file.allow=always", ...add);
        await repository.git("worktree", "add", "-q", `${repository.path}-tree`);
      }
      const { config } = resolveSettings({ flags: { prompt: ["x"] }, env: {} });
      const env = { PATH, HOME: repository.path };
      const about = { place: placeOf(repository.path, "loop", null), config, env };
      const isolation = await isolateChecks(about, () => {}).isolation();
      const tried = [
        ...["config", "hooks/post-commit", "info/attributes", "info/exclude"],
        ...(isPlain ? [] : ["modules/libs/sub/config", "modules/libs/sub/hooks/x"]),
        ...(isPlain ? [] : [`worktrees/${path.basename(repository.path)}-tree/commondir`]),
      ];
      const attacks = tried.map(
        (name) => `echo EVIL >> .git/${name}; mv .git/${name} x; echo EVIL > n; mv n .git/${name}`,
      );
      const folders = ["hooks", "info", "modules/libs/sub/hooks", "modules/libs/sub", "modules/libs", "modules", ""];
      const moves = folders.map((name) => `node -e 'require("fs").renameSync(".git/${name}", "gone")'`);
      const work =
        "echo b > a.txt; git commit -qam work; git log -1 --format=%s; git branch other; git status --short a.txt";
      const started = await surroundingsIn(isolation, env);
      const script = `${[...attacks, ...moves].join("\n")}\n${work}`;
      const { stdout, exit } = await finish(shell(script, { cwd: repository.path, ...started }));
      expect([stdout, exit.exitCode]).toEqual(["work\n", 0]);
      expect(existsSync(path.join(repository.path, "gone"))).toBe(false);
      const left = await promisify(execFile)("sh", ["-c", 'grep -rl EVIL "$0" || true', git]);
      expect(left.stdout).toBe("");
      expect(await readdir(path.join(git, "hooks"))).toEqual([]);
    },
  );
});
