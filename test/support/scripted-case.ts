import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Clock, Provider } from "../../src/core/ports.ts";
import type { ScriptInput } from "../../src/agents/scripted/script.ts";
import { createScriptedProvider } from "../../src/agents/scripted/provider.ts";
import type { ProviderCase } from "../contract/provider-contract.ts";
import { tempFolder } from "./temp-folder.ts";

const PATH = process.env["PATH"] ?? "";

/** When `quickClock` begins. */
export const START = Date.parse("2026-03-01T12:00:00Z");

/** Where nobody ever waits: sleeping moves the time. */
export function quickClock(): Clock {
  let now = START;
  return {
    now: () => now,
    async sleepUntil(at) {
      now = Math.max(now, at);
    },
  };
}

/** A scripted provider in a workspace and a loop's folder of its own. */
export interface ScriptedCase extends ProviderCase {
  readonly provider: Provider;
  readonly root: string;
}

/** Sets a script up; gone when its scope ends. */
export async function scriptedCase(script: ScriptInput, clock: Clock = quickClock()): Promise<ScriptedCase> {
  const workspace = await tempFolder();
  const root = path.join(workspace.path, "work");
  const folder = path.join(workspace.path, "loop");
  await mkdir(root);
  const mark = `test-${randomUUID()}`;
  const provider = createScriptedProvider({ script, workspaceRoot: root, folder, mark, env: { PATH }, clock });
  return { provider, folder, mark, root, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() };
}
