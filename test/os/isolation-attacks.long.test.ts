import { execFile } from "node:child_process";
import { chmod, chown, copyFile, cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findBubblewrap } from "../../src/agents/registry.ts";
import { tempFolder } from "../support/temp-folder.ts";

const run = promisify(execFile);
const REPOSITORY = path.join(import.meta.dirname, "../..");
const SOMEBODY = 1001;
const isRoot = process.getuid?.() === 0;

/** What the attacks get, and what stands afterwards, as this user or as somebody without rights. */
async function attack(uid: number | undefined) {
  await using folder = await tempFolder("attacks-");
  const at = (name: string): string => path.join(folder.path, name);
  const bubblewrap = findBubblewrap(process.env["PATH"] ?? "");
  if (bubblewrap === undefined) throw new Error("There is no bubblewrap; run npm ci.");
  // That user may not be able to read the repository, and the system's temp folder is another one inside.
  for (const name of ["src", "test/support"]) await cp(path.join(REPOSITORY, name), at(name), { recursive: true });
  await copyFile(path.join(REPOSITORY, "package.json"), at("package.json"));
  await mkdir(at("machine"));
  for (const [from, to] of [
    [bubblewrap, at("bwrap")],
    [process.execPath, at("node")],
  ] as const) {
    await copyFile(from, to);
    await chmod(to, 0o755);
  }
  const program = [at("node"), at("test/support/isolation-attacks.ts"), at("machine"), at("bwrap")];
  const [command = "", ...args] =
    uid === undefined ? program : ["setpriv", "--reuid", `${uid}`, "--regid", `${uid}`, "--clear-groups", ...program];
  if (uid !== undefined) {
    await chmod(folder.path, 0o755);
    await chown(at("machine"), uid, uid);
  }
  const env = { PATH: process.env["PATH"], SECRET: "CANARY-env" };
  const { stdout } = await run(command, args, { cwd: at("machine"), env });
  return JSON.parse(stdout);
}

test.each([
  ["whoever runs the tests", undefined],
  ["a user without rights", SOMEBODY],
] as const)("no attack of a check gets out, as %s [T2, T3, T11, T15, T19]", async (_who, uid) => {
  // As somebody else only root can; where the tests have no rights, the first case is the second one.
  if (uid !== undefined && !isRoot) return;
  const { got, after, useful, lacks, ...rest } = await attack(uid);
  expect(rest).toEqual({ uid: uid ?? process.getuid?.() });
  expect(lacks).toBe("");
  expect(Object.values(got)).toHaveLength(20);
  expect(Object.entries(got).filter(([, found]) => String(found) !== "")).toEqual([]);
  expect(after).toEqual({
    ...{ killed: false, daemon: 0, elsewhere: ["agent.sock"], memory: false, shell: "mine", fileCommands: "" },
    state: "ours",
  });
  expect(useful).toBe(`made\nreached\n${rest.uid}\n`);
});
