import { readFile } from "node:fs/promises";
import { devNull } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { hardenedGitEnvironment, networkGitEnvironment, personalGitEnvironment, runGit } from "../../src/git/git.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { waitFor } from "../support/wait-for.ts";

const CALLER = { PATH: "/bin", HOME: "/home/x", GIT_DIR: "/evil", GIT_CONFIG_COUNT: "1", LD_PRELOAD: "evil.so" };

test("of the caller's environment nothing goes on but what git needs [T12]", () => {
  expect(personalGitEnvironment(CALLER)).toEqual({
    PATH: "/bin",
    HOME: "/home/x",
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
  });
});

test("where the person keeps their configuration is known to what reads it, and to nothing else [C13]", () => {
  const own = { GIT_CONFIG_GLOBAL: "/home/x/own", GIT_CONFIG_SYSTEM: "/etc/own", GIT_CONFIG_NOSYSTEM: "0" };
  expect(personalGitEnvironment({ ...CALLER, ...own })).toMatchObject(own);
  expect(hardenedGitEnvironment({ ...CALLER, ...own })).toEqual(hardenedGitEnvironment(CALLER));
});

test("the hardened environment knows no configuration and no network [T12]", () => {
  expect(hardenedGitEnvironment(CALLER)).toMatchObject({
    ...personalGitEnvironment(CALLER),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "none",
  });
});

test("with a network there is one URL that a token goes to, and nothing else is obeyed [T12]", () => {
  const url = "https://host.example/o/r";
  const env = networkGitEnvironment({ url, token: "secret" }, { ...CALLER, https_proxy: "http://proxy.example" });
  expect(env).toMatchObject({
    GIT_ALLOW_PROTOCOL: "http:https",
    GIT_CONFIG_GLOBAL: devNull,
    HOME: devNull,
    https_proxy: "http://proxy.example",
    GIT_CONFIG_KEY_0: `http.${url}.extraheader`,
    GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${Buffer.from("x-access-token:secret").toString("base64")}`,
    GIT_CONFIG_KEY_1: "http.followRedirects",
    GIT_CONFIG_VALUE_1: "false",
  });
  expect(Object.keys(env).filter((name) => name.startsWith("GIT_CONFIG_KEY_"))).toHaveLength(
    Number(env["GIT_CONFIG_COUNT"]),
  );
  expect(env).not.toHaveProperty("GIT_DIR");
});

test("an abort ends git and what it started, also what does not want to", async () => {
  await using folder = await tempFolder();
  const options = { cwd: folder.path, env: hardenedGitEnvironment() };
  const started = path.join(folder.path, "started");
  const stubborn = `trap '' TERM; echo $$ > '${started}'; while :; do sleep 1; done`;
  const control = new AbortController();
  const ended = runGit(["-c", `alias.hang=!${stubborn}`, "hang"], { ...options, signal: control.signal });
  await waitFor("the start", async () => (await readFile(started, "utf8").catch(() => "")) !== "");
  control.abort();
  expect(await ended).toMatchObject({ exitCode: null });
  const pid = Number(await readFile(started, "utf8"));
  await waitFor("the end", () => !isAlive(pid));
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("bytes go in and come out as they are, and the exit code is told", async () => {
  await using folder = await tempFolder();
  const options = { cwd: folder.path, env: hardenedGitEnvironment() };
  const bytes = String.fromCodePoint(...Array.from({ length: 256 }, (_, i) => i));
  const echoed = await runGit(["stripspace"], { ...options, input: `${bytes.replaceAll(/[\s\0]/gu, "")}\n` });
  expect(echoed).toEqual({ exitCode: 0, stdout: `${bytes.replaceAll(/[\s\0]/gu, "")}\n`, stderr: "" });
  const failed = await runGit(["no-such-command"], options);
  expect(failed).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("no-such-command") });
});

test("git that cannot be started rejects", async () => {
  await using folder = await tempFolder();
  await expect(runGit(["version"], { cwd: folder.path, env: { PATH: folder.path } })).rejects.toHaveProperty(
    "code",
    "ENOENT",
  );
});
