import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { withSandboxRepair } from "../../src/agents/with-sandbox-repair.ts";
import type { AgentEvent, ProviderFailure } from "../../src/core/agent.ts";
import type { Provider } from "../../src/core/ports.ts";
import { aFailure, aTurn } from "../support/builders.ts";
import { type TempFolder, tempFolder } from "../support/temp-folder.ts";

const BROKEN = aFailure("sandbox_broken", { message: "The agent's sandbox cannot start: bwrap: loopback." });
const NEVER = new AbortController().signal;
const REQUEST = {
  iteration: 1,
  prompt: "",
  sessionId: null,
  sessionUsage: null,
  timeoutMs: 1_000,
  idleTimeoutMs: 1_000,
};

interface Machine extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly env: Readonly<Record<string, string>>;
  /** what the kernel says now */
  restriction(): Promise<string>;
}

/** A machine whose `sysctl` and `sudo` are programs of ours; undefined: not installed. */
async function machine({
  restricted = "1",
  sudo = 'shift; exec "$@"',
}: { restricted?: string; sudo?: string | null } = {}) {
  const folder = await tempFolder();
  const value = path.join(folder.path, "userns");
  const put = async (name: string, script: string) => {
    await writeFile(path.join(folder.path, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(folder.path, name), 0o755);
  };
  await writeFile(value, restricted);
  await put("sysctl", `case "$1" in -n) cat '${value}';; -w) echo "\${2##*=}" > '${value}'; echo "$2";; esac`);
  if (sudo !== null) await put("sudo", `[ "$1" = -n ] || exit 9\n${sudo}`);
  const made: Machine = {
    folder,
    env: { PATH: sudo === null ? `${folder.path}:${folder.path}/none` : `${folder.path}:/usr/bin:/bin` },
    restriction: async () => (await readFile(value, "utf8")).trim(),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
  return made;
}

/** A provider whose sandbox starts only while the machine lets it. */
function provider(on: Machine, failure: ProviderFailure = BROKEN, before: readonly AgentEvent[] = []): Provider {
  const works = async (): Promise<boolean> => (await on.restriction()) === "0";
  return {
    name: "codex",
    preflight: async () => ((await works()) ? undefined : failure),
    async *runTurn() {
      if (await works()) return yield* aTurn();
      yield* before;
      yield { ...aFailedEnd(), failure };
    },
  };
}

function aFailedEnd() {
  const usage = { input: 0, cachedInput: 0, output: 0, reasoning: 0 };
  return { type: "turn.failed" as const, exitCode: null, lastMessage: "", usage, sessionUsage: null };
}

function repaired(on: Machine, inner: Provider, platform: NodeJS.Platform = "linux") {
  const told: string[] = [];
  const outer = withSandboxRepair(inner, (text) => void told.push(text), { platform, env: on.env, mark: "test" });
  const turn = async () => {
    const events: AgentEvent[] = [];
    for await (const event of outer.runTurn(REQUEST, NEVER)) events.push(event);
    return events;
  };
  return { outer, told, turn };
}

test("a sandbox that Ubuntu's restriction breaks is repaired before the loop begins, and that is said", async () => {
  await using on = await machine();
  const { outer, told } = repaired(on, provider(on));
  expect(await outer.preflight(NEVER)).toBeUndefined();
  expect(await on.restriction()).toBe("0");
  expect(told).toEqual([expect.stringContaining("The restriction was lifted until the machine's next start")]);
});

test("a turn that finds its sandbox broken goes on after the repair", async () => {
  await using on = await machine();
  const { told, turn } = repaired(on, provider(on));
  expect(await turn()).toEqual(aTurn());
  expect(told).toHaveLength(1);
  expect(await turn()).toEqual(aTurn());
  expect(told).toHaveLength(1);
});

test.for([
  { name: "sudo asks for a password", sudo: "echo 'sudo: a password is required' >&2; exit 1", why: "a password is" },
  { name: "sudo fails without a word", sudo: "exit 1", why: "sudo failed" },
])("where $name the failure says why and what to do", async ({ sudo, why }) => {
  await using on = await machine({ sudo });
  const { outer, told, turn } = repaired(on, provider(on));
  const failure = {
    kind: "sandbox_broken",
    message: expect.stringContaining(why),
    next: expect.stringContaining("sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
  };
  expect(await outer.preflight(NEVER)).toMatchObject(failure);
  expect(await turn()).toMatchObject([{ type: "turn.failed", failure }]);
  expect(told).toEqual([]);
});

test.for([
  { name: "the kernel restricts nothing", restricted: "0 " },
  { name: "the kernel does not know the restriction", restricted: "" },
])("where $name the failure stays as it is", async ({ restricted }) => {
  await using on = await machine({ restricted });
  const broken: Provider = { ...provider(on), preflight: async () => BROKEN };
  expect(await repaired(on, broken).outer.preflight(NEVER)).toEqual(BROKEN);
  expect(await on.restriction()).toBe(restricted.trim());
});

test.for([
  { name: "another system", platform: "darwin", failure: BROKEN },
  { name: "another failure", platform: "linux", failure: aFailure("auth") },
] as const)("nothing is touched on $name", async ({ platform, failure }) => {
  await using on = await machine();
  expect(await repaired(on, provider(on, failure), platform).outer.preflight(NEVER)).toEqual(failure);
  expect(await on.restriction()).toBe("1");
});

test("a turn that has begun is not begun again", async () => {
  await using on = await machine();
  const { turn, told } = repaired(on, provider(on, BROKEN, [{ type: "session.started", sessionId: "s" }]));
  expect(await turn()).toMatchObject([{ type: "session.started" }, { type: "turn.failed", failure: BROKEN }]);
  expect(told).toEqual([]);
});

test("a machine without sudo is told so", async () => {
  await using on = await machine({ sudo: null });
  await writeFile(path.join(on.folder.path, "sysctl"), "#!/bin/sh\necho 1\n");
  expect(await repaired(on, provider(on)).outer.preflight(NEVER)).toMatchObject({
    message: expect.stringContaining("there is no sudo"),
  });
});
