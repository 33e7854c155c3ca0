import { execFile } from "node:child_process";
import { appendFile, chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { gitHttp, type GitHttp } from "../../support/git-http.ts";
import { waitFor } from "../../support/wait-for.ts";
import { aRecord, type Machine, machine, REF, remoteWith, SOON } from "../../carry/git-machines.ts";

const run = promisify(execFile);

afterEach(() => {
  vi.unstubAllEnvs();
});

const FILES = { "README.md": "hello\n", ".gitattributes": "*.evil filter=evil\n* diff=evil merge=evil\n" };
const HOOKS = [
  "pre-push",
  "post-index-change",
  "reference-transaction",
  "post-checkout",
  "pre-auto-gc",
  "post-rewrite",
];

/** Plants everything that git would run or obey, in the checkout and in the home folder (T12). */
async function plant({ top, path: folder, git }: Machine, remote: GitHttp, evil: GitHttp): Promise<string> {
  const marker = path.join(folder, "it-ran");
  const script = path.join(folder, "evil.sh");
  await writeFile(script, `#!/bin/sh\necho "$0 $*" >> '${marker}'\n`);
  await chmod(script, 0o755);
  for (const hook of HOOKS) {
    await writeFile(path.join(top, ".git/hooks", hook), `#!/bin/sh\necho ${hook} >> '${marker}'\n`);
    await chmod(path.join(top, ".git/hooks", hook), 0o755);
  }
  const settings: readonly [string, string][] = [
    ["core.fsmonitor", script],
    ["core.hooksPath", path.join(top, ".git/hooks")],
    ["core.alternateRefsCommand", script],
    ["core.askPass", script],
    ["credential.helper", script],
    ["filter.evil.clean", script],
    ["filter.evil.smudge", script],
    ["diff.evil.textconv", script],
    ["diff.evil.command", script],
    ["merge.evil.driver", script],
    ["diff.external", script],
    ["gpg.program", script],
    ["commit.gpgSign", "true"],
    ["push.gpgSign", "if-asked"],
    ["alias.push", `!${script}`],
    ["alias.fetch", `!${script}`],
    [`url.${evil.url}.insteadOf`, remote.url],
    [`url.${evil.url}.pushInsteadOf`, remote.url],
    ["http.proxy", evil.url],
    ["http.followRedirects", "true"],
    ["fetch.recurseSubmodules", "true"],
    ["push.recurseSubmodules", "on-demand"],
    ["uploadpack.packObjectsHook", script],
  ];
  await mkdir(path.join(folder, "home"));
  for (const [name, value] of settings) {
    await git("config", name, value);
    await git("config", "--file", path.join(folder, "home/.gitconfig"), name, value);
  }
  await writeFile(path.join(folder, "home/.netrc"), "machine 127.0.0.1 login evil password evil\n");
  vi.stubEnv("HOME", path.join(folder, "home"));
  vi.stubEnv("GIT_CONFIG_GLOBAL", path.join(folder, "home/.gitconfig"));
  vi.stubEnv("GIT_SSL_NO_VERIFY", "1");
  vi.stubEnv("GIT_EXEC_PATH", folder);
  vi.stubEnv("GIT_TRACE_CURL", path.join(folder, "trace"));
  return marker;
}

test("nothing that is planted in checkout, home or environment has an effect [T12]", async () => {
  await using remote = await remoteWith(FILES);
  await using evil = await gitHttp();
  await using one = await machine(remote);
  await using other = await machine(remote);
  const markers = [await plant(one, remote, evil), await plant(other, remote, evil)];
  await one.write("README.md", "changed\n");
  await one.write("a.evil", "a\n");
  const ref = one.ref();
  expect(await ref.read(SOON)).toEqual({ answer: "absent" });
  expect(await ref.write(one.record(), await one.tree(), SOON)).toMatchObject({ ok: true });
  expect(await ref.write(one.record(2), await one.tree(), SOON)).toMatchObject({ ok: true });
  expect(await other.ref().restoreTree(SOON)).toEqual({ restored: "applied" });
  expect(await readFile(path.join(other.top, "README.md"), "utf8")).toBe("changed\n");
  expect(evil.requests).toEqual([]);
  expect(remote.requests.every(({ authorization }) => authorization?.startsWith("basic eC1hY2Nlc3M") ?? true)).toBe(
    true,
  );
  await expect(stat(path.join(one.path, "trace"))).rejects.toMatchObject({ code: "ENOENT" });
  for (const marker of markers) await expect(stat(marker)).rejects.toMatchObject({ code: "ENOENT" });
});

test("what is planted does run when git is used as people use it: the test above can fail [T12]", async () => {
  await using remote = await remoteWith(FILES);
  await using evil = await gitHttp();
  await using one = await machine(remote);
  const marker = await plant(one, remote, evil);
  vi.stubEnv("GIT_EXEC_PATH", "");
  vi.stubEnv("GIT_TRACE_CURL", "");
  await run("git", ["status"], { cwd: one.top, env: process.env }).catch(() => undefined);
  await run("git", ["ls-remote", remote.url], { cwd: one.top, env: process.env }).catch(() => undefined);
  expect(await readFile(marker, "utf8")).toContain("evil.sh");
  expect(evil.requests).not.toEqual([]);
});

test("a redirect is not followed, and the token not shown elsewhere [T12]", async () => {
  await using remote = await remoteWith();
  await using evil = await gitHttp();
  await using one = await machine(remote);
  remote.fault = ({ url }) => ({ status: 307, text: "", headers: { Location: `${evil.url}${url.slice(4)}` } });
  expect(await one.ref().read(SOON)).toMatchObject({ answer: "unreachable" });
  expect(await one.ref().write(aRecord(), null, SOON)).toMatchObject({ ok: false });
  expect(evil.requests).toEqual([]);
});

test("no argument and no file holds the token, and nothing is left running when time is over [T12]", async () => {
  await using remote = await remoteWith();
  await using one = await machine(remote);
  const ref = one.ref();
  await ref.write(one.record(), await one.tree(), SOON);
  const waiting = remote.requests.length;
  remote.fault = () => "hang";
  const written = ref.write(one.record(2), await one.tree(), 3_000);
  await waitFor("the request", () => remote.requests.length > waiting);
  const running = await processes();
  const mine = running.filter((line) => line.includes(remote.url));
  expect(mine).not.toEqual([]);
  const encoded = Buffer.from(`x-access-token:${remote.writeToken}`).toString("base64");
  expect(running.filter((line) => line.includes(encoded) || line.includes(remote.writeToken))).toEqual([]);
  expect(await written).toMatchObject({ trouble: { kind: "unreachable" } });
  expect((await processes()).filter((line) => line.includes(remote.url))).toEqual([]);
  const holding: string[] = [];
  for (const name of await readdir(one.path, { recursive: true })) {
    const file = path.join(one.path, name);
    const content = (await stat(file)).isFile() ? await readFile(file, "latin1") : "";
    if (content.includes(encoded) || content.includes(remote.writeToken)) holding.push(name);
  }
  expect(holding).toEqual([]);
});

test("what somebody changed in our own git directory is put right [T12]", async () => {
  await using remote = await remoteWith();
  await using evil = await gitHttp();
  await using one = await machine(remote);
  const ref = one.ref();
  await ref.write(aRecord(1), null, SOON);
  const own = path.join(one.path, "loops/a-loop.ref.git");
  await appendFile(path.join(own, "config"), `[url "${evil.url}"]\n\tinsteadOf = ${remote.url}\n`);
  await mkdir(path.join(own, "hooks"));
  await writeFile(path.join(own, "hooks/pre-push"), `#!/bin/sh\nexit 1\n`);
  await chmod(path.join(own, "hooks/pre-push"), 0o755);
  await writeFile(path.join(own, "commondir"), path.join(one.top, ".git"));
  await writeFile(path.join(own, "shallow.lock"), "");
  expect(await ref.write(aRecord(2), null, SOON)).toMatchObject({ ok: true });
  expect(await one.ref().read(SOON)).toMatchObject({ answer: "found", record: { revision: 2 } });
  expect(evil.requests).toEqual([]);
  expect(await remote.git("log", "--format=%s", REF)).toContain("revision 2");
});

async function processes(): Promise<readonly string[]> {
  return (await run("ps", ["-axww", "-o", "args"])).stdout.split("\n").filter((line) => line.includes("git"));
}
