import path from "node:path";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { nameOfHolder, parseHolder, thisHolder } from "../../src/os/holder.ts";
import { acquireLock, lockHolder } from "../../src/store/lock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const HOLDER = path.join(import.meta.dirname, "hold-lock.ts");

/** A real process that wants a lock. */
interface Rival extends AsyncDisposable {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** the next line that it prints */
  says(): Promise<string | undefined>;
  kill(): Promise<void>;
}

function rival(folder: string, start: "now" | "when-told" = "now"): Rival {
  const child = spawn(process.execPath, [HOLDER, folder, start], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  return { child, says: async () => (await lines.next()).value, kill, [Symbol.asyncDispose]: kill };
}

/** Puts a lock there that somebody holds or held. */
async function heldBy(folder: string, change: Partial<Awaited<ReturnType<typeof thisHolder>>>): Promise<void> {
  await mkdir(path.join(folder, "lock"), { recursive: true });
  await writeFile(path.join(folder, "lock", nameOfHolder({ ...(await thisHolder()), ...change })), "");
}

const BUSY = expect.objectContaining({ code: "LOOP_BUSY" });

describe("the lock of a loop", () => {
  it("is for one, and for the next when it is released [W-08]", async () => {
    await using folder = await tempFolder();
    const lock = await acquireLock(folder.path);
    await expect(acquireLock(folder.path)).rejects.toEqual(BUSY);
    await lock.release();
    await lock.release();
    await (await acquireLock(folder.path)).release();
    expect(await readdir(folder.path)).toEqual(["lock"]);
  });

  it("two loops do not disturb each other [W-62]", async () => {
    await using folder = await tempFolder();
    await acquireLock(path.join(folder.path, "one"));
    await acquireLock(path.join(folder.path, "two"));
    expect((await readdir(folder.path)).toSorted()).toEqual(["one", "two"]);
  });

  it("of many who begin at once exactly one gets it [W-08]", async () => {
    await using folder = await tempFolder();
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => acquireLock(folder.path)));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refusals).toEqual(Array.from({ length: 39 }, () => BUSY));
    expect(await readdir(folder.path)).toEqual(["lock"]);
  });

  it("a living process keeps it; the message names it and what to do [W-08]", async () => {
    await using folder = await tempFolder();
    await using holder = rival(path.join(folder.path, "a-loop"));
    expect(await holder.says()).toBe("held");
    const refused = acquireLock(path.join(folder.path, "a-loop"));
    await expect(refused).rejects.toEqual(BUSY);
    await expect(refused).rejects.toThrow(`process ${holder.child.pid}`);
    await expect(refused).rejects.toMatchObject({ next: expect.stringContaining("smithers stop --loop-id a-loop") });
    expect((await lockHolder(path.join(folder.path, "a-loop")))?.pid).toBe(holder.child.pid);
  });

  it("nobody holds what is a file in the place of a loop's folder", async () => {
    await using folder = await tempFolder();
    await writeFile(path.join(folder.path, "a-loop"), "");
    expect(await lockHolder(path.join(folder.path, "a-loop"))).toBeUndefined();
  });

  it("a process that lets go, or is killed, leaves it free [W-06]", async () => {
    await using folder = await tempFolder();
    await using holder = rival(folder.path);
    expect(await holder.says()).toBe("held");
    await holder.kill();
    expect(await lockHolder(folder.path)).toBeUndefined();
    await using next = rival(folder.path);
    expect(await next.says()).toBe("held");
    next.child.stdin.end();
    await once(next.child, "exit");
    expect(await readdir(path.join(folder.path, "lock"))).toEqual(["free"]);
    await (await acquireLock(folder.path)).release();
  });

  it("of several processes that race for a dead one's lock exactly one wins [W-58]", async () => {
    await using folder = await tempFolder();
    await using dead = rival(folder.path);
    expect(await dead.says()).toBe("held");
    await dead.kill();
    await using rivals = new AsyncDisposableStack();
    const all = Array.from({ length: 6 }, () => rivals.use(rival(folder.path, "when-told")));
    expect(await Promise.all(all.map((one) => one.says()))).toEqual(all.map(() => "ready"));
    for (const { child } of all) child.stdin.write("go\n");
    const answers = await Promise.all(all.map((one) => one.says()));
    expect(answers.filter((answer) => answer === "held")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "LOOP_BUSY")).toHaveLength(5);
  });

  it("of many takers of a dead one's lock exactly one wins, time and again [W-58]", async () => {
    await using folder = await tempFolder();
    for (let time = 0; time < 20; time++) {
      await rm(path.join(folder.path, "lock"), { recursive: true, force: true });
      await heldBy(folder.path, { started: "1-00000000" });
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => acquireLock(folder.path)));
      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    }
  });

  it.each([
    ["a process that is no more", { pid: 2 ** 30 }],
    ["another process under the old number", { started: "1-00000000" }],
    ["a process before the machine was started anew", { started: `${"1".repeat(9)}-ffffffff` }],
    ["a container's process before that", { started: "1-ffffffff", space: "7", pid: 2 ** 30 }],
  ])("is free when it was held by %s [W-06]", async (_what, change) => {
    await using folder = await tempFolder();
    await heldBy(folder.path, change);
    await (await acquireLock(folder.path)).release();
    expect(await readdir(path.join(folder.path, "lock"))).toEqual(["free"]);
  });

  it.each([
    ["this very process", {}],
    ["a process on another machine", { host: "elsewhere", pid: 2 ** 30 }],
    ["a process of another container under this host's name", { space: "7", pid: 2 ** 30 }],
  ])("is not free when it is held by %s [W-08]", async (_what, change) => {
    await using folder = await tempFolder();
    await heldBy(folder.path, change);
    await expect(acquireLock(folder.path)).rejects.toEqual(BUSY);
  });

  it("a name that an earlier version wrote, without the namespace, is still read [W-06]", async () => {
    const { space, ...holder } = await thisHolder();
    const older = `${holder.pid}.${holder.started}.${holder.nonce}.${holder.host}`;
    expect(parseHolder(older)).toEqual({ ...holder, space: "0" });
    expect(parseHolder(nameOfHolder({ ...holder, space }))).toEqual({ ...holder, space });
  });

  it("an ended process that its parent has not noticed holds nothing [W-06]", async () => {
    await using folder = await tempFolder();
    // the shell starts a child and becomes a program that never asks for it
    const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    const [line] = await once(createInterface(parent.stdout), "line");
    const pid = Number(line);
    await heldBy(folder.path, { pid });
    await expect.poll(() => lockHolder(folder.path)).toBeUndefined();
    await (await acquireLock(folder.path)).release();
    parent.kill("SIGKILL");
  });

  it("is taken again when somebody deletes it under the loop, unless another run was faster", async () => {
    await using folder = await tempFolder();
    const loop = path.join(folder.path, "a-loop");
    const lock = await acquireLock(loop);
    expect(await lock.keep()).toBe(true);
    await rm(loop, { recursive: true });
    expect(await lock.keep()).toBe(false);
    expect(await lock.keep()).toBe(true);
    await rm(loop, { recursive: true });
    const other = await acquireLock(loop);
    await expect(lock.keep()).rejects.toEqual(BUSY);
    await lock.release();
    expect(await other.keep()).toBe(true);
  });

  it("is made again where a person emptied it, and cleared of what a killed process left", async () => {
    await using folder = await tempFolder();
    await mkdir(path.join(folder.path, "lock"));
    await mkdir(path.join(folder.path, ".lock-abc"));
    await (await acquireLock(folder.path)).release();
    expect(await readdir(folder.path)).toEqual(["lock"]);
    await writeFile(path.join(folder.path, "lock", ".DS_Store"), "");
    await (await acquireLock(folder.path)).release();
  });

  it("tells what to delete when it makes no sense", async () => {
    await using folder = await tempFolder();
    await writeFile(path.join(folder.path, "free"), "");
    await mkdir(path.join(folder.path, "lock"));
    await rename(path.join(folder.path, "free"), path.join(folder.path, "lock", "nonsense"));
    const broken = acquireLock(folder.path);
    await expect(broken).rejects.toMatchObject({ code: "LOCK_BROKEN", next: expect.stringContaining("delete") });
  });
});
