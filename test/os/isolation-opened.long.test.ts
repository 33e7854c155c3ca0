import { once } from "node:events";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hiddenOn } from "../../src/os/isolation/hidden.ts";
import { PATH, stage } from "../support/isolation-stage.ts";
import { finish } from "../support/supervised-shell.ts";
import { tempFolder } from "../support/temp-folder.ts";

describe("a command in isolation sees", () => {
  test("no more through a link that it puts where something of the loop is kept from changes [T2, T3, T12]", async () => {
    const { at } = await stage();
    const names = ["solo.json", "home", "home/loops"];
    const again = await stage({
      ...{ cwd: at("work"), readOnly: names.map((name) => at(`work/${name}`)), hidden: [at("temp")] },
      ...{ env: { PATH, HOME: at("home") } },
    });
    const tried = async (script: string) =>
      finish(await again.start(script, { cwd: at("work"), env: { PATH, HOME: at("home") } }));
    const own = (await tried("ls /proc | grep -c '^[0-9]'")).stdout;
    const read = `cat solo.json home/loops solo.json/* home/* home/loops/* ${at("home/.ssh")}/* ${at("temp")}/*; ls /proc | grep -c '^[0-9]'`;
    for (const target of ["home/.ssh", "home/.ssh/id", "home", "temp", "temp/commands", ""]
      .map(at)
      .concat("/proc", "/"))
      for (const name of names) {
        for (const old of ["solo.json", "home"]) await rm(at(`work/${old}`), { recursive: true, force: true });
        await mkdir(path.dirname(at(`work/${name}`)), { recursive: true });
        await symlink(target, at(`work/${name}`));
        const { stdout } = await tried(read);
        expect([target, name, stdout]).toEqual([target, name, expect.not.stringContaining("CANARY")]);
        expect(Number(stdout.trim().split("\n").at(-1))).toBeLessThan(Number(own) + 3);
      }
  });

  test("no credential either where something above it is kept from changes [T2]", async () => {
    const { at } = await stage();
    await mkdir(at("home/.agent/loops"), { recursive: true });
    await writeFile(at("home/.agent/auth.json"), "CANARY-login");
    const env = { PATH, HOME: at("home") };
    const within = { cwd: at("home"), readOnly: [at("home/.agent/loops")], hidden: [at("home/.agent/auth.json")], env };
    const { start } = await stage(within);
    const { stdout } = await finish(
      await start("cat .agent/auth.json; echo x > .agent/loops/x || echo kept", { cwd: at("home"), env }),
    );
    expect(stdout).toBe("kept\n");
  });

  test("a folder that may be written to is the one from before, not what a link in its place leads to [T12]", async () => {
    const { at } = await stage();
    await mkdir(at("work/.git"));
    const inWork = { cwd: at("work"), env: { PATH, HOME: at("home") } };
    const { start } = await stage({ ...inWork, writable: [at("work/.git")] });
    await rm(at("work/.git"), { recursive: true });
    await symlink(at("elsewhere"), at("work/.git"));
    await finish(await start(`echo x > ${at("elsewhere/x")}`, inWork));
    expect(await readdir(at("elsewhere"))).toEqual([]);
  });

  test("a credential stays hidden in an opened folder, unless it is named itself [T2]", async () => {
    const { at } = await stage();
    await mkdir(at("home/.local/state/consents"), { recursive: true });
    for (const name of ["consents/one", "tool"]) await writeFile(at(`home/.local/state/${name}`), "CANARY-local");
    const around = { cwd: at("work"), env: { PATH, HOME: at("home") } };
    const read = async (access: readonly string[]) => {
      const hidden = [at("home/.local/state/consents"), at("temp/commands")];
      const { start } = await stage({ ...around, hidden, access });
      return (await finish(await start(`cat ~/.local/state/*/* ${at("temp/commands")}`, around))).stdout;
    };
    expect(await read([`${at("home/.local")}:rw`, at("temp")])).toBe("");
    expect(await read([`${at("home/.local")}:rw`, at("temp/commands")])).toBe("CANARY-temp");
  });

  test.each(["home", "", "link", "home/link"])(
    "nothing is opened that would open everything: %j [T3]",
    async (name) => {
      const { at } = await stage();
      await symlink("/proc/1", at("link"));
      await symlink("/", at("home/link"));
      const around = { cwd: at("work"), env: { PATH, HOME: at("home") } };
      await expect(stage({ ...around, access: [`${at(name)}:rw`] })).rejects.toMatchObject({
        problems: [{ code: "ACCESS_TOO_WIDE" }],
      });
    },
  );

  const isRoot = process.getuid?.() === 0;

  test("no service's socket, and no login of another user whose programs are on the PATH [T2]", async () => {
    await using machine = await tempFolder();
    const at = (name: string): string => path.join(machine.path, name);
    for (const name of ["home", "homes/brew/bin", "homes/brew/.ssh", "homes/bob", "run/db", "run/nested/own", "var"])
      await mkdir(at(name), { recursive: true });
    const listen = async (name: string) => {
      const server = createServer();
      onTestFinished(() => void server.close());
      await once(server.listen(at(name)), "listening");
    };
    for (const name of ["run/db/.s.5432", "run/nested/own/dev.sock"]) await listen(name);
    const env = { PATH: at("homes/brew/bin"), XDG_RUNTIME_DIR: at("run/user") };
    const of = { home: at("home"), uid: 1001, env, own: [at("run/nested")] };
    const places = { homes: at("homes"), run: at("run"), services: [`${at("var")}/`] };
    const hidden = () => {
      const { folders, files } = hiddenOn(of, [], places);
      return [...folders, ...files].filter((one) => one.startsWith(at(""))).map((one) => path.relative(at(""), one));
    };
    expect(hidden().toSorted()).toEqual(["homes/bob", "homes/brew/.ssh", "run/db/.s.5432"]);
    // One that was not there before.
    await listen("var/later.sock");
    expect(hidden()).toContain("var/later.sock");
  });

  test.skipIf(!isRoot)("as root the ports that root may listen on", async () => {
    const { run } = await stage();
    const listen = `node -e 'require("net").createServer().listen(81, "127.0.0.81", () => process.exit(5))'`;
    expect((await run(listen)).exit.exitCode).toBe(5);
  });

  test("a device that is opened works as one", async () => {
    const { run } = await stage({ access: ["/dev/null:rw"] });
    expect(await run("echo x > /dev/null && cat /dev/null")).toMatchObject({ stdout: "", exit: { exitCode: 0 } });
  });
});

test("what a command writes to the settings of HOME decides nothing for those after it; what it installs stays [T3]", async () => {
  const { at } = await stage();
  const env = { PATH, HOME: at("home") };
  await mkdir(at("home/.gradle"));
  for (const name of ["elsewhere/settings.xml", "home/.profile", "home/.gradle/init.gradle"])
    await writeFile(at(name), "M=machine\n");
  const { start } = await stage({ cwd: at("work"), env, freshSettings: true });
  const tried = async (script: string) => finish(await start(script, { cwd: at("work"), env }));
  await tried(
    `cd; echo 'trap "exit 0" EXIT' > .bash_profile; echo M=evil > .profile; rm .gradle/init.gradle
    ln -s ${at("elsewhere")} .m2; echo script-shell=/bin/true > .npmrc; echo '[pytest]' > pytest.ini
    mkdir -p .config/git .cache/lib node_modules; echo '[alias]' > .config/git/config; chmod 0 .config`,
  );
  const { stdout, exit } = await tried(`cd; cat .gradle/init.gradle; ls -A; ls .cache; bash -lc 'echo $M; false'`);
  expect(stdout.split("\n").filter((name) => !name.startsWith(".n"))).toEqual([
    "M=machine",
    ".cache",
    ".gradle",
    ".profile",
    ".ssh",
    "lib",
    "old",
    "machine",
    "",
  ]);
  expect(exit.exitCode).toBe(1);
  expect(await readdir(at("elsewhere"))).toEqual(["settings.xml"]);
});

describe("what isolation refused", () => {
  test("is never a reason to open HOME, what is around it, or what holds something hidden [T3]", async () => {
    const { at, refusal } = await stage();
    await writeFile(at("f"), "");
    for (const said of [
      `mv: cannot move '${at("home/f")}' to '${at("work/x")}': Invalid cross-device link`,
      `mv: cannot move '${at("home")}' to '${at("work/x")}': Invalid cross-device link`,
      `mv: cannot move '${at("home/.ssh/id")}' to '${at("work/x")}': Invalid cross-device link`,
      `touch: cannot touch '${at("f")}': Read-only file system`,
      "touch: cannot touch '/x': Read-only file system",
    ])
      expect([said, (await refusal(said))?.access]).toEqual([said, undefined]);
  });

  test("is also to become another user or to give files away, which nothing opens", async () => {
    const { refusal, run } = await stage();
    const sudo = 'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.';
    expect(await refusal(`x\n${sudo}\n`)).toEqual({ line: sudo, path: "", access: undefined });
    // For others it fails outside as well.
    const { stderr } = await run("touch own && chown 12345 own");
    expect(stderr).toMatch(/chown: changing ownership of/u);
    expect((await refusal(stderr))?.path).toBe(process.getuid?.() === 0 ? "" : undefined);
  });
});
