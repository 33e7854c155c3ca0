/** The demonstration's real Codex: it talks to a model server on this machine that has the two turns by heart. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codexConfig } from "../../test/support/codex-home.ts";
import { command, type Item, message, patch, startModelServer } from "../../test/support/model-server.ts";
import { REPAIRS } from "./task.mjs";

/** How long the model thinks about each answer, so that a person can follow. */
const THINKING_MS = 600;

const FIRST_REPORT = `The total now counts quantities; that was the bug.

NOTES:
- total() multiplies each price with its quantity
<promise>TASK_COMPLETE</promise>`;

const SECOND_REPORT = `The discount is a percentage now, and the suite is green.

NOTES:
- discounted() divides the percentage by 100
- learned: run the whole suite before claiming anything
<promise>TASK_COMPLETE</promise>`;

/** A Codex for one demonstration. */
export interface CodexDemo {
  /** for the command line of smithers */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts the model server and writes Codex's configuration into the folder `home`, which is made. */
export async function startCodexDemo(home: string): Promise<CodexDemo> {
  const answers: readonly Item[] = [
    command("cat cart.js"),
    ...REPAIRS.slice(0, 1).map(repair),
    message(FIRST_REPORT),
    command("node --test"),
    ...REPAIRS.slice(1).map(repair),
    message(SECOND_REPORT),
  ];
  const server = await startModelServer(async (_request, index) => {
    await sleep(THINKING_MS);
    return answers[index] ?? message("Nothing is left to do.");
  });
  await mkdir(home, { recursive: true });
  await writeFile(path.join(home, "config.toml"), codexConfig(server, { keyVariable: "CODEX_API_KEY" }));
  const programs = path.join(import.meta.dirname, "../../node_modules/.bin");
  const searchPath = `${programs}${path.delimiter}${process.env["PATH"] ?? ""}`;
  return {
    flags: [],
    env: { CODEX_HOME: home, PATH: searchPath, SMITHERS_API_KEY: "demo" },
    close: () => server.close(),
  };
}

function repair({ before, after }: { readonly before: string; readonly after: string }): Item {
  return patch(`*** Update File: cart.js\n@@\n-${before}\n+${after}`);
}
