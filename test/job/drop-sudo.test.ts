import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import path from "node:path";
import { expect, test } from "vitest";
import { dropSudo } from "../../src/job/drop-sudo.ts";
import { tempFolder } from "../support/temp-folder.ts";

const ON = { dropSudo: true, isUnisolated: true };
const RULE = "#1001 ALL=(ALL:ALL) !ALL\n";

/**
 * A machine of GitHub's whose `sudo`, `visudo` and `setfacl` are programs of ours: sudo obeys the rules that it finds, as
 * long as it `obeys`, and a socket is closed once there is a list beside it.
 */
async function machine({ obeys = true, sound = true, hasAcl = true } = {}) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder());
  const bin = path.join(folder.path, "bin");
  const rules = path.join(folder.path, "sudoers.d");
  const socket = path.join(folder.path, "docker.sock");
  const log = path.join(folder.path, "log");
  await mkdir(bin);
  await mkdir(rules);
  const put = async (name: string, script: string): Promise<void> => {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(bin, name), 0o755);
  };
  const denied = obeys ? `[ -e '${rules}/zzzz-smithers' ] && { echo 'not allowed' >&2; exit 1; }` : "";
  await put("sudo", `[ "$1" = -n ] || exit 9\n${denied}\nshift; exec "$@"`);
  await put("visudo", sound ? "exit 0" : "echo 'parse error' >&2; exit 1");
  if (hasAcl) await put("setfacl", `echo "$@" >> '${log}'; mv '${socket}' '${socket}.closed'`);
  const server = createServer();
  server.listen(socket);
  await once(server, "listening");
  const owned = stack.move();
  const told: string[] = [];
  return {
    told,
    teller: { line: (text: string) => void told.push(text), notice: (text: string) => void told.push(text) },
    given: (env: Record<string, string> = {}, user = 1001) => ({
      ...{ user, mark: "test-drop-sudo", rules, sockets: [socket] },
      env: { PATH: `${bin}:/usr/bin:/bin`, RUNNER_ENVIRONMENT: "github-hosted", ...env },
    }),
    text: async (name: string) => readFile(path.join(folder.path, name), "utf8").catch(() => undefined),
    [Symbol.asyncDispose]: async () => {
      server.close();
      await owned.disposeAsync();
    },
  };
}

test("sudo and Docker are gone, by a rule and an entry for this user, and that is said [T18]", async () => {
  await using on = await machine();
  await dropSudo(ON, on.given(), on.teller);
  expect(await on.text("sudoers.d/zzzz-smithers")).toBe(RULE);
  expect(await on.text("log")).toMatch(/^-m u:1001:--- .*docker\.sock\n$/u);
  expect(on.told).toEqual([expect.stringContaining("cannot become root any more")]);
  // Another loop of the same job finds it done.
  await dropSudo(ON, on.given(), on.teller);
  expect(on.told).toHaveLength(2);
});

test.each([
  ["sudo takes no notice", { obeys: false }, "still become root by sudo."],
  ["the rule would not be understood", { sound: false }, "by sudo (parse error)"],
  ["there are no access lists", { hasAcl: false }, /by sudo and .*docker\.sock \(.*setfacl: not found\)/u],
])("nothing begins where %s [T18]", async (_name, options, said) => {
  await using on = await machine(options);
  await expect(dropSudo(ON, on.given(), on.teller)).rejects.toThrow(said);
  expect(on.told).toEqual([]);
});

test("a rule that is not understood does not stay where sudo reads it [T18]", async () => {
  await using on = await machine({ sound: false });
  await expect(dropSudo(ON, on.given(), on.teller)).rejects.toThrow("parse error");
  for (const name of ["zzzz-smithers", "zzzz-smithers.new"]) expect(await on.text(`sudoers.d/${name}`)).toBeUndefined();
});

test.each([
  [
    "elsewhere than on GitHub's own machines",
    { RUNNER_ENVIRONMENT: "self-hosted" },
    1001,
    "no machine of GitHub's own",
  ],
  ["as root", {}, 0, "runs as root"],
])("it changes nothing %s, and says so [T18]", async (_name, env, user, said) => {
  await using on = await machine();
  await dropSudo(ON, on.given(env, user), on.teller);
  expect(on.told).toEqual([expect.stringContaining(said)]);
  expect(await on.text("log")).toBeUndefined();
});

test.each([
  ["where something runs as the user", true, 1],
  ["nowhere else", false, 0],
])("it is recommended: %s [T18]", async (_name, isUnisolated, lines) => {
  await using on = await machine();
  await dropSudo({ isUnisolated, dropSudo: false }, on.given(), on.teller);
  expect(on.told).toHaveLength(lines);
});
