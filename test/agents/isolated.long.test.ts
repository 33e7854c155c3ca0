import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createCommandProvider } from "../../src/agents/command.ts";
import { findBubblewrap } from "../../src/agents/registry.ts";
import { prepareIsolation } from "../../src/os/isolation/isolation.ts";
import {
  aTurnRequest,
  type Behaviour,
  collect,
  LAST_MESSAGE,
  type ProviderCase,
  providerContract,
  theEnd,
  theFailure,
} from "../contract/provider-contract.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PATH = process.env["PATH"] ?? "";

/** @param hidden whether the machine hides the folder of the program from turns */
async function running(
  command: readonly string[],
  { hidden = [] }: { readonly hidden?: readonly string[] } = {},
): Promise<ProviderCase & { root: string }> {
  const machine = await tempFolder();
  const [root, home] = [path.join(machine.path, "work"), path.join(machine.path, "home")];
  for (const folder of [root, home]) await mkdir(folder);
  const [folder, mark, env] = [path.join(root, "loop"), `test-${randomUUID()}`, { PATH, HOME: home }];
  let prepared: ReturnType<typeof prepareIsolation> | undefined;
  const options = {
    ...{
      bubblewrap: findBubblewrap(PATH),
      env,
      mark: `${mark}/isolation`,
      cwd: root,
      writable: [],
      readOnly: [folder],
    },
    ...{ hidden, toolCaches: [], access: [], scratch: machine.path },
  };
  const isolation = async () => {
    const tried = await (prepared ??= prepareIsolation(options));
    if (!tried.ok) throw new Error(tried.trouble.because);
    return tried.value;
  };
  const provider = createCommandProvider({ command, workspaceRoot: root, folder, mark, env, isolation });
  return { provider, folder, mark, root, [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose]() };
}

const shell = (script: string) => running(["sh", "-c", script]);

providerContract("command in isolation", (behaviour) => {
  const commands: Record<Behaviour, readonly string[]> = {
    completes: ["sh", "-c", `cat >/dev/null; echo '${LAST_MESSAGE}'`],
    fails: ["sh", "-c", "echo broken >&2; exit 1"],
    hangs: ["sh", "-c", "setsid sleep 300 & sleep 300"],
    missing: ["no-such-agent"],
  };
  return running(commands[behaviour]);
});

describe("a turn in isolation", () => {
  const TRAP = "trap 'echo bye > ended; exit 0' INT";
  const WAITS = "while :; do sleep 0.01; done";

  test.each([
    ["is out of time", "timed_out", "echo ready", { timeoutMs: 500 }],
    ["says nothing for too long", "idle", ":", { idleTimeoutMs: 500 }],
  ])("that %s hears it, and its handler runs", async (_what, kind, first, limits) => {
    await using it = await shell(`${TRAP}; ${first}; ${WAITS}`);
    expect(theFailure(await collect(it.provider, aTurnRequest(limits))).kind).toBe(kind);
    expect(await readFile(path.join(it.root, "ended"), "utf8")).toBe("bye\n");
  });

  test("that a person ends hears it, and its handler runs", async () => {
    await using it = await shell(`${TRAP}; touch begun; ${WAITS}`);
    const stop = new AbortController();
    const turn = collect(it.provider, aTurnRequest(), stop.signal);
    while (!existsSync(path.join(it.root, "begun"))) await new Promise(setImmediate);
    stop.abort();
    expect(theFailure(await turn).kind).toBe("cancelled");
    expect(await readFile(path.join(it.root, "ended"), "utf8")).toBe("bye\n");
  });

  test("changes no file of the loop, whose folder it is told", async () => {
    await using it = await shell('echo forged > "$SMITHERS_LOOP_FOLDER/state"; ls "$SMITHERS_LOOP_FOLDER"');
    expect(theEnd(await collect(it.provider, aTurnRequest())).lastMessage).toBe("events_iter_1.jsonl");
  });

  test("whose program cannot be seen did not begin, and it is said how to open it", async () => {
    await using machine = await tempFolder();
    const program = path.join(machine.path, "agent");
    await writeFile(program, "#!/bin/sh\n", { mode: 0o755 });
    await using it = await running([program], { hidden: [machine.path] });
    const { kind, message, next } = theFailure(await collect(it.provider, aTurnRequest()));
    expect(kind).toBe("sandbox_broken");
    expect(message).toContain(`execvp ${program}: No such file`);
    expect(next).toContain("agent-access");
  });
});
