import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findBubblewrap } from "../../src/agents/registry.ts";
import { prepareIsolation } from "../../src/os/isolation/isolation.ts";
import { PATH, stage } from "../support/isolation-stage.ts";
import { finish, firstLine, shell } from "../support/supervised-shell.ts";
import { tempFolder } from "../support/temp-folder.ts";

describe("what a command in isolation finds", () => {
  test("exit codes, output and input as outside; a signal as 128 and its number", async () => {
    const { run } = await stage();
    expect(await run("echo out; echo err >&2; exit 7")).toEqual({
      ...{ stdout: "out\n", stderr: "err\n" },
      exit: { ended: "exited", exitCode: 7, signal: null },
    });
    expect((await run("kill -TERM $$")).exit.exitCode).toBe(143);
  });

  test("no process of ours, and no environment of one [T2]", async () => {
    const { run } = await stage();
    process.env["SECRET_OF_THE_TEST"] = "CANARY-env";
    onTestFinished(() => void Reflect.deleteProperty(process.env, "SECRET_OF_THE_TEST"));
    const { stdout } = await run(
      `cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c CANARY; [ -e /proc/${process.pid}/environ ] || echo hidden; kill -USR1 ${process.pid} || echo unreachable`,
    );
    expect(stdout).toBe("0\nhidden\nunreachable\n");
  });

  test("no credential of its user, and nothing of what the caller hides [T2, T11]", async () => {
    const { at, run } = await stage();
    const { stdout } = await run(
      `cat ~/.ssh/id ~/.npmrc ${at("temp")}/* 2>/dev/null; ls ~/.ssh ${at("temp")}; echo x > ${at("temp")}/commands; cat ~/.cache/old`,
    );
    expect(stdout).toContain("old");
    expect(stdout).not.toContain("CANARY");
    expect(await readFile(at("temp/commands"), "utf8")).toBe("CANARY-temp");
  });

  test("no credential either where the workspace is HOME or around it, and what is opened in a hidden folder alone [T2]", async () => {
    const { at } = await stage();
    const around = await stage({
      cwd: at("home"),
      hidden: [at("temp")],
      access: [at("temp/commands")],
      env: { PATH, HOME: at("home") },
    });
    await writeFile(at("temp/other"), "CANARY-other");
    const { stdout } = await finish(
      await around.start(`echo made > made; cat ${at("home/.ssh/id")} ${at("temp")}/*`, {
        cwd: at("home"),
        env: { PATH, HOME: at("home") },
      }),
    );
    expect(stdout).toBe("CANARY-temp");
    expect(await readFile(at("home/made"), "utf8")).toBe("made\n");
  });

  test("what it may not see can be opened by name, to read or to change", async () => {
    const closed = await stage();
    const { at } = closed;
    const write = `cat ~/.ssh/id; echo x > ${at("elsewhere/new")}`;
    expect((await closed.run(write)).exit.exitCode).not.toBe(0);
    const opened = await stage({ access: [] });
    const named = await stage({ access: [`${opened.at("elsewhere")}:rw`, opened.at("elsewhere")] });
    expect((await named.run(`echo x > ${opened.at("elsewhere/new")}`)).exit.exitCode).toBe(0);
    expect(await readdir(opened.at("elsewhere"))).toEqual(["new"]);
  });

  test("a socket of somebody else's program is closed, unless it is opened [T2]", async () => {
    const { at, run } = await stage();
    const server = createServer((socket) => socket.end("CANARY"));
    await once(server.listen(at("elsewhere/agent.sock")), "listening");
    onTestFinished(() => void server.close());
    process.env["SSH_AUTH_SOCK"] = at("elsewhere/agent.sock");
    onTestFinished(() => void Reflect.deleteProperty(process.env, "SSH_AUTH_SOCK"));
    const connect = `node -e 'require("net").connect("${at("elsewhere/agent.sock")}").on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    expect((await run(connect)).stdout).not.toContain("CANARY");
  });
});

describe("what a command in isolation leaves", () => {
  test("its work in the workspace; what it installs stays for the next one and never reaches the machine", async () => {
    const { at, run } = await stage();
    await run(
      "echo work > made; echo lib > ~/.cache/lib; echo changed > ~/.cache/old; echo t > /tmp/t; echo v > /var/tmp/v",
    );
    expect((await run("cat ~/.cache/lib ~/.cache/old /tmp/t /var/tmp/v")).stdout).toBe("lib\nchanged\nt\nv\n");
    expect(await readFile(at("work/made"), "utf8")).toBe("work\n");
    expect(await readFile(at("home/.cache/old"), "utf8")).toBe("old");
    expect([existsSync(at("home/.cache/lib")), existsSync("/tmp/t"), existsSync("/var/tmp/v")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("nothing outside of it, not even as root", async () => {
    const { at, run } = await stage();
    const tries = [
      `echo x > ${at("elsewhere/x")}`,
      "mount -o remount,rw /",
      `mount --bind ${at("elsewhere")} ${at("work")}`,
      "echo x > /proc/sys/kernel/core_pattern",
      "umount -l /tmp",
      "unshare -m true && mount -o remount,rw /",
    ];
    for (const script of tries) expect([script, (await run(script)).exit.exitCode]).not.toEqual([script, 0]);
    expect(await readdir(at("elsewhere"))).toEqual([]);
  });

  test("the loop's files as they are, whatever is done to the folders above them [T15]", async () => {
    const { at, run } = await stage({ readOnly: [] });
    const locked = await stage();
    expect((await run("echo forged > states/loop.json")).exit.exitCode).toBe(0);
    expect(await readFile(at("work/states/loop.json"), "utf8")).toBe("forged\n");
    const tries = [
      "echo forged > states/loop.json",
      "rm -f states/loop.json",
      "mv states old; mkdir states; echo forged > states/loop.json",
      "ln -sfn /tmp states",
    ];
    for (const script of tries) await locked.run(script);
    expect(await readFile(locked.at("work/states/loop.json"), "utf8")).toBe("ours");
  });

  test("no process, however it hides; the end is told when all are gone [T19]", async () => {
    const { at, run, start } = await stage();
    const daemon = `env -i setsid sh -c 'while :; do echo alive >> ${at("work/beats")}; sleep 0.01; done' >/dev/null 2>&1 &`;
    expect((await run(`${daemon} sleep 0.1; exit 0`)).exit.exitCode).toBe(0);
    const beats = (await readFile(at("work/beats"), "utf8")).length;
    await run("true");
    expect((await readFile(at("work/beats"), "utf8")).length).toBe(beats);
    const end = new AbortController();
    const running = await start(`${daemon} echo ready; sleep 60`, { signal: end.signal });
    await firstLine(running);
    end.abort();
    expect((await finish(running)).exit.ended).toBe("aborted");
  });

  test("what its handler of a signal still writes, when it is to end itself", async () => {
    const { start, at } = await stage();
    const end = new AbortController();
    const running = await start(`trap 'echo bye > ended; exit 5' INT; echo ready; while :; do sleep 0.01; done`, {
      signal: end.signal,
    });
    await firstLine(running);
    end.abort();
    expect((await finish(running)).exit).toMatchObject({ ended: "aborted", exitCode: 5 });
    expect(await readFile(at("work/ended"), "utf8")).toBe("bye\n");
  });
});

describe("folders that look writable", () => {
  test("are not written to the disk when a command ends: others that write much do not delay it", async () => {
    const { at, run } = await stage();
    const { stdout } = await run("grep ' overlay ' /proc/self/mounts");
    expect(stdout.split("\n").find((line) => line.includes(` ${at("home")} `))).toMatch(/\boverlay rw,.*\bvolatile\b/u);
  });

  test("show what has changed in the real ones since the command before", async () => {
    const { at, run } = await stage();
    await run("cat ~/.cache/old ~/.cache/late");
    await writeFile(at("home/.cache/late"), "late");
    await writeFile(at("home/.cache/next"), "newer");
    await rename(at("home/.cache/next"), at("home/.cache/old"));
    expect((await run("cat ~/.cache/old ~/.cache/late")).stdout).toBe("newerlate");
  });

  test("are each command's own while it runs beside another, and the first one's afterwards", async () => {
    const { run, start } = await stage();
    const first = await start("echo first > ~/made; rm ~/.cache/old; echo ready; read line; cat ~/made; ls ~/.cache", {
      input: new Promise<string>((resolve) => (goOn = resolve)),
    });
    await firstLine(first);
    const { stdout } = await run("cat ~/made ~/.cache/old; echo second > ~/made; rm ~/.cache/old && echo removed");
    expect(stdout).toBe("oldremoved\n");
    goOn("go on\n");
    expect((await finish(first)).stdout).toContain("first\n");
    expect((await run("cat ~/made; ls ~/.cache")).stdout).toBe("first\n");
  });

  test("go with the process that made them; after a kill, when the next one begins [T19]", async () => {
    const { at } = await stage();
    const [mine = ""] = await readdir(at("scratch"));
    const dead = mine.replace(`-${process.pid}-`, `-${2 ** 30}-`);
    const elsewhere = mine.replace(/smithers-\d+-/u, "smithers-1-");
    await mkdir(at(`scratch/${elsewhere}`));
    await mkdir(at(`scratch/${dead}/layers-0/work-0/work/incompat`), { recursive: true });
    await chmod(at(`scratch/${dead}/layers-0/work-0/work`), 0);
    await stage({ scratch: at("scratch") });
    const left = await readdir(at("scratch"));
    expect(left).toEqual(expect.arrayContaining([mine, elsewhere]));
    expect(left).not.toContain(dead);
  });

  test("are bubblewrap's own work without util-linux, and what that means is said", async () => {
    const { run, lacks } = await stage({ searchPath: "" });
    expect(lacks).toMatch(/^a check can end late while the disk is busy, .*\(unshare and mount/u);
    await run("echo lib > ~/.cache/lib");
    expect((await run("cat ~/.cache/lib ~/.cache/old")).stdout).toBe("lib\nold");
  });
});

describe("what isolation refused", () => {
  /** Runs it inside, and asks whether isolation is to blame for how it ended. */
  async function blamed(script: (at: (name: string) => string) => string, prepare = async (_at: string) => {}) {
    const { at, run, refusal } = await stage();
    await prepare(at("elsewhere"));
    const { stdout, stderr, exit } = await run(script(at));
    expect([stderr, exit.exitCode]).not.toEqual([stderr, 0]);
    const refused = await refusal(`${stdout}${stderr}`);
    const { access } = refused ?? {};
    return refused && { path: path.relative(at(""), refused.path), access: access && path.relative(at(""), access) };
  }
  const node = (code: string): string => `node -e '${code}'`;

  test("is a write to the read-only machine, where the user may write", async () => {
    expect(await blamed((at) => `echo x > ${at("elsewhere/new")}`)).toEqual({
      path: "elsewhere/new",
      access: "elsewhere:rw",
    });
    const made = await blamed((at) => node(`require("fs").mkdirSync("${at("elsewhere/a")}")`));
    expect(made).toMatchObject({ access: "elsewhere:rw" });
  });

  test("is a rename from the workspace to HOME; not one of what nobody may change", async () => {
    const across = await blamed((at) =>
      node(`require("fs").renameSync("${at("work/states")}", "${at("home/states")}")`),
    );
    expect(across).toBeUndefined();
    const link = await blamed(
      (at) => `touch f; ${node(`require("fs").renameSync("${at("work/f")}", "${at("home/f")}")`)}`,
    );
    expect(link).toEqual({ path: "home/f", access: undefined });
  });

  test("is a socket that lies in the machine's own /tmp", async () => {
    const folder = await mkdtemp("/tmp/smithers-test-");
    onTestFinished(() => rm(folder, { recursive: true }));
    const server = createServer((socket) => socket.end());
    await once(server.listen(path.join(folder, "db.sock")), "listening");
    onTestFinished(() => void server.close());
    const { run, refusal } = await stage();
    const { stderr } = await run(
      node(
        `require("net").connect("${folder}/db.sock").on("error", (e) => { console.error(e.message); process.exit(1) })`,
      ),
    );
    expect(await refusal(stderr)).toMatchObject({ path: `${folder}/db.sock`, access: `${folder}/db.sock:rw` });
  });

  test("is nothing that the check only speaks of, or that fails outside as well", async () => {
    const { at, refusal } = await stage();
    for (const said of [
      "test EROFS is handled: expected 1 to be 2",
      "EROFS: read-only file system, open '/proc/sys/kernel/none/such'",
      `EROFS: read-only file system, open '${at("work/states/loop.json")}'`,
      `EROFS: read-only file system, open '${at("work/made")}'`,
      `EROFS: read-only file system, open '${at("home/made")}'`,
      `EXDEV: cross-device link not permitted, rename '${at("work/a")}' -> '${at("work/b")}'`,
      `EXDEV: cross-device link not permitted, rename '${at("work/a")}' -> '/proc/b'`,
      `EOVERFLOW: value too large for defined data type, open '${at("home/.cache/old")}'`,
      "connect ENOENT /tmp/none.sock",
    ])
      expect([said, await refusal(said)]).toEqual([said, undefined]);
  });
});

let goOn: (text: string) => void = () => {};

describe("where there is no isolation", () => {
  test.each([
    ["no bubblewrap", undefined, /was not found/u],
    [
      "one that may make no namespaces",
      'echo "bwrap: No permissions to create a new namespace" >&2; exit 1',
      /^No permissions/u,
    ],
    ["one that does nothing", "exit 0", /did not start it/u],
  ])("%s: it is said why", async (_what, script, why) => {
    await using folder = await tempFolder();
    const program = path.join(folder.path, "bwrap");
    await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const prepared = await prepareIsolation({
      ...{ bubblewrap: script === undefined ? undefined : program, env: { PATH }, mark: "test-none", cwd: folder.path },
      ...{ writable: [], readOnly: [], hidden: [], toolCaches: [], access: [], scratch: folder.path },
    });
    expect(prepared).toEqual({ ok: false, trouble: { because: expect.stringMatching(why) } });
  });

  test("a workspace that is the whole file system: nothing could be kept from it", async () => {
    const prepared = await prepareIsolation({
      ...{ bubblewrap: findBubblewrap(PATH), env: { PATH }, mark: "test-none", cwd: "/", writable: [] },
      ...{ readOnly: [], hidden: [], toolCaches: [], access: [] },
    });
    expect(prepared).toEqual({ ok: false, trouble: { because: "the workspace is the whole file system" } });
  });

  test("one that knows no overlays: HOME is empty, and that is said", async () => {
    await using folder = await tempFolder();
    const program = path.join(folder.path, "bwrap");
    const real = findBubblewrap(PATH) ?? "";
    const refusing = `for a; do [ "$a" = --overlay-src ] && { echo "bwrap: Unknown option --overlay-src" >&2; exit 1; }; done; exec ${real} "$@"`;
    await writeFile(program, `#!/bin/sh\n${refusing}\n`, { mode: 0o755 });
    await mkdir(path.join(folder.path, "home/.cache"), { recursive: true });
    await symlink("home", path.join(folder.path, "link"));
    const env = { PATH, HOME: path.join(folder.path, "link") };
    const prepared = await prepareIsolation({
      ...{ bubblewrap: program, env, mark: "test-old", cwd: import.meta.dirname },
      ...{ writable: [], readOnly: [], hidden: [], toolCaches: [], access: [], scratch: folder.path, searchPath: "" },
    });
    if (!prepared.ok) throw new Error(prepared.trouble.because);
    expect(prepared.value.lacks).toMatch(/^HOME is empty/u);
    const { stdout } = await finish(
      shell("ls -A ~; echo ok > ~/x; cat ~/x", { env, isolation: await prepared.value.launcher() }),
    );
    expect(stdout).toBe("ok\n");
  });
});
